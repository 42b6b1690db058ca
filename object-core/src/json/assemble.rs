//! Makes the values of nodes from their parts, in whatever order the nodes stand.

use crate::container::{entries_of, sequence_of, sequence_of_objects};
use crate::error::{Error, ErrorKind, Result};
use crate::json::general_node::{NodeReader, Part, Parts};
use crate::object::{Any, Body, ObjectBuilder};

/// A node of the graph in the making.
enum Slot {
    Ready(Any),
    /// It refers to nodes further on.
    Waiting(Box<Parts>),
    /// It is being made.
    Open,
}

/// The nodes of a graph.
#[derive(Default)]
pub(crate) struct Nodes {
    slots: Vec<Slot>,
}

impl Nodes {
    /// The number of nodes so far.
    pub(crate) fn len(&self) -> usize {
        self.slots.len()
    }

    /// Adds a node. If all it refers to is there, its value is made at once and its lists go back to `reader`.
    pub(crate) fn add(&mut self, parts: Parts, reader: &mut NodeReader<'_>) -> Result<()> {
        let slot = match parts {
            Parts::Value(value) => Slot::Ready(value),
            parts if self.first_missing(&parts).is_some() => Slot::Waiting(Box::new(parts)),
            mut parts => {
                let value = self.make(&mut parts)?;
                reader.reuse(parts);
                Slot::Ready(value)
            }
        };
        self.slots.push(slot);
        Ok(())
    }

    /// The value of the node `root`, with all nodes made.
    pub(crate) fn finish(mut self, root: u32) -> Result<Any> {
        for index in 0..self.slots.len() {
            self.make_with_all_below(index)?;
        }
        let count = self.slots.len();
        match usize::try_from(root).ok().and_then(|root| self.slots.get(root)) {
            Some(Slot::Ready(value)) => Ok(value.clone()),
            _ => {
                let message = format!("`root_index` is {root}, but the graph has {count} nodes");
                Err(Error::new(ErrorKind::BadReference, message))
            }
        }
    }

    /// Makes a waiting node, and the waiting nodes below it first.
    fn make_with_all_below(&mut self, index: usize) -> Result<()> {
        // Each node on the stack with its parts taken out of its slot.
        let mut stack: Vec<(usize, Box<Parts>)> = Vec::new();
        let mut next = Some(index);
        loop {
            if let Some(index) = next.take()
                && let Slot::Waiting(_) = &self.slots[index]
                && let Slot::Waiting(parts) = std::mem::replace(&mut self.slots[index], Slot::Open)
            {
                stack.push((index, parts));
            }
            let Some((index, mut parts)) = stack.pop() else {
                return Ok(());
            };
            let Some(missing) = self.first_missing(&parts) else {
                let value = self.make(&mut parts).map_err(|error| in_node(error, index))?;
                self.slots[index] = Slot::Ready(value);
                continue;
            };
            match self.slots.get(missing) {
                Some(Slot::Open) => {
                    let message = format!("node {index} and node {missing} refer to each other: a cycle");
                    return Err(Error::new(ErrorKind::Cycle, message));
                }
                Some(_) => {
                    stack.push((index, parts));
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

    /// The first node that `parts` refers to and whose value is not made.
    fn first_missing(&self, parts: &Parts) -> Option<usize> {
        let is_missing = |index: &usize| !matches!(self.slots.get(*index), Some(Slot::Ready(_)));
        match parts {
            Parts::Value(_) => None,
            Parts::List(_, indices) => indices.iter().map(|index| *index as usize).find(is_missing),
            Parts::Object(_, fields) => fields
                .iter()
                .filter_map(|(_, part)| match part {
                    Part::Node(index) => Some(*index as usize),
                    Part::Value(_) => None,
                })
                .find(is_missing),
        }
    }

    fn value(&self, index: u32) -> Any {
        match self.slots.get(index as usize) {
            Some(Slot::Ready(value)) => value.clone(),
            _ => Any::None,
        }
    }

    /// The value that `parts` make up; all nodes they refer to are made.
    fn make(&self, parts: &mut Parts) -> Result<Any> {
        match parts {
            Parts::Value(value) => Ok(std::mem::take(value)),
            Parts::List(info, indices) if info.body == Body::Array => {
                let objects = indices.iter().map(|index| match self.slots.get(*index as usize) {
                    Some(Slot::Ready(Any::Object(object))) => Some(object.clone()),
                    _ => None,
                });
                Ok(Any::Object(match objects.collect::<Option<Vec<_>>>() {
                    Some(objects) => sequence_of_objects(info, objects),
                    None => sequence_of(info, indices.iter().map(|index| self.value(*index)).collect()),
                }))
            }
            Parts::List(info, indices) => {
                let entries = indices.chunks_exact(2).map(|pair| (self.value(pair[0]), self.value(pair[1])));
                Ok(Any::Object(entries_of(info, entries)))
            }
            Parts::Object(info, fields) => {
                let mut builder = ObjectBuilder::new(info)?;
                for (field, part) in fields.drain(..) {
                    let value = match part {
                        Part::Value(value) => value,
                        Part::Node(index) => self.value(index),
                    };
                    builder.set_index(usize::from(field), value)?;
                }
                builder.build().map(Any::Object)
            }
        }
    }
}

/// Which part of a node refers to `missing`.
fn place_of(parts: &Parts, missing: usize) -> String {
    match parts {
        Parts::Object(info, fields) => {
            let field = fields.iter().find_map(|(field, part)| match part {
                Part::Node(index) if *index as usize == missing => info.fields().get(usize::from(*field)),
                _ => None,
            });
            format!("field `{}` of `{}`", field.map_or("", |field| field.name), info.type_key)
        }
        Parts::List(info, _) => format!("`{}`", info.type_key),
        Parts::Value(value) => format!("`{}`", value.type_key()),
    }
}

/// The same error, said of the node with index `index`.
pub(crate) fn in_node(error: Error, index: usize) -> Error {
    error.context(format_args!("node {index}"))
}
