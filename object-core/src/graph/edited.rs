//! [`Edited`]: an object that an edit of a graph has reached, and the changes of objects, in place or in a copy.
//!
//! An edit replaces children of an object. When it has visited all of them, it writes the replacements into the object. It
//! changes the object in place if no handle outside of the edit can reach it: the object has a single handle, and so does
//! every object on the path to it. It copies every other object, and every map of which a key changes.
//!
//! A handle of an array or map guarantees a bound of the types of the elements. If an array or map gets elements of
//! other types, the edit changes it in place only if the type of its holder tells that the holder accepts them: an `Any`,
//! which guarantees nothing, or a field for containers of a type that the new elements have. In the middle of a change, no
//! code of users runs.
//!
//! Changes in place are sound for these reasons:
//! - The edit shows its user the current object, and never an object above it. From a view of the current object, the
//!   user can make handles of this object and of objects below it. Such a handle raises the count that the edit checks
//!   before a change. The edit checks the count of an object once before it visits the children, which is after it has
//!   shown the object, and once again before the change.
//! - The hook of an object above the current one runs when the edit or its user asks whether the current place binds
//!   variables. From its node, it can make handles of objects on the path. Then the edit checks the counts on the path
//!   again ([`take_back`]).
//! - Another type of a field may lend objects that it does not own, or make handles of them when it lends them. Objects
//!   with such fields, and all objects below them, do not change in place ([`TypeInfo::changes_in_place`]).
//!
//! [`TypeInfo::changes_in_place`]: crate::object::TypeInfo

use std::cell::Cell;
use std::mem::MaybeUninit;
use std::ptr::NonNull;

use crate::container::{ElementBound, entries_of, exchange_items, exchange_values, sequence_of, spliced_values};
use crate::error::{Error, ErrorKind, Result};
use crate::graph::children::ChildSlot;
use crate::object::access::builder::ObjectBuilder;
use crate::object::memory::node_box::copy_with_children;
use crate::object::model::any::{Any, AnyView};
use crate::object::model::checked::rejected;
use crate::object::model::field_info::{FieldInfo, Storage};
use crate::object::model::object_ref::{Header, ObjectRef, ObjectView};
use crate::object::model::plan::ChildLayout;

/// The object that an edit has reached, and its replacement.
pub(crate) struct Edited<'p> {
    /// The object. Its holder does not change for `'p`.
    original: ObjectView<'p>,
    /// The replacement.
    value: Option<Any>,
    /// The access of the edit to the current value, from before it visited the children.
    own: Access,
}

/// The access of an edit to an object: two bits, so that a recursion passes it in one register.
#[derive(Clone, Copy)]
pub(crate) struct Access(u8);

impl Access {
    const OWNED: u8 = 1;
    const KEPT: u8 = 2;

    /// The access to the holder of the root of a graph: nobody else has the handle of the root, and it exists until the edit
    /// ends.
    pub(crate) const ROOT: Access = Access(Access::OWNED | Access::KEPT);

    /// The access to the holder of a new value: nobody else has it, and it may cease to exist.
    pub(crate) const NEW: Access = Access(Access::OWNED);

    /// The access to the holder of an object that does not change.
    pub(crate) const SHARED: Access = Access(Access::KEPT);

    /// Whether only the edit can reach the object, and its type allows that it changes in place.
    #[inline(always)]
    pub(crate) fn is_owned(self) -> bool {
        self.0 & Access::OWNED != 0
    }

    /// Whether the object stays as it is until the edit ends, and with it all objects below it.
    #[inline(always)]
    pub(crate) fn is_kept(self) -> bool {
        self.0 & Access::KEPT != 0
    }

    /// The access to `object`, which is in a holder with the access `self`.
    #[inline(always)]
    pub(crate) fn below(self, object: ObjectView<'_>) -> Access {
        if !self.is_owned() {
            return self;
        }
        let is_owned = object.is_unique() && object.type_info().changes_in_place;
        if is_owned { Access::NEW } else { self.without_ownership() }
    }

    /// The same access without the right to change the object in place.
    fn without_ownership(self) -> Access {
        Access(self.0 & Access::KEPT)
    }
}

/// An object on the path of an edit, with the access of the edit to it.
pub(crate) type OnPath<'l, 'a> = (ObjectView<'a>, &'l Cell<Access>);

