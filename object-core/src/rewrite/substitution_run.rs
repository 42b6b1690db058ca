//! [`SubstitutionRun`]: the rewrite of a substitution.
//!
//! The result for an object depends on the object, its region, and the bindings of the mixed variables that it uses.
//! The rewrite stores one result for each of these, so bindings that an object does not use cause no second result.

use crate::error::{Error, Result};
use crate::graph::Children;
use crate::limits::{Budget, Limit, Limits};
use crate::object::{Any, AnyView, DefRegionKind, ObjectRef, ObjectView, SEqHashKind};
use crate::persistent_map::MapId;
use crate::rewrite::engine::{Entry, Rewriter};
use crate::rewrite::substitution_plan::SubstitutionPlan;
use crate::table::{AddressSet, AddressTable, Table};
use crate::visit::Position;

/// The stored result for an object.
struct Stored {
    /// Keeps the object alive, so that no other object gets its address.
    _object: ObjectRef,
    result: Any,
    /// The mixed variables that the object binds for everything that follows it, with their bindings.
    binds: MapId,
}

/// The bindings of the mixed variables that an object uses, and its region: the result depends on both. Objects without
/// mixed variables have the default context, because their result is the same everywhere.
type Context = (MapId, DefRegionKind);

/// An object between entering and leaving it.
pub(super) struct Open {
    /// The address of the object before its children were rewritten.
    address: usize,
    is_var: bool,
    /// Whether the object ends the bindings in it.
    closes: bool,
    /// For an object that the rewrite may reach again, the object and its context.
    stored: Option<(ObjectRef, Context)>,
    /// The last value of [`SubstitutionRun::repeats_children`].
    repeated_before: bool,
    /// As [`SubstitutionRun::repeats_children`], for the children of this object.
    repeats_children: bool,
    /// The bindings in force before the object.
    before: MapId,
}

/// The rewrite of a substitution.
pub(super) struct SubstitutionRun<'s> {
    plan: SubstitutionPlan<'s>,
    results: Table<(usize, Context), Stored>,
    /// The changed objects with mixed variables, by the original and the addresses of the new children. So results in
    /// several contexts are one object if they have the same content.
    by_children: Table<(usize, Vec<usize>), Any>,
    /// The bindings of mixed variables that are in force: from the number of the variable to the number of the binding.
    in_force: MapId,
    /// The bindings: each is the variable in the result.
    bindings: Vec<Any>,
    /// The number of each binding, by the address of the variable in the result.
    binding_numbers: AddressTable<u32>,
    /// Whether the rewrite may reach the innermost entered object again in another context, and then its children.
    repeats_children: bool,
    /// The objects with mixed variables that were rewritten. Rewriting one of them again counts.
    rewritten: AddressSet,
    steps: Budget,
    nodes: Budget,
}

impl<'s> SubstitutionRun<'s> {
    /// The rewrite of `plan`.
    pub(super) fn new(plan: SubstitutionPlan<'s>, limits: &Limits) -> Self {
        SubstitutionRun {
            plan,
            results: Table::default(),
            by_children: Table::default(),
            in_force: MapId::EMPTY,
            bindings: Vec::new(),
            binding_numbers: AddressTable::default(),
            repeats_children: false,
            rewritten: AddressSet::default(),
            steps: Budget::steps(limits),
            nodes: Budget::new(limits, Limit::Nodes),
        }
    }

    /// The variable in the result for a mixed variable, if it is bound.
    fn bound_value(&self, var: usize) -> Option<&Any> {
        let effects = &self.plan.effects;
        let binding = effects.maps.get(self.in_force, effects.number(var)?)?;
        self.bindings.get(binding as usize)
    }

    /// Makes `result` the variable in the result for the mixed variable `var`.
    fn bind(&mut self, var: usize, result: Any) {
        let Some(var) = self.plan.effects.number(var) else { return };
        let next = u32::try_from(self.bindings.len()).expect("a binding takes memory, so there are fewer than 2^32");
        let address = result.view().as_object().map_or(0, ObjectView::address);
        let binding = *self.binding_numbers.entry(address).or_insert(next);
        if binding == next {
            self.bindings.push(result);
        }
        let maps = &mut self.plan.effects.maps;
        let entry = maps.entry(var, binding);
        self.in_force = maps.union(self.in_force, entry);
    }

    /// The context of the object with this address.
    fn context(&mut self, address: usize, region: DefRegionKind) -> Context {
        if !self.plan.has_mixed.contains(&address) {
            return Context::default();
        }
        let effects = &mut self.plan.effects;
        let uses = effects.of(address, region).uses;
        (effects.maps.restrict(self.in_force, uses), region)
    }

