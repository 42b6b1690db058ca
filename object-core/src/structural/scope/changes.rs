//! [`Change`]: bindings that end with a scope, one by one or as a whole.

use crate::object::ObjectView;
use crate::persistent_map::MapId;
use crate::structural::scope::matches::Matches;
use crate::table::AddressMap;

/// The binding of an object.
#[derive(Clone, Copy)]
pub(crate) struct Bound<'a> {
    /// The object of the other side.
    pub(crate) other: ObjectView<'a>,
    /// The number of bindings that were made before this one.
    pub(crate) order: u32,
    /// The level of the scope that made it.
    pub(crate) level: u32,
    /// Under lexical scopes: the number of the binding among the bindings of the [`ScopeStack`].
    pub(crate) number: u64,
}

/// Bindings that a scope made.
#[derive(Clone)]
pub(crate) struct Change<'a> {
    pub(crate) bindings: Made<'a>,
    /// The bindings of scopes before the change, as a set.
    pub(crate) scoped_before: MapId,
    /// The number of changes so far that a remembered result cannot repeat.
    pub(crate) unrepeatable: u32,
}

/// The bindings of a [`Change`].
#[derive(Clone)]
pub(crate) enum Made<'a> {
    /// One binding, with the bindings that it hides.
    One { a: ObjectView<'a>, b: ObjectView<'a>, lhs_before: Option<Bound<'a>>, rhs_before: Option<Bound<'a>> },
    /// The bindings of a remembered result, which hide no others.
    Many { made: MapId, level: u32, number: u64, is_listed: bool },
}

impl<'a> Change<'a> {
    /// Ends the bindings. The tables are the ones of the left and the right side, and `unlisted` is the number of changes
    /// that they leave out.
    pub(crate) fn undo(
        self,
        lhs: &mut AddressMap<Bound<'a>>,
        rhs: &mut AddressMap<Bound<'a>>,
        matches: &mut Matches<ObjectView<'a>>,
        unlisted: &mut usize,
    ) {
        matches.restore(self.scoped_before);
        match self.bindings {
            Made::One { a, b, lhs_before, rhs_before } => {
                *lhs.slot(a.address()) = lhs_before;
                *rhs.slot(b.address()) = rhs_before;
            }
            Made::Many { is_listed: false, .. } => *unlisted -= 1,
            Made::Many { made, .. } => {
                for (a, b) in matches.pairs(made) {
                    *lhs.slot(a.address()) = None;
                    *rhs.slot(b.address()) = None;
                }
            }
        }
    }
}

/// The number of changes that a remembered result cannot repeat.
pub(crate) fn unrepeatable(changes: &[Change<'_>]) -> u32 {
    changes.last().map_or(0, |change| change.unrepeatable)
}

/// The number of objects in memory fits.
pub(crate) fn narrow(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
