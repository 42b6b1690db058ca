//! [`Known`]: which objects correspond after the walks of a diff, and which of them are equal.

use std::ops::Range;
use std::rc::Rc;

use crate::object::ObjectView;
use crate::structural::engine::equal_classes::EqualClasses;
use crate::structural::options::Scopes;
use crate::structural::report::diff::align::Run;
use crate::structural::report::diff::record::{EqualRun, Pair, Record};
use crate::structural::scope::bindings::Bindings;

/// The correspondence that walks found. Side 0 is the left one.
pub(crate) struct Known<'a> {
    pub(super) scopes: Scopes,
    pub(super) bindings: Rc<Bindings<'a>>,
    /// The number of the first bindings that the caller of the walks made.
    pub(super) fixed: usize,
    pub(super) record: Record<'a>,
    pub(super) equal_classes: EqualClasses<'a>,
}

impl<'a> Known<'a> {
    /// The objects of one type whose parts the walks compared with each other, the outer ones first.
    pub(crate) fn compared(&self) -> &[Pair<'a>] {
        &self.record.compared
    }

    /// The alignment of two arrays, if the walks aligned them.
    pub(crate) fn runs(&self, (a, b): Pair<'_>) -> &[Run] {
        self.record.runs.get(&(a.address(), b.address())).map_or(&[], Vec::as_slice)
    }

    /// The runs of equal elements of two arrays, in order.
    pub(crate) fn equal_runs(&self, pair: Pair<'_>) -> &[EqualRun] {
        self.record.equal_runs(pair)
    }

    /// The object of the other side to which a variable or a `dag` node is bound, or to which a proof says that a tree is equal.
    pub(crate) fn counterpart(&self, side: usize, object: ObjectView<'a>) -> Option<ObjectView<'a>> {
        counterpart(&self.record, (self.scopes, &self.bindings, self.fixed), side, object)
    }

    /// The variables and `dag` nodes that are bound to each other, in the order of their bindings, under persistent scopes.
    pub(crate) fn bound(&self) -> impl Iterator<Item = Pair<'a>> + '_ {
        let count = if self.scopes == Scopes::Persistent { self.bindings.log().len() } else { 0 };
        (self.fixed..count).filter_map(|order| self.binding(order))
    }

    /// The binding with a number, under persistent scopes.
    fn binding(&self, order: usize) -> Option<Pair<'a>> {
        let a = *self.bindings.log().get(order)?;
        Some((a, self.bindings.get(a)?.other))
    }

    /// The number of the binding of an object of a side, under persistent scopes.
    fn order(&self, side: usize, object: ObjectView<'a>) -> Option<usize> {
        if self.scopes == Scopes::Lexical {
            return None;
        }
        if side == 0 { self.bindings.order(object) } else { self.bindings.order_rhs(object) }
    }

    /// Whether a comparison found two objects equal.
    pub(crate) fn are_equal(&mut self, (a, b): Pair<'a>) -> bool {
        if self.is_proved_equal((a, b)) {
            return true;
        }
        self.scopes == Scopes::Persistent && !a.is_identified() && self.equal_classes.contains(a, b)
    }

    /// Whether a proof says that two objects are equal. Two variables that an earlier walk bound are equal in their uses, whatever
    /// their parts are.
    pub(crate) fn is_proved_equal(&self, (a, b): Pair<'a>) -> bool {
        if !a.is_identified() {
            return self.record.are_equal((a, b));
        }
        let order = self.order(0, a).filter(|_| self.bindings.are_bound(a, b));
        order.is_some_and(|order| self.record.proof_of_binding(order).is_some())
    }

    /// The numbers of the proofs whose comparison bound one of these objects of a side, in order.
    pub(crate) fn proofs_that_bound(&self, side: usize, objects: &[ObjectView<'a>]) -> Vec<usize> {
        let orders = objects.iter().filter_map(|object| self.order(side, *object));
        sorted(orders.filter_map(|order| self.record.proof_of_binding(order)).collect())
    }

    /// The numbers of the proofs about the objects of a side at these addresses, in order.
    pub(crate) fn proofs_about(&self, side: usize, addresses: impl Iterator<Item = usize>) -> Vec<usize> {
        sorted(addresses.flat_map(|address| self.record.proofs_about(side, address)).collect())
    }

    /// The elements of an array of a side in runs of equal elements, except those of some proofs, whose numbers are in order.
    pub(crate) fn equal_elements(&self, side: usize, array: ObjectView<'a>, without: &[usize]) -> Vec<Range<usize>> {
        let mut ranges = Vec::new();
        for run in self.record.equal_runs_of(side, array) {
            let (start, proofs) = (run.starts[side], run.first_proof..run.first_proof + run.len);
            let first = without.partition_point(|number| *number < proofs.start);
            let left_out = without[first..].iter().take_while(|number| **number < proofs.end);
            let mut from = start;
            for end in left_out.map(|number| start + number - proofs.start).chain([start + run.len]) {
                if from < end {
                    ranges.push(from..end);
                }
                from = end + 1;
            }
        }
        ranges
    }

    /// The number of the first proof about an object of a side.
    pub(crate) fn proof_number(&self, side: usize, object: ObjectView<'_>) -> Option<usize> {
        self.record.proof_number(side, object)
    }
}

fn sorted(mut numbers: Vec<usize>) -> Vec<usize> {
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// As [`Known::counterpart`], while the walks may go on.
pub(super) fn counterpart<'a>(
    record: &Record<'a>,
    (scopes, bindings, fixed): (Scopes, &Bindings<'a>, usize),
    side: usize,
    object: ObjectView<'a>,
) -> Option<ObjectView<'a>> {
    if !object.is_identified() {
        return record.tree(side, object);
    }
    if scopes == Scopes::Lexical {
        return None;
    }
    match side {
        0 => bindings.get(object).filter(|bound| bound.order as usize >= fixed).map(|bound| bound.other),
        _ => bindings.order_rhs(object).filter(|order| *order >= fixed).map(|order| bindings.log()[order]),
    }
}
