//! [`Document`]: an open text of the client.

use std::ops::Range;
use std::sync::Arc;

use lsp_types::{Position, TextDocumentContentChangeEvent, TextDocumentItem, Uri};
use object_core::{ColumnUnit, LineIndex};

use crate::analysis::{Analysis, LanguageService, Occurrence};
use crate::positions;

/// An open text, with the facts about it once something asks for them.
pub(crate) struct Document {
    pub(crate) uri: Uri,
    /// The name of the file.
    pub(crate) name: String,
    pub(crate) version: i32,
    /// The number of its service.
    pub(crate) service: usize,
    lines: LineIndex<String>,
    /// Whether the client has the diagnostics of this text.
    pub(crate) is_published: bool,
    analysis: Option<Arc<Analysis>>,
}

impl Document {
    pub(crate) fn new(item: TextDocumentItem, service: usize, unit: ColumnUnit) -> Self {
        Document {
            name: file_name(item.uri.as_str()),
            uri: item.uri,
            lines: LineIndex::for_editor(item.text, unit),
            version: item.version,
            service,
            is_published: false,
            analysis: None,
        }
    }

    /// Changes the text as the client changed it.
    pub(crate) fn change(&mut self, version: i32, changes: Vec<TextDocumentContentChangeEvent>, unit: ColumnUnit) {
        self.version = version;
        self.is_published = false;
        self.analysis = None;
        for change in changes {
            let text = match change.range {
                Some(range) => {
                    let Range { start, end } = self.bytes(range);
                    [&self.text()[..start], change.text.as_str(), &self.text()[end..]].concat()
                }
                None => change.text,
            };
            self.lines = LineIndex::for_editor(text, unit);
        }
    }

    /// The facts about the text.
    pub(crate) fn analysis(&mut self, service: &mut dyn LanguageService) -> Arc<Analysis> {
        let analysis = self.analysis.take().unwrap_or_else(|| Arc::new(service.analyze(&self.name, self.lines.text())));
        self.analysis.insert(analysis).clone()
    }

    pub(crate) fn text(&self) -> &str {
        self.lines.text()
    }

    /// The byte at a position.
    pub(crate) fn offset(&self, position: Position) -> usize {
        positions::offset(&self.lines, position)
    }

    /// The bytes at a range.
    pub(crate) fn bytes(&self, range: lsp_types::Range) -> Range<usize> {
        positions::bytes(&self.lines, range)
    }

    /// The position of a byte.
    pub(crate) fn position(&self, offset: usize) -> Position {
        positions::position(&self.lines, offset)
    }

    /// The range of bytes.
    pub(crate) fn range(&self, range: &Range<usize>) -> lsp_types::Range {
        positions::range(&self.lines, range)
    }
}

impl Analysis {
    /// The name at the byte `offset`, or the one that ends there.
    pub(crate) fn occurrence_at(&self, offset: usize) -> Option<&Occurrence> {
        let after = self.occurrences.partition_point(|it| it.range.start <= offset);
        self.occurrences[..after].last().filter(|it| offset <= it.range.end)
    }

    /// All names of a declaration, in the order of the text.
    pub(crate) fn occurrences_of(&self, declaration: usize) -> impl Iterator<Item = &Occurrence> {
        self.occurrences.iter().filter(move |it| it.declaration == declaration)
    }
}

/// The path in a URI, for people.
pub(crate) fn file_name(uri: &str) -> String {
    let path = uri.split_once("://").map_or(uri, |(_, rest)| rest.find('/').map_or(rest, |at| &rest[at..]));
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let [first, after @ ..] = rest {
        let hex = |byte: &u8| char::from(*byte).to_digit(16);
        let escaped = match after {
            [high, low, ..] if *first == b'%' => hex(high).zip(hex(low)),
            _ => None,
        };
        let (byte, length) = escaped.map_or((*first, 1), |(high, low)| ((high * 16 + low) as u8, 3));
        bytes.push(byte);
        rest = &rest[length..];
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::file_name;

    #[test]
    fn uris_have_paths() {
        let cases = [
            ("file:///a/b.lambda", "/a/b.lambda"),
            ("file:///a%20b/%C3%A4.py", "/a b/ä.py"),
            ("untitled:Untitled-1", "untitled:Untitled-1"),
            ("file://host/x%", "/x%"),
            ("file:///%zz%4", "/%zz%4"),
            ("", ""),
        ];
        for (uri, name) in cases {
            assert_eq!(file_name(uri), name);
        }
    }
}
