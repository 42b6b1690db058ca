//! Attempts: a comparison that goes on with the next pair of a diff, and takes the pair back if it differs.

use crate::object::{DefRegionKind, ObjectView};
use crate::structural::engine::comparison::{Comparison, LEVELS};

/// The state of a comparison between two attempts.
#[derive(Clone, Copy)]
pub(crate) struct AttemptedAt {
    /// The number of bindings.
    pub(crate) bound: usize,
    /// The number of recorded changes of the equal classes.
    classes: usize,
    /// The number of steps.
    pub(crate) steps: u32,
}

impl<'a> Comparison<'a> {
    /// The present state, to which [`go_back_to`](Self::go_back_to) can return until the equal classes record anew.
    pub(crate) fn attempted(&self) -> AttemptedAt {
        let (bound, classes) = (self.bindings.log().len(), self.equal_classes.recorded());
        AttemptedAt { bound, classes, steps: self.steps }
    }

    /// Compares two objects under the bindings so far, under persistent scopes. If the objects are equal, keeps the new
    /// bindings. Otherwise removes them.
    pub(crate) fn attempt(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, region: DefRegionKind) -> bool {
        let before = self.attempted();
        let equal = self.objects(a, b, region, LEVELS);
        if !equal {
            self.stack.clear();
            self.listed.contents.values.clear();
            self.is_not_comparable = false;
            self.go_back_to(before);
        }
        equal
    }

    /// Removes all bindings since `before`, under persistent scopes. If there are any, forgets the equal pairs since then,
    /// because their equality may depend on a removed binding.
    pub(crate) fn go_back_to(&mut self, before: AttemptedAt) {
        if self.bindings.log().len() > before.bound {
            self.bindings.split_off(before.bound);
            self.equal_classes.roll_back(before.classes);
        }
    }
}
