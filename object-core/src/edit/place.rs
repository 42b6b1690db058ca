//! [`Place`]: a place in a value, also in a key of a map; and the search for the places of objects.

use crate::access_path::{AccessPath, AccessStep, PathKey};
use crate::error::{Error, ErrorKind, Result};
use crate::graph::{ChildSlot, Children};
use crate::object::{AnyView, Body, ComputedValues, FieldRole, HookContents, ObjectView};
use crate::repr::path_key;
use crate::table::{AddressSet, AddressTable, Set};

/// One step of a [`Place`].
#[derive(Clone, Debug, PartialEq)]
pub enum PlaceStep {
    /// A field, by its reflected name.
    Field(String),
    /// An element, by its index.
    Item(usize),
    /// The key of the entry of a map, by the index of the entry.
    Key(usize, PathKey),
    /// The value of the entry of a map, by the index of the entry.
    Value(usize, PathKey),
}

impl PlaceStep {
    /// The step from an object to the child with number `number`: see [`child`].
    pub(super) fn to_child(object: ObjectView<'_>, number: usize) -> Option<Self> {
        match object.type_info().body {
            Body::Array => Some(PlaceStep::Item(number)),
            Body::Map => {
                let (key, _) = object.as_map()?.entry(number / 2)?;
                let key = path_key(key);
                Some(if number.is_multiple_of(2) {
                    PlaceStep::Key(number / 2, key)
                } else {
                    PlaceStep::Value(number / 2, key)
                })
            }
            _ => Some(PlaceStep::Field(object.type_info().fields().get(number)?.name().to_owned())),
        }
    }

    /// The number of the child of `object` to which the step leads; `None` if it has no such child.
    pub(super) fn number(&self, object: ObjectView<'_>) -> Option<usize> {
        let entry = |index: usize, label: &PathKey| {
            let (key, _) = object.as_map()?.entry(index)?;
            (path_key(key).to_string() == label.to_string()).then_some(2 * index)
        };
        match self {
            PlaceStep::Field(name) => object.type_info().fields().iter().position(|field| field.name() == name),
            PlaceStep::Item(index) => (*index < object.as_array()?.len()).then_some(*index),
            PlaceStep::Key(index, label) => entry(*index, label),
            PlaceStep::Value(index, label) => Some(entry(*index, label)? + 1),
        }
    }

    /// The step of an [`AccessPath`]. No path leads into a key, so the step to a key leads to the entry.
    pub(super) fn access_step(&self) -> AccessStep {
        match self {
            PlaceStep::Field(name) => AccessStep::Attr(name.clone()),
            PlaceStep::Item(index) => AccessStep::ArrayItem(*index),
            PlaceStep::Key(_, key) | PlaceStep::Value(_, key) => AccessStep::MapItem(key.clone()),
        }
    }
}

/// A place in a value, as the steps from the root. Unlike an [`AccessPath`], it also leads into keys of maps, and tells keys
/// with the same label apart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Place {
    pub(super) steps: Vec<PlaceStep>,
    /// The number of steps to the innermost unit around the place: see [`is_unit`].
    pub(super) unit: usize,
}

impl Place {
    /// The steps from the root, outermost first.
    #[must_use]
    pub fn steps(&self) -> &[PlaceStep] {
        &self.steps
    }

    /// The path to the place, or to the entry whose key contains it.
    #[must_use]
    pub fn path(&self) -> AccessPath {
        let into_key = self.steps.iter().position(|step| matches!(step, PlaceStep::Key(..)));
        let steps = &self.steps[..into_key.map_or(self.steps.len(), |index| index + 1)];
        AccessPath::from_steps(steps.iter().map(PlaceStep::access_step))
    }

    /// The innermost unit that contains the place: a statement, a binding or a function. The root if there is none.
    #[must_use]
    pub fn unit(&self) -> Self {
        Place { steps: self.steps[..self.unit].to_vec(), unit: self.unit }
    }

    /// The value at this place of `root`; `None` if there is none.
    pub(super) fn value<'a>(&self, root: AnyView<'a>) -> Option<AnyView<'a>> {
        self.steps.iter().try_fold(root, |value, step| {
            let object = value.as_object()?;
            child(object, step.number(object)?)
        })
    }

    /// The object at this place of `root`.
    ///
    /// # Errors
    /// [`BadReference`](ErrorKind::BadReference), with the path, if there is none.
    pub(super) fn object<'a>(&self, root: AnyView<'a>) -> Result<ObjectView<'a>> {
        let mut value = root;
        for (index, step) in self.steps.iter().enumerate() {
            let next = value.as_object().and_then(|object| child(object, step.number(object)?));
            value = next.ok_or_else(|| self.missing(index + 1, value))?;
        }
        value.as_object().ok_or_else(|| self.missing(self.steps.len(), value))
    }

    /// The error of a value that does not have the first `count` steps; the value at the place before is `found`.
    fn missing(&self, count: usize, found: AnyView<'_>) -> Error {
        let path = Place { steps: self.steps[..count].to_vec(), unit: 0 }.path();
        let message = format!(
            "the edits do not fit: they expect an object at this place, below a `{}`; apply them to the value from which they \
             were made",
            found.type_key()
        );
        Error::new(ErrorKind::BadReference, message).at(path)
    }
}

