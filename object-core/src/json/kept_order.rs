//! [`FileOrder`]: the order in which a writer met the nodes of a file, for objects of unknown types, whose references are not
//! known.
//!
//! A writer puts each node after its children, and each of them where it meets it first. So a walk that follows the references
//! as the writer did ends the nodes in the order of their numbers. [`FileOrder`] searches for such a walk. At an object of an
//! unknown type, it tries the numbers in the text in ascending order. If the nodes below such a number end in their order,
//! the search visits them then, whether the number is a reference or not; otherwise the writer did not follow the number.

use crate::json::general_node::{FieldPart, NodeParts};

/// The steps that a search may take for each node and each reference. A search tries few numbers in vain, because it notices
/// most of them at the first node below. In files that exceed the limit, the order of visits differs from the order of the nodes.
const STEPS: usize = 64;

/// The references of all nodes of a file, except those of objects of unknown types.
#[derive(Default)]
pub(crate) struct FileOrder {
    references: Vec<u32>,
    /// For each node, the number of references up to its end.
    ends: Vec<usize>,
}

/// A node that a walk has begun.
struct Visit {
    node: usize,
    /// The number of its references that the walk has read.
    read: usize,
    /// The node that had to end first when the walk began this one.
    start: usize,
    /// The number of visits then.
    visits: usize,
}

impl FileOrder {
    /// Adds the next node. Returns the bytes that it takes.
    pub(crate) fn add(&mut self, parts: &NodeParts) -> usize {
        let before = self.references.len();
        match parts {
            NodeParts::Value(_) | NodeParts::Kept(_) => {}
            NodeParts::List(_, indices) => self.references.extend(indices),
            NodeParts::Object(_, fields) | NodeParts::Old(_, fields) => {
                self.references.extend(fields.iter().filter_map(|(_, part)| match part {
                    FieldPart::Node(index) => Some(*index),
                    FieldPart::Value(_) => None,
                }));
            }
        }
        self.ends.push(self.references.len());
        size_of::<usize>() + size_of_val(&self.references[before..])
    }

    /// Walks from `root` as the writer did. `numbers` gives the numbers in the text of an object of an unknown type, in ascending
    /// order. Returns the nodes that end in their order below such objects, each with the object before it.
    pub(crate) fn visits<'n>(&self, root: usize, numbers: impl Fn(usize) -> Option<&'n [u32]>) -> Vec<(usize, u32)> {
        let mut visits = Vec::new();
        let mut stack = Vec::new();
        if root < self.ends.len() {
            stack.push(Visit { node: root, read: 0, start: 0, visits: 0 });
        }
        // The node that has to end next.
        let mut next = 0;
        let mut steps = STEPS * (self.ends.len() + self.references.len() + 1);
        while let Some(Visit { node, read, start, visits: before }) = stack.last_mut() {
            let Some(left) = steps.checked_sub(1) else { break };
            steps = left;
            let references = numbers(*node).unwrap_or_else(|| self.references(*node));
            if let Some(&reference) = references.get(*read) {
                *read += 1;
                let reference = reference as usize;
                if reference >= next && reference < *node {
                    stack.push(Visit { node: reference, read: 0, start: next, visits: visits.len() });
                }
                continue;
            }
            let (node, start, before) = (*node, *start, *before);
            stack.pop();
            if node == next {
                next += 1;
                if let Some(parent) = stack.last().filter(|parent| numbers(parent.node).is_some()) {
                    visits.push((parent.node, node as u32));
                }
                continue;
            }
            next = start;
            visits.truncate(before);
            // The number that led to here is none of the references that the writer followed.
            while let Some(failed) = stack.pop_if(|visit| numbers(visit.node).is_none()) {
                next = failed.start;
                visits.truncate(failed.visits);
            }
        }
        visits
    }

    /// The references of a node of a known type.
    fn references(&self, node: usize) -> &[u32] {
        let start = node.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.references[start..self.ends[node]]
    }
}
