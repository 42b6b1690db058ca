//! [`line_column`]: a byte of a text as a line and a column.

/// The line and the column of the byte `offset` of `source`, counted from 1; the column counts characters. A place past
/// the end is the end, and a place inside of a character is its start.
///
/// ```
/// assert_eq!(object_python_syntax::line_column("a\nbä\u{20ac}c", 6), (2, 3));
/// ```
#[must_use]
pub fn line_column(source: &str, offset: usize) -> (usize, usize) {
    let mut start = offset.min(source.len());
    while !source.is_char_boundary(start) {
        start -= 1;
    }
    let before = &source[..start];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}
