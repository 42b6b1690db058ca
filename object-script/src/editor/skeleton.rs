//! [`skeleton`]: a text in which the functions that an edit does not touch have no bodies, so that its syntax is read faster.

use ruff_text_size::TextSize;
use rustc_hash::FxHashSet;

use crate::editor::reading::{PlacedFunction, Reading};
use crate::editor::shift::Shift;
use crate::memory::METADATA_OMITTED;

/// A text of the same length as another one, with the same places of everything that it has.
pub(super) struct Skeleton {
    pub(super) text: String,
    /// The starts of the functions whose parameters and bodies it lacks.
    pub(super) stubs: FxHashSet<TextSize>,
}

/// The skeleton of `text`, which comes after the text of `last`. `None` if no function is known.
///
/// A function before the edit has to have another one between it and the edit, because lines at its end may belong to it. The reader
/// checks that the syntax tree has each function at its place: then the text before it ends its strings and brackets.
pub(super) fn skeleton(text: &str, last: &Reading, shift: &Shift) -> Option<Skeleton> {
    if text.contains(METADATA_OMITTED) {
        return None;
    }
    let place = |function: &PlacedFunction| {
        let range = function.read.range;
        range.start().to_usize()..range.end().to_usize()
    };
    let mut starts: Vec<usize> = last.functions.iter().map(|it| place(it).start).collect();
    starts.sort_unstable();
    let next_start = |end: usize| starts.get(starts.partition_point(|start| *start < end)).copied();
    let (mut text, mut stubs) = (text.to_owned(), FxHashSet::default());
    for function in &last.functions {
        let range = place(function);
        let start = if next_start(range.end).is_some_and(|next| next <= shift.before) {
            range.start
        } else if range.start >= shift.after {
            range.start + shift.new_length - shift.old_length
        } else {
            continue;
        };
        let name = &function.facts.outline.name_range;
        let head = name.end - function.facts.range.start;
        let end = start + range.len();
        // A function with an error or an error of the syntax is read again.
        if function.read.value.is_none() || start + head + STUB > end {
            continue;
        }
        let body = format!("():{}pass", " ".repeat(range.len() - head - STUB));
        text.replace_range(start + head..end, &body);
        stubs.insert(TextSize::try_from(start).ok()?);
    }
    (!stubs.is_empty()).then_some(Skeleton { text, stubs })
}

/// The bytes of the shortest parameters and body.
const STUB: usize = "():pass".len();
