//! [`Template`]: a replacement with holes, which makes instances in time linear in the template, whatever the values are.

use crate::error::Result;
use crate::graph::{Access, Children, Edited};
use crate::object::{Any, AnyView, ComputedValues, ObjectRef, ObjectView, SEqHashKind, TypeInfo};
use crate::rewrite::holes::Holes;
use crate::rewrite::ignored_fields::IgnoredFields;
use crate::rewrite::mutator::{Mutator, mutate_with};
use crate::rewrite::replacement::objects_with;
use crate::rewrite::rule::Mutation;
use crate::rewrite::substitute::Substitution;
use crate::table::{AddressTable, OrderedTable};
use crate::visit::{ConsideredFields, Position, ScopeTypes, Variables, walk};

/// A value with holes, and how it gets their values.
#[derive(Clone, Debug)]
pub(super) enum Template {
    /// A value without holes and bindings.
    Constant(Any),
    /// The hole with this number.
    Hole(usize),
    /// A template that binds no variables: its objects with holes below them, each after the objects in it.
    Copies(Vec<Copied>),
    /// A template that binds variables: each instance has new ones, so a binder captures no variable of a value.
    Renamed(Any, AddressTable<usize>, ScopeTypes),
    /// As `Renamed`, where an instance keeps a bound variable, or the template binds a hole.
    Substituted(Any, Vec<ObjectRef>, ScopeTypes),
}

/// A child in a template.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    /// The hole with this number.
    Hole(usize),
    /// The copy with this number.
    Copy(usize),
}

/// An object of a template, which an instance copies with other children.
#[derive(Clone, Debug)]
pub(super) struct Copied {
    object: ObjectRef,
    /// The other children, with their numbers.
    children: Vec<(usize, Part)>,
}

impl Template {
    /// The template `value` with these holes.
    ///
    /// # Errors
    /// The errors of [`Substitution::run`] about variables that cannot be copied.
    pub(super) fn new(value: Any, holes: &Holes) -> Result<Self> {
        let Holes { vars, numbers, scopes, .. } = holes;
        let AnyView::Object(root) = value.view() else { return Ok(Template::Constant(value)) };
        if let Some(hole) = numbers.get(&root.address()) {
            return Ok(Template::Hole(*hole));
        }
        let computed = ComputedValues::default();
        let bound = Variables::of(value.view(), scopes, ConsideredFields::All, &computed).bound;
        if bound.is_empty() {
            let copies = copies(root, numbers);
            return Ok(if copies.is_empty() { Template::Constant(value) } else { Template::Copies(copies) });
        }
        if bound.values().all(|var| !numbers.contains_key(&var.address())) && vars.iter().all(is_variable) {
            let renamed = Substitution::new().scopes(scopes.clone()).rename_bound(true).run(value.clone())?;
            let computed = ComputedValues::default();
            let new: OrderedTable<usize, _> =
                Variables::of(renamed.view(), scopes, ConsideredFields::All, &computed).bound;
            if new.keys().all(|var| !bound.contains_key(var)) {
                return Ok(Template::Renamed(value, numbers.clone(), scopes.clone()));
            }
        }
        drop(bound);
        Ok(Template::Substituted(value, vars.clone(), scopes.clone()))
    }

    /// The template with `values` in place of the holes. Its new objects have the ignored fields that the policy chooses for a
    /// match of `matched`; if the template has bindings, the root alone does.
    ///
    /// # Errors
    /// The error of a field that rejects a value; for a template with bindings, the errors of [`Substitution::run`].
    pub(super) fn instance(&self, values: &[Any], matched: AnyView<'_>, ignored: &IgnoredFields) -> Result<Any> {
        let AnyView::Object(matched) = matched else { return self.bare_instance(values) };
        let root = match self {
            Template::Hole(_) => return self.bare_instance(values),
            Template::Copies(copies) => return instance_of(copies, values, |object| ignored.of(object, matched)),
            _ => self.bare_instance(values)?,
        };
        with_ignored(root, matched, ignored)
    }

    /// An instance with the ignored fields of the template.
    fn bare_instance(&self, values: &[Any]) -> Result<Any> {
        match self {
            Template::Constant(value) => Ok(value.clone()),
            Template::Hole(hole) => Ok(values[*hole].clone()),
            Template::Copies(copies) => instance_of(copies, values, |_| std::iter::empty()),
            Template::Renamed(template, holes, scopes) => {
                let renamed = Substitution::new().scopes(scopes.clone()).rename_bound(true).run(template.clone())?;
                mutate_with(renamed, &mut PutValues { holes, values })
            }
            Template::Substituted(template, holes, scopes) => {
                let substitution = Substitution::new().scopes(scopes.clone()).rename_bound(true);
                let pairs = holes.iter().zip(values);
                pairs.fold(substitution, |all, (hole, value)| all.replace(hole, value.clone())).run(template.clone())
            }
        }
    }

