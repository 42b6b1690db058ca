//! [`PlaceStep`]: a step from an object to one of its children, also to a key of a map.

use crate::access_path::{AccessPath, AccessStep, PathKey};
use crate::object::{AnyView, Body, ObjectView};
use crate::repr::path_key;

/// One step of a [`Place`](super::Place).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
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

/// The path that takes the given steps, or that leads to the entry whose key they enter.
pub(super) fn path_of(steps: &[&PlaceStep]) -> AccessPath {
    let into_key = steps.iter().position(|step| matches!(step, PlaceStep::Key(..)));
    let steps = &steps[..into_key.map_or(steps.len(), |index| index + 1)];
    AccessPath::from_steps(steps.iter().map(|step| step.access_step()))
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
