//! Matching by the definition, for templates whose meaning depends on bindings, `dag` nodes or hooks: it reads the values at
//! the places of the holes, substitutes them, and compares. So structural equality alone decides, and there are no second rules
//! of equality.

use crate::error::{ErrorKind, Result};
use crate::graph::Children;
use crate::object::{Any, AnyView, CompareRule, FieldRole, ObjectView};
use crate::rewrite::holes::Holes;
use crate::rewrite::substitute::Substitution;
use crate::structural::{StructuralOptions, compare_plain, is_plain};
use crate::table::Set;

/// The values of the holes for which `template` equals `value`, if there are any.
pub(super) fn values_in(
    template: &Any,
    holes: &Holes,
    options: StructuralOptions,
    value: AnyView<'_>,
) -> Result<Option<Vec<Any>>> {
    let Some(values) = first_values(template, holes, value) else { return Ok(None) };
    let substitution = Substitution::new().scopes(holes.scopes.clone());
    let pairs = holes.vars.iter().zip(&values);
    let substitution = pairs.fold(substitution, |all, (hole, value)| all.replace(hole, value.clone()));
    match substitution.run(template.clone()) {
        Ok(instance) => Ok(options.equal(&instance, &value)?.then_some(values)),
        // A field of another occurrence of the hole cannot hold the value.
        Err(error) if error.kind() == ErrorKind::TypeMismatch => Ok(None),
        Err(error) => Err(error),
    }
}

/// The parts of `value` at the places of the holes, the first place of each one. `None` if `value` differs from the
/// template at another place; not every difference counts.
fn first_values(template: &Any, holes: &Holes, value: AnyView<'_>) -> Option<Vec<Any>> {
    let mut values: Vec<Option<AnyView<'_>>> = vec![None; holes.vars.len()];
    let mut pending = vec![(template.view(), value)];
    let mut seen = Set::default();
    while let Some((template, value)) = pending.pop() {
        let AnyView::Object(object) = template else { continue };
        if let Some(hole) = holes.numbers.get(&object.address()) {
            if matches!(value, AnyView::None) {
                return None;
            }
            values[*hole].get_or_insert(value);
            continue;
        }
        let AnyView::Object(other) = value else { return None };
        if is_plain(template) {
            if !is_plain(value) || compare_plain(template, value).is_ne() {
                return None;
            }
        } else if !std::ptr::eq(object.type_info(), other.type_info())
            || (object.type_info().plan.compare_rule == CompareRule::Identity && !object.ptr_eq(other))
        {
            return None;
        } else if object.use_count() <= 1 || seen.insert((object.address(), other.address())) {
            push_pairs(object, other, &mut pending)?;
        }
    }
    values.into_iter().map(|value| value.map(AnyView::to_any)).collect()
}

/// Puts the children of two objects of one type in pairs on a stack, the last ones first. `None` if the objects have
/// different numbers of children.
fn push_pairs<'a>(
    template: ObjectView<'a>,
    value: ObjectView<'a>,
    pending: &mut Vec<(AnyView<'a>, AnyView<'a>)>,
) -> Option<()> {
    let begin = pending.len();
    if let (Some(entries), Some(others)) = (template.as_map(), value.as_map()) {
        let entries = (0..entries.len()).filter_map(|index| Some((index, entries.entry(index)?)));
        for (index, (key, entry)) in entries {
            // A key that contains a bound variable has another name here.
            if let Some((_, _, other)) = others.find(key, index) {
                pending.push((entry, other));
            }
        }
    } else {
        let (mut children, mut others) = (Children::of(template), Children::of(value));
        loop {
            match (children.next_value(), others.next_value()) {
                (Some((child, role)), Some((other, _))) if role != FieldRole::Ignore => pending.push((child, other)),
                (Some(_), Some(_)) => {}
                (None, None) => break,
                _ => return None,
            }
        }
    }
    pending[begin..].reverse();
    Some(())
}
