//! [`PathTree`]: the places where bindings were made. Each place is one step from an earlier place, so all places
//! together take no more memory than the walk. A path is built from a place only for a report.

use crate::access_path::{AccessPath, AccessStep};
use crate::object::AnyView;
use crate::repr::path_key;

/// A step from an object to one of its children, on both sides.
#[derive(Clone, Copy)]
pub(crate) enum PairStep<'a> {
    Attr(&'static str),
    Items(usize, usize),
    LhsItem(usize),
    RhsItem(usize),
    Keys(AnyView<'a>, AnyView<'a>),
    LhsKey(AnyView<'a>),
    RhsKey(AnyView<'a>),
}

impl PairStep<'_> {
    /// The steps of the paths on the left and on the right.
    fn sides(self) -> (AccessStep, AccessStep) {
        match self {
            PairStep::Attr(name) => (AccessStep::Attr(name.to_owned()), AccessStep::Attr(name.to_owned())),
            PairStep::Items(lhs, rhs) => (AccessStep::ArrayItem(lhs), AccessStep::ArrayItem(rhs)),
            PairStep::LhsItem(lhs) => (AccessStep::ArrayItem(lhs), AccessStep::ArrayItemMissing(lhs)),
            PairStep::RhsItem(rhs) => (AccessStep::ArrayItemMissing(rhs), AccessStep::ArrayItem(rhs)),
            PairStep::Keys(lhs, rhs) => (AccessStep::MapItem(path_key(lhs)), AccessStep::MapItem(path_key(rhs))),
            PairStep::LhsKey(key) => (AccessStep::MapItem(path_key(key)), AccessStep::MapItemMissing(path_key(key))),
            PairStep::RhsKey(key) => (AccessStep::MapItemMissing(path_key(key)), AccessStep::MapItem(path_key(key))),
        }
    }
}

/// A place by its number.
pub(crate) type Place = u32;

/// The place of the two roots.
pub(crate) const ROOT: Place = 0;

/// A tree of places: each place refers to the place above it.
#[derive(Default)]
pub(crate) struct PathTree<'a> {
    /// The place with the number `n + 1`: the number of the place above, and the step from there.
    steps: Vec<(Place, PairStep<'a>)>,
}

impl<'a> PathTree<'a> {
    /// The place one step below `from`.
    pub(crate) fn add(&mut self, from: Place, step: PairStep<'a>) -> Place {
        self.steps.push((from, step));
        // No memory holds as many objects as the number can count.
        u32::try_from(self.steps.len()).unwrap_or(ROOT)
    }

    /// The steps from the place `from` down to `place`, the last one first.
    pub(crate) fn steps_up(&self, mut place: Place, from: Place) -> impl Iterator<Item = PairStep<'a>> + '_ {
        std::iter::from_fn(move || {
            let index = if place == from { None } else { place.checked_sub(1) };
            let (above, step) = self.steps.get(index? as usize)?;
            place = *above;
            Some(*step)
        })
    }
}

/// The paths of both sides that take the given steps.
pub(crate) fn paths<'a>(steps: impl Iterator<Item = PairStep<'a>>) -> (AccessPath, AccessPath) {
    let (mut lhs, mut rhs) = (AccessPath::root(), AccessPath::root());
    for step in steps {
        let (a, b) = step.sides();
        lhs.push(a);
        rhs.push(b);
    }
    (lhs, rhs)
}
