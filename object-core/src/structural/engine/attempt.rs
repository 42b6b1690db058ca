//! Attempts: a comparison that goes on with the next pair of a diff, and takes the pair back if it differs.

use crate::object::{DefRegionKind, ObjectView};
use crate::structural::engine::comparison::{Comparison, LEVELS};
use crate::structural::engine::equal_classes::EqualClasses;

impl<'a> Comparison<'a> {
    /// Compares two objects under the bindings so far, under persistent scopes. If the objects are equal, keeps the new
    /// bindings. Otherwise removes them.
    pub(crate) fn attempt(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, region: DefRegionKind) -> bool {
        let before = self.bindings.log().len();
        let equal = self.objects(a, b, region, LEVELS);
        if !equal {
            self.stack.clear();
            self.listed.contents.values.clear();
            self.is_not_comparable = false;
            self.go_back_to(before);
        }
        equal
    }

    /// Removes all bindings after the first `count`, under persistent scopes. Forgets the remembered pairs, because they
    /// may depend on a removed binding.
    pub(crate) fn go_back_to(&mut self, count: usize) {
        self.bindings.split_off(count);
        self.equal_classes = EqualClasses::default();
    }
}
