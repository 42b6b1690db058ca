//! [`Place`]: where a walk or a rewrite is at the moment.

use crate::access_path::AccessPath;
use crate::graph::Slot;
use crate::object::{DefRegionKind, FieldInfo};
use crate::repr::path_step;

/// What knows the way from the root to the current value.
pub(crate) trait PathSource {
    /// Where in its parent each object on the way is, from the root on.
    fn slots(&self) -> Vec<Slot<'_>>;

    /// The last of these.
    fn last_slot(&self) -> Option<Slot<'_>>;

    /// How many objects are above.
    fn depth(&self) -> usize;
}

/// Where a walk or a rewrite is. What it tells is put together when it is asked for.
#[derive(Clone, Copy)]
pub struct Place<'w> {
    trail: &'w dyn PathSource,
    region: DefRegionKind,
}

impl<'w> Place<'w> {
    #[inline]
    pub(crate) fn new(trail: &'w dyn PathSource, region: DefRegionKind) -> Self {
        Place { trail, region }
    }

    /// The way here from the root, in time linear in its length. A key of a map has the path of its value:
    /// [`is_key`](Self::is_key) tells them apart.
    #[must_use]
    pub fn path(&self) -> AccessPath {
        AccessPath::from_steps(self.trail.slots().into_iter().map(path_step))
    }

    /// How many objects are above: 0 at the root.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.trail.depth()
    }

    /// Whether a variable that is met here is bound here.
    #[must_use]
    pub fn region(&self) -> DefRegionKind {
        self.region
    }

    /// The field of the parent that holds the value, if the parent is a node.
    #[must_use]
    pub fn field(&self) -> Option<&'static FieldInfo> {
        match self.trail.last_slot()? {
            Slot::Field(field) => Some(field),
            Slot::Item(_) | Slot::Key(_) | Slot::Value(_) => None,
        }
    }

    /// Whether the value is the key of a map.
    #[must_use]
    pub fn is_key(&self) -> bool {
        matches!(self.trail.last_slot(), Some(Slot::Key(_)))
    }
}