/// The child of an object with a number: the field or element with this index; in a map, the key of entry `number / 2` if the
/// number is even, and the value if it is odd.
pub(super) fn child(object: ObjectView<'_>, number: usize) -> Option<AnyView<'_>> {
    match object.type_info().body {
        Body::Array => object.as_array()?.get(number),
        Body::Map => {
            let (key, value) = object.as_map()?.entry(number / 2)?;
            Some(if number.is_multiple_of(2) { key } else { value })
        }
        _ => object.field_at(number),
    }
}

/// The slots of objects that changes replace or remove, by the address of the object and the number of the child.
pub(super) type ChangedSlots = Set<(usize, usize)>;

/// A search for places of objects.
pub(super) struct PlaceSearch<'s> {
    /// The addresses of the objects, with the index of the place of each in the result.
    pub(super) wanted: &'s AddressTable<u32>,
    /// The objects that have changes. A reader sees a change at the place of its object, so the place is outside of the changed
    /// slots if the object has such a place.
    pub(super) changed: &'s Set<u32>,
    /// The slots that changes replace or remove.
    pub(super) slots: &'s ChangedSlots,
    /// Objects that have no wanted object below them, except as the only place of it.
    pub(super) skipped: &'s AddressSet,
}

impl PlaceSearch<'_> {
    /// A place of each object, the first one where the search has no reason for another.
    pub(super) fn find(&self, root: AnyView<'_>) -> Vec<Place> {
        let mut found = vec![None; self.wanted.len()];
        let (all, changed) = ((0..self.wanted.len() as u32).collect(), self.changed);
        let (no_slots, no_objects) = (ChangedSlots::default(), AddressSet::default());
        if !self.slots.is_empty() {
            self.walk(root, changed, self.slots, self.skipped, &mut found);
        }
        self.walk(root, &all, &no_slots, self.skipped, &mut found);
        self.walk(root, &all, &no_slots, &no_objects, &mut found);
        found.into_iter().map(Option::unwrap_or_default).collect()
    }

    /// Adds the first places of `objects` that have none yet, outside of the given slots and objects. The walk from the root ends
    /// when it has found all.
    fn walk(
        &self,
        root: AnyView<'_>,
        objects: &Set<u32>,
        slots: &ChangedSlots,
        skipped: &AddressSet,
        found: &mut [Option<Place>],
    ) {
        let is_open = |index: &u32| found.get(*index as usize).is_some_and(Option::is_none);
        let mut left = objects.iter().filter(|index| is_open(index)).count();
        let mut seen = AddressSet::default();
        let mut stack: Vec<Children<'_>> = Vec::new();
        let mut next = root.as_object();
        while left > 0 {
            if let Some(object) = next {
                let is_new = object.use_count() == 1 || seen.insert(object.address());
                if is_new {
                    if let Some(index) = self.wanted.get(&object.address())
                        && objects.contains(index)
                        && let place @ None = &mut found[*index as usize]
                    {
                        let is_unit = |children: &Children<'_>| is_unit(children.object(), children.last_number());
                        let unit = stack.iter().rposition(is_unit).map_or(0, |index| index + 1);
                        *place = Some(Place { steps: stack.iter().filter_map(step_of).collect(), unit });
                        left -= 1;
                    }
                    if !skipped.contains(&object.address()) {
                        stack.push(Children::of(object));
                    }
                }
            }
            let Some(top) = stack.last_mut() else { return };
            next = top.next_object().map(|(child, _)| child);
            if next.is_none() {
                stack.pop();
            } else if !slots.is_empty() && slots.contains(&(top.object().address(), top.last_number())) {
                next = None;
            }
        }
    }
}

/// The number of elements of an array among which a search looks for one with definitions.
const SEARCHED: usize = 16;

/// Whether a child of an object is a unit of a program, which a reader counts as one: the value of an entry of a map, such as a
/// function of a module; or an element of an array of statements, which define variables.
pub(super) fn is_unit(owner: ObjectView<'_>, number: usize) -> bool {
    match owner.type_info().body {
        Body::Map => !number.is_multiple_of(2),
        Body::Array => owner.as_array().is_some_and(|array| {
            let near = array.iter().skip(number.saturating_sub(SEARCHED / 2)).take(SEARCHED);
            near.filter_map(AnyView::as_object).any(defines)
        }),
        _ => false,
    }
}

/// Whether an object has a field that binds variables.
fn defines(object: ObjectView<'_>) -> bool {
    let is_def = |role| matches!(role, FieldRole::Def | FieldRole::DefSimple);
    let info = object.type_info();
    let Some(hooks) = info.hooks else { return info.fields().iter().any(|field| is_def(field.meta().role)) };
    let computed = ComputedValues::default();
    let contents = HookContents::of(object, hooks, computed.end());
    contents.values.iter().any(|listed| is_def(listed.role))
}

/// The step to the last child that `children` returned.
fn step_of(children: &Children<'_>) -> Option<PlaceStep> {
    let entry = |is_key: bool, key| match is_key {
        true => PlaceStep::Key(children.last_number() / 2, path_key(key)),
        false => PlaceStep::Value(children.last_number() / 2, path_key(key)),
    };
    Some(match children.slot()? {
        ChildSlot::Field(field) => PlaceStep::Field(field.name().to_owned()),
        ChildSlot::Item(index) => PlaceStep::Item(index),
        ChildSlot::Key(key) => entry(true, key),
        ChildSlot::Value(key) => entry(false, key),
    })
}
