//! [`Cursor`]: goes through a graph that it owns and replaces parts of it, with as few copies as can be.
//!
//! Replacements reach the parent when the cursor has been through all its children. A node that nothing but the cursor
//! can reach is then changed in place: its handle is the only one, and so are those of all objects on the way to it.
//! Every other object is copied with the changes.
//!
//! What makes that sound: the cursor shows the object it stands at and none above it. So whoever is shown an object can
//! make a handle of this object and of what is below it, and both count when the object comes to be changed; and whether
//! a parent is reached by one way only is asked anew, after it was shown, when the cursor goes down from it.

use std::mem::MaybeUninit;
use std::ptr::NonNull;

use super::any::{Any, AnyView};
use super::builder::{ObjectBuilder, rejected};
use super::children::{Form, Slot, object_child, slot};
use super::field_info::{FieldInfo, Storage};
use super::header::{Header, ObjectRef, ObjectView};
use super::region::DefRegionKind;
use crate::container::{entries_of, sequence_of};
use crate::error::{Error, ErrorKind, Result};

/// A place in a graph, and the changes to the objects above that are still to be made.
pub(crate) struct Cursor {
    /// The objects from the root to the one the cursor stands at.
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
    form: Form,
    /// The region in which the object was met.
    region: DefRegionKind,
    /// Whether the parent, as it is, can only be reached through the cursor.
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
        // SAFETY: `value` or the parent holds a handle, and neither changes while the level is borrowed: the cursor
        // changes the fields of an object only when it stands there, with no level below.
        unsafe { ObjectView::from_raw(self.object) }
    }

    /// Whether the object can only be reached through the cursor.
    fn is_ours(&self) -> bool {
        (self.value.is_some() || self.is_parent_ours) && self.view().is_unique()
    }
}

impl Cursor {
    /// At the root of a graph.
    pub(crate) fn new(root: ObjectRef) -> Self {
        let level = Level {
            object: root.as_ptr(),
            form: Form::of(root.type_info()),
            value: Some(Any::Object(root)),
            region: DefRegionKind::None,
            is_parent_ours: false,
            number: 0,
            next: 0,
            first_change: 0,
        };
        Cursor { levels: vec![level], changes: Vec::new() }
    }

    fn level(&self) -> &Level {
        self.levels.last().expect("a cursor is at the root or below, until it leaves the root")
    }

    fn level_mut(&mut self) -> &mut Level {
        self.levels.last_mut().expect("a cursor is at the root or below, until it leaves the root")
    }

    /// The value the cursor stands at.
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
        self.levels.windows(2).filter_map(|pair| slot(pair[0].view(), pair[0].form, pair[1].number))
    }

    /// Puts `value` in the place of the one the cursor stands at, whose children are then those of `value`.
    pub(crate) fn replace(&mut self, value: Any) {
        if let (Any::Object(object), AnyView::Object(current)) = (&value, self.value())
            && current.ptr_eq(object.view())
        {
            return;
        }
        let first_change = self.level().first_change;
        self.changes.truncate(first_change);
        let level = self.level_mut();
        match &value {
            Any::Object(object) => {
                level.object = object.as_ptr();
                level.form = Form::of(object.type_info());
            }
            // It has no children, so nobody asks for the object again.
            _ => level.form = Form::None,
        }
        level.next = 0;
        level.value = Some(value);
    }

    /// Goes to the next child that is an object and was not gone to. `false` if there is none.
    #[inline]
    pub(crate) fn down(&mut self) -> bool {
        let first_change = self.changes.len();
        let level = self.level();
        if level.form == Form::None {
            return false;
        }
        let Some((number, child, role)) = object_child(level.view(), level.form, level.next) else {
            return false;
        };
        let child = Level {
            object: child.as_ptr(),
            value: None,
            form: Form::of(child.type_info()),
            region: level.region.below(level.view().type_info().kind).child(level.view(), child, role),
            is_parent_ours: level.is_ours(),
            number,
            next: 0,
            first_change,
        };
        self.level_mut().next = number + 1;
        self.levels.push(child);
        true
    }

    /// Makes the changes to the children of the object the cursor stands at, which may be another object afterwards.
    ///
    /// # Errors
    /// What a field says of a value that it does not take, and [`DuplicateKey`](ErrorKind::DuplicateKey) if two keys of
    /// a map have become one. The path, if there is one, begins at the object.
    pub(crate) fn apply(&mut self) -> Result<()> {
        let first = self.level().first_change;
        if self.changes.len() == first {
            return Ok(());
        }
        let changes = self.changes.split_off(first);
        let level = self.level_mut();
        let info = level.view().type_info();
        let fields = info.fields;
        let in_place = level.form == Form::Fields
            && changes.iter().all(|(number, _)| fields[*number].is_exchangeable())
            && level.is_ours();
        if in_place {
            for (number, value) in changes {
                // SAFETY: it is a field of the object's type. Nobody else has a handle of the object or can get one,
                // so nobody reads it: `is_ours`, and no view of it is in use here.
                unsafe { fields[number].exchange(level.object, value) }
                    .map_err(|error| rejected(&fields[number], info, error))?;
            }
        } else {
            let object = with_changes(level.view(), level.form, changes)?;
            level.object = object.as_ptr();
            level.value = Some(Any::Object(object));
        }
        Ok(())
    }

    /// Goes to the parent. At the root, it gives the changed root.
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
fn with_changes(object: ObjectView<'_>, form: Form, changes: Vec<(usize, Any)>) -> Result<ObjectRef> {
    let info = object.type_info();
    match form {
        Form::None | Form::Fields => {
            let changed = changes.iter().fold(0, |mask, (number, _)| mask | 1 << number);
            let mut builder = ObjectBuilder::copy_without(object, changed)?;
            for (number, value) in changes {
                builder.set_index(number, value)?;
            }
            builder.build()
        }
        Form::Items => {
            let mut items: Vec<Any> =
                object.as_array().into_iter().flat_map(|array| array.iter()).map(AnyView::to_owned).collect();
            for (number, value) in changes {
                items[number] = value;
            }
            Ok(sequence_of(info, items))
        }
        Form::Entries => {
            let Some(map) = object.as_map() else { return Ok(object.to_owned()) };
            let mut entries: Vec<(Any, Any)> =
                map.iter().map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
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
