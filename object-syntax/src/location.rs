//! [`Location`]: the place of an object in a text, for the field of the object that holds its location.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use object_core::Any;

/// The place of an object in a text that is read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Location<'t> {
    /// The name of the file, as [`Language::parse_file`](crate::Language::parse_file) gets it.
    pub file: &'t str,
    /// The bytes of the text, without brackets around the object.
    pub range: Range<usize>,
    /// The first line, counted from 1.
    pub line: i64,
    /// The first character in the first line, counted from 1.
    pub column: i64,
    /// The last line.
    pub end_line: i64,
    /// The number of the character after the last one in the last line.
    pub end_column: i64,
}

/// The field of a language that holds locations, and the function that makes its values.
#[derive(Clone)]
pub(crate) struct LocationField {
    pub(crate) name: String,
    pub(crate) make: Arc<MakeLocation>,
}

pub(crate) type MakeLocation = dyn Fn(&Location<'_>) -> Any + Send + Sync;

impl fmt::Debug for LocationField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.name.fmt(f)
    }
}

/// The bytes of one block of [`Lines`].
const BLOCK: usize = 64;

/// The lines and characters of one text. A look-up takes time logarithmic in the number of lines, also where lines are long.
struct Lines<'t> {
    source: &'t str,
    starts: Vec<usize>,
    /// The number of characters before each block of bytes.
    characters: Vec<usize>,
}

/// The number of characters that begin in `bytes`.
fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
}

impl<'t> Lines<'t> {
    fn of(source: &'t str) -> Self {
        let starts = std::iter::once(0).chain(source.match_indices('\n').map(|(at, _)| at + 1)).collect();
        // The end of the text can be the start of a block.
        let mut all = vec![0];
        for block in source.as_bytes().chunks(BLOCK) {
            all.push(all[all.len() - 1] + characters(block));
        }
        Lines { source, starts, characters: all }
    }

    fn characters_before(&self, offset: usize) -> usize {
        let block = offset / BLOCK;
        self.characters[block] + characters(&self.source.as_bytes()[block * BLOCK..offset])
    }

    fn line_column(&self, offset: usize) -> (i64, i64) {
        let line = self.starts.partition_point(|start| *start <= offset);
        let column = self.characters_before(offset) - self.characters_before(self.starts[line - 1]) + 1;
        (line as i64, column as i64)
    }
}

/// Makes the locations of the objects of one text.
pub(crate) struct Locator<'t> {
    file: &'t str,
    lines: Lines<'t>,
    make: &'t MakeLocation,
}

impl<'t> Locator<'t> {
    pub(crate) fn new(source: &'t str, file: &'t str, field: &'t LocationField) -> Self {
        Locator { file, lines: Lines::of(source), make: &*field.make }
    }

    /// The value of the location field of an object whose text is `range`.
    pub(crate) fn value(&self, range: &Range<usize>) -> Any {
        let ((line, column), (end_line, end_column)) =
            (self.lines.line_column(range.start), self.lines.line_column(range.end));
        (self.make)(&Location { file: self.file, range: range.clone(), line, column, end_line, end_column })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The line and the column by counting from the start.
    #[test]
    fn lines_and_columns_are_counted_in_characters() {
        let long = "é\u{1f600}x".repeat(40);
        for source in ["", "a", "\n", "a\nb\n", "é\n\u{1f600}é\nx", &long, &format!("{long}\n{long}")] {
            let lines = Lines::of(source);
            for offset in (0..=source.len()).filter(|offset| source.is_char_boundary(*offset)) {
                let before = &source[..offset];
                let line = before.matches('\n').count() + 1;
                let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
                assert_eq!(lines.line_column(offset), (line as i64, column as i64), "{source:?} {offset}");
            }
        }
    }
}
