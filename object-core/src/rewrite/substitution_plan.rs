//! [`SubstitutionPlan`]: which objects a substitution changes.
//!
//! A bound variable that is free nowhere gets its new name everywhere at once. A variable that is bound in one place and
//! free in another is *mixed*: the result for an object that uses a mixed variable depends on the bindings around the
//! object.

use crate::error::{Error, ErrorKind, Result};
use crate::object::{Any, AnyView, ComputedValues, DefRegionKind, ObjectRef, ObjectView, SEqHashKind};
use crate::persistent_map::MapId;
use crate::rewrite::fixed_objects::FixedObjects;
use crate::rewrite::fresh::FreshVars;
use crate::rewrite::replacement::objects_with;
use crate::table::{AddressSet, AddressTable};
use crate::visit::{ConsideredFields, Effects, ScopeTypes, VariableSets, Variables};

/// The objects that a substitution changes, by address. The graph and the values outlive the plan, so that no address
/// is used again.
pub(super) struct SubstitutionPlan<'s> {
    pub(super) scopes: &'s ScopeTypes,
    /// For each object to replace, the variable in it and the value.
    pub(super) values: AddressTable<(usize, Any)>,
    /// The bound variables that get a new name.
    pub(super) renamed: AddressSet,
    /// The variables that are bound anywhere.
    pub(super) bound: AddressSet,
    /// The mixed variables, and the bound variables with mixed variables in their fields.
    pub(super) mixed: AddressSet,
    /// The objects with mixed variables in them.
    pub(super) has_mixed: AddressSet,
    /// The variables that objects use and bind, if there are mixed variables.
    pub(super) effects: Effects,
    /// The variables that stay as they are, with their fields, where they are not bound.
    kept_if_free: AddressSet,
    /// The variables and other objects that stay as they are everywhere, with their fields.
    kept: AddressSet,
    fresh: FreshVars,
    /// The new variables. The key is the address of the old variable after its fields were rewritten; the first part of
    /// the entry keeps this variable alive.
    new_vars: AddressTable<(ObjectRef, Any)>,
}

impl<'s> SubstitutionPlan<'s> {
    /// The plan to put `values` in place of variables in `root`. `renames_all` says whether each bound variable gets a
    /// new name.
    ///
    /// # Errors
    /// [`NotConstructible`](ErrorKind::NotConstructible) for an object in place of a variable that has no variable or
    /// several in its fields.
    pub(super) fn new(
        scopes: &'s ScopeTypes,
        values: &[(ObjectRef, Any)],
        renames_all: bool,
        root: &ObjectRef,
    ) -> Result<Self> {
        let computed = ComputedValues::default();
        let found = Variables::of(AnyView::Object(root.view()), scopes, ConsideredFields::All, &computed);
        let mut replaced = AddressSet::default();
        let mut used_values = AddressTable::default();
        for (object, value) in values {
            let var = var_of(object.view())?;
            // A variable without free uses is not replaced, so its value needs no protection from capture.
            if found.free.contains_key(&var) {
                replaced.insert(var);
                used_values.insert(object.view().address(), (var, value.clone()));
            }
        }
        let captured: AddressSet = free_in_any(used_values.values().map(|(_, value)| value), scopes, &computed)
            .filter(|var| found.bound.contains_key(var))
            .collect();
        let mut plan = SubstitutionPlan {
            scopes,
            values: used_values,
            renamed: captured,
            bound: found.bound.keys().copied().collect(),
            mixed: AddressSet::default(),
            has_mixed: AddressSet::default(),
            effects: Effects::default(),
            kept_if_free: AddressSet::default(),
            kept: AddressSet::default(),
            fresh: FreshVars::new(),
            new_vars: AddressTable::default(),
        };
        if renames_all && !plan.bound.is_empty() {
            let fixed = FixedObjects::of(root.view(), scopes);
            let must_change = objects_with(root.view(), |it| replaced.contains(&it) || plan.renamed.contains(&it));
            plan.kept_if_free = fixed.free.iter().copied().filter(|var| !must_change.contains(var)).collect();
            plan.kept = fixed.vars.union(&fixed.others).copied().filter(|var| !must_change.contains(var)).collect();
            plan.renamed.extend(plan.bound.iter().filter(|var| !fixed.vars.contains(*var)));
        }
        if !plan.renamed.is_empty() {
            plan.fresh.avoid_all(
                std::iter::once(AnyView::Object(root.view())).chain(plan.values.values().map(|(_, it)| it.view())),
            );
        }
        let is_affected = |var: &usize| plan.renamed.contains(var) || replaced.contains(var);
        plan.mixed = found.free.keys().copied().filter(|var| plan.bound.contains(var) && is_affected(var)).collect();
        if !plan.mixed.is_empty() {
            plan.has_mixed = objects_with(root.view(), |it| plan.mixed.contains(&it));
        }
        plan.mixed.extend(plan.bound.iter().filter(|var| plan.has_mixed.contains(*var)));
        if !plan.mixed.is_empty() {
            let mut sets = VariableSets::new(scopes, ConsideredFields::All, computed.end());
            sets.effect(root.view(), DefRegionKind::None);
            plan.effects = sets.into_effects();
        }
        Ok(plan)
    }

