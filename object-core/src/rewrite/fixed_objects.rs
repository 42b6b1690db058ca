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
    /// The variables that equality finds free. A free occurrence stays with its fields; a bound one gets a new variable.
    pub(super) free: AddressSet,
    /// The variables that stay everywhere.
    pub(super) vars: AddressSet,
    /// The other objects: map keys, each of which corresponds to itself, and `dag` nodes in an object that stays, each of
    /// which corresponds to the same object wherever it occurs.
    pub(super) others: AddressSet,
}

impl FixedObjects {
    /// The fixed objects of `root`.
    pub(super) fn of(root: ObjectView<'_>, scopes: &ScopeTypes) -> Self {
        let computed = ComputedValues::default();
        // The rewrite goes through all fields in their order, and renames the variables that this order binds.
        let mut sets = VariableSets::new(scopes, ConsideredFields::All, computed.end());
        let (rewritten_free, rewritten_fixed) = directly_fixed(root, &mut sets);
        let renamed: AddressSet = sets.bound.keys().copied().collect();
        let in_fields = sets.restart(ConsideredFields::Compared);
        // Equality goes through compared fields, in the order of hooks.
        let (free, fixed) = directly_fixed(root, &mut sets);
        let differ = sets.differences(&in_fields);
        let maps = sets.maps();
        // A variable that is bound everywhere in both orders is renamed everywhere.
        let all_free = maps.union(rewritten_free, free);
        let differ = maps.restrict(differ, all_free);
        let of_rewrite = maps.union(rewritten_fixed, differ);

        let of_rewrite = sets.vars(of_rewrite).filter(|var| renamed.contains(&var.address()));
        let vars: Vec<ObjectView<'_>> = of_rewrite.chain(sets.vars(fixed)).collect();
        let keys = sets.fixed.keys.iter().copied();
        let mut found = FixedObjects {
            free: sets.vars(free).map(ObjectView::address).collect(),
            vars: vars.iter().map(|var| var.address()).collect(),
            others: keys.clone().map(ObjectView::address).collect(),
        };
        found.add_below(keys.chain(vars).chain(sets.vars(free)).collect());
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

/// The free variables of `root`, and the variables that stay everywhere, as far as one order of fields decides that.
fn directly_fixed<'a>(root: ObjectView<'a>, sets: &mut VariableSets<'a, '_>) -> (MapId, MapId) {
    let effect = sets.effect(root, DefRegionKind::None);
    let (always, if_free) = (sets.fixed.always, sets.fixed.if_free);
    let maps = sets.maps();
    let used_before_binding = maps.restrict(effect.uses, effect.binds);
    let if_free = maps.restrict(if_free, effect.uses);
    let fixed = maps.union(always, used_before_binding);
    (effect.uses, maps.union(fixed, if_free))
}
