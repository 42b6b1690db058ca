//! [`KnownVariables`]: the variables that values use and bind, computed once for each object of a rewrite by rules.
//!
//! A rule asks for the variables of a value at each match. The analysis remembers the objects by address, so it keeps each value
//! alive until the rewrite ends; an object that others hold never changes in place. So all questions together take time
//! linear in the objects of the graph and of the replacements, and one question takes the time of the objects that are new
//! in the value.

use crate::object::{Any, AnyView, ComputedEnd, ComputedValues, DefRegionKind, ObjectView};
use crate::persistent_map::{MapId, PersistentMaps};
use crate::visit::{ConsideredFields, ScopeTypes, VariableSets};

/// The variables of values. All fields count, because a replacement moves all of them.
pub(super) struct KnownVariables<'a> {
    sets: VariableSets<'a, 'a>,
    kept: ComputedEnd<'a>,
}

impl KnownVariables<'_> {
    /// Calls `f` with the variables of values in which bindings end with the objects of types marked `scope`.
    pub(super) fn with<T>(f: impl FnOnce(&mut KnownVariables<'_>) -> T) -> T {
        let (kept, scopes) = (ComputedValues::default(), ScopeTypes::marked());
        let sets = VariableSets::new(&scopes, ConsideredFields::All, kept.end());
        f(&mut KnownVariables { sets, kept: kept.end() })
    }

    /// The free variables of `value`, also in the fields of its variables.
    pub(super) fn used(&mut self, value: &Any) -> MapId {
        match self.kept.keep(value.clone()) {
            AnyView::Object(object) => self.sets.effect(object, DefRegionKind::None).uses,
            _ => MapId::EMPTY,
        }
    }

    /// The variables that `value` binds in a region.
    pub(super) fn bound(&mut self, value: &Any, region: DefRegionKind) -> MapId {
        match self.kept.keep(value.clone()) {
            AnyView::Object(object) => self.sets.effect(object, region).binds,
            _ => MapId::EMPTY,
        }
    }

    /// Whether a variable is free in `value` and not in `matched`.
    pub(super) fn are_new_in(&mut self, value: &Any, matched: ObjectView<'_>) -> bool {
        let (new, old) = (self.used(value), self.used(&Any::Object(matched.to_object())));
        !self.maps().without(new, old).is_empty()
    }

    /// The operations on these sets.
    pub(super) fn maps(&mut self) -> &mut PersistentMaps {
        self.sets.maps()
    }
}