/// Takes back the right to change objects in place that code of users may have seen: from the first object of `path` on that
/// has got a second handle. `path` begins at an object whose hook has run, and ends at the innermost open object.
///
/// The order matters: while an object has one handle, nobody makes a handle of an object below it.
pub(crate) fn take_back<'l, 'a: 'l>(path: impl IntoIterator<Item = OnPath<'l, 'a>>) {
    let mut path = path.into_iter();
    if let Some((_, first)) = path.find(|(object, own)| own.get().is_owned() && !object.is_unique()) {
        std::iter::once(first).chain(path.map(|(_, own)| own)).for_each(|own| own.set(own.get().without_ownership()));
    }
}

impl<'p> Edited<'p> {
    /// An object whose children the edit has visited with the access `own` to the object.
    #[inline(always)]
    pub(crate) fn new(original: ObjectView<'p>, own: Access) -> Self {
        Edited { original, value: None, own }
    }

    /// An object that `value` replaces.
    #[inline(always)]
    pub(crate) fn replaced(original: ObjectView<'p>, holder: Access, value: Any) -> Self {
        let mut edited = Edited::new(original, holder);
        edited.replace(value);
        edited.own = match edited.value() {
            AnyView::Object(object) if edited.value.is_some() => Access::NEW.below(object),
            _ => holder.below(original),
        };
        edited
    }

    /// The access to the current value.
    #[inline(always)]
    pub(crate) fn own(&self) -> Access {
        self.own
    }

    /// The current value.
    #[inline(always)]
    pub(crate) fn value(&self) -> AnyView<'_> {
        match &self.value {
            Some(value) => value.view(),
            None => AnyView::Object(self.original),
        }
    }

    /// The replacement, if there is one.
    #[inline(always)]
    pub(crate) fn into_value(self) -> Option<Any> {
        self.value
    }

    /// Replaces the current value with `value`.
    pub(crate) fn replace(&mut self, value: Any) {
        if let Any::Object(object) = &value
            && self.value().is_object(object.view())
        {
            return;
        }
        self.value = Some(value);
    }

    /// Writes the replaced children into the current value. `slot` is the slot of the object in its holder, to which the edit
    /// has the access `holder` after it has visited the children; `None` at the root.
    ///
    /// # Errors
    /// As [`apply_changes`].
    #[inline(never)]
    pub(crate) fn apply(
        &mut self,
        holder: Access,
        slot: Option<ChildSlot<'_>>,
        changes: &mut [(usize, Any)],
    ) -> Result<()> {
        let AnyView::Object(object) = self.value() else { return Ok(()) };
        let is_owned = self.own.is_owned() && (self.value.is_some() || holder.is_owned());
        let object = object.as_ptr();
        let holder = if self.value.is_some() { HolderType::Any } else { HolderType::of(slot) };
        // SAFETY: the handle in the replacement or in the holder keeps the object alive. If only the edit can reach it,
        // nobody else can get a handle, and no view of it is in use here.
        if let Some(copy) = unsafe { apply_changes(object, is_owned, holder, changes) }? {
            self.value = Some(Any::Object(copy));
        }
        Ok(())
    }
}

/// The Rust type of the place that holds an object.
#[derive(Clone, Copy)]
pub(crate) enum HolderType {
    /// An `Any`, which accepts every value. If it replaces a child, the parent checks it when the edit writes it there.
    Any,
    /// A field.
    Field(&'static FieldInfo),
    /// A container, which would have to ask its own holder and to check all its elements for each change.
    Container,
}

impl HolderType {
    /// The type of the place in this slot; `None` is the root.
    pub(crate) fn of(slot: Option<ChildSlot<'_>>) -> Self {
        match slot {
            None => HolderType::Any,
            Some(ChildSlot::Field(field)) => HolderType::Field(field),
            Some(ChildSlot::Item(_) | ChildSlot::Key(_) | ChildSlot::Value(_)) => HolderType::Container,
        }
    }

