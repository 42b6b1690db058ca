//! [`BindingPlaces`]: where a diff made bindings.
//!
//! Under lexical scopes, a remembered result makes its bindings again as a whole. The diff records the place of the result
//! then, and not the place of each binding. A report puts the place of a binding together: the place of the result, and
//! the steps from there to the binding, as the walk found them when it remembered the result.

use crate::access_path::AccessPath;
use crate::object::ObjectView;
use crate::structural::report::diff::path_tree::{PairStep, PathTree, Place, ROOT, paths};
use crate::structural::scope::bindings::Bindings;
use crate::structural::scope::relations::Repeated;
use crate::table::Table;

/// Where bindings were made, by their numbers.
#[derive(Clone, Copy)]
enum MadeAt {
    /// At this place.
    Place(Place),
    /// By a remembered result about the pair at this place.
    Repeated(Repeated, Place),
}

/// The places of bindings.
#[derive(Default)]
pub(crate) struct BindingPlaces<'a> {
    pub(crate) tree: PathTree<'a>,
    made: Table<u64, MadeAt>,
    /// The object of the left side to which each object of the right side was bound last.
    lhs_of: Table<usize, ObjectView<'a>>,
}

impl<'a> BindingPlaces<'a> {
    /// Records the place of the binding with this number.
    pub(crate) fn add(&mut self, number: u64, a: ObjectView<'a>, b: ObjectView<'a>, place: Place) {
        self.made.insert(number, MadeAt::Place(place));
        self.lhs_of.insert(b.address(), a);
    }

    /// Records that a remembered result about the pair at `place` made its bindings again.
    pub(crate) fn add_repeated(&mut self, repeated: Repeated, place: Place) {
        self.made.insert(repeated.number, MadeAt::Repeated(repeated, place));
    }

    /// The object of the left side to which `b` was bound last, one by one.
    pub(crate) fn bound_to(&self, b: ObjectView<'a>) -> Option<ObjectView<'a>> {
        self.lhs_of.get(&b.address()).copied()
    }

    /// The paths to the binding of `a`, which has this number.
    pub(crate) fn paths(
        &self,
        bindings: &Bindings<'a>,
        mut number: u64,
        a: ObjectView<'a>,
    ) -> Option<(AccessPath, AccessPath)> {
        let (mut parts, mut from): (Vec<Vec<PairStep<'a>>>, Place) = (Vec::new(), ROOT);
        loop {
            let made = *self.made.get(&number)?;
            let (MadeAt::Place(place) | MadeAt::Repeated(_, place)) = made;
            parts.push(self.tree.steps_up(place, from).collect());
            let MadeAt::Repeated(repeated, _) = made else { break };
            // The places below are the places at the first comparison of the pair.
            from = repeated.place;
            number = bindings.number_in(repeated.source, a.address())?;
        }
        Some(paths(parts.into_iter().flat_map(|part| part.into_iter().rev())))
    }
}
