//! [`LineIndex`]: the bytes of a text as lines and columns.

/// The unit in which a [`LineIndex`] counts columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnUnit {
    /// Characters, as messages for people count.
    Character,
    /// Bytes of UTF-8.
    Utf8,
    /// Units of UTF-16, as JavaScript and editors count.
    Utf16,
}

impl ColumnUnit {
    /// The number of units of the characters that begin in `bytes`.
    fn count(self, bytes: &[u8]) -> usize {
        let starts = || bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count();
        match self {
            ColumnUnit::Character => starts(),
            ColumnUnit::Utf8 => bytes.len(),
            // A character of four bytes has two units.
            ColumnUnit::Utf16 => starts() + bytes.iter().filter(|byte| **byte >= 0xf0).count(),
        }
    }
}

/// The number of bytes between two remembered counts of units.
const BLOCK: usize = 64;

/// The lines of a text. It takes time linear in the text to make; a look-up takes time logarithmic in it, also where lines are long.
///
/// Lines and columns are counted from 1.
///
/// ```
/// use object_core::{ColumnUnit, LineIndex};
///
/// let lines = LineIndex::new("a\nbä\u{20ac}c");
/// assert_eq!((lines.line_column(6), lines.offset(2, 3)), ((2, 3), 5));
///
/// let lines = LineIndex::for_editor("\u{1f600}x\ry", ColumnUnit::Utf16);
/// assert_eq!([4, 5, 6].map(|offset| lines.line_column(offset)), [(1, 3), (1, 4), (2, 1)]);
/// ```
#[derive(Clone, Debug)]
pub struct LineIndex<T> {
    text: T,
    unit: ColumnUnit,
    starts: Vec<usize>,
    /// The number of units before each block of bytes.
    units: Vec<usize>,
}

impl<T: AsRef<str>> LineIndex<T> {
    /// The lines of `text`, which end with `\n`, and columns that count characters.
    #[must_use]
    pub fn new(text: T) -> Self {
        let ends = memchr::memchr_iter(b'\n', text.as_ref().as_bytes()).collect();
        LineIndex::of(text, ends, ColumnUnit::Character)
    }

    /// The lines of `text` as editors count them: they end with `\n`, `\r\n` or `\r`.
    #[must_use]
    pub fn for_editor(text: T, unit: ColumnUnit) -> Self {
        let bytes = text.as_ref().as_bytes();
        let is_end = |at: &usize| bytes[*at] == b'\n' || bytes.get(at + 1) != Some(&b'\n');
        let ends = memchr::memchr2_iter(b'\n', b'\r', bytes).filter(is_end).collect();
        LineIndex::of(text, ends, unit)
    }

    fn of(text: T, ends: Vec<usize>, unit: ColumnUnit) -> Self {
        let starts = std::iter::once(0).chain(ends.into_iter().map(|end| end + 1)).collect();
        // The end of the text can be the start of a block.
        let mut units = vec![0];
        for block in text.as_ref().as_bytes().chunks(BLOCK) {
            units.push(units[units.len() - 1] + unit.count(block));
        }
        LineIndex { text, unit, starts, units }
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        self.text.as_ref()
    }

    /// The number of units before the byte `offset`. A place past the end is the end, and a place inside of a character is its start.
    #[must_use]
    pub fn units_before(&self, offset: usize) -> usize {
        let offset = self.text().floor_char_boundary(offset);
        let block = offset / BLOCK;
        self.units[block] + self.unit.count(&self.text().as_bytes()[block * BLOCK..offset])
    }

    /// The line and the column of the byte `offset`. A place past the end is the end, and a place inside of a character is its start.
    #[must_use]
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        let offset = self.text().floor_char_boundary(offset);
        let line = self.starts.partition_point(|start| *start <= offset);
        (line, self.units_before(offset) - self.units_before(self.starts[line - 1]) + 1)
    }

    /// The byte at a line and a column. A place past the end of a line or of the text is the end, and a place inside of a character is
    /// its start.
    #[must_use]
    pub fn offset(&self, line: usize, column: usize) -> usize {
        let text = self.text();
        let index = line.saturating_sub(1);
        let Some(start) = self.starts.get(index).copied() else { return text.len() };
        let line = &text[start..self.starts.get(index + 1).copied().unwrap_or(text.len())];
        let line = line.strip_suffix('\n').unwrap_or(line);
        let end = start + line.strip_suffix('\r').unwrap_or(line).len();
        let target = self.units_before(start).saturating_add(column.saturating_sub(1));
        if target >= self.units_before(end) {
            return end;
        }
        let block = self.units.partition_point(|units| *units <= target) - 1;
        let mut at = text.floor_char_boundary(block * BLOCK).max(start);
        let mut rest = target - self.units_before(at);
        for char in text[at..end].chars() {
            let bytes = char.len_utf8();
            match rest.checked_sub(self.unit.count(&text.as_bytes()[at..at + bytes])) {
                Some(after) => rest = after,
                None => break,
            }
            at += bytes;
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The index agrees with counting from the start, and offsets go to places and back.
    #[test]
    fn each_byte_has_a_line_and_a_column() {
        let long = "aé€\u{1f600}".repeat(40);
        let texts =
            ["", "a", "a\n", "\n\r\n\rx", "é€\u{1f600}\r\n\u{1f600}b", "a\r", &long, &format!("{long}\nx{long}")];
        for text in texts {
            for unit in [ColumnUnit::Character, ColumnUnit::Utf8, ColumnUnit::Utf16] {
                for (lines, is_editor) in [(LineIndex::new(text), false), (LineIndex::for_editor(text, unit), true)] {
                    for offset in 0..text.len() + 2 {
                        let start = text.floor_char_boundary(offset);
                        let before = &text[..start];
                        let is_end = |(at, char): &(usize, char)| {
                            *char == '\n' || is_editor && *char == '\r' && !text[at + 1..].starts_with('\n')
                        };
                        let ends: Vec<usize> = before.char_indices().filter(is_end).map(|(at, _)| at + 1).collect();
                        let line = &before[ends.last().copied().unwrap_or(0)..];
                        let column = match unit {
                            ColumnUnit::Utf8 if is_editor => line.len(),
                            ColumnUnit::Utf16 if is_editor => line.encode_utf16().count(),
                            _ => line.chars().count(),
                        };
                        let place = lines.line_column(offset);
                        assert_eq!(place, (ends.len() + 1, column + 1), "{text:?} {offset} {unit:?}");
                        let is_in_end = before.ends_with('\r') && text[start..].starts_with('\n');
                        let is_last = !is_editor && before.ends_with('\r') && start == text.len();
                        let back = start - usize::from(is_in_end || is_last);
                        assert_eq!(lines.offset(place.0, place.1), back, "{text:?} {offset} {unit:?}");
                    }
                    for (line, column) in
                        [(0, 0), (1, 9999), (99, 1), (2, 2), (usize::MAX, usize::MAX), (1, usize::MAX)]
                    {
                        assert!(text.is_char_boundary(lines.offset(line, column)), "{text:?} {line} {column}");
                    }
                }
            }
        }
    }

    #[test]
    fn places_past_ends_and_inside_of_characters_move() {
        let lines = LineIndex::for_editor("ä\u{1f600}x\r\ny", ColumnUnit::Utf16);
        let places = [(1, 2), (1, 3), (1, 4), (1, 5), (1, 6), (2, 1), (2, 8)];
        assert_eq!(places.map(|(line, column)| lines.offset(line, column)), [2, 2, 6, 7, 7, 9, 10]);
    }
}
