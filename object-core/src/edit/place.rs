//! [`Place`]: a place in a value, also in a key of a map.

use std::fmt;
use std::sync::Arc;

use crate::access_path::{AccessPath, AccessStep, PathKey};
use crate::object::{AnyView, Body, ObjectView};
use crate::repr::path_key;

use super::place_tree::PlaceTree;

/// One step of a [`Place`].
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

/// A place in a value, as the steps from the root. Unlike an [`AccessPath`], it also leads into keys of maps, and tells keys
/// with the same label apart.
///
/// A place shares the steps from the root with the other places of its script, so a copy takes no memory for them.
#[derive(Clone, Default)]
pub struct Place {
    tree: Arc<PlaceTree>,
    /// The node of the tree from which the last step leads.
    node: u32,
    /// The step from the node to the place, if the place is not the node itself.
    last: Option<PlaceStep>,
}

impl Place {
    pub(super) fn new(tree: &Arc<PlaceTree>, node: u32, last: Option<PlaceStep>) -> Self {
        Place { tree: tree.clone(), node, last }
    }

    /// The steps from the root, outermost first.
    #[must_use]
    pub fn steps(&self) -> Vec<&PlaceStep> {
        let mut steps = self.tree.steps(self.node);
        steps.extend(&self.last);
        steps
    }

    /// The path to the place, or to the entry whose key contains it.
    #[must_use]
    pub fn path(&self) -> AccessPath {
        path_of(&self.steps())
    }

    /// The innermost unit that contains the place: a statement, a binding or a function. The root if there is none.
    #[must_use]
    pub fn unit(&self) -> Self {
        Place::new(&self.tree, self.tree.unit(self.node), None)
    }

    /// The value at this place of `root`; `None` if there is none.
    pub(super) fn value<'a>(&self, root: AnyView<'a>) -> Option<AnyView<'a>> {
        self.steps().into_iter().try_fold(root, |value, step| {
            let object = value.as_object()?;
            child(object, step.number(object)?)
        })
    }
}

impl PartialEq for Place {
    fn eq(&self, other: &Self) -> bool {
        self.steps() == other.steps()
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.steps()).finish()
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
