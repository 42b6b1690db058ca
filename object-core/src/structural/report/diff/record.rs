//! [`Record`]: the corresponding objects that the walk of a diff met.

use crate::object::{AnyView, DefRegionKind, ObjectView, SEqHashKind};
use crate::structural::report::diff::align::Run;
use crate::structural::scope::bindings::Bindings;
use crate::table::{AddressTable, Set, Table};

/// Two objects, of the left and of the right side.
pub(crate) type Pair<'a> = (ObjectView<'a>, ObjectView<'a>);

/// A comparison that found two objects equal.
#[derive(Clone, Copy)]
pub(crate) struct Proof<'a> {
    pub(crate) pair: Pair<'a>,
    pub(crate) region: DefRegionKind,
    /// The number of bindings before the comparison, and the number of bindings that it made.
    pub(crate) bound: usize,
    pub(crate) made: usize,
}

/// Consecutive elements of two arrays that comparisons found equal, each pair by a proof of its own. They are trees.
#[derive(Clone, Copy)]
pub(crate) struct EqualRun {
    /// The index of the first element of each side.
    pub(crate) starts: [usize; 2],
    pub(crate) len: usize,
    /// The number of the proof about the first elements. The next proofs are about the next elements.
    pub(crate) first_proof: usize,
}

/// Whether two equal elements can be in an [`EqualRun`].
pub(super) fn is_of_run(pair: (AnyView<'_>, AnyView<'_>)) -> bool {
    match pair {
        (AnyView::Object(a), AnyView::Object(_)) => !a.is_identified(),
        _ => false,
    }
}

/// The pairs that a walk met.
#[derive(Default)]
pub(crate) struct Record<'a> {
    /// The objects of one type whose parts the walk compared with each other, the outer ones first. Variables and `dag`
    /// nodes are among them only if they are bound to each other.
    pub(crate) compared: Vec<Pair<'a>>,
    /// The comparisons that found objects equal, so that the walk skipped them, in the order of their bindings.
    pub(super) proofs: Vec<Proof<'a>>,
    /// The first of `proofs`, by their objects.
    index: ProofIndex,
    /// The alignments of arrays. The elements of other arrays correspond by index.
    pub(crate) runs: Table<(usize, usize), Vec<Run>>,
    /// The runs of equal elements of two arrays, in order.
    equal_runs: Table<(usize, usize), Vec<EqualRun>>,
    /// For each array of a side that has runs, the first array of the other side with which it has them.
    aligned: [AddressTable<usize>; 2],
    /// The objects of each side that have no counterpart, or one of another type.
    pub(crate) single: [Vec<ObjectView<'a>>; 2],
}

/// Proofs by their objects.
#[derive(Default)]
struct ProofIndex {
    /// The numbers of proofs, by the object of a side.
    by_object: [AddressTable<ProofsOf>; 2],
    /// The numbers of the further proofs about an object of a side.
    repeats: [AddressTable<Vec<u32>>; 2],
    /// Objects that are equal, of which the first one has an earlier proof about another object.
    more_equal: Set<(usize, usize)>,
    /// The number of proofs that the index has.
    len: usize,
}

/// The numbers of the proofs about an object.
#[derive(Clone, Copy)]
struct ProofsOf {
    first: u32,
    /// The proof whose objects correspond, or [`NONE`]. Each object corresponds to at most one.
    pair: u32,
}

/// No proof.
const NONE: u32 = u32::MAX;

impl<'a> Record<'a> {
    /// Adds two equal objects. The bindings after the first `bound` are the ones of the variables and `dag` nodes in them.
    pub(super) fn add_equal(&mut self, pair: Pair<'a>, region: DefRegionKind, bindings: &Bindings<'a>, bound: usize) {
        self.proofs.push(Proof { pair, region, bound, made: bindings.log().len() - bound });
    }

    /// Adds equal elements of two arrays, after those of earlier runs.
    pub(super) fn add_run(&mut self, (a, b): Pair<'a>, run: EqualRun) {
        if run.starts == [0, 0] {
            self.equal_runs.remove(&(a.address(), b.address()));
        }
        if run.len > 0 {
            self.equal_runs.entry((a.address(), b.address())).or_default().push(run);
            self.aligned[0].entry(a.address()).or_insert(b.address());
            self.aligned[1].entry(b.address()).or_insert(a.address());
        }
    }

