//! [`GraphEditor`]: goes through a graph that it owns and replaces parts of it, with as few copies as can be.
//!
//! Replacements reach the parent when the editor has been through all its children. An object that nothing but the editor
//! can reach is then changed in place: its handle is the only one, and so are those of all objects on the way to it.
//! Every other object is copied with the changes, and so is a map of which a key changes.
//!
//! A handle of an array or map promises something about the elements. So one that takes in elements of other types is
//! changed in place only if what holds it can be asked right away: a field, or an `Any` that promises nothing.
//!
//! What makes that sound: the editor shows the object it stands at and none above it. So whoever is shown an object can
//! make a handle of this object and of what is below it, and both count when the object comes to be changed; and whether
//! a parent is reached by one way only is asked anew, after it was shown, when the editor goes down from it.

use std::mem::MaybeUninit;
use std::ptr::NonNull;

use crate::container::{entries_of, exchange_items, exchange_values, sequence_of};
use crate::error::{Error, ErrorKind, Result};
use crate::graph::children::{Slot, object_child, slot};
use crate::object::access::builder::{ObjectBuilder, rejected};
use crate::object::access::region::DefRegionKind;
use crate::object::model::any::{Any, AnyView};
use crate::object::model::field_info::{FieldInfo, Storage};
use crate::object::model::object_ref::{Header, ObjectRef, ObjectView};
use crate::object::model::plan::ChildLayout;

/// A place in a graph, and the changes to the objects above that are still to be made.
pub(crate) struct GraphEditor {
    /// The objects from the root to the one the editor stands at.
    levels: Vec<Level>,
    /// New children, by their numbers: those of the objects on the way, the root's first.
    changes: Vec<(usize, Any)>,
}

/// An object on the way.
struct Level {
    /// The object. `value` holds it, or else its parent.
    object: NonNull<Header>,
    /// The root, or what replaces the child of the parent.
    value: Option<Any>,
    child_layout: ChildLayout,
    /// The region in which the object was met.
    region: DefRegionKind,
    /// Whether the parent, as it is, can only be reached through the editor.
    is_parent_ours: bool,
    /// Which child of its parent this is.
    number: usize,
    /// The children before this one are done.
    next: usize,
    /// Where the changes of this object begin.
    first_change: usize,
}

impl Level {
    fn view(&self) -> ObjectView<'_> {
        // SAFETY: `value` or the parent holds a handle, and neither changes while the level is borrowed: the editor
        // changes the fields of an object only when it stands there, with no level below.
        unsafe { ObjectView::from_raw(self.object) }
    }

    /// Whether the object can only be reached through the editor.
    fn is_ours(&self) -> bool {
        (self.value.is_some() || self.is_parent_ours) && self.view().is_unique()
    }
}

impl GraphEditor {
    /// At the root of a graph.
    pub(crate) fn new(root: ObjectRef) -> Self {
        let level = Level {
            object: root.as_ptr(),
            child_layout: root.type_info().plan.child_layout,
            value: Some(Any::Object(root)),
            region: DefRegionKind::None,
            is_parent_ours: false,
            number: 0,
            next: 0,
            first_change: 0,
        };
        GraphEditor { levels: vec![level], changes: Vec::new() }
    }

    fn level(&self) -> &Level {
        self.levels.last().expect("a editor is at the root or below, until it leaves the root")
    }

    fn level_mut(&mut self) -> &mut Level {
        self.levels.last_mut().expect("a editor is at the root or below, until it leaves the root")
    }