    /// Whether the place accepts a container with values of these types instead of its current one. The types alone decide:
    /// the answer `false` means that the values have to be checked.
    fn accepts_values(self, values: ElementBound) -> bool {
        match self {
            HolderType::Any => true,
            HolderType::Field(field) => field.accepts_container_of(values.type_info()),
            HolderType::Container => false,
        }
    }
}

/// Writes replaced children, with their numbers, into `object`, or into a copy, which the function returns.
///
/// # Errors
/// The error of a field that rejects a value, and [`DuplicateKey`](ErrorKind::DuplicateKey) if two keys of a map
/// have become equal. A path in the error begins at the object.
///
/// # Safety
/// The object is alive. If `is_owned`, only the caller can reach it, except through handles of the object itself, and uses no
/// view of it during the call.
pub(crate) unsafe fn apply_changes(
    object: NonNull<Header>,
    is_owned: bool,
    holder: HolderType,
    changes: &mut [(usize, Any)],
) -> Result<Option<ObjectRef>> {
    // SAFETY: by the contract. The function does not use the view after it has changed the object.
    let view = unsafe { ObjectView::from_raw(object) };
    // SAFETY: the object has one handle, so by the contract nothing else reaches it.
    if is_owned && view.is_unique() && unsafe { change_in_place(object, holder, changes) }? {
        return Ok(None);
    }
    with_changes(view, changes).map(Some)
}

/// Writes `changes` into `object`. Returns `false`, without any effect, if the object cannot take them in place.
///
/// # Safety
/// The object is alive, and nothing else reaches it.
unsafe fn change_in_place(object: NonNull<Header>, holder: HolderType, changes: &mut [(usize, Any)]) -> Result<bool> {
    let accepts = |values: ElementBound| holder.accepts_values(values);
    // SAFETY: the object is alive.
    let info = unsafe { ObjectView::from_raw(object) }.type_info();
    match info.plan.child_layout {
        ChildLayout::None => Ok(false),
        ChildLayout::Items | ChildLayout::Entries
            if changes.iter().any(|(_, value)| spliced_values(value.view()).is_some()) =>
        {
            Ok(false)
        }
        // SAFETY: it is an array, which nothing else reads.
        ChildLayout::Items => Ok(unsafe { exchange_items(object, changes, accepts) }),
        ChildLayout::Entries if changes.iter().any(|(number, _)| number.is_multiple_of(2)) => Ok(false),
        // SAFETY: as above, for a map.
        ChildLayout::Entries => Ok(unsafe { exchange_values(object, changes, accepts) }),
        ChildLayout::Fields => {
            let fields = info.fields;
            // A builder checks the words of the declaration about the new values.
            if info.has_checks || !changes.iter().all(|(number, _)| fields[*number].is_exchangeable()) {
                return Ok(false);
            }
            for (number, value) in changes {
                let field = &fields[*number];
                // SAFETY: it is a field of the object's type. Nothing else reads the object: as above.
                unsafe { field.exchange(object, std::mem::take(value)) }
                    .map_err(|error| rejected(field, info, error))?;
            }
            Ok(true)
        }
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

/// A copy of `object` with other children, which are given with their numbers. The call takes the values out of `changes`.
pub(crate) fn with_changes(object: ObjectView<'_>, changes: &mut [(usize, Any)]) -> Result<ObjectRef> {
    let info = object.type_info();
    let taken = |(number, value): &mut (usize, Any)| (*number, std::mem::take(value));
    match info.plan.child_layout {
        ChildLayout::None | ChildLayout::Fields => {
            if let Some(copy) = copy_with_children(object, changes) {
                return Ok(copy);
            }
            let changed = changes.iter().fold(0, |mask, (number, _)| mask | 1 << number);
            let mut builder = ObjectBuilder::copy_without(object, changed)?;
            for (number, value) in changes.iter_mut().map(taken) {
                builder.set_index(number, value)?;
            }
            builder.build()
        }
        ChildLayout::Items => {
            let mut items: Vec<Any> =
                object.as_array().into_iter().flat_map(|array| array.iter()).map(AnyView::to_any).collect();
            for (number, value) in changes.iter_mut().map(taken) {
                items[number] = value;
            }
            Ok(sequence_of(info, spliced(items)))
        }
        ChildLayout::Entries => {
            let Some(map) = object.as_map() else { return Ok(object.to_object()) };
            let mut entries: Vec<(Any, Any)> = map.iter().map(|(key, value)| (key.to_any(), value.to_any())).collect();
            for (number, value) in changes.iter_mut().map(taken) {
                let (key, old) = &mut entries[number / 2];
                *(if number.is_multiple_of(2) { key } else { old }) = value;
            }
            entries
                .retain(|(key, value)| spliced_values(key.view()).is_none() && spliced_values(value.view()).is_none());
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

/// `items` with the values of a splice in its place.
fn spliced(items: Vec<Any>) -> Vec<Any> {
    if items.iter().all(|item| spliced_values(item.view()).is_none()) {
        return items;
    }
    let mut all = Vec::with_capacity(items.len());
    for item in items {
        match spliced_values(item.view()) {
            Some(values) => all.extend(values.iter().map(AnyView::to_any)),
            None => all.push(item),
        }
    }
    all
}
