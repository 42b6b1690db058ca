//! [`merge`]: two changed versions of a value in one.

use crate::access_path::AccessPath;
use crate::error::Result;
use crate::object::{Any, AnyView, FieldType, ObjectView, SEqHashKind};
use crate::structural::structural_equal;
use crate::table::{Set, Table};
use crate::visit::{bound_vars, free_vars};

use super::apply::apply_all;
use super::options::edits;
use super::place::{Place, PlaceStep};
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
    /// The place in the base. Of an entry that both sides add, the place that it would have; of an added element, the array.
    pub path: AccessPath,
    /// The reason, in words.
    pub reason: &'static str,
    /// The value at this place in the base; `None` if it has none.
    pub base: Option<Any>,
    /// The values of the first and of the second side in its place; `None` for a side without a value there.
    pub sides: [Option<Any>; 2],
}

/// `base` with the changes that make it `ours` and the ones that make it `theirs`.
///
/// Two changes are in conflict if they change one place in different ways, or if they change different parts of one unit (a
/// statement, a binding or a function: what an [`Edit`](super::Edit) counts as one). An equal change of both sides counts once.
/// If a variable of the result is free that is free in none of the values, one side uses what the other one deletes.
///
/// If both sides add values at one place of an array or a map, the result has the values of `ours` and then the ones of `theirs`.
/// Such additions are in conflict only if both add an entry of the same key, or bind variables of the same name.
///
/// ```
/// use object_core::{Array, edit::merge};
/// let merged = merge(&Array::from([1, 4]), &Array::from([1, 2, 4]), &Array::from([1, 3, 4]))?;
/// assert!(merged.conflicts.is_empty());
/// assert_eq!(merged.value, Array::from([1, 2, 3, 4]));
/// # Ok::<(), object_core::Error>(())
/// ```
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
    let found: Vec<_> = to_theirs.changes.iter().map(|change| touched.conflict(&to_ours, &to_theirs, change)).collect();
    let judged = || to_theirs.changes.iter().zip(&found);
    let refused: Set<String> =
        judged().filter(|(_, found)| found.is_some()).map(|(change, _)| unit_of(&to_theirs, change)).collect();
    let mut reported = Set::default();
    for (change, found) in judged() {
        match *found {
            Some((reason, other)) => {
                let place = to_theirs.place(change, 0);
                let mut path = place.path();
                if let (Slot::Gap(_), Slot::Child(step @ (PlaceStep::Key(..) | PlaceStep::Value(..)))) =
                    (&change.slots[0], &change.slots[1])
                {
                    path.push(step.access_step());
                }
                // Several values may be added at one place of an array.
                if reported.insert((path.to_string(), to_theirs.place(change, 1).path().to_string())) {
                    let ours = other.and_then(|other| value_after(&to_ours, &to_ours.changes[other], &ours));
                    let sides = [ours, value_after(&to_theirs, change, &theirs)];
                    let base = change.values[0].as_ref().and_then(|_| place.value(base.view())).map(AnyView::to_any);
                    conflicts.push(Conflict { path, reason, base, sides });
                }
            }
            None if touched.is_same(&to_ours, &to_theirs, change) => {}
            // The other changes of a unit in conflict stay away with it.
            None if refused.contains(&unit_of(&to_theirs, change)) => {}
            None => rest.changes.push(change.clone()),
        }
    }
    let at_root = |reason| Conflict {
        path: AccessPath::root(),
        reason,
        base: Some(base.clone()),
        sides: [Some(ours.clone()), Some(theirs.clone())],
    };
    let value = match apply_all(base.view(), &[&to_ours, &rest], false) {
        Ok(value) => value,
        Err(_) => {
            conflicts.push(at_root("the changes of both sides do not fit together"));
            ours.clone()
        }
    };
    let known: Set<usize> =
        [&base, &ours, &theirs].into_iter().flat_map(free_vars).map(|it| it.view().address()).collect();
    if conflicts.is_empty() && free_vars(&value).iter().any(|variable| !known.contains(&variable.view().address())) {
        conflicts.push(at_root("one side uses a variable that the other side deletes"));
        return Ok(Merged { value: ours.cast()?, conflicts });
    }
    Ok(Merged { value: value.cast()?, conflicts })
}

