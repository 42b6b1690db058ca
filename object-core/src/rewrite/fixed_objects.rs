//! [`FixedObjects`]: the objects that keep their identity when bound variables get new names.
//!
//! A renamed value has to be structurally equal to the original. Equality compares a variable by identity where it is
//! free, and it decides that by the first occurrence: a variable that is used first and bound later, by a binding that
//! does not end, is free. A free variable equals only itself, so nothing in its fields may change. The other cases are
//! places where the rules of equality depend on more than the bindings around an occurrence; there, the variables that
//! could be compared by identity count.

use crate::graph::Children;
use crate::object::{ComputedValues, DefRegionKind, ObjectView, SEqHashKind};
use crate::persistent_map::MapId;
use crate::table::AddressSet;
use crate::visit::{ConsideredFields, ScopeTypes, VariableSets};

/// These objects, by address.
#[derive(Default)]
pub(super) struct FixedObjects {
    pub(super) vars: AddressSet,
    /// The other objects: map keys, each of which corresponds to itself, and `dag` nodes in an object that stays, each of
    /// which corresponds to the same object wherever it occurs.
    pub(super) others: AddressSet,
}

impl FixedObjects {
    /// The fixed objects of `root`.
    pub(super) fn of(root: ObjectView<'_>, scopes: &ScopeTypes) -> Self {
        let computed = ComputedValues::default();
        // The rewrite goes through all fields in their order; equality through compared fields, in the order of hooks.
        let mut sets = VariableSets::new(scopes, ConsideredFields::All, computed.end());
        let mut keys = Vec::new();
        let (free, fixed) = directly_fixed(root, &mut sets, &mut keys);
        let in_fields = sets.restart(ConsideredFields::Compared);
        let (compared_free, compared_fixed) = directly_fixed(root, &mut sets, &mut keys);
        // A variable that is bound everywhere in both orders is renamed everywhere.
        let differ = sets.differences(&in_fields);
        let maps = sets.maps();
        let free = maps.union(free, compared_free);
        let differ = maps.restrict(differ, free);
        let mut fixed = maps.union(fixed, compared_fixed);
        fixed = maps.union(fixed, differ);
        let roots = keys.iter().copied().chain(sets.vars(free)).chain(sets.vars(fixed)).collect();
        let mut found = FixedObjects::default();
        found.others.extend(keys.iter().map(|key| key.address()));
        found.vars.extend(sets.vars(fixed).map(ObjectView::address));
        found.add_below(roots);
        found
    }

    /// Adds the variables and `dag` nodes below `roots`.
    fn add_below(&mut self, roots: Vec<ObjectView<'_>>) {
        let mut stack: Vec<Children<'_>> = roots.into_iter().map(Children::of).collect();
        let mut visited = AddressSet::default();
        while let Some(children) = stack.last_mut() {
            let Some((child, _)) = children.next_object() else {
                stack.pop();
                continue;
            };
            if visited.insert(child.address()) {
                stack.push(Children::of(child));
                match child.type_info().kind {
                    SEqHashKind::FreeVar => drop(self.vars.insert(child.address())),
                    SEqHashKind::DagNode => drop(self.others.insert(child.address())),
                    _ => {}
                }
            }
        }
    }
}

/// The free variables of `root`, and the variables that keep their identity wherever they occur; and adds the keys that
/// do. One order of fields decides that.
fn directly_fixed<'a>(
    root: ObjectView<'a>,
    sets: &mut VariableSets<'a, '_>,
    keys: &mut Vec<ObjectView<'a>>,
) -> (MapId, MapId) {
    let effect = sets.effect(root, DefRegionKind::None);
    keys.extend(&sets.fixed.keys);
    let (always, if_free) = (sets.fixed.always, sets.fixed.if_free);
    let maps = sets.maps();
    let used_before_binding = maps.restrict(effect.uses, effect.binds);
    let if_free = maps.restrict(if_free, effect.uses);
    let fixed = maps.union(always, used_before_binding);
    (effect.uses, maps.union(fixed, if_free))
}
