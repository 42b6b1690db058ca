//! [`Places`]: the places that a check visits, as a tree of steps, so that a place costs constant time and memory.

use object_core::access_path::{AccessPath, AccessStep, PathKey};

/// A place in the checked program: an index into [`Places`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place(u32);

impl Place {
    fn of(index: usize) -> Self {
        // A program of more places than numbers does not fit into memory.
        Place(u32::try_from(index).unwrap_or(u32::MAX))
    }
}

/// A step from an object to one of its children.
#[derive(Clone, Copy)]
pub(super) enum Step<'a> {
    /// To the value of a field.
    Field(&'static str),
    /// To an element of an array.
    Item(usize),
    /// To the function of a module with this global name.
    Function(&'a str),
}

/// All places visited so far.
pub(super) struct Places<'a> {
    /// For each place its parent and the last step. The first entry is the root, whose step counts for nothing.
    nodes: Vec<(Place, Step<'a>)>,
}

impl<'a> Places<'a> {
    /// The root of the program.
    pub(super) const ROOT: Place = Place(0);

    /// Contains the root alone.
    pub(super) fn new() -> Self {
        Places { nodes: vec![(Self::ROOT, Step::Item(0))] }
    }

    /// The place one step below `parent`.
    pub(super) fn child(&mut self, parent: Place, step: Step<'a>) -> Place {
        let place = Place::of(self.nodes.len());
        self.nodes.push((parent, step));
        place
    }

    /// The value of a field of the object at `parent`.
    pub(super) fn field(&mut self, parent: Place, name: &'static str) -> Place {
        self.child(parent, Step::Field(name))
    }

    /// An element of the array in a field of the object at `parent`.
    pub(super) fn items(
        &mut self,
        parent: Place,
        name: &'static str,
        count: usize,
    ) -> impl Iterator<Item = Place> + Clone + use<> {
        let array = self.field(parent, name);
        let first = self.nodes.len();
        self.nodes.extend((0..count).map(|index| (array, Step::Item(index))));
        (first..first + count).map(Place::of)
    }

    /// The path from the root to `place`.
    pub(super) fn path(&self, place: Place) -> AccessPath {
        let mut steps = Vec::new();
        let mut at = place;
        while at != Self::ROOT {
            let Some((parent, step)) = self.nodes.get(at.0 as usize) else { break };
            steps.push(match step {
                Step::Field(name) => AccessStep::Attr((*name).to_owned()),
                Step::Item(index) => AccessStep::ArrayItem(*index),
                Step::Function(name) => AccessStep::MapItem(PathKey::Other {
                    type_key: "ir.GlobalVar",
                    label: format!("I.GlobalVar({})", PathKey::Str((*name).to_owned())),
                }),
            });
            at = *parent;
        }
        steps.reverse();
        AccessPath::from_steps(steps)
    }
}
