//! [`merge`]: two changed versions of a value in one.

use crate::access_path::AccessPath;
use crate::error::Result;
use crate::object::FieldType;
use crate::structural::structural_equal;
use crate::table::{Set, Table};
use crate::visit::free_vars;

use super::apply::apply_all;
use super::options::edits;
use super::place::Place;
use super::script::{Change, ChangeRole, EditScript, EditValue, Slot};

/// The result of [`merge`].
#[derive(Clone, Debug)]
pub struct Merged<T> {
    /// The base with the changes of both sides; at the places of conflicts, with the changes of the first side.
    pub value: T,
    /// The places that both sides changed in different ways.
    pub conflicts: Vec<Conflict>,
}

/// A place that both sides of a merge changed in different ways.
#[derive(Clone, Debug)]
pub struct Conflict {
    /// The place in the base.
    pub path: AccessPath,
    /// The reason, in words.
    pub reason: &'static str,
}

/// `base` with the changes that make it `ours` and the ones that make it `theirs`.
///
/// Two changes are in conflict if they change one place in different ways, if they change different parts of one unit (a
/// statement, a binding or a function: what an [`Edit`](super::Edit) counts as one), or if they add different values at one
/// place. An equal change of both sides counts once. If a variable of the result is free that is free in none of the values, one
/// side uses what the other one deletes.
///
/// ```
/// use object_core::{Array, edit::merge};
/// let merged = merge(&Array::from([1, 2, 3]), &Array::from([1, 2, 3, 4]), &Array::from([0, 2, 3]))?;
/// assert!(merged.conflicts.is_empty());
/// assert_eq!(merged.value, Array::from([0, 2, 3, 4]));
/// # Ok::<(), object_core::Error>(())
/// ```
///
/// # Errors
/// As [`EditOptions::edits`](super::EditOptions::edits) and [`EditScript::apply`].
pub fn merge<T: FieldType>(base: &T, ours: &T, theirs: &T) -> Result<Merged<T>> {
    let [base, ours, theirs] = [base, ours, theirs].map(|value| value.clone().into_any());
    let (to_ours, to_theirs) = (edits(&base, &ours)?, edits(&base, &theirs)?);
    if to_theirs.is_empty() || structural_equal(&ours, &theirs) {
        return Ok(Merged { value: ours.cast()?, conflicts: Vec::new() });
    }
    let touched = Touched::of(&to_ours);
    let (mut rest, mut conflicts) = (to_theirs.clone(), Vec::new());
    rest.changes.clear();
    let reasons: Vec<_> =
        to_theirs.changes.iter().map(|change| touched.conflict(&to_ours, &to_theirs, change)).collect();
    let judged = || to_theirs.changes.iter().zip(&reasons);
    let refused: Set<String> =
        judged().filter(|(_, reason)| reason.is_some()).map(|(change, _)| unit_of(&to_theirs, change)).collect();
    let mut reported = Set::default();
    for (change, reason) in judged() {
        match *reason {
            Some(reason) => {
                let path = to_theirs.place(change, 0).path();
                if reported.insert(path.to_string()) {
                    conflicts.push(Conflict { path, reason });
                }
            }
            None if touched.is_same(&to_ours, &to_theirs, change) => {}
            // The other changes of a unit in conflict stay away with it.
            None if refused.contains(&unit_of(&to_theirs, change)) => {}
            None => rest.changes.push(change.clone()),
        }
    }
    let value = match apply_all(base.view(), &[&to_ours, &rest], false) {
        Ok(value) => value,
        Err(_) => {
            conflicts
                .push(Conflict { path: AccessPath::root(), reason: "the changes of both sides do not fit together" });
            ours.clone()
        }
    };
    let known: Set<usize> =
        [&base, &ours, &theirs].into_iter().flat_map(free_vars).map(|it| it.view().address()).collect();
    if conflicts.is_empty() && free_vars(&value).iter().any(|variable| !known.contains(&variable.view().address())) {
        conflicts.push(Conflict {
            path: AccessPath::root(),
            reason: "one side uses a variable that the other side deletes",
        });
        return Ok(Merged { value: ours.cast()?, conflicts });
    }
    Ok(Merged { value: value.cast()?, conflicts })
}

/// The places and units that the changes of one side touch.
struct Touched {
    /// The changes by their places.
    places: Table<String, usize>,
    /// The units with changes inside.
    units: Table<String, usize>,
    /// The units that go as a whole, or that other values replace.
    replaced: Table<String, usize>,
    replaces_root: bool,
}

