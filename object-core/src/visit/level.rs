//! [`Level`]: an object on the machine stack of a traversal or of a rewrite, as a part of the path to the current value.

use std::cell::Cell;

use crate::graph::{Access, ChildSlot, region_of_child, slot, stays_in_no_region, take_back};
use crate::object::{DefRegionKind, ObjectView};
use crate::visit::position::PathSource;

/// An entered object, and the entered objects above it: the way from the root, on the machine stack.
pub(crate) struct Level<'p, 'a> {
    above: Option<&'p Level<'p, 'a>>,
    object: ObjectView<'a>,
    /// The number of the child that the operation has reached.
    pub(crate) number: usize,
    /// The access of a rewrite to the object.
    own: Cell<Access>,
    /// The region of the object, once a callback has asked for the region of a place in it.
    region: Cell<Option<DefRegionKind>>,
    /// The number of objects on the way, this one included, once a callback has asked for it; zero before.
    depth: Cell<usize>,
}

impl<'p, 'a> Level<'p, 'a> {
    /// An object below `above`, at its child with number `number`, to which the operation has the access `own`.
    #[inline(always)]
    pub(crate) fn new(above: Option<&'p Level<'p, 'a>>, object: ObjectView<'a>, number: usize, own: Access) -> Self {
        Level { above, object, number, own: Cell::new(own), region: Cell::new(None), depth: Cell::new(0) }
    }

    /// The access of a rewrite to the object.
    #[inline(always)]
    pub(crate) fn own(&self) -> Access {
        self.own.get()
    }

    /// The slot of the child that the operation has reached.
    fn slot(&self) -> Option<ChildSlot<'a>> {
        slot(self.object, self.object.type_info().plan.child_layout, self.number)
    }

    /// This level and the levels above it.
    fn upwards(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |level| level.above)
    }

    // Both functions below keep what they find, so all calls together take a step for each object.

    /// The number of objects on the way, this one included.
    fn depth(&self) -> usize {
        let unknown = self.upwards().take_while(|level| level.depth.get() == 0).count();
        let known = self.upwards().nth(unknown).map_or(0, |level| level.depth.get());
        for (level, above) in self.upwards().take(unknown).zip((0..unknown).rev()) {
            level.depth.set(known + above + 1);
        }
        known + unknown
    }

    /// The region of the object.
    fn region(&self) -> DefRegionKind {
        if let Some(known) = self.region.get() {
            return known;
        }
        let unknown = self.upwards().take_while(|level| level.region.get().is_none()).count();
        let (levels, mut above) = (self.upwards().take(unknown), self.upwards().skip(1).take(unknown));
        let known = self.upwards().nth(unknown).and_then(|level| level.region.get()).unwrap_or_default();
        if known == DefRegionKind::None && above.all(|level| stays_in_no_region(level.object, level.number)) {
            levels.for_each(|level| level.region.set(Some(known)));
            return known;
        }
        let ended = HookRun { innermost: self, count: unknown + 1 };
        let levels: Vec<_> = levels.collect();
        for level in levels.into_iter().rev() {
            let above = level.above.map(|above| above.region_of_child(above.region.get().unwrap_or_default()));
            level.region.set(Some(above.unwrap_or_default()));
        }
        drop(ended);
        self.region.get().unwrap_or_default()
    }

    /// The region of this child, if the region of the object is `own`.
    fn region_of_child(&self, own: DefRegionKind) -> DefRegionKind {
        region_of_child(self.object, self.object.type_info().plan.child_layout, self.number, own)
    }
}

/// A run of the hooks of a level and of the levels above it, `count` in all. Its end takes back the right to change objects in
/// place that the hooks may have seen, also if a hook panics: a callback that asked for a region may go on.
struct HookRun<'l, 'p, 'a> {
    innermost: &'l Level<'p, 'a>,
    count: usize,
}

impl Drop for HookRun<'_, '_, '_> {
    fn drop(&mut self) {
        let levels = || self.innermost.upwards().take(self.count);
        if levels().any(|level| level.object.type_info().hooks.is_some()) {
            let path: Vec<_> = levels().map(|level| (level.object, &level.own)).collect();
            take_back(path.into_iter().rev());
        }
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

    fn slot_above(&self, levels: usize) -> Option<ChildSlot<'_>> {
        self.as_ref()?.upwards().nth(levels)?.slot()
    }

    fn depth(&self) -> usize {
        self.map_or(0, Level::depth)
    }

    fn region(&self) -> DefRegionKind {
        self.map_or(DefRegionKind::None, |level| {
            let own = level.region();
            let _run = HookRun { innermost: level, count: 1 };
            level.region_of_child(own)
        })
    }
}