    /// Whether an instance has one new object, and the other objects that are not values of holes have no types with rules.
    pub(super) fn is_flat(&self, has_rules: &dyn Fn(&TypeInfo) -> bool) -> bool {
        let Template::Copies(copies) = self else { return false };
        let [Copied { object, children }] = &copies[..] else { return false };
        let mut all = Children::of(object.view());
        let mut is_flat = true;
        while let Some((child, _)) = all.next_object() {
            let is_hole = children.iter().any(|(number, _)| *number == all.last_number());
            is_flat &= is_hole || !any_has(child, has_rules);
        }
        is_flat
    }
}

/// Whether an object in `value` has a type with rules.
pub(super) fn any_has(value: ObjectView<'_>, has_rules: &dyn Fn(&TypeInfo) -> bool) -> bool {
    let mut found = false;
    walk(&value, |object: &ObjectRef, _| found |= has_rules(object.type_info()));
    found
}

/// `new`, an object that a rule makes, with the ignored fields that the policy chooses for a match of `matched`.
pub(super) fn with_ignored(new: Any, matched: ObjectView<'_>, ignored: &IgnoredFields) -> Result<Any> {
    let AnyView::Object(object) = new.view() else { return Ok(new) };
    let mut changes: Vec<(usize, Any)> = ignored.of(object, matched).collect();
    if changes.is_empty() { Ok(new) } else { changed(object, &mut changes) }
}

/// The last of the copies, with values of holes and other fields.
fn instance_of<'t, I: Iterator<Item = (usize, Any)>>(
    copies: &'t [Copied],
    values: &[Any],
    other_fields: impl Fn(ObjectView<'t>) -> I,
) -> Result<Any> {
    let mut made: Vec<Any> = Vec::with_capacity(copies.len());
    let mut changes = Vec::new();
    for copied in copies {
        let object = copied.object.view();
        changes.extend(copied.children.iter().map(|(number, part)| (*number, part.with(values, &made))));
        let with_holes = copied.children.iter().map(|(number, _)| *number);
        changes.extend(other_fields(object).filter(|(index, _)| with_holes.clone().all(|number| number != *index)));
        made.push(changed(object, &mut changes)?);
        changes.clear();
    }
    Ok(made.pop().unwrap_or_default())
}

/// A copy of `object` with other children.
fn changed(object: ObjectView<'_>, changes: &mut [(usize, Any)]) -> Result<Any> {
    let mut copy = Edited::new(object, Access::SHARED);
    copy.apply(Access::SHARED, None, changes)?;
    Ok(copy.into_value().unwrap_or_else(|| Any::Object(object.to_object())))
}

impl Part {
    fn with(self, values: &[Any], copies: &[Any]) -> Any {
        match self {
            Part::Hole(hole) => values[hole].clone(),
            Part::Copy(copy) => copies[copy].clone(),
        }
    }
}

fn is_variable(hole: &ObjectRef) -> bool {
    hole.type_info().kind == SEqHashKind::FreeVar
}

/// The objects below `root` that have holes below them, each after the objects in it.
fn copies(root: ObjectView<'_>, holes: &AddressTable<usize>) -> Vec<Copied> {
    let with_holes = objects_with(root, |address| holes.contains_key(&address));
    let mut copies: Vec<Copied> = Vec::new();
    let mut numbers: AddressTable<usize> = AddressTable::default();
    let mut stack: Vec<(Children<'_>, Vec<(usize, Part)>)> = Vec::new();
    if with_holes.contains(&root.address()) {
        stack.push((Children::of(root), Vec::new()));
    }
    while let Some((children, changes)) = stack.last_mut() {
        if let Some((child, _)) = children.next_object() {
            let number = children.last_number();
            if let Some(hole) = holes.get(&child.address()) {
                changes.push((number, Part::Hole(*hole)));
            } else if let Some(copy) = numbers.get(&child.address()) {
                changes.push((number, Part::Copy(*copy)));
            } else if with_holes.contains(&child.address()) {
                stack.push((Children::of(child), Vec::new()));
            }
        } else if let Some((children, changes)) = stack.pop() {
            let number = copies.len();
            numbers.insert(children.object().address(), number);
            copies.push(Copied { object: children.object().to_object(), children: changes });
            if let Some((above, changes)) = stack.last_mut() {
                changes.push((above.last_number(), Part::Copy(number)));
            }
        }
    }
    copies
}

/// Puts the values in place of the holes of a template, the binders of which are new.
struct PutValues<'t> {
    holes: &'t AddressTable<usize>,
    values: &'t [Any],
}

impl Mutator for PutValues<'_> {
    fn enter(&mut self, object: ObjectView<'_>, _: &Position<'_>) -> Result<Mutation> {
        Ok(match self.holes.get(&object.address()) {
            Some(hole) => Mutation::Replace(self.values[*hole].clone()),
            None => Mutation::Keep,
        })
    }
}
