//! [`GraphEditor`]: edits the graph below an object with a stack on the heap, and returns the changes of its children.
//! `edited.rs` describes edits.

use std::cell::Cell;
use std::marker::PhantomData;
use std::ptr::NonNull;

use crate::error::Result;
use crate::graph::children::{ChildSlot, object_child, region_of_child, slot};
use crate::graph::edited::{Access, HolderType, apply_changes, take_back};
use crate::object::access::region::DefRegionKind;
use crate::object::model::any::{Any, AnyView};
use crate::object::model::object_ref::{Header, ObjectView};
use crate::object::model::plan::ChildLayout;

/// A position in the graph below an object, and the pending changes of the objects on the path to it.
pub(crate) struct GraphEditor<'p> {
    /// The objects on the path from the root of the editor to the current object.
    levels: Vec<Level>,
    /// The replaced children with their numbers, for all objects on the path, the children of the root first.
    changes: Vec<(usize, Any)>,
    marker: PhantomData<ObjectView<'p>>,
}

/// An object on the path.
struct Level {
    /// The object. `value` owns it, or, if that is `None`, the parent does.
    object: NonNull<Header>,
    /// The replacement of the object.
    value: Option<Any>,
    child_layout: ChildLayout,
    /// The region of the object, once something has asked for it.
    region: Cell<Option<DefRegionKind>>,
    /// The access to the object, if `is_open`.
    own: Cell<Access>,
    /// Whether the editor visits the children.
    is_open: bool,
    /// The number of the object among the children of its parent.
    number: usize,
    /// The number of the first child that the editor has not visited.
    next: usize,
    /// The index of the first change of this object.
    first_change: usize,
}

impl Level {
    /// The object with this number below its parent.
    fn new(object: ObjectView<'_>, number: usize, first_change: usize) -> Self {
        Level {
            object: object.as_ptr(),
            value: None,
            child_layout: object.type_info().plan.child_layout,
            region: Cell::new(None),
            own: Cell::new(Access::SHARED),
            is_open: false,
            number,
            next: 0,
            first_change,
        }
    }

    fn view(&self) -> ObjectView<'_> {
        // SAFETY: `value` or the parent holds a handle, and neither changes while the level is borrowed: the editor
        // changes the fields of an object only while this object is the current one, with no level below.
        unsafe { ObjectView::from_raw(self.object) }
    }

    fn replace(&mut self, value: Any) {
        match &value {
            Any::Object(object) => {
                self.object = object.as_ptr();
                self.child_layout = object.type_info().plan.child_layout;
            }
            // Without children, nothing reads `object` again.
            _ => self.child_layout = ChildLayout::None,
        }
        self.next = 0;
        self.own.set(Access::SHARED);
        self.is_open = false;
        self.value = Some(value);
    }
}

/// A run of the hooks of these objects, or of objects above them. Its end takes back the right to change objects in place that
/// the hooks may have seen, also if a hook panics: a callback that asked for a region may go on.
struct HookRun<'l>(&'l [Level]);

impl Drop for HookRun<'_> {
    fn drop(&mut self) {
        take_back(self.0.iter().map(|level| (level.view(), &level.own)));
    }
}

impl<'p> GraphEditor<'p> {
    /// An editor at `root`, to which the edit has the access `own`. The root itself does not change.
    pub(crate) fn new(root: ObjectView<'p>, own: Access) -> Self {
        let mut level = Level::new(root, 0, 0);
        level.own.set(own);
        level.is_open = true;
        GraphEditor { levels: vec![level], changes: Vec::new(), marker: PhantomData }
    }

    /// The replaced children of the root, with their numbers.
    pub(crate) fn into_changes(self) -> Vec<(usize, Any)> {
        self.changes
    }

    fn level(&self) -> &Level {
        self.levels.last().expect("the editor has not left the root")
    }

    fn level_mut(&mut self) -> &mut Level {
        self.levels.last_mut().expect("the editor has not left the root")
    }

