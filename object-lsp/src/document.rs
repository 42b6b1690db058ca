//! [`Document`]: an open text of the client.

use std::sync::Arc;

use lsp_types::{TextDocumentContentChangeEvent, TextDocumentItem, Uri};

use crate::analysis::{Analysis, LanguageService, Occurrence};
use crate::positions::{Encoding, Positions};

/// An open text, with the facts about it once something asks for them.
pub(crate) struct Document {
    pub(crate) uri: Uri,
    /// The name of the file.
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) version: i32,
    /// The number of its service.
    pub(crate) service: usize,
    pub(crate) positions: Positions,
    /// Whether the client has the diagnostics of this text.
    pub(crate) is_published: bool,
    analysis: Option<Arc<Analysis>>,
}

impl Document {
    pub(crate) fn new(item: TextDocumentItem, service: usize, encoding: Encoding) -> Self {
        Document {
            name: file_name(item.uri.as_str()),
            uri: item.uri,
            positions: Positions::new(&item.text, encoding),
            text: item.text,
            version: item.version,
            service,
            is_published: false,
            analysis: None,
        }
    }

    /// Changes the text as the client changed it.
    pub(crate) fn change(&mut self, version: i32, changes: Vec<TextDocumentContentChangeEvent>, encoding: Encoding) {
        self.version = version;
        self.is_published = false;
        self.analysis = None;
        for change in changes {
            match change.range {
                Some(range) => {
                    let range = self.positions.bytes(&self.text, range);
                    self.text.replace_range(range, &change.text);
                }
                None => self.text = change.text,
            }
            self.positions = Positions::new(&self.text, encoding);
        }
    }

    /// The facts about the text.
    pub(crate) fn analysis(&mut self, service: &mut dyn LanguageService) -> Arc<Analysis> {
        let analysis = self.analysis.take().unwrap_or_else(|| Arc::new(service.analyze(&self.name, &self.text)));
        self.analysis.insert(analysis).clone()
    }

    pub(crate) fn range(&self, range: &std::ops::Range<usize>) -> lsp_types::Range {
        self.positions.range(&self.text, range)
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
