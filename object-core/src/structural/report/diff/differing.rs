//! [`Differing`]: the pairs of objects that differ, so that the diff reports each pair once.

use crate::object::ObjectView;
use crate::table::Table;

/// An object that differs from this many others counts as different from every object. The limit bounds the number of
/// compared pairs by the number of objects.
const MAX_DIFFERENT_PAIRS: u32 = 16;

/// Pairs of objects that differ, by address.
#[derive(Default)]
pub(crate) struct Differing {
    pairs: Table<(usize, usize), ()>,
    /// For each object of the left side, the number of pairs that contain it.
    partners: Table<usize, u32>,
}

impl Differing {
    /// Whether the pair was found different.
    pub(crate) fn contains(&self, a: ObjectView<'_>, b: ObjectView<'_>) -> bool {
        self.pairs.contains_key(&(a.address(), b.address()))
    }

    /// Whether `a` differs from so many others that one more comparison is not worth its cost.
    pub(crate) fn reached_limit(&self, a: ObjectView<'_>) -> bool {
        self.partners.get(&a.address()).is_some_and(|partners| *partners >= MAX_DIFFERENT_PAIRS)
    }

    pub(crate) fn insert(&mut self, a: ObjectView<'_>, b: ObjectView<'_>) {
        if self.pairs.insert((a.address(), b.address()), ()).is_none() {
            *self.partners.entry(a.address()).or_default() += 1;
        }
    }
}
