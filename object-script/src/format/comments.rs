//! [`Comment`]: a comment with the statement that it belongs to.

use std::ops::Range;

use crate::lines::line_start;
use crate::statements::Statements;

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

impl Comment<'_> {
    /// The bytes of the comment.
    pub(super) fn range(&self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }
}

/// The comments of a part of `source` that has these statements.
pub(super) fn comments<'a>(source: &'a str, statements: &Statements) -> Vec<Comment<'a>> {
    let all = statements.comments.iter().map(|range| (source[range.clone()].trim_end(), range.start));
    let mut reader = Reader { source, statements, code_end: None, lines: None };
    all.map(|(text, start)| reader.comment(text, start)).collect()
}

/// Reads the comments of a text in their order. It remembers the last answer about a statement and about a block of comments,
/// because the next comment often has the same one.
struct Reader<'s> {
    source: &'s str,
    statements: &'s Statements,
    /// A statement with the end of its code.
    code_end: Option<(usize, usize)>,
    /// The bytes of successive lines of comments, and whether they end a paragraph.
    lines: Option<(Range<usize>, bool)>,
}

impl Reader<'_> {
    fn comment<'a>(&mut self, text: &'a str, start: usize) -> Comment<'a> {
        let statements = self.statements;
        let line_start = line_start(self.source, start);
        let column = start - line_start;
        let is_alone = self.source[line_start..start].trim().is_empty();
        let (side, statement) = match statements.last_before(start) {
            // Inside of a statement of several lines.
            Some(last) if self.is_inside(start, last) => (Side::Before, Some(last)),
            Some(last) if !is_alone => (Side::End, Some(last)),
            last => {
                let next = statements.all.get(last.map_or(0, |last| last + 1));
                match last {
                    Some(last) if next.is_none_or(|next| column > next.column || self.ends_paragraph(start)) => {
                        (Side::After, Some(enclosing(statements, last, start, column)))
                    }
                    _ => (Side::Before, next.map(|_| last.map_or(0, |last| last + 1))),
                }
            }
        };
        Comment { text, start, side, statement }
    }

    /// Whether the lines of comments around `offset` follow a line of code, and an empty line follows them.
    fn ends_paragraph(&mut self, offset: usize) -> bool {
        if let Some((lines, answer)) = &self.lines
            && lines.contains(&offset)
        {
            return *answer;
        }
        let is_comment = |line: &&str| line.trim_start().starts_with('#');
        let line_start = line_start(self.source, offset);
        let before = self.source[..line_start].lines().rev().find(|line| !is_comment(line));
        let rest = &self.source[line_start..];
        let length = rest.split_inclusive('\n').take_while(is_comment).map(str::len).sum::<usize>();
        let after = rest[length..].lines().next();
        let answer =
            before.is_some_and(|line| !line.trim().is_empty()) && after.is_none_or(|line| line.trim().is_empty());
        self.lines = Some((line_start..line_start + length, answer));
        answer
    }

    /// Whether the part of the statement before its inner ones goes on after the line of a comment.
    fn is_inside(&mut self, start: usize, statement: usize) -> bool {
        // The part before inner statements ends where the first of them starts, so comments may end it.
        start < self.statements.all[statement].header_end && self.code_end(statement) > start
    }

    /// The end of the code before the inner statements of a statement.
    fn code_end(&mut self, number: usize) -> usize {
        if let Some((known, end)) = self.code_end
            && known == number
        {
            return end;
        }
        let Reader { source, statements, .. } = *self;
        let statement = &statements.all[number];
        let mut end = source[..statement.header_end].trim_end().len();
        let before = statements.comments.partition_point(|comment| comment.start < end);
        for comment in statements.comments[..before].iter().rev() {
            if comment.start < statement.start || !source[comment.end.min(end)..end].trim().is_empty() {
                break;
            }
            end = source[..comment.start].trim_end().len();
        }
        self.code_end = Some((number, end));
        end
    }
}

/// The statement that ends before a comment at `start` in this column: `last` or a statement around it.
fn enclosing(statements: &Statements, last: usize, start: usize, column: usize) -> usize {
    let mut number = last;
    while statements.all[number].column > column
        && let Some(parent) = statements.all[number].parent
        && statements.all[parent].end <= start
    {
        number = parent;
    }
    number
}
