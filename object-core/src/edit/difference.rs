//! The changes between two values, from the correspondence of their objects.
//!
//! Each object that changes in place is compared with its counterpart, child by child. A child that neither equals the child
//! of the counterpart nor corresponds to it is one change. Its new value is a description of the right child: an object of
//! the left side for an object that has a counterpart, and a new object otherwise. So the result of the changes has the same
//! references between objects as the right value, and is equal to it.

use std::sync::Arc;

use crate::graph::Children;
use crate::object::{Any, AnyView, Body, ObjectView, SEqHashKind};
use crate::stack_budget::with_stack;
use crate::structural::matching::Pair;
use crate::table::{AddressSet, AddressTable};

use super::equal_objects::EqualObjects;
use super::place_search::{ChangedSlots, PlaceSearch, is_unit};
use super::place_step::PlaceStep;
use super::relation::{Fit, Relation, SlotPair, is_whole};
use super::script::{Change, ChangeRole, EditScript, EditValue, NewObject, Slot};

/// Changes under construction.
pub(super) struct Differences<'s, 'a> {
    roots: [AnyView<'a>; 2],
    relation: &'s mut Relation<'a>,
    pairs: Vec<Pair<'a>>,
    /// The left objects of `pairs`.
    changed: AddressSet,
    /// The objects of each side to which the script refers, with their numbers.
    referred: [AddressTable<u32>; 2],
    /// The variables and `dag` nodes among them.
    identified: [Vec<ObjectView<'a>>; 2],
    /// The descriptions of objects of each side.
    described: [AddressTable<EditValue>; 2],
    changes: Vec<Change>,
    /// The slots of each side that the changes replace or remove.
    slots: [ChangedSlots; 2],
    /// Whether some variable or `dag` node below an object of each side has a counterpart.
    identified_below: [AddressTable<bool>; 2],
}

impl<'s, 'a> Differences<'s, 'a> {
    pub(super) fn new(
        roots: [AnyView<'a>; 2],
        relation: &'s mut Relation<'a>,
        (pairs, changed): (Vec<Pair<'a>>, AddressSet),
    ) -> Self {
        let referred = [AddressTable::default(), AddressTable::default()];
        let described = [AddressTable::default(), AddressTable::default()];
        Differences {
            roots,
            relation,
            pairs,
            changed,
            referred,
            identified: Default::default(),
            described,
            changes: Vec::new(),
            slots: Default::default(),
            identified_below: Default::default(),
        }
    }

    /// The script of all changes.
    pub(super) fn script(mut self, names: bool) -> EditScript {
        let roots = self.roots;
        let [a, b] = roots;
        match self.relation.fit(a, b) {
            Fit::Equal => {}
            Fit::Paired if self.is_changed(a) => {}
            _ => {
                let values = self.both([Some(a), Some(b)]);
                self.changes.push(Change {
                    owners: [0, 0],
                    slots: [Slot::Root, Slot::Root],
                    values,
                    role: ChangeRole::Part,
                });
            }
        }
        if names {
            self.add_variables();
        }
        let mut next = 0;
        while let Some(pair) = self.pairs.get(next).copied() {
            next += 1;
            self.compare(pair);
        }
        let places = [0, 1].map(|side| {
            // No object of an equal pair has a wanted one below it, except as the only place of it, unless the comparison bound it.
            let known = self.relation.known();
            let (wanted, slots) = (&self.referred[side], &self.slots[side]);
            let skipped = EqualObjects::without(known, side, &self.identified[side], wanted.keys().copied());
            Arc::new(PlaceSearch { wanted, slots, skipped: &skipped }.find(roots[side]))
        });
        EditScript { places, changes: self.changes, search_ended: false }
    }

    fn is_changed(&self, value: AnyView<'_>) -> bool {
        value.as_object().is_some_and(|object| self.changed.contains(&object.address()))
    }

    /// Adds the variables whose names may differ.
    fn add_variables(&mut self) {
        let variables: Vec<ObjectView<'a>> = self.relation.variables().collect();
        for variable in variables {
            if let Some(other) = self.relation.counterpart(0, variable)
                && self.changed.insert(variable.address())
            {
                self.pairs.push((variable, other));
            }
        }
    }

    /// Adds the changes of the children of two objects.
    fn compare(&mut self, pair: Pair<'a>) {
        let is_equal = self.relation.are_equal(pair);
        for slot in self.relation.slots(pair) {
            let [lhs, rhs] = slot.children.map(|child| child.map(|(_, value)| value));
            if let (Some(a), Some(b)) = (lhs, rhs) {
                // Of equal variables, only the names differ.
                let fit = match self.relation.fit(a, b) {
                    Fit::Different if is_equal && a.as_str().is_none() => Fit::Equal,
                    fit => fit,
                };
                if fit == Fit::Equal || (fit == Fit::Paired && self.is_changed(a)) {
                    continue;
                }
            }
            let values = self.both([lhs, rhs]);
            let owners = [self.refer(0, pair.0), self.refer(1, pair.1)];
            for (side, owner) in [pair.0, pair.1].into_iter().enumerate() {
                self.slots[side].extend(slot.children[side].map(|(number, _)| (owner.address(), number)));
            }
            let slots = [slot_of(pair.0, &slot, 0), slot_of(pair.1, &slot, 1)];
            let role = role_of(pair, &slot);
            self.changes.push(Change { owners, slots, values, role });
        }
    }

    /// The descriptions of two children.
    fn both(&mut self, children: [Option<AnyView<'a>>; 2]) -> [Option<EditValue>; 2] {
        let [lhs, rhs] = children;
        [lhs.map(|value| self.value(0, value)), rhs.map(|value| self.value(1, value))]
    }

    /// The number of an object of a side to which the script refers.
    fn refer(&mut self, side: usize, object: ObjectView<'a>) -> u32 {
        let next = self.referred[side].len() as u32;
        let number = *self.referred[side].entry(object.address()).or_insert(next);
        if number == next && object.is_identified() {
            self.identified[side].push(object);
        }
        number
    }

    /// The description of a value of a side by the objects of the other side.
    fn value(&mut self, side: usize, value: AnyView<'a>) -> EditValue {
        match value {
            AnyView::Object(object) => with_stack(|| self.object(side, object)),
            plain => EditValue::Whole(plain.to_any()),
        }
    }

    fn object(&mut self, side: usize, object: ObjectView<'a>) -> EditValue {
        if let Some(known) = self.described[side].get(&object.address()) {
            return known.clone();
        }
        let value = match self.counterpart(side, object) {
            Some(other) => EditValue::At(self.refer(1 - side, other)),
            None if is_whole(object) || self.relation.is_fixed(object) => {
                EditValue::Whole(Any::Object(object.to_object()))
            }
            None => self.new_object(side, object),
        };
        self.described[side].insert(object.address(), value.clone());
        value
    }

    /// The object of the other side that becomes an object of a side.
    fn counterpart(&mut self, side: usize, object: ObjectView<'a>) -> Option<ObjectView<'a>> {
        let other = self.relation.counterpart(side, object)?;
        let pair = if side == 0 { (object, other) } else { (other, object) };
        let is_ready = self.relation.are_equal(pair) || self.changed.contains(&pair.0.address());
        if !is_ready && object.is_identified() {
            self.changed.insert(pair.0.address());
            self.pairs.push(pair);
            return Some(other);
        }
        is_ready.then_some(other)
    }

    /// A new object, or the object itself if nothing below it has a counterpart.
    fn new_object(&mut self, side: usize, object: ObjectView<'a>) -> EditValue {
        let values: Vec<AnyView<'a>> = match object.type_info().body {
            Body::Array => object.as_array().into_iter().flat_map(|array| array.iter()).collect(),
            Body::Map => {
                let entries = object.as_map().into_iter().flat_map(|map| map.iter());
                entries.flat_map(|(key, value)| [key, value]).collect()
            }
            _ => object.fields().map(|(_, value)| value).collect(),
        };
        // The other side has the object itself with another counterpart, so the result needs a copy of it.
        let is_another = object.is_identified() && self.relation.counterpart(1 - side, object).is_some();
        let is_variable = object.type_info().kind == SEqHashKind::FreeVar;
        if is_variable && !is_another && !self.refers_to_identified(side, object) {
            return EditValue::Whole(Any::Object(object.to_object()));
        }
        let children: Vec<EditValue> = values.into_iter().map(|value| self.value(side, value)).collect();
        let is_whole = children.iter().all(|child| matches!(child, EditValue::Whole(_)));
        if is_whole && !is_variable && !is_another {
            return EditValue::Whole(Any::Object(object.to_object()));
        }
        EditValue::New(Arc::new(NewObject { info: object.type_info(), children }))
    }

    /// Whether some object below a variable is a variable or a `dag` node with a counterpart. All calls together visit each object
    /// once.
    fn refers_to_identified(&mut self, side: usize, variable: ObjectView<'a>) -> bool {
        let mut stack = vec![Children::of(variable)];
        while let Some(top) = stack.last_mut() {
            let Some((object, _)) = top.next_object() else {
                let address = top.object().address();
                self.identified_below[side].insert(address, false);
                stack.pop();
                continue;
            };
            if is_whole(object) {
                continue;
            }
            let is_found =
                object.is_identified() && [0, 1].iter().any(|side| self.relation.counterpart(*side, object).is_some());
            match self.identified_below[side].get(&object.address()) {
                Some(false) if !is_found => {}
                None if !is_found => stack.push(Children::of(object)),
                _ => {
                    let around = stack.iter().map(|children| (children.object().address(), true));
                    self.identified_below[side].extend(around);
                    return true;
                }
            }
        }
        false
    }
}

/// The script that replaces the whole value.
pub(super) fn whole([a, b]: [AnyView<'_>; 2]) -> EditScript {
    let values = [a, b].map(|value| Some(EditValue::Whole(value.to_any())));
    let change = Change { owners: [0, 0], slots: [Slot::Root, Slot::Root], values, role: ChangeRole::Part };
    EditScript { changes: vec![change], ..EditScript::default() }
}

/// The meaning of the change of a child for a reader.
fn role_of(pair: Pair<'_>, slot: &SlotPair<'_>) -> ChangeRole {
    let mut children =
        [pair.0, pair.1].into_iter().zip(slot.children).filter_map(|(owner, child)| Some((owner, child?)));
    let is_name = |(owner, (number, value)): (ObjectView<'_>, (usize, AnyView<'_>))| match owner.type_info().body {
        Body::Map => number.is_multiple_of(2),
        _ => owner.type_info().kind == SEqHashKind::FreeVar && value.as_str().is_some(),
    };
    match children.clone().all(is_name) {
        true => ChangeRole::Name,
        false if children.any(|(owner, (number, _))| is_unit(owner, number)) => ChangeRole::Unit,
        false => ChangeRole::Part,
    }
}

/// The place of a child in its object on a side.
fn slot_of(owner: ObjectView<'_>, slot: &SlotPair<'_>, side: usize) -> Slot {
    let step = slot.children[side].and_then(|(number, _)| PlaceStep::to_child(owner, number));
    step.map_or(Slot::Gap(slot.gaps[side]), Slot::Child)
}