    /// Whether the substitution changes nothing.
    pub(super) fn is_empty(&self) -> bool {
        self.values.is_empty() && self.renamed.is_empty()
    }

    /// Whether the object with this address stays as it is, with its fields, where no binding of it is in force.
    pub(super) fn keeps(&self, object: usize, is_binder: bool) -> bool {
        self.kept.contains(&object)
            || (!is_binder && self.kept_if_free.contains(&object) && self.is_free_unless_mixed(object))
    }

    /// Whether the variable with this address is free wherever no binding of a mixed variable is in force.
    pub(super) fn is_free_unless_mixed(&self, var: usize) -> bool {
        self.mixed.contains(&var) || !self.bound.contains(&var)
    }

    /// The new variable for `var`, of which the fields are already rewritten.
    pub(super) fn rename(&mut self, var: ObjectView<'_>) -> Result<Any> {
        if let Some((_, new)) = self.new_vars.get(&var.address()) {
            return Ok(new.clone());
        }
        let new = Any::Object(self.fresh.equal_copy(var)?);
        self.new_vars.insert(var.address(), (var.to_object(), new.clone()));
        Ok(new)
    }
}

/// The addresses of the variables that are free in one of `values`.
fn free_in_any<'a>(
    values: impl Iterator<Item = &'a Any>,
    scopes: &ScopeTypes,
    computed: &'a ComputedValues,
) -> impl Iterator<Item = usize> {
    let mut sets = VariableSets::new(scopes, ConsideredFields::All, computed.end());
    let mut free = MapId::EMPTY;
    for value in values {
        if let AnyView::Object(object) = value.view() {
            let uses = sets.effect(object, DefRegionKind::None).uses;
            free = sets.maps().union(free, uses);
        }
    }
    let addresses: Vec<usize> = sets.vars(free).map(ObjectView::address).collect();
    addresses.into_iter()
}

/// The address of the variable that `object` is, or else of the one variable in its fields.
///
/// # Errors
/// [`NotConstructible`](ErrorKind::NotConstructible) if its fields have no variable or several.
pub(super) fn var_of(object: ObjectView<'_>) -> Result<usize> {
    let is_var = |object: &ObjectView<'_>| object.type_info().kind == SEqHashKind::FreeVar;
    if is_var(&object) {
        return Ok(object.address());
    }
    let mut vars = object.fields().filter_map(|(_, value)| value.as_object().filter(is_var));
    match (vars.next(), vars.next()) {
        (Some(var), None) => Ok(var.address()),
        (found, _) => {
            let many = if found.is_some() { "several variables" } else { "no variable" };
            let message = format!(
                "a `{}` cannot be substituted: it has {many} in its fields; give a variable, or an object with exactly one",
                object.type_key()
            );
            Err(Error::new(ErrorKind::NotConstructible, message))
        }
    }
}
