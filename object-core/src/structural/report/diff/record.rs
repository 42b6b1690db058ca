//! [`Record`]: the corresponding objects that the walk of a diff met.

use std::ops::Range;

use crate::object::{AnyView, DefRegionKind, ObjectView, SEqHashKind};
use crate::structural::report::diff::align::Run;
use crate::structural::scope::bindings::Bindings;
use crate::table::Table;

/// Two objects, of the left and of the right side.
pub(crate) type Pair<'a> = (ObjectView<'a>, ObjectView<'a>);

/// A comparison that found two objects equal.
#[derive(Clone, Copy)]
pub(crate) struct Proof {
    /// The index of the two objects in [`Record::equal`]. The variables and `dag` nodes that the comparison bound follow them.
    pub(crate) index: usize,
    pub(crate) region: DefRegionKind,
    /// The number of bindings before the comparison.
    pub(crate) bound: usize,
}

/// The pairs that a walk met.
#[derive(Default)]
pub(crate) struct Record<'a> {
    /// The objects of one type whose parts the walk compared with each other, the outer ones first. Variables and `dag`
    /// nodes are among them only if they are bound to each other.
    pub(crate) compared: Vec<Pair<'a>>,
    /// The objects that a comparison found equal, so that the walk skipped them, and the variables and `dag` nodes in them.
    pub(crate) equal: Vec<Pair<'a>>,
    /// The comparisons that found the objects of `equal`.
    pub(crate) proofs: Vec<Proof>,
    /// The alignments of arrays. The elements of other arrays correspond by index.
    pub(crate) runs: Table<(usize, usize), Vec<Run>>,
    /// The objects of each side that have no counterpart, or one of another type.
    pub(crate) single: [Vec<ObjectView<'a>>; 2],
}

impl<'a> Record<'a> {
    /// Adds two equal objects, and the variables and `dag` nodes in them, whose bindings are the ones after the first `bound`.
    pub(super) fn add_equal(&mut self, pair: Pair<'a>, region: DefRegionKind, bindings: &Bindings<'a>, bound: usize) {
        self.proofs.push(Proof { index: self.equal.len(), region, bound });
        self.equal.push(pair);
        let new = bindings.log().get(bound..).unwrap_or_default();
        self.equal.extend(new.iter().filter_map(|a| Some((*a, bindings.get(*a)?.other))));
    }

    /// The comparisons that found objects equal, each with the indices in `equal` of its two objects and of the pairs that it bound.
    pub(crate) fn proved(&self) -> impl Iterator<Item = (&Proof, Range<usize>)> {
        self.proofs.iter().enumerate().map(|(number, proof)| {
            let end = self.proofs.get(number + 1).map_or(self.equal.len(), |next| next.index);
            (proof, proof.index..end)
        })
    }

    /// Forgets all equal objects after the first `count`.
    pub(super) fn truncate_equal(&mut self, count: usize) {
        self.equal.truncate(count);
        while self.proofs.pop_if(|proof| proof.index >= count).is_some() {}
    }

    /// Adds two values that differ, or a value that one side lacks.
    pub(super) fn add_different(&mut self, lhs: Option<AnyView<'a>>, rhs: Option<AnyView<'a>>) {
        for (values, value) in self.single.iter_mut().zip([lhs, rhs]) {
            if let Some(AnyView::Object(object)) = value
                && !matches!(object.type_info().kind, SEqHashKind::FreeVar | SEqHashKind::UniqueInstance)
            {
                values.push(object);
            }
        }
    }
}
