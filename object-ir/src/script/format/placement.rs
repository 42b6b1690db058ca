//! Comments at their statements of a text.

use crate::script::format::comments::{Comment, Side};
use crate::script::statements::Statements;

/// `text` with comments, each with its side of a statement of `text`.
pub(super) fn with_comments(text: &str, statements: &Statements, comments: &[(&Comment<'_>, usize)]) -> String {
    let mut insertions: Vec<(usize, String)> = Vec::new();
    for (comment, number) in comments {
        let statement = &statements.all[*number];
        let indent = " ".repeat(statement.column);
        let line_end = |at: usize| text[at..].find('\n').map_or(text.len(), |length| at + length);
        insertions.push(match comment.side {
            Side::Before => (statement.start - statement.column, format!("{indent}{}\n", comment.text)),
            Side::End if statement.children.is_empty() => (line_end(statement.end), format!("  {}", comment.text)),
            Side::End => (line_end(statement.start), format!("  {}", comment.text)),
            Side::After => (line_end(statement.end), format!("\n{indent}{}", comment.text)),
        });
    }
    // Comments at one place stay in order.
    insertions.sort_by_key(|(at, _)| *at);
    let mut result = String::with_capacity(text.len() + insertions.iter().map(|(_, it)| it.len()).sum::<usize>());
    let mut end = 0;
    for (at, insertion) in insertions {
        result.push_str(&text[end..at]);
        result.push_str(&insertion);
        end = at;
    }
    result.push_str(&text[end..]);
    result
}
