//! [`GraphEditor`]: walks a graph that it owns and replaces objects in it, with as few copies as possible.
//!
//! When the editor has visited all children of an object, it writes their replacements into the object. It changes the
//! object in place if no handle outside of the editor can reach it: the object has a single handle, and so does every
//! object on the path to it. It copies every other object, and every map of which a key changes.
//!
//! A handle of an array or map guarantees a bound of the types of the elements. If an array or map gets elements of
//! other types, the editor changes it in place only if it can ask the holder at once: the holder is a field that
//! accepts the new elements, or an `Any`, which guarantees nothing.
//!
//! Changes in place are sound for this reason: the editor shows its user the current object, and never an object above
//! it. From a view of the current object, the user can make handles of this object and of objects below it. Such a
//! handle raises the count that the editor checks before a change. The editor checks the count of a parent again each
//! time that it goes down from the parent, which is after it has shown the parent.

use std::cell::Cell;
use std::mem::MaybeUninit;
use std::ptr::NonNull;

use crate::container::{entries_of, exchange_items, exchange_values, sequence_of};
use crate::error::{Error, ErrorKind, Result};
use crate::graph::children::{ChildSlot, object_child, region_of_child, slot};
use crate::object::access::builder::{ObjectBuilder, rejected};
use crate::object::access::region::DefRegionKind;
use crate::object::model::any::{Any, AnyView};
use crate::object::model::field_info::{FieldInfo, Storage};
use crate::object::model::object_ref::{Header, ObjectRef, ObjectView};
use crate::object::model::plan::ChildLayout;

/// A position in a graph, and the pending changes of the objects on the path to it.
pub(crate) struct GraphEditor {
    /// The objects on the path from the root to the current object.
    levels: Vec<Level>,
    /// The replaced children with their numbers, for all objects on the path, the children of the root first.
    changes: Vec<(usize, Any)>,
}

/// An object on the path.
struct Level {
    /// The object. `value` owns it, or, if that is `None`, the parent does.
    object: NonNull<Header>,
    /// The root, or the replacement of the child of the parent.
    value: Option<Any>,
    child_layout: ChildLayout,
    /// The region of the object, once something has asked for it.
    region: Cell<Option<DefRegionKind>>,
    /// Whether only the editor can reach the parent, and the parent has no caches.
    is_parent_owned: bool,
    /// The number of the object among the children of its parent.
    number: usize,
    /// The number of the first child that the editor has not visited.
    next: usize,
    /// The index of the first change of this object.
    first_change: usize,
}

impl Level {
    fn view(&self) -> ObjectView<'_> {
        // SAFETY: `value` or the parent holds a handle, and neither changes while the level is borrowed: the editor
        // changes the fields of an object only while this object is the current one, with no level below.
        unsafe { ObjectView::from_raw(self.object) }
    }

    /// Whether only the editor can reach the object.
    fn is_owned(&self) -> bool {
        (self.value.is_some() || self.is_parent_owned) && self.view().is_unique()
    }
}

impl GraphEditor {
    /// An editor at the root of a graph.
    pub(crate) fn new(root: ObjectRef) -> Self {
        let level = Level {
            object: root.as_ptr(),
            child_layout: root.type_info().plan.child_layout,
            value: Some(Any::Object(root)),
            region: Cell::new(Some(DefRegionKind::None)),
            is_parent_owned: false,
            number: 0,
            next: 0,
            first_change: 0,
        };
        GraphEditor { levels: vec![level], changes: Vec::new() }
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

    /// The region of the current value.
    pub(crate) fn region(&self) -> DefRegionKind {
        let known = self.levels.iter().rposition(|level| level.region.get().is_some()).unwrap_or(0);
        let mut region = self.levels[known].region.get().unwrap_or_default();
        for pair in self.levels[known..].windows(2) {
            // The parent keeps the child that the level began with until the editor leaves the level.
            region = region_of_child(pair[0].view(), pair[0].child_layout, pair[1].number, region);
            pair[1].region.set(Some(region));
        }
        region
    }

    /// The number of objects above the current value.
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
        let level = self.level_mut();
        match &value {
            Any::Object(object) => {
                level.object = object.as_ptr();
                level.child_layout = object.type_info().plan.child_layout;
            }
            // Without children, nothing reads `object` again.
            _ => level.child_layout = ChildLayout::None,
        }
        level.next = 0;
        level.value = Some(value);
    }

