//! [`VariableSets`]: for each object of a graph, the variables that it uses and binds.
//!
//! The effect of an object on the variables around it is the same at every position in one region, so the analysis
//! computes it once for each object and region, from the effects of the children. The sets share their parts
//! ([`PersistentMaps`]): a set that differs from the set of a child by a few variables takes the memory of these
//! variables.

use crate::object::{ComputedEnd, DefRegionKind, ObjectView, SEqHashKind};
use crate::persistent_map::{MapId, PersistentMaps};
use crate::table::{AddressTable, OrderedTable, Table};
use crate::visit::scope_types::ScopeTypes;
use crate::visit::variable_children::{ConsideredFields, VariableChildren, VariableGraph};

/// The effect of an object, in sets of variable numbers.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Effect {
    /// The variables that the object uses and does not bind before their use.
    pub(crate) uses: MapId,
    /// The variables that the object binds for everything that follows it.
    pub(crate) binds: MapId,
    /// Those of them that a scope in the object exports, and those whose last binding is an export. An export binds a variable
    /// anew; a definition region binds it anew after an export, and otherwise once in a scope.
    exported: MapId,
    exported_last: MapId,
}

/// The effects of the objects of a graph, without the graph.
#[derive(Default)]
pub(crate) struct Effects {
    pub(crate) maps: PersistentMaps,
    /// The numbers of the variables, by address.
    numbers: AddressTable<u32>,
    of_objects: Table<(usize, DefRegionKind), Effect>,
}

impl Effects {
    /// The number of the variable with this address.
    pub(crate) fn number(&self, var: usize) -> Option<u32> {
        self.numbers.get(&var).copied()
    }

    /// The effect of the object with this address in `region`. An object without variables has none.
    pub(crate) fn of(&self, object: usize, region: DefRegionKind) -> Effect {
        self.of_objects.get(&(object, region)).copied().unwrap_or_default()
    }
}

/// Variables and objects that structural equality compares by identity, or at a place that depends on the values.
#[derive(Default)]
pub(crate) struct FixedObjects<'a> {
    /// The map keys with variables in them that are not themselves variables.
    pub(crate) keys: Vec<ObjectView<'a>>,
    /// The variables that such keys use or bind, and the variables that one entry of a map binds and another one uses.
    pub(crate) always: MapId,
    /// The variables that a part of an object uses before or after another part of this object binds them.
    pub(crate) used_before: MapId,
    pub(crate) used_after: MapId,
    /// The variables in `dag` nodes and in the fields of bound variables: such an object corresponds to one object
    /// wherever it occurs, so an occurrence of a variable in it is not free in one place and bound in another.
    pub(crate) if_free: MapId,
}

/// The results of a [`VariableSets`] for one choice of fields.
pub(crate) struct KnownEffects<'a> {
    of_objects: Table<(usize, DefRegionKind), Effect>,
    fixed: FixedObjects<'a>,
}

/// Computes [`Effects`].
pub(crate) struct VariableSets<'a, 's> {
    scopes: &'s ScopeTypes,
    graph: VariableGraph<'a>,
    /// The variables by number.
    vars: Vec<ObjectView<'a>>,
    effects: Effects,
    /// The variables that are bound anywhere, by address, in the order of their first binding.
    pub(crate) bound: OrderedTable<usize, ObjectView<'a>>,
    pub(crate) fixed: FixedObjects<'a>,
    stack: Vec<Frame<'a>>,
}

/// An object whose effect is incomplete.
struct Frame<'a> {
    children: VariableChildren<'a>,
    region: DefRegionKind,
    effect: Effect,
    /// The variables that the children so far bind and that outlive the object, if it is a scope.
    exports: MapId,
}

impl<'a, 's> VariableSets<'a, 's> {
    /// `computed` keeps the values that hooks compute.
    pub(crate) fn new(scopes: &'s ScopeTypes, considered: ConsideredFields, computed: ComputedEnd<'a>) -> Self {
        VariableSets {
            scopes,
            graph: VariableGraph::new(considered, computed),
            vars: Vec::new(),
            effects: Effects::default(),
            bound: OrderedTable::default(),
            fixed: FixedObjects::default(),
            stack: Vec::new(),
        }
    }

