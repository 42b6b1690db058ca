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

/// How a remembered result makes bindings again that outlive its objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Replay {
    /// It cannot: the bindings depend on the scope.
    Never,
    /// All at once, because they hide no others.
    AsSet,
    /// One by one, because each hides the bindings of the same objects: the exports of a scope that has ended.
    InOrder,
}

/// The numbers of changes so far, by [`Replay`].
#[derive(Clone, Copy, Default)]
pub(crate) struct ReplayCounts {
    never: u32,
    in_order: u32,
}

impl ReplayCounts {
    /// The numbers after one more change.
    pub(crate) fn plus(self, replay: Replay) -> Self {
        ReplayCounts {
            never: self.never + u32::from(replay == Replay::Never),
            in_order: self.in_order + u32::from(replay == Replay::InOrder),
        }
    }

    /// The way of the change after which the numbers are `self`; `before` are the numbers before it.
    pub(crate) fn last(self, before: ReplayCounts) -> Replay {
        match (self.never > before.never, self.in_order > before.in_order) {
            (true, _) => Replay::Never,
            (_, true) => Replay::InOrder,
            _ => Replay::AsSet,
        }
    }

    /// Whether a remembered result may make all `count` changes since `before` again. `ends` says whether a scope, or the
    /// entry of a map that the walk rolls back, ends them: otherwise they stay in force, and a set of bindings is made once.
    pub(crate) fn can_replay_since(self, before: ReplayCounts, count: usize, ends: bool) -> bool {
        self.never == before.never && (ends || (self.in_order - before.in_order) as usize == count)
    }
}

/// Bindings that a scope made.
#[derive(Clone)]
pub(crate) struct Change<'a> {
    pub(crate) bindings: Made<'a>,
    /// The bindings of scopes before the change, as a set.
    pub(crate) scoped_before: MapId,
    pub(crate) replays: ReplayCounts,
}

/// The bindings of a [`Change`].
#[derive(Clone)]
pub(crate) enum Made<'a> {
    /// One binding, with the bindings that it hides.
    One { a: ObjectView<'a>, bound: Bound<'a>, lhs_before: Option<Bound<'a>>, rhs_before: Option<Bound<'a>> },
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
            Made::One { a, bound, lhs_before, rhs_before } => {
                *lhs.slot(a.address()) = lhs_before;
                *rhs.slot(bound.other.address()) = rhs_before;
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

/// The numbers of `changes`, by [`Replay`].
pub(crate) fn replays(changes: &[Change<'_>]) -> ReplayCounts {
    changes.last().map_or(ReplayCounts::default(), |change| change.replays)
}

/// The number of objects in memory fits.
pub(crate) fn narrow(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