fn text(place: &Place) -> String {
    format!("{:?}", place.steps)
}

/// The place of a change in the base; with its position if it adds a value.
fn key(script: &EditScript, change: &Change) -> String {
    match &change.slots[0] {
        Slot::Gap(index) => format!("{} before {index}", text(&script.place(change, 0))),
        _ => text(&script.place(change, 0)),
    }
}

/// The unit in which a change is; the change itself if it is in none.
fn unit_of(script: &EditScript, change: &Change) -> String {
    match script.places[0].get(change.owners[0] as usize) {
        Some(owner) if owner.unit > 0 && change.role != ChangeRole::Unit => text(&owner.unit()),
        _ => key(script, change),
    }
}

impl Touched {
    fn of(script: &EditScript) -> Self {
        let mut touched = Touched {
            places: Table::default(),
            units: Table::default(),
            replaced: Table::default(),
            replaces_root: false,
        };
        for (index, change) in script.changes.iter().enumerate() {
            touched.places.insert(key(script, change), index);
            touched.replaces_root |= change.slots[0] == Slot::Root;
            touched.units.insert(unit_of(script, change), index);
            if matches!(change.slots[0], Slot::Child(_)) {
                touched.replaced.insert(text(&script.place(change, 0)), index);
            }
        }
        touched
    }

    /// Whether the changed side has the same change.
    fn is_same(&self, ours: &EditScript, theirs: &EditScript, change: &Change) -> bool {
        self.places.get(&key(theirs, change)).is_some_and(|other| are_same(ours, &ours.changes[*other], theirs, change))
    }

    /// The reason why a change of the other side is in conflict.
    fn conflict(&self, ours: &EditScript, theirs: &EditScript, change: &Change) -> Option<&'static str> {
        if self.is_same(ours, theirs, change) {
            return None;
        }
        if self.replaces_root || change.slots[0] == Slot::Root {
            return Some("a side replaces the whole value");
        }
        if self.places.contains_key(&key(theirs, change)) {
            return Some("both sides change this place");
        }
        let owner = theirs.places[0].get(change.owners[0] as usize)?;
        for count in 1..=owner.steps.len() {
            let above = Place { steps: owner.steps[..count].to_vec(), unit: 0 };
            if self.replaced.contains_key(&text(&above)) {
                return Some("one side replaces or deletes what the other side changes");
            }
        }
        let unit = unit_of(theirs, change);
        if owner.unit > 0 && change.role != ChangeRole::Unit && self.units.contains_key(&unit) {
            let other = &ours.changes[self.units[&unit]];
            if unit_of(ours, other) == unit && other.role != ChangeRole::Unit {
                return Some("both sides change this unit");
            }
        }
        // A value that goes or is replaced here, and in which the other side changes something.
        let place = theirs.place(change, 0);
        let is_below = |other: &Change| {
            let owner = ours.places[0].get(other.owners[0] as usize);
            owner.is_some_and(|owner| owner.steps.starts_with(&place.steps))
        };
        let replaces = matches!(change.slots[0], Slot::Child(_)) && ours.changes.iter().any(is_below);
        replaces.then_some("one side replaces or deletes what the other side changes")
    }
}

/// Whether two changes of one place have the same result.
fn are_same(ours: &EditScript, a: &Change, theirs: &EditScript, b: &Change) -> bool {
    let mut rest = match (&a.values[1], &b.values[1]) {
        (None, None) => return true,
        (Some(a), Some(b)) => vec![(a, b)],
        _ => return false,
    };
    let mut seen: Set<(usize, usize)> = Set::default();
    while let Some((a, b)) = rest.pop() {
        let equal = match (a, b) {
            (EditValue::Whole(a), EditValue::Whole(b)) => {
                crate::StructuralOptions::new().map_free_vars(true).equal_leniently(a, b)
            }
            (EditValue::At(a), EditValue::At(b)) => {
                ours.places[0].get(*a as usize).map(text) == theirs.places[0].get(*b as usize).map(text)
            }
            (EditValue::New(a), EditValue::New(b)) => {
                if !seen.insert((std::sync::Arc::as_ptr(a).addr(), std::sync::Arc::as_ptr(b).addr())) {
                    continue;
                }
                rest.extend(a.children.iter().zip(&b.children));
                std::ptr::eq(a.info, b.info) && a.children.len() == b.children.len()
            }
            _ => false,
        };
        if !equal {
            return false;
        }
    }
    true
}
