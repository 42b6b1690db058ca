//! [`Comment`]: a comment with the statement that it belongs to.

use crate::script::format::statements::{Statement, Statements};
use crate::script::memory::EXACT;

/// Where a comment stands with respect to its statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// On a line of its own before it.
    Before,
    /// At the end of its line; of its first line, if it has inner statements.
    End,
    /// On a line of its own after it, as the last statement of its block.
    After,
}

/// A comment of a text.
pub(super) struct Comment<'a> {
    /// The text with its sign.
    pub(super) text: &'a str,
    /// The first byte.
    pub(super) start: usize,
    pub(super) side: Side,
    /// The number of the statement. `None` if it belongs to none that the printer writes.
    pub(super) statement: Option<usize>,
}

/// The comments of `source`, except the ones that state imports, which the printer writes by itself.
pub(super) fn comments<'a>(source: &'a str, statements: &Statements) -> Vec<Comment<'a>> {
    let all = statements.comments.iter().map(|range| (source[range.clone()].trim_end(), range.start));
    all.filter(|(text, _)| !is_header(text)).map(|(text, start)| comment(source, statements, text, start)).collect()
}

/// Whether the comment states an import, or says that the script is exact.
fn is_header(text: &str) -> bool {
    text == EXACT || text.starts_with("# from tvm.script import ") || text.starts_with("# from tvm.tirx.layout import ")
}

fn comment<'a>(source: &'a str, statements: &Statements, text: &'a str, start: usize) -> Comment<'a> {
    let line_start = source[..start].rfind('\n').map_or(0, |at| at + 1);
    let column = start - line_start;
    let is_alone = source[line_start..start].trim().is_empty();
    let (side, statement) = match statements.last_before(start) {
        // Inside of a statement of several lines.
        Some(last) if is_inside(source, start, last, statements) => (Side::Before, Some(last)),
        Some(last) if !is_alone => (Side::End, Some(last)),
        last => {
            let next = statements.all.get(last.map_or(0, |last| last + 1));
            match last {
                Some(last) if next.is_none_or(|next| column > next.column || ends_paragraph(source, start)) => {
                    (Side::After, Some(enclosing(statements, last, column)))
                }
                _ => (Side::Before, next.map(|_| last.map_or(0, |last| last + 1))),
            }
        }
    };
    let (side, statement) = match statement.map(|number| (number, statements.all[number].is_import)) {
        // The printer leaves out imports.
        Some((number, true)) if side != Side::End => {
            (Side::Before, (number..statements.all.len()).find(|number| !statements.all[*number].is_import))
        }
        Some((_, true)) => (side, None),
        _ => (side, statement),
    };
    Comment { text, start, side, statement }
}

/// Whether the lines of comments around `offset` follow a line of code, and an empty line follows them.
fn ends_paragraph(source: &str, offset: usize) -> bool {
    let is_comment = |line: &&str| line.trim_start().starts_with('#');
    let line_start = source[..offset].rfind('\n').map_or(0, |at| at + 1);
    let before = source[..line_start].lines().rev().find(|line| !is_comment(line));
    let after = source[line_start..].lines().find(|line| !is_comment(line));
    before.is_some_and(|line| !line.trim().is_empty()) && after.is_none_or(|line| line.trim().is_empty())
}

/// Whether the part of the statement before its inner ones goes on after the line of a comment.
fn is_inside(source: &str, start: usize, statement: usize, statements: &Statements) -> bool {
    let statement = &statements.all[statement];
    // The part before inner statements ends where the first of them starts, so comments may end it.
    start < statement.header_end && code_end(source, statement, statements) > start
}

/// The end of the code before the inner statements of a statement.
fn code_end(source: &str, statement: &Statement, statements: &Statements) -> usize {
    let mut end = source[..statement.header_end].trim_end().len();
    let before = statements.comments.partition_point(|comment| comment.start < end);
    for comment in statements.comments[..before].iter().rev() {
        if comment.start < statement.start || !source[comment.end.min(end)..end].trim().is_empty() {
            break;
        }
        end = source[..comment.start].trim_end().len();
    }
    end
}

/// The statement that ends before a comment in this column: `last` or a statement around it.
fn enclosing(statements: &Statements, last: usize, column: usize) -> usize {
    let mut number = last;
    while statements.all[number].column > column
        && let Some(parent) = statements.all[number].parent
    {
        number = parent;
    }
    number
}
