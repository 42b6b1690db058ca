//! Positions of the protocol as bytes of a text, and the unit in which a client counts the characters of a line.

use std::ops::Range;

use lsp_types::{Position, PositionEncodingKind};
use object_core::{ColumnUnit, LineIndex};

/// UTF-8 if the client knows it, else UTF-16, which every client knows.
pub(crate) fn negotiate<'a>(mut offered: impl Iterator<Item = &'a str>) -> ColumnUnit {
    match offered.any(|it| it == PositionEncodingKind::UTF8.as_str()) {
        true => ColumnUnit::Utf8,
        false => ColumnUnit::Utf16,
    }
}

/// The unit in the words of the protocol.
pub(crate) fn encoding(unit: ColumnUnit) -> PositionEncodingKind {
    match unit {
        ColumnUnit::Utf8 => PositionEncodingKind::UTF8,
        ColumnUnit::Utf16 => PositionEncodingKind::UTF16,
        ColumnUnit::Character => PositionEncodingKind::UTF32,
    }
}

/// The byte at a position. After the end of a line or of the text, it is the end; inside of a character, its start.
pub(crate) fn offset(lines: &LineIndex<String>, position: Position) -> usize {
    // The protocol counts from 0.
    let number = |it: u32| (it as usize).saturating_add(1);
    lines.offset(number(position.line), number(position.character))
}

/// The bytes at a range. An end before the start counts as the start.
pub(crate) fn bytes(lines: &LineIndex<String>, range: lsp_types::Range) -> Range<usize> {
    let start = offset(lines, range.start);
    start..offset(lines, range.end).max(start)
}

/// The position of the byte `offset`.
pub(crate) fn position(lines: &LineIndex<String>, offset: usize) -> Position {
    let number = |it: usize| u32::try_from(it - 1).unwrap_or(u32::MAX);
    let (line, column) = lines.line_column(offset);
    Position { line: number(line), character: number(column) }
}

/// The range of the bytes `range`.
pub(crate) fn range(lines: &LineIndex<String>, range: &Range<usize>) -> lsp_types::Range {
    lsp_types::Range { start: position(lines, range.start), end: position(lines, range.end) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_from_zero() {
        let lines = LineIndex::for_editor("ä\u{1f600}x\r\ny".to_owned(), negotiate(["utf-16"].into_iter()));
        let at = |line, character| offset(&lines, Position { line, character });
        let offsets = [at(0, 0), at(0, 1), at(0, 2), at(0, 3), at(1, 0), at(1, 7), at(u32::MAX, u32::MAX)];
        assert_eq!(offsets, [0, 2, 2, 6, 9, 10, 10]);
        assert_eq!(position(&lines, 9), Position { line: 1, character: 0 });
        assert_eq!(bytes(&lines, range(&lines, &(2..6))), 2..6);
        assert_eq!(negotiate(["utf-32", "utf-8"].into_iter()), ColumnUnit::Utf8);
    }
}