    /// The value for the object with this address, which is not a binder, if it is replaced here.
    fn replacement(&self, address: usize) -> Option<&Any> {
        if self.plan.mixed.contains(&address)
            && let Some(value) = self.bound_value(address)
        {
            return Some(value);
        }
        let (var, value) = self.plan.values.get(&address)?;
        (self.plan.is_free_unless_mixed(*var) && self.bound_value(*var).is_none()).then_some(value)
    }
}

/// The addresses of the children of `object`. For a child that is not an object, the address is 0: no other such value
/// takes its place.
fn child_addresses(object: ObjectView<'_>) -> Vec<usize> {
    let mut children = Children::of(object);
    let address = |(child, _): (AnyView<'_>, _)| child.as_object().map_or(0, ObjectView::address);
    std::iter::from_fn(|| children.next_value().map(address)).collect()
}

/// The number of fields, elements or keys and values of `object`.
fn width(object: ObjectView<'_>) -> usize {
    match (object.as_array(), object.as_map()) {
        (Some(array), _) => array.len(),
        (_, Some(map)) => 2 * map.len(),
        _ => object.type_info().fields.len(),
    }
}

impl Rewriter for SubstitutionRun<'_> {
    type Error = Error;
    type State = Open;

    fn enter(&mut self, object: ObjectView<'_>, _: bool, at: &Position<'_>) -> Result<Entry<Open>> {
        let (address, info) = (object.address(), object.type_info());
        let is_var = info.kind == SEqHashKind::FreeVar;
        let region = at.region();
        let is_binder = region.binds();
        if !is_binder && let Some(value) = self.replacement(address) {
            return Ok(Entry::Replace(value.clone()));
        }
        if self.plan.keeps(address, is_binder) {
            return Ok(Entry::Keep);
        }
        let may_repeat = object.use_count() > 1 || self.repeats_children;
        let keep = may_repeat.then(|| object.to_object());
        let stored = keep.map(|object| (object, self.context(address, region)));
        if let Some((_, context)) = &stored
            && let Some(known) = self.results.get(&(address, *context))
        {
            self.in_force = self.plan.effects.maps.union(self.in_force, known.binds);
            return Ok(Entry::Replace(known.result.clone()));
        }
        let has_mixed = self.plan.has_mixed.contains(&address);
        if has_mixed && !self.rewritten.insert(address) {
            self.nodes.spend(1)?;
            self.steps.spend(1 + width(object) as u64)?;
        }
        let closes = self.plan.scopes.closes(info);
        let repeats_children = may_repeat && has_mixed;
        let repeated_before = std::mem::replace(&mut self.repeats_children, repeats_children);
        let before = self.in_force;
        Ok(Entry::Descend(Open { address, is_var, closes, stored, repeated_before, repeats_children, before }))
    }

    fn leave(&mut self, open: Open, value: AnyView<'_>, at: &Position<'_>) -> Result<Option<Any>> {
        self.repeats_children = open.repeated_before;
        let region = at.region();
        let mut result = None;
        if open.repeats_children
            && let AnyView::Object(object) = value
            && object.address() != open.address
        {
            let key = (open.address, child_addresses(object));
            let known = self.by_children.entry(key).or_insert_with(|| Any::Object(object.to_object()));
            result = Some(known.clone());
        }
        if open.is_var && region.binds() {
            // The rewrite reaches a variable that is not mixed at its binder first, and stores the result for the uses
            // of the variable.
            if self.plan.renamed.contains(&open.address)
                && let AnyView::Object(var) = result.as_ref().map_or(value, Any::view)
            {
                result = Some(self.plan.rename(var)?);
            }
            if self.plan.mixed.contains(&open.address) {
                self.bind(open.address, result.clone().unwrap_or_else(|| value.to_any()));
            }
        }
        let effects = &mut self.plan.effects;
        if open.closes {
            // The bindings of the variables that the scope exports outlive it.
            let exported = effects.maps.restrict(self.in_force, effects.of(open.address, region).binds);
            self.in_force = effects.maps.union(open.before, exported);
        }
        if let Some((object, context)) = open.stored {
            let binds = effects.maps.restrict(self.in_force, effects.of(open.address, region).binds);
            let stored = result.clone().unwrap_or_else(|| value.to_any());
            self.results.insert((open.address, context), Stored { _object: object, result: stored, binds });
        }
        Ok(result)
    }
}
