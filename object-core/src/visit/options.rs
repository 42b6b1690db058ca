//! [`WalkOptions`]: the objects that a walk or a visitor visits.

use crate::graph::MetObjects;
use crate::object::ObjectView;

/// The objects that a walk or a visitor visits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WalkOptions {
    every_occurrence: bool,
}

impl WalkOptions {
    /// Each object once.
    #[must_use]
    pub fn new() -> Self {
        WalkOptions::default()
    }

    /// Whether the walk enters an object once for each reference to it, and each time all objects below it too. On a
    /// graph with much sharing, this takes time exponential in the depth of the graph.
    #[must_use]
    pub fn every_occurrence(mut self, yes: bool) -> Self {
        self.every_occurrence = yes;
        self
    }

    /// Whether the walk enters `object`. `visited` holds the shared objects that it entered before.
    #[inline(always)]
    pub(super) fn enters(self, object: ObjectView<'_>, visited: &mut MetObjects) -> bool {
        // An object with one handle has one occurrence.
        object.use_count() == 1 || self.every_occurrence || visited.meet(object).is_none()
    }
}