    /// The value the editor stands at.
    pub(crate) fn value(&self) -> AnyView<'_> {
        let level = self.level();
        match &level.value {
            Some(value) => value.view(),
            None => AnyView::Object(level.view()),
        }
    }

    /// The region that the value was met in.
    pub(crate) fn region(&self) -> DefRegionKind {
        self.level().region
    }

    /// How many objects are above.
    pub(crate) fn depth(&self) -> usize {
        self.levels.len() - 1
    }

    /// Where in its parent each object on the way is, from the root on.
    pub(crate) fn slots(&self) -> impl DoubleEndedIterator<Item = Slot<'_>> {
        self.levels.windows(2).filter_map(|pair| slot(pair[0].view(), pair[0].child_layout, pair[1].number))
    }

    /// Puts `value` in the place of the one the editor stands at, whose children are then those of `value`.
    pub(crate) fn replace(&mut self, value: Any) {
        if let Any::Object(object) = &value
            && self.value().is_object(object.view())
        {
            return;
        }
        let first_change = self.level().first_change;
        self.changes.truncate(first_change);
        let level = self.level_mut();
        match &value {
            Any::Object(object) => {
                level.object = object.as_ptr();
                level.child_layout = object.type_info().plan.child_layout;
            }
            // It has no children, so nobody asks for the object again.
            _ => level.child_layout = ChildLayout::None,
        }
        level.next = 0;
        level.value = Some(value);
    }

    /// Goes to the next child that is an object and was not gone to. `false` if there is none.
    #[inline]
    pub(crate) fn down(&mut self) -> bool {
        let first_change = self.changes.len();
        let level = self.level();
        if level.child_layout == ChildLayout::None {
            return false;
        }
        let Some((number, child, role)) = object_child(level.view(), level.child_layout, level.next) else {
            return false;
        };
        let child = Level {
            object: child.as_ptr(),
            value: None,
            child_layout: child.type_info().plan.child_layout,
            region: level.region.below(level.view().type_info().kind).child(level.view(), child, role),
            is_parent_ours: level.is_ours(),
            number,
            next: 0,
            first_change,
        };
        self.level_mut().next = number + 1;
        // Room first: then the level is written in its place, not copied there.
        self.levels.reserve(1);
        self.levels.push(child);
        true
    }

    /// Makes the changes to the children of the object the editor stands at, which may be another object afterwards.
    ///
    /// # Errors
    /// What a field says of a value that it does not take, and [`DuplicateKey`](ErrorKind::DuplicateKey) if two keys of
    /// a map have become one. The path, if there is one, begins at the object.
    #[inline]
    pub(crate) fn apply(&mut self) -> Result<()> {
        let first = self.level().first_change;
        if self.changes.len() == first { Ok(()) } else { self.apply_from(first) }
    }

    /// The same for changes from number `first` on.
    #[inline(never)]
    fn apply_from(&mut self, first: usize) -> Result<()> {
        let mut changes = self.changes.split_off(first);
        if self.level().is_ours() && self.change_in_place(&mut changes)? {
            return Ok(());
        }
        let level = self.level_mut();
        let object = with_changes(level.view(), level.child_layout, changes)?;
        level.object = object.as_ptr();
        level.value = Some(Any::Object(object));
        Ok(())
    }

    /// Makes `changes` to the object the editor stands at, which is ours. `false`: that cannot be done in its place, and
    /// neither the object nor `changes` changed.
    fn change_in_place(&self, changes: &mut [(usize, Any)]) -> Result<bool> {
        let level = self.level();
        let accepts = |object: ObjectView<'_>| self.holder_accepts(object);
        match level.child_layout {
            ChildLayout::None => Ok(false),
            // SAFETY: it is an array. Nobody else has a handle of it or can get one, so nobody reads it: `is_ours`, and no
            // view of it is in use here.
            ChildLayout::Items => Ok(unsafe { exchange_items(level.object, changes, accepts) }),
            ChildLayout::Entries if changes.iter().any(|(number, _)| number.is_multiple_of(2)) => Ok(false),
            // SAFETY: as above, for a map.
            ChildLayout::Entries => Ok(unsafe { exchange_values(level.object, changes, accepts) }),
            ChildLayout::Fields => {
                let info = level.view().type_info();
                let fields = info.fields;
                if !changes.iter().all(|(number, _)| fields[*number].is_exchangeable()) {
                    return Ok(false);
                }
                for (number, value) in changes {
                    let field = &fields[*number];
                    // SAFETY: it is a field of the object's type. Nobody reads the object: as above.
                    unsafe { field.exchange(level.object, std::mem::take(value)) }
                        .map_err(|error| rejected(field, info, error))?;
                }
                Ok(true)
            }
        }
    }

    /// Whether what holds the object the editor stands at may hold it as it is now. A container is not asked: it would
    /// have to ask what holds it, and look at all its elements for each of them.
    fn holder_accepts(&self, object: ObjectView<'_>) -> bool {
        match &self.levels[..] {
            // What an `Any` is put into asks then.
            [.., Level { value: Some(_), .. }] => true,
            [.., parent, level] if parent.child_layout == ChildLayout::Fields => {
                let field = &parent.view().type_info().fields[level.number];
                // Other fields may hold more than the handle: which of several types it has.
                field.is_exchangeable() && field.accepts(AnyView::Object(object))
            }
            _ => false,
        }
    }

    /// Goes to the parent. At the root, it gives the changed root.
    #[inline]
    pub(crate) fn up(&mut self) -> Option<Any> {
        let level = self.levels.pop()?;
        debug_assert!(level.first_change == self.changes.len());
        if self.levels.is_empty() {
            return level.value;
        }
        if let Some(value) = level.value {
            self.changes.push((level.number, value));
        }
        None
    }
}

