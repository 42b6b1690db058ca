//! [`Level`]: an object on the machine stack of a traversal or of a rewrite, as a part of the path to the current value.

use std::cell::Cell;

use crate::graph::{ChildSlot, Children};
use crate::object::DefRegionKind;
use crate::visit::position::PathSource;

/// An entered object, and the entered objects above it: the way from the root, on the machine stack.
pub(crate) struct Level<'p, 'a> {
    above: Option<&'p Level<'p, 'a>>,
    /// The children of the object that the operation has not reached yet.
    pub(crate) children: Children<'a>,
    /// The region of the object, once a callback has asked for the region of a place in it.
    region: Cell<Option<DefRegionKind>>,
    /// The number of objects on the way, this one included.
    depth: usize,
}

impl<'p, 'a> Level<'p, 'a> {
    /// The object with these children, below `above`.
    #[inline(always)]
    pub(crate) fn new(above: Option<&'p Level<'p, 'a>>, children: Children<'a>) -> Self {
        let depth = above.map_or(0, |above| above.depth) + 1;
        Level { above, children, region: Cell::new(None), depth }
    }
}

/// The place of the child that the innermost object has returned last; `None` is the root.
impl PathSource for Option<&Level<'_, '_>> {
    fn slots(&self) -> Vec<ChildSlot<'_>> {
        let levels = std::iter::successors(*self, |level| level.above);
        let mut slots: Vec<_> = levels.filter_map(|level| level.children.slot()).collect();
        slots.reverse();
        slots
    }

    fn last_slot(&self) -> Option<ChildSlot<'_>> {
        self.as_ref()?.children.slot()
    }

    fn depth(&self) -> usize {
        self.map_or(0, |level| level.depth)
    }

    fn region(&self) -> DefRegionKind {
        let Some(level) = self else { return DefRegionKind::None };
        // The objects above the last known region keep theirs, so all calls together take a step for each object.
        let unknown = |level: &&Level<'_, '_>| level.region.get().is_none();
        let unknown: Vec<_> = std::iter::successors(Some(*level), |level| level.above).take_while(unknown).collect();
        for level in unknown.into_iter().rev() {
            let above = level.above.map(|above| above.children.region_of_last(above.region.get().unwrap_or_default()));
            level.region.set(Some(above.unwrap_or_default()));
        }
        level.children.region_of_last(level.region.get().unwrap_or_default())
    }
}