    /// Whether a hook listed the children of an object.
    pub(crate) fn has_hooks(&self) -> bool {
        self.graph.has_hooks()
    }

    /// The operations on the sets.
    pub(crate) fn maps(&mut self) -> &mut PersistentMaps {
        &mut self.effects.maps
    }

    /// The children of `object`, which is in `region`, in the order of the analysis.
    pub(super) fn children(&mut self, object: ObjectView<'a>, region: DefRegionKind) -> VariableChildren<'a> {
        self.graph.children(object, region)
    }

    /// The effect of `object`, as far as the analysis has computed it.
    pub(super) fn known(&self, object: ObjectView<'a>, region: DefRegionKind) -> Effect {
        self.effects.of(object.address(), region)
    }

    /// The variables of a set.
    pub(crate) fn vars(&self, set: MapId) -> impl Iterator<Item = ObjectView<'a>> + '_ {
        self.effects.maps.entries(set).map(|(number, _)| self.vars[number as usize])
    }

    /// Forgets the effects of all objects, and begins again with other fields of the same graph. Returns what it forgot.
    pub(crate) fn restart(&mut self, considered: ConsideredFields) -> KnownEffects<'a> {
        self.graph.restart(considered);
        self.bound.clear();
        KnownEffects {
            of_objects: std::mem::take(&mut self.effects.of_objects),
            fixed: std::mem::take(&mut self.fixed),
        }
    }

    /// The variables on which the effects of objects, and the orders of bindings and uses, differ from `others`.
    pub(crate) fn differences(&mut self, others: &KnownEffects<'a>) -> MapId {
        let maps = &mut self.effects.maps;
        let mut found = MapId::EMPTY;
        let (own, others_of) = (&self.effects.of_objects, &others.of_objects);
        for object in own.keys().chain(others_of.keys().filter(|object| !own.contains_key(*object))) {
            let [effect, other] = [own, others_of].map(|known| known.get(object).copied().unwrap_or_default());
            for (a, b) in [(effect.uses, other.uses), (effect.binds, other.binds)] {
                let (only_a, only_b) = (maps.without(a, b), maps.without(b, a));
                let both = maps.union(only_a, only_b);
                found = maps.union(found, both);
            }
        }
        if self.graph.has_hooks() {
            // A hook may list the parts of an object in another order, or parts of its parts.
            let (own, other) = (&self.fixed, &others.fixed);
            for (a, b) in [(own.used_before, other.used_after), (own.used_after, other.used_before)] {
                let both = maps.restrict(a, b);
                found = maps.union(found, both);
            }
        }
        found
    }

    /// The effects of all objects so far.
    pub(crate) fn into_effects(self) -> Effects {
        self.effects
    }

    /// The effect of `object`, and as a by-product the effects of everything below it.
    pub(crate) fn effect(&mut self, object: ObjectView<'a>, region: DefRegionKind) -> Effect {
        if let Some(effect) = self.enter(object, region) {
            return effect;
        }
        while let Some(frame) = self.stack.last_mut() {
            if let Some((child, region)) = frame.children.next() {
                if let Some(effect) = self.enter(child, region) {
                    self.add_child(child, region, effect);
                }
            } else if let Some(frame) = self.stack.pop() {
                let effect = self.leave(&frame);
                if self.stack.is_empty() {
                    return effect;
                }
                self.add_child(frame.children.object(), frame.region, effect);
            }
        }
        Effect::default()
    }

    /// The effect of `object`, or `None` if the analysis enters the object first.
    fn enter(&mut self, object: ObjectView<'a>, region: DefRegionKind) -> Option<Effect> {
        if self.graph.has_no_variables(object) {
            return Some(Effect::default());
        }
        let known = if self.may_return_to(object) {
            self.effects.of_objects.get(&(object.address(), region)).copied()
        } else {
            None
        };
        if known.is_none() {
            let children = self.graph.children(object, region);
            self.stack.push(Frame { children, region, effect: Effect::default(), exports: MapId::EMPTY });
        }
        known
    }

