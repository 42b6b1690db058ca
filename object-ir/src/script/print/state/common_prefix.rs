//! [`CommonPrefix`]: the innermost object that contains all uses of a variable (TVM 0.25 `IRDocsifier::SetCommonPrefix`).

use object_core::ObjectView;
use rustc_hash::FxHashMap;

use crate::script::print::state::frame::{Frame, FrameKind};
use crate::script::print::state::walk::children;
use crate::tir::{BufferNode, VarNode};

/// The tree of the first visits of the objects of a graph, and the place of each variable and buffer in it.
#[derive(Debug, Default)]
pub(crate) struct CommonPrefix {
    /// For each visited object: its address, its parent, and the number of its ancestors.
    visits: Vec<(usize, Option<usize>, usize)>,
    /// For each variable and buffer, the visit of the innermost object around all uses.
    places: FxHashMap<usize, usize>,
}

impl CommonPrefix {
    /// Visits all objects from `root`.
    pub(crate) fn of(root: ObjectView<'_>) -> Self {
        let mut prefix = CommonPrefix::default();
        let mut visited: FxHashMap<usize, usize> = FxHashMap::default();
        let mut tasks = vec![(root, None)];
        while let Some((object, parent)) = tasks.pop() {
            let address = object.address();
            let is_var = object.node::<VarNode>().is_some() || object.node::<BufferNode>().is_some();
            if visited.contains_key(&address) {
                if let Some(parent) = parent.filter(|_| is_var) {
                    prefix.add_use(address, parent);
                }
                continue;
            }
            let visit = prefix.visits.len();
            let depth = parent.map_or(0, |parent: usize| prefix.visits[parent].2 + 1);
            visited.insert(address, visit);
            prefix.visits.push((address, parent, depth));
            if is_var {
                prefix.add_use(address, visit);
            }
            let first = tasks.len();
            children(object, |child| tasks.push((child, Some(visit))));
            tasks[first..].reverse();
        }
        prefix
    }

    /// Notes a use in the object of the visit `at`.
    fn add_use(&mut self, var: usize, at: usize) {
        let Some(&place) = self.places.get(&var) else {
            self.places.insert(var, at);
            return;
        };
        let common = self.common(place, at);
        // As in TVM: a use in an object around the place does not change the place.
        if common != at {
            self.places.insert(var, common);
        }
    }

    /// The innermost visit around both.
    fn common(&self, mut a: usize, mut b: usize) -> usize {
        while a != b {
            let (deeper, other) = if self.visits[a].2 >= self.visits[b].2 { (a, b) } else { (b, a) };
            match self.visits[deeper].1 {
                Some(parent) => (a, b) = (parent, other),
                None => break,
            }
        }
        a
    }

    /// The outermost frame of the innermost object that contains all uses and has a frame; otherwise the innermost frame of
    /// TIR without object. `None` for a variable that the graph does not contain.
    pub(crate) fn lowest_frame(&self, var: ObjectView<'_>, frames: &[Frame]) -> Option<usize> {
        let mut next = Some(*self.places.get(&var.address())?);
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
            let (address, parent, _) = self.visits[visit];
            if let Some(frame) = by_object.get(&address) {
                return Some(*frame);
            }
            next = parent;
        }
        fallback
    }

    /// Whether `object` contains all uses of `var`.
    pub(crate) fn contains_all_uses(&self, object: ObjectView<'_>, var: ObjectView<'_>) -> bool {
        let mut next = self.places.get(&var.address()).copied();
        while let Some(visit) = next {
            let (address, parent, _) = self.visits[visit];
            if address == object.address() {
                return true;
            }
            next = parent;
        }
        false
    }
}
