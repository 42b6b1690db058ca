//! [`merge`]: two changed versions of a value in one.

use crate::access_path::AccessPath;
use crate::error::Result;
use crate::object::{Any, AnyView, FieldType, ObjectView, SEqHashKind};
use crate::structural::structural_equal;
use crate::table::{Set, Table};
use crate::visit::{bound_vars, free_vars};

use super::apply::apply_all;
use super::options::edits;
use super::place_step::PlaceStep;
use super::place_tree::{PlaceNumbers, ROOT};
use super::script::{Change, ChangeRole, EditScript, EditValue, ScriptPlaces, Slot};

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
    let mut numbers = PlaceNumbers::default();
    let sides = [&to_ours, &to_theirs].map(|script| BaseSide::of(script, &mut numbers));
    let [of_ours, of_theirs] = &sides;
    let touched = Touched::of(of_ours, &numbers);
    let (mut rest, mut conflicts) = (to_theirs.clone(), Vec::new());
    rest.changes.clear();
    let indices = 0..to_theirs.changes.len();
    let found: Vec<_> = indices.clone().map(|index| touched.conflict(of_ours, of_theirs, index)).collect();
    let refused: Set<Spot> =
        indices.clone().filter(|index| found[*index].is_some()).map(|index| of_theirs.unit(index)).collect();
    let mut reported = Set::default();
    for (index, change) in to_theirs.changes.iter().enumerate() {
        match found[index] {
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
            None if touched.is_same(of_ours, of_theirs, index) => {}
            // The other changes of a unit in conflict stay away with it.
            None if refused.contains(&of_theirs.unit(index)) => {}
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

/// The place of a change in the base, with its position if the change adds a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Spot {
    place: u32,
    gap: Option<usize>,
}

/// A script with the numbers of its places in the base.
struct BaseSide<'s> {
    script: &'s EditScript,
    places: ScriptPlaces,
}

impl<'s> BaseSide<'s> {
    fn of(script: &'s EditScript, numbers: &mut PlaceNumbers<'s>) -> Self {
        BaseSide { script, places: ScriptPlaces::of(script, 0, numbers) }
    }

    fn change(&self, index: usize) -> &'s Change {
        &self.script.changes[index]
    }

    fn spot(&self, index: usize) -> Spot {
        let gap = if let Slot::Gap(gap) = self.change(index).slots[0] { Some(gap) } else { None };
        Spot { place: self.places.changes[index], gap }
    }

    /// The unit inside of which a change is; `None` if it is in none, or changes a whole one.
    fn inner_unit(&self, index: usize) -> Option<u32> {
        let change = self.change(index);
        let unit = self.places.unit(change.owners[0]);
        (unit != ROOT && change.role != ChangeRole::Unit).then_some(unit)
    }

    /// The unit in which a change is; the change itself if it is in none.
    fn unit(&self, index: usize) -> Spot {
        self.inner_unit(index).map_or_else(|| self.spot(index), |place| Spot { place, gap: None })
    }
}

/// The places and units that the changes of one side touch.
struct Touched {
    /// The changes by their places.
    places: Table<Spot, usize>,
    /// The changes that add values, by their places.
    added: Table<Spot, Vec<usize>>,
    /// The units with changes inside.
    units: Table<Spot, usize>,
    /// For each place, the outermost change around it or at it whose value goes or is replaced.
    replaced: Vec<Option<usize>>,
    /// For each place, the first change of an object at it or below it.
    below: Vec<Option<usize>>,
    replaces_root: bool,
}

impl Touched {
    /// The places and units that the changes of `side` touch. `numbers` has the places of both sides.
    fn of(side: &BaseSide<'_>, numbers: &PlaceNumbers<'_>) -> Self {
        let count = numbers.above().len() + 1;
        let mut touched = Touched {
            places: Table::default(),
            added: Table::default(),
            units: Table::default(),
            replaced: vec![None; count],
            below: vec![None; count],
            replaces_root: false,
        };
        for (index, change) in side.script.changes.iter().enumerate() {
            let spot = side.spot(index);
            touched.places.insert(spot, index);
            touched.units.insert(side.unit(index), index);
            match change.slots[0] {
                Slot::Gap(_) => touched.added.entry(spot).or_default().push(index),
                Slot::Child(_) => touched.replaced[spot.place as usize] = Some(index),
                Slot::Root => touched.replaces_root = true,
            }
            if let Some(owner) = side.places.object(change.owners[0]) {
                touched.below[owner as usize].get_or_insert(index);
            }
        }
        // A place has a larger number than the place above it.
        for (place, above) in (1..).zip(numbers.above()) {
            touched.replaced[place] = touched.replaced[*above as usize].or(touched.replaced[place]);
        }
        for (place, above) in (1..count).zip(numbers.above()).rev() {
            let above = *above as usize;
            touched.below[above] = [touched.below[above], touched.below[place]].into_iter().flatten().min();
        }
        touched
    }

    /// Whether the changed side has the same change.
    fn is_same(&self, ours: &BaseSide<'_>, theirs: &BaseSide<'_>, index: usize) -> bool {
        let spot = theirs.spot(index);
        let at_place = self
            .added
            .get(&spot)
            .map_or_else(|| self.places.get(&spot).into_iter().collect(), |all| all.iter().collect::<Vec<_>>());
        at_place.into_iter().any(|other| are_same(ours, *other, theirs, index))
    }

    /// The reason why a change of the other side is in conflict, and the change of this side.
    fn conflict(
        &self,
        ours: &BaseSide<'_>,
        theirs: &BaseSide<'_>,
        index: usize,
    ) -> Option<(&'static str, Option<usize>)> {
        const GOES: &str = "one side replaces or deletes what the other side changes";
        if self.is_same(ours, theirs, index) {
            return None;
        }
        let (change, spot) = (theirs.change(index), theirs.spot(index));
        if self.replaces_root || change.slots[0] == Slot::Root {
            let root = ours.script.changes.iter().position(|other| other.slots[0] == Slot::Root);
            return Some(("a side replaces the whole value", root.or(Some(0))));
        }
        if let Some(other) = self.places.get(&spot) {
            if spot.gap.is_none() {
                return Some(("both sides change this place", Some(*other)));
            }
            let clash = self.added[&spot].iter().find(|other| clash(ours.change(**other), change));
            return clash.map(|other| ("both sides add this", Some(*other)));
        }
        let owner = theirs.places.object(change.owners[0])?;
        if let Some(other) = self.replaced[owner as usize] {
            return Some((GOES, Some(other)));
        }
        if theirs.inner_unit(index).is_some()
            && let Some(other) = self.units.get(&theirs.unit(index))
            && ours.inner_unit(*other).is_some()
        {
            return Some(("both sides change this unit", Some(*other)));
        }
        // A value that goes or is replaced here, and in which the other side changes something.
        let is_child = matches!(change.slots[0], Slot::Child(_));
        let other = self.below[spot.place as usize].filter(|_| is_child)?;
        Some((GOES, Some(other)))
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
fn are_same(ours: &BaseSide<'_>, a: usize, theirs: &BaseSide<'_>, b: usize) -> bool {
    let mut rest = match (&ours.change(a).values[1], &theirs.change(b).values[1]) {
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
            (EditValue::At(a), EditValue::At(b)) => ours.places.object(*a) == theirs.places.object(*b),
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
