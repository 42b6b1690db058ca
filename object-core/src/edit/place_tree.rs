//! [`PlaceTree`]: the places of one side of a script. Each place is one step from the place above it, so all places together
//! take memory for the objects on the ways to them, however deep these are.

use crate::error::{Error, ErrorKind, Result};
use crate::object::{AnyView, ObjectView};
use crate::table::Table;

use super::place_step::{PlaceStep, child, path_of};

/// The node of the root.
pub(super) const ROOT: u32 = 0;

/// A place by its step from the place above.
#[derive(Debug)]
struct Node {
    above: u32,
    step: PlaceStep,
    /// The innermost unit around the place, the place itself included; the root if there is none.
    unit: u32,
}

/// A tree of places. Nodes have numbers, and the node above another one has a smaller number.
#[derive(Debug, Default)]
pub(super) struct PlaceTree {
    /// The node with the number `n + 1`. The root has none.
    nodes: Vec<Node>,
    /// The nodes of the objects to which a script refers, by the index in the script.
    pub(super) objects: Vec<u32>,
}

impl PlaceTree {
    /// Adds the node one step below `above`. `is_unit` says whether the child there is a unit of a program.
    pub(super) fn add(&mut self, above: u32, step: PlaceStep, is_unit: bool) -> u32 {
        // No memory holds as many nodes as the number can count.
        let node = u32::try_from(self.nodes.len() + 1).unwrap_or(ROOT);
        let unit = if is_unit { node } else { self.unit(above) };
        self.nodes.push(Node { above, step, unit });
        node
    }

    /// The number of nodes, with the root.
    pub(super) fn len(&self) -> usize {
        self.nodes.len() + 1
    }

    fn node(&self, node: u32) -> Option<&Node> {
        self.nodes.get((node as usize).checked_sub(1)?)
    }

    /// The node above a node, and the step from there; `None` for the root.
    pub(super) fn step(&self, node: u32) -> Option<(u32, &PlaceStep)> {
        self.node(node).map(|node| (node.above, &node.step))
    }

    /// The innermost unit around a node, the node itself included; the root if there is none.
    pub(super) fn unit(&self, node: u32) -> u32 {
        self.node(node).map_or(ROOT, |node| node.unit)
    }

    /// The steps from the root to a node.
    pub(super) fn steps(&self, mut node: u32) -> Vec<&PlaceStep> {
        let mut steps = Vec::new();
        while let Some((above, step)) = self.step(node) {
            steps.push(step);
            node = above;
        }
        steps.reverse();
        steps
    }

    /// The node of the object with an index in the script.
    pub(super) fn object(&self, index: u32) -> Option<u32> {
        self.objects.get(index as usize).copied()
    }

    /// The objects of `root` to which the script refers, by their indices.
    ///
    /// # Errors
    /// [`BadReference`](ErrorKind::BadReference), with the path, if `root` does not have one of them.
    pub(super) fn find<'a>(&self, root: AnyView<'a>) -> Result<Vec<ObjectView<'a>>> {
        let mut found: Vec<Option<ObjectView<'a>>> = Vec::with_capacity(self.len());
        found.push(root.as_object());
        for node in &self.nodes {
            let object = found[node.above as usize];
            let value = object.and_then(|object| child(object, node.step.number(object)?));
            found.push(value.and_then(AnyView::as_object));
        }
        let object = |node: &u32| found[*node as usize].ok_or_else(|| self.missing(*node, root, &found));
        self.objects.iter().map(object).collect()
    }

    /// The error of a value that has no object at a node.
    fn missing(&self, mut node: u32, root: AnyView<'_>, found: &[Option<ObjectView<'_>>]) -> Error {
        let mut around = root.type_key();
        while let Some((above, _)) = self.step(node) {
            if let Some(object) = found[above as usize] {
                around = object.type_info().type_key();
                break;
            }
            node = above;
        }
        let message = format!(
            "the edits do not fit: they expect an object at this place, below a `{around}`; apply them to the value from \
             which they were made"
        );
        Error::new(ErrorKind::BadReference, message).at(path_of(&self.steps(node)))
    }
}

/// Numbers for the places of one value in several trees. Equal places have one number. A place has a larger number than the
/// places above it, and the root has the number 0.
#[derive(Default)]
pub(super) struct PlaceNumbers<'t> {
    children: Table<(u32, &'t PlaceStep), u32>,
    /// The number of the place above the place with the number `n + 1`.
    above: Vec<u32>,
}

impl<'t> PlaceNumbers<'t> {
    /// The numbers of the nodes of a tree.
    pub(super) fn of_tree(&mut self, tree: &'t PlaceTree) -> Vec<u32> {
        let mut numbers = Vec::with_capacity(tree.len());
        numbers.push(ROOT);
        for node in &tree.nodes {
            numbers.push(self.child(numbers[node.above as usize], &node.step));
        }
        numbers
    }

    /// The number of the place one step below another one.
    pub(super) fn child(&mut self, above: u32, step: &'t PlaceStep) -> u32 {
        let next = u32::try_from(self.above.len() + 1).unwrap_or(ROOT);
        let number = *self.children.entry((above, step)).or_insert(next);
        if number == next {
            self.above.push(above);
        }
        number
    }

    /// The number of the place above each place, from the number 1 on.
    pub(super) fn above(&self) -> &[u32] {
        &self.above
    }
}
