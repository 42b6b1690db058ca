//! [`Relation`]: how two variables or `dag` nodes relate under lexical scopes, as a fact on which results depend.

use std::sync::Arc;

use crate::object::{DefRegionKind, ObjectView};
use crate::persistent_map::MapId;
use crate::structural::scope::changes::Bound;
use crate::structural::scope::facts::{Fact, Facts};
use crate::structural::scope::matches::{MatchSets, Source};
use crate::structural::scope::scope_stack::{EXPORTED, FREE};

/// The relation of two objects in a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Relation {
    /// They are bound to each other.
    Matched,
    /// They may be bound to each other here, and then hide earlier bindings.
    New,
    /// At least one of them is bound to another object.
    Conflict,
    /// The binding of the left object must be the one with this number.
    ExactlyBound(u64),
}

/// The relation of two objects as a fact, by address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Related {
    pub(crate) a: usize,
    pub(crate) b: usize,
    pub(crate) relation: Relation,
    pub(crate) place: Place,
    /// The number of the older of the two bindings in force; zero if one object is not bound.
    pub(crate) order: u64,
}

/// The part of a region that decides relations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    /// A place that binds nothing.
    Use,
    /// A place that binds variables anew in each scope.
    Binder,
    /// The fields of a variable in such a place.
    Annotation,
    /// As `Annotation`, in a scope inside of the object to which the fact belongs.
    InnerAnnotation,
}

impl Place {
    pub(crate) fn of(region: DefRegionKind) -> Self {
        match region {
            DefRegionKind::Simple | DefRegionKind::Recursive => Place::Binder,
            DefRegionKind::Annotation => Place::Annotation,
            DefRegionKind::None | DefRegionKind::Free => Place::Use,
        }
    }

    /// Whether an object that has a binding at `level` is bound anew here, `depth` scopes deep.
    pub(crate) fn binds_anew(self, level: Option<u32>, depth: u32) -> bool {
        match (level, self) {
            (None, _) => true,
            (Some(_), Place::Use) => false,
            (Some(level), Place::Binder) => level != depth && (depth > 0 || level == EXPORTED),
            (Some(level), Place::Annotation) => level == FREE && depth > 0,
            (Some(level), Place::InnerAnnotation) => level == FREE,
        }
    }
}

impl Fact for Related {
    fn order(self) -> u64 {
        self.order
    }

    fn outside(self) -> Option<Self> {
        match self.place {
            // A new scope has bound nothing yet.
            Place::Binder => None,
            Place::Annotation => Some(Related { place: Place::InnerAnnotation, ..self }),
            Place::Use | Place::InnerAnnotation => Some(self),
        }
    }
}

/// Which free variables a remembered result may bind to each other where it is used again, so that the walk need not look
/// for their first occurrence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum FreeOnRecall {
    /// None, because the walk reports the place of each binding, and a result does not say where a variable occurs first.
    #[default]
    None,
    /// A variable to itself.
    Itself,
    /// A variable to any variable.
    Any,
}

impl FreeOnRecall {
    /// The variables that may correspond, if no one asks for the places of bindings.
    pub(crate) fn of(map_free_vars: bool) -> Self {
        if map_free_vars { FreeOnRecall::Any } else { FreeOnRecall::Itself }
    }
}

/// The bindings that a remembered result made again.
#[derive(Clone, Copy)]
pub(crate) struct Repeated {
    /// The number that all of them have.
    pub(crate) number: u64,
    /// Where the comparison of the two objects made them.
    pub(crate) source: Source,
    /// The place of the two objects at that comparison.
    pub(crate) place: u32,
}

/// The binding of a variable of the left side that outlives the scope that made it.
pub(crate) type ExportedPair<'a> = (ObjectView<'a>, Bound<'a>);

/// A result about two objects, and the facts on which it depends.
#[derive(Clone)]
pub(crate) struct RememberedPair<'a> {
    pub(crate) differs: bool,
    /// The facts that are not in `matches`.
    pub(crate) facts: Arc<Facts<Related>>,
    pub(crate) matches: MatchSets,
    /// The bindings that the comparison made and that outlast the two objects. None of them hides another binding.
    pub(crate) made: Option<(MapId, Source)>,
    /// The bindings that scopes in the two objects export, in their order. They hide others.
    pub(crate) exports: Arc<[ExportedPair<'a>]>,
    /// The place of the two objects at that comparison, for walks that report places.
    pub(crate) place: u32,
    /// The version of the bindings for which the facts are known to hold, if there is one.
    version: Option<u64>,
}

impl<'a> RememberedPair<'a> {
    /// A result without bindings that outlive the objects.
    pub(crate) fn new(differs: bool, facts: Arc<Facts<Related>>, matches: MatchSets) -> Self {
        RememberedPair { differs, facts, matches, made: None, exports: Arc::default(), place: 0, version: None }
    }

    /// The same result about objects that make bindings.
    pub(crate) fn making(self, made: Option<(MapId, Source)>, exports: Arc<[ExportedPair<'a>]>) -> Self {
        RememberedPair { made, exports, ..self }
    }

    /// The same result, which a walk found at this place.
    pub(crate) fn at(self, place: u32) -> Self {
        RememberedPair { place, ..self }
    }

    /// The same result, whose facts hold in this version of the bindings.
    pub(crate) fn of_version(self, version: u64) -> Self {
        RememberedPair { version: Some(version), ..self }
    }

    /// Whether the facts are known to hold in this version of the bindings.
    pub(crate) fn is_of_version(&self, version: u64) -> bool {
        self.version == Some(version)
    }

    /// Whether the result neither depends on a binding nor makes one.
    pub(crate) fn is_independent(&self) -> bool {
        self.facts.all.is_empty() && self.matches.is_empty() && self.exports.is_empty()
    }

    /// The facts that are not in `matches`, with their present orders; `None` if one of them does not hold any more. `now`
    /// returns the present state of a fact.
    pub(crate) fn facts_now(&self, steps: &mut u32, now: impl Fn(&Related) -> Related) -> Option<Arc<Facts<Related>>> {
        let mut is_changed = false;
        for fact in &self.facts.all {
            *steps = steps.wrapping_add(1);
            let now = now(fact);
            if now.relation != fact.relation {
                return None;
            }
            is_changed |= now != *fact;
        }
        Some(match is_changed {
            true => Facts::new(self.facts.all.iter().map(now).collect()),
            false => self.facts.clone(),
        })
    }
}
