//! [`Proofs`]: the equal objects that a walk found, so that a second walk over values with the same objects skips them.
//!
//! An edit script is right if it makes the right value. The result shares most objects with the left value, and the search has
//! compared them with their counterparts already. A comparison of two objects stays valid as long as the variables that it met
//! correspond as then. So the second walk skips two objects if it has all bindings that the first walk had before it compared
//! them. The bindings that the comparison made then hold, too, unless they contradict its own. A number says which bindings of the
//! first walk hold (`scope/bindings/earlier.rs`), so the second walk takes no time for them.
//!
//! A variable or a `dag` node that the script changes is another object in the result. No object that the two walks have in
//! common contains it, so its binding counts as the binding of the new object.

use std::rc::Rc;

use crate::object::{DefRegionKind, ObjectView};
use crate::structural::report::diff::known::Known;
use crate::structural::report::diff::record::{Pair, Proof};
use crate::structural::scope::bindings::Bindings;
use crate::structural::scope::bindings::earlier::Earlier;

/// The equal objects that walks found, by their objects of one side.
pub(crate) struct Proofs<'a> {
    known: Rc<Known<'a>>,
    /// The side of the walks that is the left side of the second walk.
    side: usize,
    /// The number of the proof after the one that held last: the next element of an array mostly has it.
    next: usize,
}

impl<'a> Proofs<'a> {
    /// The equal objects, for a second walk over the value of a side. Side 0 is the left one.
    pub(crate) fn new(known: Rc<Known<'a>>, side: usize) -> Self {
        Proofs { known, side, next: 0 }
    }

    /// The bindings of the first walk for the second one, in which `replaced` has the objects in the places of variables and `dag`
    /// nodes.
    pub(super) fn bindings(&self, replaced: Vec<Pair<'a>>) -> Earlier<'a> {
        Earlier::new(self.known.bindings.clone(), self.side, replaced)
    }

    /// Whether the first walk found an object equal to another one.
    pub(super) fn contains(&self, lhs: ObjectView<'_>) -> bool {
        self.known.proof_number(self.side, lhs).is_some()
    }

    /// Whether two objects are equal under the bindings of the second walk, by a comparison of the first one. If so, makes the
    /// bindings of that comparison.
    pub(super) fn hold(&mut self, bindings: &mut Bindings<'a>, (a, b): Pair<'a>, region: DefRegionKind) -> bool {
        let is_about = |proof: &Proof<'a>| {
            let (x, y) = turned(proof.pair, self.side);
            x.ptr_eq(a) && y.ptr_eq(b) && proof.region == region
        };
        let mut number = self.next;
        if !self.known.record.proofs.get(number).is_some_and(is_about) {
            let Some(first) = self.known.proof_number(self.side, a) else { return false };
            number = first;
        }
        let Some(proof) = self.known.record.proofs.get(number).copied().filter(is_about) else { return false };
        let holds = bindings.repeat_earlier(proof.bound, proof.made);
        if holds {
            self.next = number + 1;
        }
        holds
    }
}

/// A pair with the object of a side first.
fn turned((a, b): Pair<'_>, side: usize) -> Pair<'_> {
    if side == 0 { (a, b) } else { (b, a) }
}
