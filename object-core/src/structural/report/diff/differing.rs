//! [`Differing`]: the pairs of objects that differ, so that each is reported once.

use crate::object::ObjectView;
use crate::table::Table;

/// With how many others an object is found different before it counts as different from everything. It bounds the
/// number of pairs that are walked by the number of objects.
const MOST_PARTNERS: u32 = 16;

/// Pairs of objects that differ, by address.
#[derive(Default)]
pub(crate) struct Differing {
    pairs: Table<(usize, usize), ()>,
    /// How many pairs the objects of the left side are in.
    partners: Table<usize, u32>,
}

impl Differing {
    /// Whether the pair was found different.
    pub(crate) fn contains(&self, a: ObjectView<'_>, b: ObjectView<'_>) -> bool {
        self.pairs.contains_key(&(a.address(), b.address()))
    }

    /// Whether `a` was found different from so many others that comparing it with one more is not worth its cost.
    pub(crate) fn is_exhausted(&self, a: ObjectView<'_>) -> bool {
        self.partners.get(&a.address()).is_some_and(|partners| *partners >= MOST_PARTNERS)
    }

    pub(crate) fn insert(&mut self, a: ObjectView<'_>, b: ObjectView<'_>) {
        if self.pairs.insert((a.address(), b.address()), ()).is_none() {
            *self.partners.entry(a.address()).or_default() += 1;
        }
    }
}
