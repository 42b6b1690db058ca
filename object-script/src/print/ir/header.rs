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
    let lines = [
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
    statements.push(statement);
    p.block(&statements)
}

/// A comment of one line.
pub(crate) fn comment(p: &mut Printer<'_>, text: &str) -> Doc {
    let text = p.tree.store(text);
    p.tree.add(Node::Comment(text))
}
