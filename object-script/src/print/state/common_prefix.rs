//! [`CommonPrefix`]: the innermost object that contains all uses of a variable (TVM 0.25 `IRDocsifier::SetCommonPrefix`).

use std::collections::hash_map::Entry;

use object_core::{ObjectRef, ObjectView};
use object_ir::tir::{BufferNode, VarNode};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::print::state::frame::{Frame, FrameKind};
use crate::print::state::walk::is_constant;

/// The tree of the first visits of the objects of a graph, and the place of each variable and buffer in it. The first
/// question visits the graph, because most functions raise none.
#[derive(Debug, Default)]
pub(crate) struct CommonPrefix {
    /// The graph, until the visit.
    unvisited: Option<ObjectRef>,
    visits: Vec<Visit>,
    /// For each variable and buffer, the visit of the innermost object around all uses, and the number of uses.
    places: FxHashMap<usize, (usize, usize)>,
    /// The visited objects that have several references.
    visited: FxHashSet<usize>,
}

/// The first visit of an object.
#[derive(Debug)]
struct Visit {
    address: usize,
    parent: Option<usize>,
    /// The number of ancestors.
    depth: usize,
}

impl CommonPrefix {
    /// The tree of the graph of `root`. The result takes the memory of `used`.
    pub(crate) fn of(root: ObjectView<'_>, used: CommonPrefix) -> Self {
        CommonPrefix { unvisited: Some(root.to_object()), ..used }
    }

    /// Visits all objects of the graph that contain variables or buffers, unless an earlier call did.
    fn visit(&mut self) {
        let Some(root) = self.unvisited.take() else { return };
        self.visits.clear();
        self.places.clear();
        self.visited.clear();
        let mut tasks = vec![(root.view(), None)];
        while let Some((object, parent)) = tasks.pop() {
            let address = object.address();
            let is_var = object.node::<VarNode>().is_some();
            let visit = self.visits.len();
            if is_var || object.node::<BufferNode>().is_some() {
                if self.add_use(address, visit, parent) {
                    continue;
                }
            } else if object.use_count() > 1 && !self.visited.insert(address) {
                // An object with one reference has one visit.
                continue;
            }
            let depth = parent.map_or(0, |parent: usize| self.visits[parent].depth + 1);
            self.visits.push(Visit { address, parent, depth });
            if is_var {
                // The type of a variable contains no variables.
                continue;
            }
            let first = tasks.len();
            let children = object.object_children().filter(|child| !is_constant(*child));
            tasks.extend(children.map(|child| (child, Some(visit))));
            tasks[first..].reverse();
        }
    }

    /// Notes a use of the variable or buffer in the object of the visit `parent`. The first use is the visit `visit`
    /// itself. Returns whether there were uses before.
    fn add_use(&mut self, var: usize, visit: usize, parent: Option<usize>) -> bool {
        match self.places.entry(var) {
            Entry::Vacant(entry) => {
                entry.insert((visit, 1));
                false
            }
            Entry::Occupied(mut entry) => {
                let (place, uses) = entry.get_mut();
                if let Some(at) = parent {
                    let common = common(&self.visits, *place, at);
                    // As in TVM: a use in an object around the place does not change the place.
                    if common != at {
                        *place = common;
                    }
                }
                *uses += 1;
                true
            }
        }
    }

    /// Whether `uses` places of the graph refer to the variable or buffer, which are known to do, and no others.
    pub(crate) fn has_only(&mut self, uses: u32, var: ObjectView<'_>) -> bool {
        // Each place holds a reference.
        if var.use_count() <= uses {
            return true;
        }
        self.visit();
        self.places.get(&var.address()).is_some_and(|(_, found)| *found == uses as usize)
    }

    /// The outermost frame of the innermost object that contains all uses and has a frame; otherwise the innermost frame of
    /// TIR without object. `None` for a variable that the graph does not contain.
    pub(crate) fn lowest_frame(&mut self, var: ObjectView<'_>, frames: &[Frame]) -> Option<usize> {
        self.visit();
        let mut next = Some(self.places.get(&var.address())?.0);
        let mut by_object: FxHashMap<usize, usize> = FxHashMap::default();
        let mut fallback = None;
        for (index, frame) in frames.iter().enumerate().rev() {
            match &frame.kind {
                FrameKind::Tir { object: Some(object), .. } => {
                    by_object.insert(object.view().address(), index);
                }
                FrameKind::Tir { object: None, .. } if fallback.is_none() => fallback = Some(index),
                _ => {}
            }
        }
        while let Some(visit) = next {
            let Visit { address, parent, .. } = self.visits[visit];
            if let Some(frame) = by_object.get(&address) {
                return Some(*frame);
            }
            next = parent;
        }
        fallback
    }

    /// Whether `object` contains all uses of `var`.
    pub(crate) fn contains_all_uses(&mut self, object: ObjectView<'_>, var: ObjectView<'_>) -> bool {
        self.visit();
        let mut next = self.places.get(&var.address()).map(|(place, _)| *place);
        while let Some(visit) = next {
            let Visit { address, parent, .. } = self.visits[visit];
            if address == object.address() {
                return true;
            }
            next = parent;
        }
        false
    }
}

/// The innermost visit around both.
fn common(visits: &[Visit], mut a: usize, mut b: usize) -> usize {
    while a != b {
        let (deeper, other) = if visits[a].depth >= visits[b].depth { (a, b) } else { (b, a) };
        match visits[deeper].parent {
            Some(parent) => (a, b) = (parent, other),
            None => break,
        }
    }
    a
}
