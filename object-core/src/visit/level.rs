//! [`Level`]: an object on the machine stack of a traversal or of a rewrite, as a part of the path to the current value.

use std::cell::Cell;

use crate::graph::{ChildSlot, region_of_child, slot};
use crate::object::{DefRegionKind, ObjectView};
use crate::visit::position::PathSource;

/// An entered object, and the entered objects above it: the way from the root, on the machine stack.
pub(crate) struct Level<'p, 'a> {
    above: Option<&'p Level<'p, 'a>>,
    object: ObjectView<'a>,
    /// The number of the child that the operation has reached.
    pub(crate) number: usize,
    /// The region of the object, once a callback has asked for the region of a place in it.
    region: Cell<Option<DefRegionKind>>,
    /// The number of objects on the way, this one included.
    depth: usize,
}

impl<'p, 'a> Level<'p, 'a> {
    /// An object below `above`, at its child with number `number`.
    #[inline(always)]
    pub(crate) fn new(above: Option<&'p Level<'p, 'a>>, object: ObjectView<'a>, number: usize) -> Self {
        let depth = above.map_or(0, |above| above.depth) + 1;
        Level { above, object, number, region: Cell::new(None), depth }
    }

    /// The slot of the child that the operation has reached.
    fn slot(&self) -> Option<ChildSlot<'a>> {
        slot(self.object, self.object.type_info().plan.child_layout, self.number)
    }

    /// The region of this child, if the region of the object is `own`.
    fn region_of_child(&self, own: DefRegionKind) -> DefRegionKind {
        region_of_child(self.object, self.object.type_info().plan.child_layout, self.number, own)
    }
}

/// The place of the child that the operation has reached in the innermost object; `None` is the root.
impl PathSource for Option<&Level<'_, '_>> {
    fn slots(&self) -> Vec<ChildSlot<'_>> {
        let levels = std::iter::successors(*self, |level| level.above);
        let mut slots: Vec<_> = levels.filter_map(|level| level.slot()).collect();
        slots.reverse();
        slots
    }

    fn last_slot(&self) -> Option<ChildSlot<'_>> {
        self.as_ref()?.slot()
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
            let above = level.above.map(|above| above.region_of_child(above.region.get().unwrap_or_default()));
            level.region.set(Some(above.unwrap_or_default()));
        }
        level.region_of_child(level.region.get().unwrap_or_default())
    }
}
