//! [`ShownText`]: a text with underlined places, as the page shows it.

use std::ops::Range;

use serde_json::{Value, json};

/// A text with marks.
pub(crate) struct ShownText<'t> {
    text: &'t str,
    is_ascii: bool,
    marks: Vec<Value>,
}

/// A mark of a text.
pub(crate) struct Mark<'m> {
    /// `error`, `warning` or `note`.
    pub(crate) level: &'m str,
    /// The name of a rule, if one is broken.
    pub(crate) rule: Option<&'m str>,
    pub(crate) message: &'m str,
    /// A change that mends the text.
    pub(crate) help: Option<&'m str>,
    /// The place in the value.
    pub(crate) path: Option<String>,
    /// The bytes of the text, if it shows the place.
    pub(crate) range: Option<Range<usize>>,
}

impl<'t> ShownText<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        ShownText { text, is_ascii: text.is_ascii(), marks: Vec::new() }
    }

    /// Adds a mark. A range beyond the text ends with it.
    pub(crate) fn mark(&mut self, mark: Mark<'_>) {
        let range = mark.range.map(|range| [self.units(range.start), self.units(range.end.max(range.start))]);
        self.marks.push(json!({
            "level": mark.level,
            "rule": mark.rule,
            "message": mark.message,
            "help": mark.help,
            "path": mark.path,
            "range": range,
        }));
    }

    /// The number of UTF-16 units before a byte, by which JavaScript counts.
    fn units(&self, byte: usize) -> usize {
        let byte = self.text.floor_char_boundary(byte);
        if self.is_ascii { byte } else { self.text[..byte].encode_utf16().count() }
    }

    /// The text and its marks.
    pub(crate) fn into_json(self) -> Value {
        json!({ "text": self.text, "marks": self.marks })
    }
}
