//! [`TextWriter`]: a document as a text with the places of its pieces.

use std::fmt;
use std::ops::Range;

use object_core::print::{Lines, Path, Paths, PrintedText};
use pretty::{Render, RenderAnnotated};

/// The text so far.
#[derive(Default)]
pub(crate) struct TextWriter {
    text: String,
    spans: Vec<(Range<usize>, Path)>,
    /// The places whose text is being written: where it starts, and the path.
    open: Vec<(usize, Path)>,
}

impl TextWriter {
    /// The whole text, without spaces at the ends of lines.
    pub(crate) fn finish(self, paths: Paths) -> PrintedText {
        let lines = Lines::of(&self.text);
        PrintedText::new(self.text, lines, self.spans, paths)
    }
}

impl Render for TextWriter {
    type Error = fmt::Error;

    fn write_str(&mut self, text: &str) -> Result<usize, fmt::Error> {
        if text.starts_with('\n') {
            self.text.truncate(self.text.trim_end_matches(' ').len());
        }
        self.text.push_str(text);
        Ok(text.len())
    }

    fn fail_doc(&self) -> fmt::Error {
        fmt::Error
    }
}

impl RenderAnnotated<'_, Path> for TextWriter {
    fn push_annotation(&mut self, path: &Path) -> Result<(), fmt::Error> {
        self.open.push((self.text.len(), *path));
        Ok(())
    }

    fn pop_annotation(&mut self) -> Result<(), fmt::Error> {
        if let Some((start, path)) = self.open.pop() {
            self.spans.push((start..self.text.len(), path));
        }
        Ok(())
    }
}
