//! [`FileReader`]: one file while it is read, with its faults.

use std::cell::RefCell;

use object_core::LineIndex;
use object_core::dynamic::SourcePlace;
use ruff_text_size::{Ranged, TextRange};

use crate::diagnostic::Diagnostic;
use crate::python_input::words::brief;

/// One file while it is read, with its faults.
pub(super) struct FileReader<'a> {
    name: &'a str,
    lines: LineIndex<&'a str>,
    faults: RefCell<Vec<Diagnostic>>,
}

impl<'a> FileReader<'a> {
    /// A file without faults.
    pub(super) fn new(name: &'a str, text: &'a str) -> Self {
        FileReader { name, lines: LineIndex::new(text), faults: RefCell::default() }
    }

    /// The place of a byte.
    pub(super) fn place_of(&self, offset: usize) -> SourcePlace {
        let (line, column) = self.lines.line_column(offset);
        let number = |count| u32::try_from(count).unwrap_or(u32::MAX);
        SourcePlace { file: self.name.to_owned(), line: number(line), column: number(column) }
    }

    /// The place at which a piece of the tree begins.
    pub(super) fn place(&self, piece: &impl Ranged) -> SourcePlace {
        self.place_of(piece.start().into())
    }

    /// The text of a piece of the tree, without its end if it is long.
    pub(super) fn excerpt(&self, piece: &impl Ranged) -> String {
        let range: TextRange = piece.range();
        let bytes = usize::from(range.start())..usize::from(range.end());
        brief(self.lines.text().get(bytes).unwrap_or_default())
    }

    /// Notes an error at `piece`.
    pub(super) fn error(&self, piece: &impl Ranged, message: impl Into<String>) {
        self.push(Diagnostic::error(self.place(piece), message));
    }

    /// Notes a warning at `piece`.
    pub(super) fn warning(&self, piece: &impl Ranged, message: impl Into<String>) {
        self.push(Diagnostic::warning(self.place(piece), message));
    }

    /// Notes a fault.
    pub(super) fn push(&self, fault: Diagnostic) {
        self.faults.borrow_mut().push(fault);
    }

    /// The faults.
    pub(super) fn finish(self) -> Vec<Diagnostic> {
        self.faults.into_inner()
    }
}