impl FieldInfo {
    /// Whether the storage says enough to put a value in the place of another.
    fn is_exchangeable(&self) -> bool {
        matches!(self.storage, Storage::Object | Storage::OptionalObject | Storage::Any)
    }

    /// Puts `value` in the place of the value of the field in `object`, if the field takes it.
    ///
    /// # Safety
    /// The object's type lists this field, which is exchangeable. Nobody else reads the object meanwhile, or holds a
    /// reference into it that is used afterwards.
    unsafe fn exchange(&self, object: NonNull<Header>, value: Any) -> Result<()> {
        const WORD: usize = size_of::<usize>();
        let words = if self.storage == Storage::Any { size_of::<Any>() / WORD } else { size_of::<ObjectRef>() / WORD };
        let mut room = MaybeUninit::<Any>::uninit();
        let room = room.as_mut_ptr().cast::<MaybeUninit<usize>>();
        // SAFETY: the room has the size and alignment of an `Any`, which is those of a handle or more, and one of them is
        // what the field holds. After the exchange the room holds the old value, which is dropped once.
        unsafe {
            self.write(room.cast(), value)?;
            let at = object.as_ptr().cast::<u8>().add(self.offset as usize).cast::<MaybeUninit<usize>>();
            std::ptr::swap_nonoverlapping(at, room, words);
            (self.ops.drop)(room.cast());
        }
        Ok(())
    }
}

/// A copy of `object` with other children.
fn with_changes(object: ObjectView<'_>, child_layout: ChildLayout, changes: Vec<(usize, Any)>) -> Result<ObjectRef> {
    let info = object.type_info();
    match child_layout {
        ChildLayout::None | ChildLayout::Fields => {
            let changed = changes.iter().fold(0, |mask, (number, _)| mask | 1 << number);
            let mut builder = ObjectBuilder::copy_without(object, changed)?;
            for (number, value) in changes {
                builder.set_index(number, value)?;
            }
            builder.build()
        }
        ChildLayout::Items => {
            let mut items: Vec<Any> =
                object.as_array().into_iter().flat_map(|array| array.iter()).map(AnyView::to_any).collect();
            for (number, value) in changes {
                items[number] = value;
            }
            Ok(sequence_of(info, items))
        }
        ChildLayout::Entries => {
            let Some(map) = object.as_map() else { return Ok(object.to_object()) };
            let mut entries: Vec<(Any, Any)> = map.iter().map(|(key, value)| (key.to_any(), value.to_any())).collect();
            for (number, value) in changes {
                let (key, old) = &mut entries[number / 2];
                *(if number.is_multiple_of(2) { key } else { old }) = value;
            }
            let count = entries.len();
            let changed = entries_of(info, entries);
            if changed.view().as_map().is_some_and(|map| map.len() < count) {
                let message =
                    "two keys of the map have become one, so a value would be lost; map them to different keys";
                return Err(Error::new(ErrorKind::DuplicateKey, message));
            }
            Ok(changed)
        }
    }
}
