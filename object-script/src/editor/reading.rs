//! [`Reading`]: a text with its facts.

use std::ops::Range;
use std::sync::Arc;

use object_core::ObjectRef;
use ruff_text_size::TextRange;

use crate::editor::facts::Facts;
use crate::editor::function::FunctionFacts;
use crate::parse::ReadFunction;

/// A text with its facts.
pub(super) struct Reading {
    pub(super) text: String,
    pub(super) facts: Arc<Facts>,
    pub(super) functions: Vec<PlacedFunction>,
    /// The objects of names outside of functions.
    pub(super) outer: Vec<(Range<usize>, ObjectRef)>,
    /// The names that the file imports for `I`, `T` and `R`.
    pub(super) prefixes: [String; 3],
}

/// A function of a text.
pub(super) struct PlacedFunction {
    pub(super) read: ReadFunction,
    pub(super) facts: Arc<FunctionFacts>,
}

impl PlacedFunction {
    /// The start of the function in the text in which it was read, and in this text.
    pub(super) fn starts(&self) -> (usize, usize) {
        (self.facts.range.start, self.read.range.start().to_usize())
    }

    /// The definition of a name in this text.
    pub(super) fn definition(&self, place: TextRange) -> Option<TextRange> {
        let (range, now) = (self.read.log.range, self.read.range);
        if range.contains_range(place) {
            return Some(TextRange::at(now.start() + (place.start() - range.start()), place.len()));
        }
        match &self.read.moved {
            None => Some(place),
            Some(moved) => moved.iter().find(|(before, _)| *before == place).map(|(_, after)| *after),
        }
    }
}
