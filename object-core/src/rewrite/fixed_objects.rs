//! [`FixedObjects`]: the objects that keep their identity when bound variables get new names.
//!
//! A renamed value has to be structurally equal to the original. Equality compares a variable by identity where it is
//! free, and it decides that by the first occurrence: a variable that is used first and bound later, by a binding that
//! does not end, is free. A free variable equals only itself, so nothing in its fields may change. The other cases are
//! places where the rules of equality depend on more than the bindings around an occurrence; there, the variables that
//! could be compared by identity count.

use crate::graph::Children;
use crate::object::{ComputedValues, DefRegionKind, ObjectView, SEqHashKind};
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
        let mut fixed = FixedObjects::default();
        // The rewrite goes through all fields in their order; equality through compared fields, in the order of hooks.
        let computed = ComputedValues::default();
        let [free, compared_free] = [ConsideredFields::All, ConsideredFields::Compared].map(|considered| {
            let mut sets = VariableSets::new(scopes, considered, computed.end());
            let free = sets.effect(root, DefRegionKind::None).uses;
            fixed.find(root, &mut sets);
            sets.vars(free).map(ObjectView::address).collect::<AddressSet>()
        });
        fixed.vars.extend(free.symmetric_difference(&compared_free));
        fixed
    }

    /// Adds the fixed objects of `root`, as far as one order of fields decides that.
    fn find<'a>(&mut self, root: ObjectView<'a>, sets: &mut VariableSets<'a, '_>) {
        let effect = sets.effect(root, DefRegionKind::None);
        let (always, if_free) = (sets.fixed.always, sets.fixed.if_free);
        let maps = sets.maps();
        let used_before_binding = maps.restrict(effect.uses, effect.binds);
        let if_free = maps.restrict(if_free, effect.uses);
        let mut fixed = maps.union(always, used_before_binding);
        fixed = maps.union(fixed, if_free);
        let mut rest: Vec<ObjectView<'a>> = sets.vars(effect.uses).chain(sets.vars(fixed)).collect();
        rest.extend(&sets.fixed.keys);
        self.others.extend(sets.fixed.keys.iter().map(|key| key.address()));
        let mut visited = AddressSet::default();
        while let Some(object) = rest.pop() {
            let below = sets.vars_below(object);
            let maps = sets.maps();
            let new = maps.without(below, fixed);
            fixed = maps.union(fixed, new);
            rest.extend(sets.vars(new));
            let mut stack = vec![Children::of(object)];
            while let Some(children) = stack.last_mut() {
                let Some((child, _)) = children.next_object() else {
                    stack.pop();
                    continue;
                };
                if visited.insert(child.address()) {
                    stack.push(Children::of(child));
                    if child.type_info().kind == SEqHashKind::DagNode {
                        self.others.insert(child.address());
                        rest.push(child);
                    }
                }
            }
        }
        self.vars.extend(sets.vars(fixed).map(ObjectView::address));
    }
}
