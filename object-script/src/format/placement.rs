//! Comments, literals and decorators at their statements of a text.

use std::ops::Range;

use crate::format::comments::Side;
use crate::statements::Statements;

/// A comment or a literal at a statement of a text.
pub(super) struct Piece<'a> {
    pub(super) text: &'a str,
    pub(super) side: Side,
    /// The number of the statement.
    pub(super) number: usize,
}

/// `text` with pieces at its statements, with other texts in the place of some, and with `base` at the start of each of its own
/// lines but the first.
pub(super) fn with_pieces(
    text: &str,
    statements: &Statements,
    pieces: &[Piece<'_>],
    replaced: &[(Range<usize>, &str)],
    base: &str,
) -> String {
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    for piece in pieces {
        let statement = &statements.all[piece.number];
        let indent = " ".repeat(statement.column);
        let line_end = |at: usize| text[at..].find('\n').map_or(text.len(), |length| at + length);
        let (at, insertion) = match piece.side {
            Side::Before => (statement.start - statement.column, format!("{indent}{}\n{base}", piece.text)),
            Side::End if statement.children.is_empty() => (line_end(statement.end), format!("  {}", piece.text)),
            Side::End => (line_end(statement.start), format!("  {}", piece.text)),
            Side::After => (line_end(statement.end), format!("\n{base}{indent}{}", piece.text)),
        };
        edits.push((at..at, insertion));
    }
    edits.extend(replaced.iter().map(|(range, text)| (range.clone(), (*text).to_owned())));
    // Edits at one place stay in order.
    edits.sort_by_key(|(range, _)| range.start);
    let mut result = String::with_capacity(text.len() + edits.iter().map(|(_, it)| it.len()).sum::<usize>());
    let mut end = 0;
    for (range, edit) in edits {
        push_lines(&mut result, &text[end..range.start], base);
        result.push_str(&edit);
        end = range.end;
    }
    push_lines(&mut result, &text[end..], base);
    result
}

/// Adds a text whose first line is the rest of one. Empty lines stay empty.
fn push_lines(result: &mut String, text: &str, base: &str) {
    let mut lines = text.split('\n').peekable();
    result.push_str(lines.next().unwrap_or_default());
    while let Some(line) = lines.next() {
        result.push('\n');
        // The last line goes on after the text.
        if !line.is_empty() || lines.peek().is_none() {
            result.push_str(base);
        }
        result.push_str(line);
    }
}
