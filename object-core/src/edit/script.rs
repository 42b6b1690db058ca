//! [`EditScript`]: the changes that make one value another one, as data.

use std::sync::Arc;

use crate::object::{Any, TypeInfo};

use super::place::Place;
use super::place_step::PlaceStep;
use super::place_tree::{PlaceNumbers, PlaceTree, ROOT};

/// A value in a [`Change`], with references to objects of the value that the script applies to.
#[derive(Clone, Debug)]
pub enum EditValue {
    /// A value without references.
    Whole(Any),
    /// The object at a place of the value that the script applies to, with its changes: the index among the
    /// objects of the script.
    At(u32),
    /// A new object. A second reference to it is the same object.
    New(Arc<NewObject>),
}

/// A new object in an [`EditValue`].
#[derive(Debug)]
pub struct NewObject {
    pub(super) info: &'static TypeInfo,
    /// The fields, the elements, or the keys and values in turn.
    pub(super) children: Vec<EditValue>,
}

impl Drop for NewObject {
    /// Frees deep values without recursion.
    fn drop(&mut self) {
        let mut rest = std::mem::take(&mut self.children);
        while let Some(value) = rest.pop() {
            if let EditValue::New(object) = value
                && let Some(mut object) = Arc::into_inner(object)
            {
                rest.append(&mut object.children);
            }
        }
    }
}

/// The place of a change in its object.
#[derive(Clone, Debug, PartialEq)]
pub enum Slot {
    /// The child at this step.
    Child(PlaceStep),
    /// This side has no such child: it would come before the element or entry with this index.
    Gap(usize),
    /// The change replaces the root.
    Root,
}

/// The meaning of a change for a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChangeRole {
    /// It changes a whole unit of a program, such as a statement.
    Unit,
    /// It changes the name of a variable or of an entry of a map.
    Name,
    /// It changes a part.
    Part,
}

/// One change: a child of an object that another value replaces, that goes, or that comes.
///
/// Each member has two sides: the value before, and the value after the change. So the inverse of a change is the change with
/// its sides exchanged.
#[derive(Clone, Debug)]
pub struct Change {
    pub(super) owners: [u32; 2],
    pub(super) slots: [Slot; 2],
    pub(super) values: [Option<EditValue>; 2],
    pub(super) role: ChangeRole,
}

impl Change {
    /// The place of the child in the object, before and after.
    #[must_use]
    pub fn slots(&self) -> &[Slot; 2] {
        &self.slots
    }

    /// The child before and after; `None` if one side does not have it. The value after the change has references to the value
    /// before, and the other way around.
    #[must_use]
    pub fn values(&self) -> &[Option<EditValue>; 2] {
        &self.values
    }
}

/// The changes that make one value another one: the result of [`edits`](super::edits).
///
/// A script is data. [`to_json`](Self::to_json) and [`from_json`](Self::from_json) save and load it, [`apply`](Self::apply)
/// applies it, [`inverted`](Self::inverted) is the script of the other direction, and [`edits`](Self::edits) lists the changes
/// as a reader counts them.
#[derive(Clone, Debug, Default)]
pub struct EditScript {
    /// The places on each side of the objects to which owners and values refer.
    pub(super) places: [Arc<PlaceTree>; 2],
    pub(super) changes: Vec<Change>,
    /// Whether the search for corresponding objects ended beyond its steps.
    pub(super) search_ended: bool,
}

impl EditScript {
    /// Whether the search for corresponding objects ended beyond the steps of the limits. Then the script replaces values whose
    /// parts the search has not reached. A script that is read from JSON does not know it.
    #[must_use]
    pub fn search_ended(&self) -> bool {
        self.search_ended
    }

    /// Whether the two values are equal.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// The changes.
    #[must_use]
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// The place of a change on a side: 0 is the value before, 1 the value after. Where the side does not have the child, the
    /// place of the object around it.
    #[must_use]
    pub fn place(&self, change: &Change, side: usize) -> Place {
        place_in(&self.places[side], change, side)
    }

    /// The script that makes the second value the first one.
    #[must_use]
    pub fn inverted(&self) -> Self {
        let mut inverted = self.clone();
        inverted.places.reverse();
        for change in &mut inverted.changes {
            change.owners.reverse();
            change.slots.reverse();
            change.values.reverse();
        }
        inverted
    }
}

/// The place of a change on a side, whose places are `places`.
pub(super) fn place_in(places: &Arc<PlaceTree>, change: &Change, side: usize) -> Place {
    let owner = || places.object(change.owners[side]).unwrap_or(ROOT);
    match &change.slots[side] {
        Slot::Child(step) => Place::new(places, owner(), Some(step.clone())),
        Slot::Gap(_) => Place::new(places, owner(), None),
        Slot::Root => Place::new(places, ROOT, None),
    }
}

/// The numbers of the places of a script on a side: see [`PlaceNumbers`].
pub(super) struct ScriptPlaces {
    /// The places of the objects of the script, with the units around them.
    objects: Vec<(u32, u32)>,
    /// The places of the changes.
    pub(super) changes: Vec<u32>,
}

impl ScriptPlaces {
    pub(super) fn of<'s>(script: &'s EditScript, side: usize, numbers: &mut PlaceNumbers<'s>) -> Self {
        let tree = &*script.places[side];
        let nodes = numbers.of_tree(tree);
        let number = |node: u32| nodes[node as usize];
        let objects: Vec<_> = tree.objects.iter().map(|node| (number(*node), number(tree.unit(*node)))).collect();
        let changes = script.changes.iter().map(|change| {
            let owner = || objects.get(change.owners[side] as usize).map_or(ROOT, |(place, _)| *place);
            match &change.slots[side] {
                Slot::Child(step) => numbers.child(owner(), step),
                Slot::Gap(_) => owner(),
                Slot::Root => ROOT,
            }
        });
        let changes = changes.collect();
        ScriptPlaces { objects, changes }
    }

    /// The place of the object with an index in the script.
    pub(super) fn object(&self, index: u32) -> Option<u32> {
        self.objects.get(index as usize).map(|(place, _)| *place)
    }

    /// The innermost unit around this object, the object itself included; the root if there is none.
    pub(super) fn unit(&self, index: u32) -> u32 {
        self.objects.get(index as usize).map_or(ROOT, |(_, unit)| *unit)
    }
}
