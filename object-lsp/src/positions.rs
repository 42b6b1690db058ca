//! [`Positions`]: the lines of a text, and positions of the protocol as bytes of the text.

use std::ops::Range;

use lsp_types::{Position, PositionEncodingKind};

/// The unit in which a client counts the characters of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Utf8,
    Utf16,
}

impl Encoding {
    /// UTF-8 if the client knows it, else UTF-16, which every client knows.
    pub(crate) fn negotiate<'a>(mut offered: impl Iterator<Item = &'a str>) -> Self {
        match offered.any(|it| it == PositionEncodingKind::UTF8.as_str()) {
            true => Encoding::Utf8,
            false => Encoding::Utf16,
        }
    }

    pub(crate) fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        }
    }

    fn length(self, text: &str) -> usize {
        match self {
            Encoding::Utf8 => text.len(),
            Encoding::Utf16 => text.chars().map(char::len_utf16).sum(),
        }
    }
}

/// The bytes between two counts that are remembered.
const STRIDE: usize = 1024;

/// The lines of a text.
#[derive(Debug)]
pub(crate) struct Positions {
    encoding: Encoding,
    /// The starts of the lines.
    starts: Vec<usize>,
    /// For every [`STRIDE`] bytes, the start of a character and the number of units before it. So a position in a long line costs
    /// a search.
    counts: Vec<(usize, usize)>,
}

impl Positions {
    /// The lines of `text`. They end with `\n`, `\r\n` or `\r`.
    pub(crate) fn new(text: &str, encoding: Encoding) -> Self {
        let bytes = text.as_bytes();
        let ends_line = |at: usize| match bytes[at] {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        let after = (0..bytes.len()).filter(|at| ends_line(*at)).map(|at| at + 1);
        let starts = std::iter::once(0).chain(after).collect();
        let mut counts = vec![(0, 0)];
        for at in (STRIDE..text.len()).step_by(STRIDE).chain([text.len()]) {
            let at = boundary(text, at);
            let (before, units) = counts[counts.len() - 1];
            counts.push((at, units + encoding.length(&text[before..at])));
        }
        Positions { encoding, starts, counts }
    }

    /// The number of units before the byte `offset`, the start of a character.
    fn units(&self, text: &str, offset: usize) -> usize {
        let after = self.counts.partition_point(|(at, _)| *at <= offset);
        let (at, units) = self.counts[after - 1];
        match self.counts.get(after) {
            // Every byte up to the next count is a unit.
            Some((next, next_units)) if next - at == next_units - units => units + offset - at,
            _ => units + self.encoding.length(&text[at..offset]),
        }
    }

    /// The byte at a position. After the end of a line or of the text, it is the end; inside of a character, its start.
    pub(crate) fn offset(&self, text: &str, position: Position) -> usize {
        let line = position.line as usize;
        let Some(start) = self.starts.get(line).copied() else { return text.len() };
        let next = self.starts.get(line + 1).copied().unwrap_or(text.len());
        let end = start + text[start..next].trim_end_matches(['\n', '\r']).len();
        let target = self.units(text, start).saturating_add(position.character as usize);
        let after = self.counts.partition_point(|(_, units)| *units <= target);
        let (mut at, mut units) = self.counts[after - 1];
        if let Some((next, next_units)) = self.counts.get(after)
            && next - at == next_units - units
        {
            (at, units) = (boundary(text, at + target - units), target);
        }
        if at < start {
            (at, units) = (start, self.units(text, start));
        }
        for c in text[at.min(end)..end].chars() {
            units += match self.encoding {
                Encoding::Utf8 => c.len_utf8(),
                Encoding::Utf16 => c.len_utf16(),
            };
            if units > target {
                break;
            }
            at += c.len_utf8();
        }
        at.min(end)
    }

    /// The bytes at a range. An end before the start counts as the start.
    pub(crate) fn bytes(&self, text: &str, range: lsp_types::Range) -> Range<usize> {
        let start = self.offset(text, range.start);
        start..self.offset(text, range.end).max(start)
    }

    /// The position of the byte `offset`.
    pub(crate) fn position(&self, text: &str, offset: usize) -> Position {
        let offset = boundary(text, offset);
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        let character = self.units(text, offset) - self.units(text, self.starts[line]);
        let number = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
        Position { line: number(line), character: number(character) }
    }

    /// The range of the bytes `range`.
    pub(crate) fn range(&self, text: &str, range: &Range<usize>) -> lsp_types::Range {
        lsp_types::Range { start: self.position(text, range.start), end: self.position(text, range.end) }
    }
}

/// The start of the character at the byte `offset`, or the end of the text.
fn boundary(text: &str, offset: usize) -> usize {
    (0..=offset.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every byte goes to a position and back; positions outside of lines are moved into them.
    #[test]
    fn bytes_are_positions() {
        let long = "aä€😀".repeat(1000);
        for text in ["", "a", "a\n", "\n\r\n\rx", "ä€😀\r\n😀b", long.as_str(), "a\r"] {
            for encoding in [Encoding::Utf8, Encoding::Utf16] {
                let positions = Positions::new(text, encoding);
                for offset in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
                    let position = positions.position(text, offset);
                    let inside_of_end = text[..offset].ends_with('\r') && text[offset..].starts_with('\n');
                    assert_eq!(
                        positions.offset(text, position),
                        offset - usize::from(inside_of_end),
                        "{text} {offset}"
                    );
                }
                for (line, character) in [(0, 9999), (99, 0), (1, 1), (u32::MAX, u32::MAX), (0, u32::MAX)] {
                    let offset = positions.offset(text, Position { line, character });
                    assert!(text.is_char_boundary(offset));
                }
            }
        }
        let positions = Positions::new("ä😀x\r\ny", Encoding::Utf16);
        let at = |line, character| positions.offset("ä😀x\r\ny", Position { line, character });
        assert_eq!([at(0, 1), at(0, 2), at(0, 3), at(0, 4), at(0, 5), at(1, 0), at(1, 7)], [2, 2, 6, 7, 7, 9, 10]);
        assert_eq!(Encoding::negotiate(["utf-32", "utf-8"].into_iter()), Encoding::Utf8);
        assert_eq!(Encoding::negotiate(["utf-16"].into_iter()), Encoding::Utf16);
    }
}
