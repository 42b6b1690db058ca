//! [`WalkOptions`]: the objects and fields that a walk or a visitor visits.

use crate::graph::{Children, MetObjects};
use crate::object::{AnyView, FieldRole, ObjectView};

/// The objects and fields that a walk or a visitor visits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WalkOptions {
    every_occurrence: bool,
    skip_ignored: bool,
}

impl WalkOptions {
    /// Each object once, and all fields.
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

    /// Whether the walk leaves out fields marked `ignore`, so that it reaches the values that structural equality
    /// compares.
    #[must_use]
    pub fn skip_ignored(mut self, yes: bool) -> Self {
        self.skip_ignored = yes;
        self
    }

    /// Whether the walk enters `object`. `visited` holds the shared objects that it entered before.
    #[inline(always)]
    pub(super) fn enters(self, object: ObjectView<'_>, visited: &mut MetObjects) -> bool {
        // An object with one handle has one occurrence.
        object.use_count() == 1 || self.every_occurrence || visited.meet(object).is_none()
    }

    /// The next child to visit: an object, or, if `with_plain`, any value.
    #[inline(always)]
    pub(super) fn next_child<'a>(self, children: &mut Children<'a>, with_plain: bool) -> Option<AnyView<'a>> {
        loop {
            let (value, role) = if with_plain {
                children.next_value()?
            } else {
                let (object, role) = children.next_object()?;
                (AnyView::Object(object), role)
            };
            if self.visits(role) {
                return Some(value);
            }
        }
    }

    /// Whether the walk visits fields with this role.
    #[inline(always)]
    pub(super) fn visits(self, role: FieldRole) -> bool {
        !self.skip_ignored || role != FieldRole::Ignore
    }
}
