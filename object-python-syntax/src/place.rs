//! [`line_column`] and [`LineStarts`]: a byte of a text as a line and a column.

/// The line and the column of the byte `offset` of `source`, counted from 1; the column counts characters. A place past
/// the end is the end, and a place inside of a character is its start. [`LineStarts`] is faster for many places of a text.
///
/// ```
/// assert_eq!(object_python_syntax::line_column("a\nbä\u{20ac}c", 6), (2, 3));
/// ```
#[must_use]
pub fn line_column(source: &str, offset: usize) -> (usize, usize) {
    let start = char_start(source, offset);
    let before = &source[..start];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// The start of the character with the byte `offset`, or the end of the text.
fn char_start(source: &str, offset: usize) -> usize {
    let mut start = offset.min(source.len());
    while !source.is_char_boundary(start) {
        start -= 1;
    }
    start
}

/// A text with the places where its lines begin.
///
/// ```
/// let lines = object_python_syntax::LineStarts::new("a\nbä\u{20ac}c");
/// assert_eq!(lines.line_column(6), (2, 3));
/// ```
#[derive(Clone, Debug)]
pub struct LineStarts<'s> {
    source: &'s str,
    starts: Vec<usize>,
}

impl<'s> LineStarts<'s> {
    /// The lines of `source`.
    #[must_use]
    pub fn new(source: &'s str) -> Self {
        let starts = std::iter::once(0).chain(source.match_indices('\n').map(|(at, _)| at + 1)).collect();
        LineStarts { source, starts }
    }

    /// As [`line_column`], in time of the length of the line.
    #[must_use]
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        let start = char_start(self.source, offset);
        let line = self.starts.partition_point(|begin| *begin <= start);
        (line, self.source[self.starts[line - 1]..start].chars().count() + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_agree_on_every_byte() {
        for source in ["", "\n", "a\nb\u{e4}\u{20ac}c\r\n\nd"] {
            let lines = LineStarts::new(source);
            for offset in 0..source.len() + 2 {
                assert_eq!(lines.line_column(offset), line_column(source, offset), "byte {offset} of {source:?}");
            }
        }
    }
}