    /// The current value.
    pub(crate) fn value(&self) -> AnyView<'_> {
        let level = self.level();
        match &level.value {
            Some(value) => value.view(),
            None => AnyView::Object(level.view()),
        }
    }

    /// The access to the parent of the current value.
    pub(crate) fn holder(&self) -> Access {
        match &self.levels[..] {
            [.., parent, _] => parent.own.get(),
            _ => Access::SHARED,
        }
    }

    /// The region of the current value, if the region of the root is `root`.
    pub(crate) fn region(&self, root: impl FnOnce() -> DefRegionKind) -> DefRegionKind {
        let known = self.levels.iter().rposition(|level| level.region.get().is_some()).unwrap_or(0);
        // Runs the hooks of these objects, and `root` runs the hooks above them.
        let _run = HookRun(&self.levels[known..]);
        let mut region = self.levels[known].region.get().unwrap_or_else(root);
        self.levels[known].region.set(Some(region));
        for pair in self.levels[known..].windows(2) {
            // The parent keeps the child that the level began with until the editor leaves the level.
            region = region_of_child(pair[0].view(), pair[0].child_layout, pair[1].number, region);
            pair[1].region.set(Some(region));
        }
        region
    }

    /// The number of objects above the current value, up to the root of the editor.
    pub(crate) fn depth(&self) -> usize {
        self.levels.len() - 1
    }

    /// For each object on the path below the root, its slot in its parent.
    pub(crate) fn slots(&self) -> impl DoubleEndedIterator<Item = ChildSlot<'_>> {
        self.levels.windows(2).filter_map(|pair| slot(pair[0].view(), pair[0].child_layout, pair[1].number))
    }

    /// Replaces the current value with `value`. The next children are the children of `value`.
    pub(crate) fn replace(&mut self, value: Any) {
        if let Any::Object(object) = &value
            && self.value().is_object(object.view())
        {
            return;
        }
        let first_change = self.level().first_change;
        self.changes.truncate(first_change);
        self.level_mut().replace(value);
    }

    /// Goes to the next child that is an object. Returns `false` if there is none.
    #[inline]
    pub(crate) fn down(&mut self) -> bool {
        let (first_change, holder) = (self.changes.len(), self.holder());
        let level = self.level_mut();
        if level.child_layout == ChildLayout::None {
            return false;
        }
        let Some((number, child, _)) = object_child(level.view(), level.child_layout, level.next) else {
            return false;
        };
        let child = child.as_ptr();
        if !level.is_open {
            let holder = if level.value.is_some() { Access::NEW } else { holder };
            level.own.set(holder.below(level.view()));
            level.is_open = true;
        }
        level.next = number + 1;
        // SAFETY: the parent holds the child.
        let child = Level::new(unsafe { ObjectView::from_raw(child) }, number, first_change);
        // With room for it, the level is written in its place and not copied there.
        self.levels.reserve(1);
        self.levels.push(child);
        true
    }

    /// Writes the replaced children into the current object. The current object may be a copy afterwards.
    ///
    /// # Errors
    /// As [`apply_changes`].
    #[inline]
    pub(crate) fn apply(&mut self) -> Result<()> {
        let first = self.level().first_change;
        if self.changes.len() == first { Ok(()) } else { self.apply_from(first) }
    }

    /// As [`apply`](Self::apply), for changes from number `first` on.
    #[inline(never)]
    fn apply_from(&mut self, first: usize) -> Result<()> {
        let holder = match &self.levels[..] {
            [.., Level { value: Some(_), .. }] => HolderType::Any,
            [.., parent, level] => HolderType::of(slot(parent.view(), parent.child_layout, level.number)),
            _ => HolderType::Container,
        };
        let level = self.level();
        let is_held = level.value.is_some() || self.holder().is_owned();
        let (object, is_owned) = (level.object, level.is_open && level.own.get().is_owned() && is_held);
        // SAFETY: the handle in `value` or in the parent keeps the object alive. If only the editor can reach it, nobody else
        // can get a handle, and no view of it is in use here.
        let copy = unsafe { apply_changes(object, is_owned, holder, &mut self.changes[first..]) };
        self.changes.truncate(first);
        if let Some(copy) = copy? {
            let level = self.level_mut();
            level.object = copy.as_ptr();
            level.value = Some(Any::Object(copy));
        }
        Ok(())
    }

    /// Goes to the parent.
    #[inline]
    pub(crate) fn up(&mut self) {
        let Some(level) = self.levels.pop() else { return };
        debug_assert!(level.first_change == self.changes.len());
        if let Some(value) = level.value {
            self.changes.push((level.number, value));
        }
    }
}
