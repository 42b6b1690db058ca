//! [`Location`]: the place of an object in a text, for the field of the object that holds its location.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use object_core::{Any, LineIndex};

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

/// Makes the locations of the objects of one text.
pub(crate) struct Locator<'t> {
    file: &'t str,
    lines: LineIndex<&'t str>,
    make: &'t MakeLocation,
}

impl<'t> Locator<'t> {
    pub(crate) fn new(source: &'t str, file: &'t str, field: &'t LocationField) -> Self {
        Locator { file, lines: LineIndex::new(source), make: &*field.make }
    }

    /// The value of the location field of an object whose text is `range`.
    pub(crate) fn value(&self, range: &Range<usize>) -> Any {
        let [(line, column), (end_line, end_column)] = [range.start, range.end].map(|offset| {
            let (line, column) = self.lines.line_column(offset);
            (line as i64, column as i64)
        });
        (self.make)(&Location { file: self.file, range: range.clone(), line, column, end_line, end_column })
    }
}