    /// Whether the analysis may reach `object` again in one region. A hook may list an object several times.
    fn may_return_to(&self, object: ObjectView<'a>) -> bool {
        object.use_count() > 1 || self.graph.has_hooks()
    }

    /// Adds the effect of a child to the effect of the object on top of the stack.
    fn add_child(&mut self, child: ObjectView<'a>, region: DefRegionKind, added: Effect) {
        let Some(frame) = self.stack.last_mut() else { return };
        let is_map = frame.children.object().as_map().is_some();
        if added == Effect::default() && !is_map {
            return;
        }
        let (maps, fixed) = (&mut self.effects.maps, &mut self.fixed);
        let before = frame.effect;
        let free = maps.without(added.uses, before.binds);
        frame.effect.uses = maps.union(before.uses, free);
        frame.effect.binds = maps.union(before.binds, added.binds);
        if frame.children.is_exported() {
            let own_before = maps.without(before.binds, before.exported_last);
            let by_regions = maps.without(added.binds, own_before);
            let made = maps.union(by_regions, added.exported);
            frame.exports = maps.union(frame.exports, made);
        }
        frame.effect.exported = maps.union(before.exported, added.exported);
        let not_bound_since = maps.without(before.exported_last, added.binds);
        frame.effect.exported_last = maps.union(not_bound_since, added.exported_last);
        let used_before = maps.restrict(before.uses, added.binds);
        let used_after = maps.restrict(added.uses, before.binds);
        fixed.used_before = maps.union(fixed.used_before, used_before);
        fixed.used_after = maps.union(fixed.used_after, used_after);
        if !is_map {
            return;
        }
        let mut found = maps.union(used_before, used_after);
        if frame.children.is_at_key() {
            let is_var = child.type_info().kind == SEqHashKind::FreeVar;
            if !is_var && !self.graph.has_no_variables(child) {
                fixed.keys.push(child);
            }
            if !is_var || region.binds() {
                let in_key = maps.union(added.uses, added.binds);
                found = maps.union(found, in_key);
            }
        }
        fixed.always = maps.union(fixed.always, found);
    }

    /// Completes the effect of the object of `frame`.
    fn leave(&mut self, frame: &Frame<'a>) -> Effect {
        let object = frame.children.object();
        let info = object.type_info();
        let mut effect = frame.effect;
        match info.kind {
            SEqHashKind::FreeVar => {
                let number = self.number(object);
                let maps = &mut self.effects.maps;
                let var = maps.entry(number, 0);
                if frame.region.binds() {
                    self.bound.entry(object.address()).or_insert(object);
                    self.fixed.if_free = maps.union(self.fixed.if_free, effect.uses);
                    effect.binds = maps.union(effect.binds, var);
                } else {
                    effect.uses = maps.union(effect.uses, var);
                }
            }
            SEqHashKind::DagNode => {
                let maps = &mut self.effects.maps;
                let vars = maps.union(effect.uses, effect.binds);
                self.fixed.if_free = maps.union(self.fixed.if_free, vars);
            }
            _ => {}
        }
        if self.scopes.closes(info) {
            let exports = frame.exports;
            effect = Effect { uses: effect.uses, binds: exports, exported: exports, exported_last: exports };
        }
        if effect != Effect::default() || self.may_return_to(object) {
            self.effects.of_objects.insert((object.address(), frame.region), effect);
        }
        effect
    }

    fn number(&mut self, var: ObjectView<'a>) -> u32 {
        let next = u32::try_from(self.vars.len()).expect("a variable takes memory, so there are fewer than 2^32");
        let number = *self.effects.numbers.entry(var.address()).or_insert(next);
        if number == next {
            self.vars.push(var);
        }
        number
    }
}
