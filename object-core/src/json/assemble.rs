//! Makes the values of nodes from their parts, in any order of the nodes.

use crate::container::{entries_of_file, sequence_of, sequence_of_objects};
use crate::error::{Error, ErrorKind, Result};
use crate::evolution::{Newer, set_absent_options};
use crate::json::general_node::{FieldPart, NodeParts, NodeReader};
use crate::json::kept::KeptParts;
use crate::json::kept_bases::kept_bases;
use crate::json::kept_order::FileOrder;
use crate::object::{Any, Body, ObjectBuilder};

/// A node of the graph.
enum NodeState {
    /// The value is made.
    Ready(Any),
    /// The node refers to nodes whose values are not made.
    Waiting(Box<NodeParts>),
    /// `make_with_all_below` is making the value.
    Open,
}

/// The nodes of a graph.
#[derive(Default)]
pub(crate) struct Nodes {
    slots: Vec<NodeState>,
    /// The order of the nodes, if the reader keeps objects of unknown types.
    order: FileOrder,
    /// Whether the graph has such objects.
    has_kept: bool,
}

impl Nodes {
    /// The number of nodes so far.
    pub(crate) fn len(&self) -> usize {
        self.slots.len()
    }

    /// Adds a node. If the values of all its children are made, makes its value and returns its lists to `reader`.
    pub(crate) fn add(&mut self, mut parts: NodeParts, reader: &mut NodeReader<'_>) -> Result<()> {
        if reader.reader.keeps_unknown_types {
            if let NodeParts::Kept(kept) = &mut parts {
                kept.set_index(self.slots.len());
                self.has_kept = true;
            }
            reader.account.bytes(self.order.add(&parts))?;
        }
        reader.account.bytes(size_of::<NodeState>() + parts.bytes())?;
        let slot = match parts {
            NodeParts::Value(value) => NodeState::Ready(value),
            parts if matches!(parts, NodeParts::Kept(_)) || self.first_missing(&parts, 0).is_some() => {
                reader.account.bytes(parts.room())?;
                NodeState::Waiting(Box::new(parts))
            }
            _ => {
                let value = self.make(&mut parts, reader.reader.newer)?;
                reader.reuse(parts);
                NodeState::Ready(value)
            }
        };
        self.slots.push(slot);
        Ok(())
    }

    /// Makes the values of all nodes. Returns the value of the node `root`.
    pub(crate) fn finish(mut self, root: u32, reader: &mut NodeReader<'_>) -> Result<Any> {
        if self.has_kept {
            self.complete_kept(root, reader)?;
        }
        for index in 0..self.slots.len() {
            self.make_with_all_below(index, reader.reader.newer)?;
        }
        let count = self.slots.len();
        match usize::try_from(root).ok().and_then(|root| self.slots.get(root)) {
            Some(NodeState::Ready(value)) => Ok(value.clone()),
            _ => {
                let message = format!("`root_index` is {root}, but the graph has {count} nodes");
                Err(Error::new(ErrorKind::BadReference, message))
            }
        }
    }

    /// Completes the parts of the objects of unknown types: the base that the nodes around one demand, and the order in which a
    /// writer visits the nodes below it.
    fn complete_kept(&mut self, root: u32, reader: &mut NodeReader<'_>) -> Result<()> {
        let waiting = |index: usize| match self.slots.get(index) {
            Some(NodeState::Waiting(parts)) => Some(&**parts),
            _ => None,
        };
        for (index, base) in kept_bases(self.slots.len(), &waiting, reader.reader) {
            if let Some(parts) = self.kept(index) {
                parts.extend(base).map_err(|error| in_node(error, index))?;
                reader.account.bytes(base.layout.size())?;
            }
        }
        let numbers = |index: usize| match self.slots.get(index) {
            Some(NodeState::Waiting(parts)) => match &**parts {
                NodeParts::Kept(parts) => Some(parts.numbers()),
                _ => None,
            },
            _ => None,
        };
        let mut visits = self.order.visits(root as usize, numbers);
        visits.sort_unstable();
        for visits in visits.chunk_by(|(first, _), (second, _)| first == second) {
            let nodes: Vec<u32> = visits.iter().map(|(_, node)| *node).collect();
            if let Some(parts) = visits.first().and_then(|(index, _)| self.kept(*index)) {
                parts.visit_first(&nodes);
            }
        }
        Ok(())
    }

    /// The parts of the node with index `index`, if it is an object of an unknown type.
    fn kept(&mut self, index: usize) -> Option<&mut KeptParts> {
        match self.slots.get_mut(index) {
            Some(NodeState::Waiting(parts)) => match &mut **parts {
                NodeParts::Kept(parts) => Some(parts),
                _ => None,
            },
            _ => None,
        }
    }

