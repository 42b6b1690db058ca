//! [`Position`]: the position in a graph that a walk, a visitor or a rewrite has reached.

use crate::access_path::AccessPath;
use crate::graph::ChildSlot;
use crate::object::{DefRegionKind, FieldInfo};
use crate::repr::path_step;

/// The source of the path from the root to the current value.
pub(crate) trait PathSource {
    /// The slots on the path: for each object below the root, its slot in its parent.
    fn slots(&self) -> Vec<ChildSlot<'_>>;

    /// The slot on the path that is `levels` above the last one.
    fn slot_above(&self, levels: usize) -> Option<ChildSlot<'_>>;

    /// The last slot on the path: the slot of the current value in its parent.
    fn last_slot(&self) -> Option<ChildSlot<'_>> {
        self.slot_above(0)
    }

    /// The number of objects above the current value.
    fn depth(&self) -> usize;

    /// The region of the current value.
    fn region(&self) -> DefRegionKind;
}

/// The position of a value in a graph, as callbacks of walks, visitors and rewrites receive it. Each method computes
/// its result when it is called, so a position that no callback reads costs nothing.
#[derive(Clone, Copy)]
pub struct Position<'w> {
    source: &'w dyn PathSource,
}

impl<'w> Position<'w> {
    #[inline]
    pub(crate) fn new(source: &'w dyn PathSource) -> Self {
        Position { source }
    }

    pub(crate) fn source(&self) -> &'w dyn PathSource {
        self.source
    }

    /// The path from the root, in time linear in its length. A key of a map has the path of its value;
    /// [`is_key`](Self::is_key) distinguishes the two.
    #[must_use]
    pub fn path(&self) -> AccessPath {
        AccessPath::from_steps(self.source.slots().into_iter().map(path_step))
    }

    /// The number of objects above the value: 0 at the root.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.source.depth()
    }

    /// Whether a variable at this position is bound here.
    #[must_use]
    pub fn region(&self) -> DefRegionKind {
        self.source.region()
    }

    /// The field of the parent that holds the value, if the parent is a node.
    #[must_use]
    pub fn field(&self) -> Option<&'static FieldInfo> {
        match self.source.last_slot()? {
            ChildSlot::Field(field) => Some(field),
            ChildSlot::Item(_) | ChildSlot::Key(_) | ChildSlot::Value(_) => None,
        }
    }

    /// Whether the value is the key of a map.
    #[must_use]
    pub fn is_key(&self) -> bool {
        matches!(self.source.last_slot(), Some(ChildSlot::Key(_)))
    }
}