/// The places and units that the changes of one side touch.
struct Touched {
    /// The changes by their places.
    places: Table<String, usize>,
    /// The changes that add values, by their places.
    added: Table<String, Vec<usize>>,
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
            added: Table::default(),
            units: Table::default(),
            replaced: Table::default(),
            replaces_root: false,
        };
        for (index, change) in script.changes.iter().enumerate() {
            touched.places.insert(key(script, change), index);
            if let Slot::Gap(_) = change.slots[0] {
                touched.added.entry(key(script, change)).or_default().push(index);
            }
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
        let key = key(theirs, change);
        let at_place = self
            .added
            .get(&key)
            .map_or_else(|| self.places.get(&key).into_iter().collect(), |all| all.iter().collect::<Vec<_>>());
        at_place.into_iter().any(|other| are_same(ours, &ours.changes[*other], theirs, change))
    }

    /// The reason why a change of the other side is in conflict, and the change of this side.
    fn conflict(
        &self,
        ours: &EditScript,
        theirs: &EditScript,
        change: &Change,
    ) -> Option<(&'static str, Option<usize>)> {
        const GOES: &str = "one side replaces or deletes what the other side changes";
        if self.is_same(ours, theirs, change) {
            return None;
        }
        if self.replaces_root || change.slots[0] == Slot::Root {
            let root = ours.changes.iter().position(|other| other.slots[0] == Slot::Root);
            return Some(("a side replaces the whole value", root.or(Some(0))));
        }
        if let Some(other) = self.places.get(&key(theirs, change)) {
            if !matches!(change.slots[0], Slot::Gap(_)) {
                return Some(("both sides change this place", Some(*other)));
            }
            let clash = self.added[&key(theirs, change)].iter().find(|other| clash(&ours.changes[**other], change));
            return clash.map(|other| ("both sides add this", Some(*other)));
        }
        let owner = theirs.places[0].get(change.owners[0] as usize)?;
        for count in 1..=owner.steps.len() {
            let above = Place { steps: owner.steps[..count].to_vec(), unit: 0 };
            if let Some(other) = self.replaced.get(&text(&above)) {
                return Some((GOES, Some(*other)));
            }
        }
        let unit = unit_of(theirs, change);
        if owner.unit > 0
            && change.role != ChangeRole::Unit
            && let Some(index) = self.units.get(&unit)
        {
            let other = &ours.changes[*index];
            if unit_of(ours, other) == unit && other.role != ChangeRole::Unit {
                return Some(("both sides change this unit", Some(*index)));
            }
        }
        // A value that goes or is replaced here, and in which the other side changes something.
        if !matches!(change.slots[0], Slot::Child(_)) {
            return None;
        }
        let place = theirs.place(change, 0);
        let is_below = |other: &Change| {
            let owner = ours.places[0].get(other.owners[0] as usize);
            owner.is_some_and(|owner| owner.steps.starts_with(&place.steps))
        };
        ours.changes.iter().position(is_below).map(|other| (GOES, Some(other)))
    }
}

/// The value of a change in the value that its script makes, if the change has one.
fn value_after(script: &EditScript, change: &Change, result: &Any) -> Option<Any> {
    change.values[1].as_ref()?;
    script.place(change, 1).value(result.view()).map(AnyView::to_any)
}

/// Whether two values that are added at one place have the same key, or bind variables of the same name.
fn clash(ours: &Change, theirs: &Change) -> bool {
    let key = |change: &Change| match &change.slots[1] {
        Slot::Child(PlaceStep::Key(_, key)) => Some((true, key.to_string())),
        Slot::Child(PlaceStep::Value(_, key)) => Some((false, key.to_string())),
        _ => None,
    };
    if let (Some(ours), Some(theirs)) = (key(ours), key(theirs)) {
        return ours == theirs;
    }
    let names = names(ours);
    !names.is_empty() && self::names(theirs).iter().any(|name| names.contains(name))
}

/// The names of the variables that a change adds.
fn names(change: &Change) -> Set<String> {
    let mut names = Set::default();
    let mut seen: Set<usize> = Set::default();
    let mut rest: Vec<&EditValue> = change.values[1].iter().collect();
    let mut add = |object: ObjectView<'_>| {
        let is_variable = object.type_info().kind() == SEqHashKind::FreeVar;
        let texts = object.fields().filter(|_| is_variable).filter_map(|(_, value)| value.as_str().map(str::to_owned));
        names.extend(texts);
    };
    while let Some(value) = rest.pop() {
        match value {
            EditValue::Whole(value) => bound_vars(value).iter().for_each(|variable| add(variable.view())),
            EditValue::New(object) if seen.insert(std::sync::Arc::as_ptr(object).addr()) => {
                rest.extend(&object.children);
            }
            _ => {}
        }
    }
    names
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
