//! The comments that say which imports the text needs.

use crate::print::doc::tree::{Doc, Node};
use crate::print::state::printer::Printer;

/// The statement after the comments for the dialects whose names the text has used so far, and an empty line. Each
/// function has them, also a function inside of another one. The readable text has no such comments.
pub(crate) fn with_header(p: &mut Printer<'_>, statement: Doc) -> Doc {
    let options = p.options;
    if options.readable {
        return statement;
    }
    let type_vars = type_vars(p);
    let lines = [
        (!type_vars.is_empty(), "from typing import TypeVar".to_owned()),
        (p.used[0], format!("from tvm.script import ir as {}", options.ir_prefix)),
        (p.used[1], format!("from tvm.script import tirx as {}", options.tir_prefix)),
        (p.used[1], "from tvm.tirx.layout import Axis".to_owned()),
        (p.used[2], format!("from tvm.script import relax as {}", options.relax_prefix)),
    ];
    let mut statements = Vec::new();
    for (_, line) in lines.iter().filter(|(is_used, _)| *is_used) {
        statements.push(comment(p, line));
    }
    if statements.is_empty() {
        return statement;
    }
    statements.push(comment(p, ""));
    statements.extend(type_vars);
    statements.push(statement);
    p.block(&statements)
}

/// The statements that make the dimensions before the text at hand: `n = TypeVar("n")`. Only the text at the root has them.
fn type_vars(p: &mut Printer<'_>) -> Vec<Doc> {
    if p.frames.len() > 1 {
        return Vec::new();
    }
    let names = p.type_vars.take();
    let assign = |name| {
        let hint = p.tree.text(name).to_owned();
        let (callee, hint) = (p.name("TypeVar"), p.string(&hint));
        let (target, value) = (p.tree.add(Node::Name(name)), p.call(callee, &[hint], &[]));
        p.assign(target, None, Some(value))
    };
    names.into_iter().map(assign).collect()
}

/// A comment of one line.
pub(crate) fn comment(p: &mut Printer<'_>, text: &str) -> Doc {
    let text = p.tree.store(text);
    p.tree.add(Node::Comment(text))
}
