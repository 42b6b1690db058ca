//! [`ShownText`]: a text with underlined places, as the page shows it.

use std::ops::Range;

use object_core::{ColumnUnit, LineIndex};
use serde_json::{Value, json};

/// A text with marks.
pub(crate) struct ShownText<'t> {
    lines: LineIndex<&'t str>,
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
        ShownText { lines: LineIndex::for_editor(text, ColumnUnit::Utf16), marks: Vec::new() }
    }

    /// Adds a mark. A range beyond the text ends with it. JavaScript counts units of UTF-16.
    pub(crate) fn mark(&mut self, mark: Mark<'_>) {
        let range = mark.range.map(|it| [it.start, it.end.max(it.start)].map(|byte| self.lines.units_before(byte)));
        self.marks.push(json!({
            "level": mark.level,
            "rule": mark.rule,
            "message": mark.message,
            "help": mark.help,
            "path": mark.path,
            "range": range,
        }));
    }

    /// The text and its marks.
    pub(crate) fn into_json(self) -> Value {
        json!({ "text": self.lines.text(), "marks": self.marks })
    }
}