    /// Goes to the next child that is an object. Returns `false` if there is none.
    #[inline]
    pub(crate) fn down(&mut self) -> bool {
        let first_change = self.changes.len();
        let level = self.level();
        if level.child_layout == ChildLayout::None {
            return false;
        }
        let Some((number, child, _)) = object_child(level.view(), level.child_layout, level.next) else {
            return false;
        };
        let info = level.view().type_info();
        let child = Level {
            object: child.as_ptr(),
            value: None,
            child_layout: child.type_info().plan.child_layout,
            region: Cell::new(None),
            // A cache can depend on everything below, so nothing below an object with caches changes in place.
            is_parent_owned: level.is_owned() && !info.has_caches,
            number,
            next: 0,
            first_change,
        };
        self.level_mut().next = number + 1;
        // With room for it, the level is written in its place and not copied there.
        self.levels.reserve(1);
        self.levels.push(child);
        true
    }

    /// Writes the replaced children into the current object. The current object may be a copy afterwards.
    ///
    /// # Errors
    /// The error of a field that rejects a value, and [`DuplicateKey`](ErrorKind::DuplicateKey) if two keys of a map
    /// have become equal. A path in the error begins at the current object.
    #[inline]
    pub(crate) fn apply(&mut self) -> Result<()> {
        let first = self.level().first_change;
        if self.changes.len() == first { Ok(()) } else { self.apply_from(first) }
    }

    /// As [`apply`](Self::apply), for changes from number `first` on.
    #[inline(never)]
    fn apply_from(&mut self, first: usize) -> Result<()> {
        let mut changes = self.changes.split_off(first);
        if self.level().is_owned() && self.change_in_place(&mut changes)? {
            return Ok(());
        }
        let level = self.level_mut();
        let object = with_changes(level.view(), level.child_layout, changes)?;
        level.object = object.as_ptr();
        level.value = Some(Any::Object(object));
        Ok(())
    }

    /// Writes `changes` into the current object, which only the editor can reach. Returns `false`, without any effect,
    /// if the object cannot take them in place.
    fn change_in_place(&self, changes: &mut [(usize, Any)]) -> Result<bool> {
        let level = self.level();
        let accepts = |object: ObjectView<'_>| self.holder_accepts(object);
        match level.child_layout {
            ChildLayout::None => Ok(false),
            // SAFETY: it is an array. By `is_owned` nothing else has a handle of it or can get one, so nothing reads
            // it, and no view of it is in use here.
            ChildLayout::Items => Ok(unsafe { exchange_items(level.object, changes, accepts) }),
            ChildLayout::Entries if changes.iter().any(|(number, _)| number.is_multiple_of(2)) => Ok(false),
            // SAFETY: as above, for a map.
            ChildLayout::Entries => Ok(unsafe { exchange_values(level.object, changes, accepts) }),
            ChildLayout::Fields => {
                let info = level.view().type_info();
                let fields = info.fields;
                // A copy has empty caches.
                if info.has_caches || !changes.iter().all(|(number, _)| fields[*number].is_exchangeable()) {
                    return Ok(false);
                }
                for (number, value) in changes {
                    let field = &fields[*number];
                    // SAFETY: it is a field of the object's type. Nothing else reads the object: as above.
                    unsafe { field.exchange(level.object, std::mem::take(value)) }
                        .map_err(|error| rejected(field, info, error))?;
                }
                Ok(true)
            }
        }
    }

    /// Whether the holder of the current object accepts `object` in its place. Returns `false` if the holder is
    /// a container, which would have to ask its own holder and to check all its elements for each change.
    fn holder_accepts(&self, object: ObjectView<'_>) -> bool {
        match &self.levels[..] {
            // An `Any` accepts every value. The parent checks it when the editor writes it there.
            [.., Level { value: Some(_), .. }] => true,
            [.., parent, level] if parent.child_layout == ChildLayout::Fields => {
                let field = &parent.view().type_info().fields[level.number];
                // The other storages may contain more than the handle: for example, which of several types it has.
                field.is_exchangeable() && field.accepts(AnyView::Object(object))
            }
            _ => false,
        }
    }

    /// Goes to the parent. At the root, it ends the edit and returns the root.
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
    /// Whether [`exchange`](Self::exchange) supports the storage of the field.
    fn is_exchangeable(&self) -> bool {
        matches!(self.storage, Storage::Object | Storage::OptionalObject | Storage::Any)
    }

    /// Replaces the value of the field in `object` with `value`, if the field accepts it.
    ///
    /// # Safety
    /// The object's type lists this field, which is exchangeable. Nothing else reads the object during the call, and no
    /// reference into the object is used after it.
    unsafe fn exchange(&self, object: NonNull<Header>, value: Any) -> Result<()> {
        const WORD: usize = size_of::<usize>();
        let words = if self.storage == Storage::Any { size_of::<Any>() / WORD } else { size_of::<ObjectRef>() / WORD };
        let mut room = MaybeUninit::<Any>::uninit();
        let room = room.as_mut_ptr().cast::<MaybeUninit<usize>>();
        // SAFETY: the room has the size and the alignment of an `Any`, and a handle needs no more. The field stores an
        // `Any` or a handle. After the exchange the room holds the old value, which is dropped once.
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
