//! The members that a hand-written part of a Python class defines.

use object_core::LineIndex;
use object_python_syntax::with_tree;
use ruff_python_ast::{Expr, Stmt};
use ruff_text_size::{Ranged, TextRange};

use crate::custom_parts::class_region::CustomPart;
use crate::custom_parts::definition::{Definition, PartContents};

/// The line that makes a part a class of its own.
const HEADER: &str = "class Part:\n";

/// The members of a part.
pub(super) fn contents(part: &CustomPart<'_>) -> PartContents {
    let is_indented =
        part.text.lines().find(|line| !line.trim().is_empty()).is_some_and(|line| line.starts_with([' ', '\t']));
    let (header, text) = if is_indented { (1, format!("{HEADER}{}", part.text)) } else { (0, part.text.to_owned()) };
    let lines = LineIndex::new(&text);
    let place = |offset: usize| {
        let (line, column) = lines.line_column(offset);
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        (part.first_line.saturating_add(number(line.saturating_sub(1 + header))), number(column))
    };
    with_tree(&text, |tree, faults| {
        let fault = faults.first().map(|fault| {
            let (line, column) = place(fault.range.start);
            (line, column, fault.message.clone())
        });
        let mut contents = PartContents { fault, definitions: Vec::new() };
        let body: &[Stmt] = match tree.body.first() {
            Some(Stmt::ClassDef(class)) if is_indented => &class.body,
            _ => &tree.body,
        };
        let mut add = |name: &str, range: TextRange| {
            let (line, column) = place(range.start().into());
            contents.definitions.push(Definition { name: name.to_owned(), line, column });
        };
        for stmt in body {
            match stmt {
                Stmt::FunctionDef(function) => add(function.name.as_str(), function.name.range()),
                Stmt::ClassDef(class) => add(class.name.as_str(), class.name.range()),
                Stmt::AnnAssign(assign) => {
                    if let Expr::Name(name) = &*assign.target {
                        add(name.id.as_str(), name.range());
                    }
                }
                Stmt::Assign(assign) => {
                    for target in &assign.targets {
                        if let Expr::Name(name) = target {
                            add(name.id.as_str(), name.range());
                        }
                    }
                }
                _ => {}
            }
        }
        contents
    })
}