    /// The runs of equal elements of two arrays, in order.
    pub(super) fn equal_runs(&self, (a, b): Pair<'_>) -> &[EqualRun] {
        self.equal_runs.get(&(a.address(), b.address())).map_or(&[], Vec::as_slice)
    }

    /// The runs of equal elements of an array of a side.
    pub(super) fn equal_runs_of(&self, side: usize, array: ObjectView<'_>) -> &[EqualRun] {
        let Some(other) = self.aligned[side].get(&array.address()).copied() else { return &[] };
        let key = if side == 0 { (array.address(), other) } else { (other, array.address()) };
        self.equal_runs.get(&key).map_or(&[], Vec::as_slice)
    }

    /// Forgets all proofs after the first `count`. No look-up has seen them.
    pub(super) fn truncate_proofs(&mut self, count: usize) {
        self.proofs.truncate(count);
    }

    /// Adds the new proofs to the index, which all look-ups use.
    pub(super) fn index_proofs(&mut self) {
        let new = self.proofs.len() - self.index.len;
        self.index.by_object.iter_mut().for_each(|table| table.reserve(new));
        for (number, proof) in self.proofs.iter().enumerate().skip(self.index.len) {
            self.index.add(number as u32, proof, &self.proofs);
        }
        self.index.len = self.proofs.len();
    }

    /// The number of the first proof about an object of a side.
    pub(super) fn proof_number(&self, side: usize, object: ObjectView<'_>) -> Option<usize> {
        self.index.by_object[side].get(&object.address()).map(|proofs| proofs.first as usize)
    }

    /// The numbers of all proofs about the object of a side at an address.
    pub(super) fn proofs_about(&self, side: usize, address: usize) -> impl Iterator<Item = usize> {
        let first = self.index.by_object[side].get(&address).map(|proofs| &proofs.first);
        let repeats = self.index.repeats[side].get(&address).into_iter().flatten();
        first.into_iter().chain(repeats).map(|number| *number as usize)
    }

    /// The tree of the other side that corresponds to a tree, by a proof that they are equal.
    pub(super) fn tree(&self, side: usize, object: ObjectView<'_>) -> Option<ObjectView<'a>> {
        let number = self.index.by_object[side].get(&object.address())?.pair;
        let (a, b) = self.proofs.get(number as usize)?.pair;
        Some(if side == 0 { b } else { a })
    }

    /// Whether there is a proof that two trees are equal.
    pub(super) fn are_equal(&self, (a, b): Pair<'_>) -> bool {
        self.proof_number(0, a).is_some_and(|first| {
            self.proofs[first].pair.1.ptr_eq(b) || self.index.more_equal.contains(&(a.address(), b.address()))
        })
    }

    /// The number of the proof that made the binding with this number.
    pub(super) fn proof_of_binding(&self, order: usize) -> Option<usize> {
        let number = self.proofs.partition_point(|proof| proof.bound <= order).checked_sub(1)?;
        let proof = self.proofs.get(number)?;
        (order < proof.bound + proof.made).then_some(number)
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

impl ProofIndex {
    /// Adds the proof with a number.
    fn add(&mut self, number: u32, proof: &Proof<'_>, proofs: &[Proof<'_>]) {
        let (a, b) = proof.pair;
        let [of_a, of_b] = &mut self.by_object;
        let new = ProofsOf { first: number, pair: NONE };
        let (of_a, of_b) = (of_a.entry(a.address()).or_insert(new), of_b.entry(b.address()).or_insert(new));
        for (repeats, (object, proofs)) in self.repeats.iter_mut().zip([(a, &*of_a), (b, &*of_b)]) {
            if proofs.first != number {
                repeats.entry(object.address()).or_default().push(number);
            }
        }
        if !proofs[of_a.first as usize].pair.1.ptr_eq(b) {
            self.more_equal.insert((a.address(), b.address()));
        }
        if of_a.pair == NONE && of_b.pair == NONE && !a.is_identified() {
            (of_a.pair, of_b.pair) = (number, number);
        }
    }
}
