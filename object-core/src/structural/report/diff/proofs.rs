//! [`Proofs`]: the equal objects that a walk found, so that a second walk over values with the same objects skips them.
//!
//! An edit script is right if it makes the right value. The result shares most objects with the left value, and the search has
//! compared them with their counterparts already. A comparison of two objects stays valid as long as the variables that it met
//! correspond as then. So the second walk skips two objects if it has all bindings that the first walk had before it compared
//! them. It then makes the bindings that the comparison made, unless they contradict its own.

use std::ops::Range;

use crate::object::{DefRegionKind, ObjectView};
use crate::structural::report::diff::record::{Pair, Record};
use crate::structural::scope::bindings::{Binding, Bindings};
use crate::table::AddressTable;

/// The equal objects of a [`Record`], by their objects of one side.
pub(crate) struct Proofs<'a> {
    by_lhs: AddressTable<Known<'a>>,
    /// All bindings of the walk, in the order in which it made them.
    bound: Vec<Pair<'a>>,
    /// The bindings that each comparison made, one after the other.
    made: Vec<Pair<'a>>,
    /// The number of the first bindings that the second walk has, too.
    present: usize,
}

/// An object that equals another one.
struct Known<'a> {
    rhs: ObjectView<'a>,
    region: DefRegionKind,
    /// The number of bindings before the comparison.
    bound: usize,
    made: Range<usize>,
}

impl<'a> Proofs<'a> {
    /// The equal objects, by the objects of a side. Side 0 is the left one. `bound` has the bindings of the walk in their order.
    pub(crate) fn of(record: &Record<'a>, bound: impl Iterator<Item = Pair<'a>>, side: usize) -> Self {
        let turned = |(a, b): Pair<'a>| if side == 0 { (a, b) } else { (b, a) };
        let mut by_lhs = AddressTable::default();
        by_lhs.reserve(record.proofs.len());
        for (proof, pairs) in record.proved() {
            let Some(pair) = record.equal.get(pairs.start) else { continue };
            let (lhs, rhs) = turned(*pair);
            let known = Known { rhs, region: proof.region, bound: proof.bound, made: pairs.start + 1..pairs.end };
            by_lhs.entry(lhs.address()).or_insert(known);
        }
        let made = record.equal.iter().copied().map(turned).collect();
        Proofs { by_lhs, bound: bound.map(turned).collect(), made, present: 0 }
    }

    /// Whether the first walk found an object equal to another one.
    pub(crate) fn contains(&self, lhs: ObjectView<'_>) -> bool {
        self.by_lhs.contains_key(&lhs.address())
    }

    /// Whether two objects are equal under the bindings of the second walk, by a comparison of the first one. If so, makes the
    /// bindings of that comparison.
    pub(super) fn hold(&mut self, bindings: &mut Bindings<'a>, (a, b): Pair<'a>, region: DefRegionKind) -> bool {
        let Some(known) = self.by_lhs.get(&a.address()) else { return false };
        if !known.rhs.ptr_eq(b) || known.region != region {
            return false;
        }
        while self.bound.get(self.present).is_some_and(|(x, y)| bindings.are_bound(*x, *y)) {
            self.present += 1;
        }
        let made = &self.made[known.made.clone()];
        let mut relate = |may_bind| made.iter().all(|(x, y)| bindings.relate(*x, *y, may_bind) != Binding::Conflict);
        self.present >= known.bound && relate(false) && relate(true)
    }
}
