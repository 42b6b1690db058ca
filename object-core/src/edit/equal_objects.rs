//! [`EqualObjects`]: the objects of one value that walks found equal to objects of the other one, so that searches pass them.

use std::ops::Range;

use crate::object::ObjectView;
use crate::structural::matching::Known;

/// The equal objects of a side.
pub(super) struct EqualObjects<'k, 'a> {
    known: &'k Known<'a>,
    side: usize,
    /// The numbers of the proofs whose objects are left out, in order.
    without: Vec<usize>,
    /// The numbers of the proofs whose objects are not in [`elements`](Self::elements), in order.
    visited: Vec<usize>,
}

impl<'k, 'a> EqualObjects<'k, 'a> {
    /// All equal objects of a side.
    pub(super) fn all(known: &'k Known<'a>, side: usize) -> Self {
        EqualObjects { known, side, without: Vec::new(), visited: Vec::new() }
    }

    /// The equal objects of a side in which the comparison bound none of the `bound` objects. [`elements`](Self::elements) has
    /// none of the objects at the `visited` addresses.
    pub(super) fn without(
        known: &'k Known<'a>,
        side: usize,
        bound: &[ObjectView<'a>],
        visited: impl Iterator<Item = usize>,
    ) -> Self {
        let without = known.proofs_that_bound(side, bound);
        let mut all = known.proofs_about(side, visited);
        all.extend(&without);
        all.sort_unstable();
        EqualObjects { known, side, without, visited: all }
    }

    /// Whether an object is one of them.
    pub(super) fn contains(&self, object: ObjectView<'_>) -> bool {
        let number = self.known.proof_number(self.side, object);
        number.is_some_and(|number| self.without.binary_search(&number).is_err())
    }

    /// Elements of an array that are among them, in order.
    pub(super) fn elements(&self, array: ObjectView<'_>) -> Vec<Range<usize>> {
        self.known.equal_elements(self.side, array, &self.visited)
    }
}