    /// Makes the value of a waiting node, after the values of the waiting nodes below it.
    fn make_with_all_below(&mut self, index: usize, newer: Newer) -> Result<()> {
        // The nodes that wait for the one above them, each with the parts from its state and the number of references
        // at its start whose nodes are ready.
        let mut stack: Vec<(usize, Box<NodeParts>, usize)> = Vec::new();
        let mut next = Some(index);
        loop {
            if let Some(index) = next.take()
                && let NodeState::Waiting(_) = &self.slots[index]
                && let NodeState::Waiting(parts) = std::mem::replace(&mut self.slots[index], NodeState::Open)
            {
                stack.push((index, parts, 0));
            }
            let Some((index, mut parts, ready)) = stack.pop() else {
                return Ok(());
            };
            let Some((ready, missing)) = self.first_missing(&parts, ready) else {
                let value = self.make(&mut parts, newer).map_err(|error| in_node(error, index))?;
                self.slots[index] = NodeState::Ready(value);
                continue;
            };
            match self.slots.get(missing) {
                Some(NodeState::Open) => {
                    let message = format!("node {index} and node {missing} refer to each other: a cycle");
                    return Err(Error::new(ErrorKind::Cycle, message));
                }
                Some(_) => {
                    stack.push((index, parts, ready));
                    next = Some(missing);
                }
                None => {
                    let count = self.slots.len();
                    let place = place_of(&parts, missing);
                    let message = format!("{place} refers to node {missing}, but the graph has {count} nodes");
                    return Err(in_node(Error::new(ErrorKind::BadReference, message), index));
                }
            }
        }
    }

    /// The first node without a value that `parts` refers to, after its place among the parts. The first `ready` parts
    /// are known to have values.
    fn first_missing(&self, parts: &NodeParts, ready: usize) -> Option<(usize, usize)> {
        let is_missing = |(_, index): &(usize, usize)| !matches!(self.slots.get(*index), Some(NodeState::Ready(_)));
        match parts {
            NodeParts::Value(_) => None,
            NodeParts::List(_, indices) => {
                let references = indices.iter().enumerate().skip(ready);
                references.map(|(place, index)| (place, *index as usize)).find(is_missing)
            }
            NodeParts::Kept(parts) => {
                parts.numbers().iter().enumerate().map(|(place, index)| (place, *index as usize)).find(is_missing)
            }
            NodeParts::Object(_, fields) | NodeParts::Old(_, fields) => fields
                .iter()
                .enumerate()
                .filter_map(|(place, (_, part))| match part {
                    FieldPart::Node(index) => Some((place, *index as usize)),
                    FieldPart::Value(_) => None,
                })
                .find(is_missing),
        }
    }

    fn value(&self, index: u32) -> Any {
        match self.slots.get(index as usize) {
            Some(NodeState::Ready(value)) => value.clone(),
            _ => Any::None,
        }
    }

    fn part(&self, part: FieldPart) -> Any {
        match part {
            FieldPart::Value(value) => value,
            FieldPart::Node(index) => self.value(index),
        }
    }

    /// Makes the value of a node from its parts. The values of all its children are made.
    fn make(&self, parts: &mut NodeParts, newer: Newer) -> Result<Any> {
        match parts {
            NodeParts::Value(value) => Ok(std::mem::take(value)),
            NodeParts::List(info, indices) if info.body == Body::Array => {
                let objects = indices.iter().map(|index| match self.slots.get(*index as usize) {
                    Some(NodeState::Ready(Any::Object(object))) => Some(object.clone()),
                    _ => None,
                });
                Ok(Any::Object(match objects.collect::<Option<Vec<_>>>() {
                    Some(objects) => sequence_of_objects(info, objects),
                    None => sequence_of(info, indices.iter().map(|index| self.value(*index)).collect()),
                }))
            }
            NodeParts::List(info, indices) => {
                let entries = indices.chunks_exact(2).map(|pair| (self.value(pair[0]), self.value(pair[1])));
                Ok(Any::Object(entries_of_file(info, entries)))
            }
            NodeParts::Object(info, fields) => {
                let mut builder = ObjectBuilder::new(info)?;
                for (field, part) in fields.drain(..) {
                    builder.set_index(usize::from(field), self.part(part))?;
                }
                set_absent_options(&mut builder)?;
                builder.build().map(Any::Object)
            }
            NodeParts::Old(upgrade, fields) => {
                let fields = fields.drain(..).map(|(field, part)| (usize::from(field), self.part(part))).collect();
                upgrade.object(fields, newer)
            }
            NodeParts::Kept(parts) => parts.make(|index| self.value(index)).map(Any::Object),
        }
    }
}

/// The part of a node that refers to `missing`, for messages.
fn place_of(parts: &NodeParts, missing: usize) -> String {
    match parts {
        NodeParts::Object(info, fields) => {
            let field = fields.iter().find_map(|(field, part)| match part {
                FieldPart::Node(index) if *index as usize == missing => info.fields().get(usize::from(*field)),
                _ => None,
            });
            format!("field `{}` of `{}`", field.map_or("", |field| field.name), info.type_key)
        }
        NodeParts::Old(upgrade, _) => format!("`{}`", upgrade.info().type_key),
        NodeParts::List(info, _) => format!("`{}`", info.type_key),
        NodeParts::Kept(parts) => format!("`{}`", parts.type_key()),
        NodeParts::Value(value) => format!("`{}`", value.type_key()),
    }
}

/// The error of the node with index `index`, without its path, which begins at the node and not at the root of the graph.
pub(crate) fn in_node(error: Error, index: usize) -> Error {
    error.without_path().context(format_args!("node {index}"))
}
