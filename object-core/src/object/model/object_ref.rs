//! The start of every object and its reference count: [`ObjectRef`] owns a count, [`ObjectView`] borrows.

use std::fmt;
use std::marker::PhantomData;
use std::ptr::NonNull;

use crate::object::model::count::Count;
use crate::object::model::release::{Link, release};
use crate::object::model::type_info::TypeInfo;

/// What every object begins with; its data follows at [`DATA_OFFSET`].
#[repr(C)]
// Loom's counts are larger; nodes still have to follow at a multiple of the largest alignment.
#[cfg_attr(loom, repr(align(16)))]
pub(crate) struct Header {
    /// How many [`ObjectRef`]s own the object. Once it is zero, everything before `info` is room for a link of the list
    /// of objects that wait for their release.
    count: Count,
    /// Keeps the link whole; free for later use while the object lives.
    reserved: u32,
    /// The exact type.
    pub(crate) info: &'static TypeInfo,
}

/// Where the data of an object begins, in bytes from its start.
pub(crate) const DATA_OFFSET: usize = size_of::<Header>();
#[cfg(not(loom))]
const _: () = assert!(DATA_OFFSET == 16);
// The link of a dead object fits before `info`, and is aligned.
const _: () =
    assert!(std::mem::offset_of!(Header, info) >= size_of::<Link>() && align_of::<Header>() >= align_of::<Link>());

impl Header {
    /// The header of a new object that one [`ObjectRef`] owns.
    pub(crate) fn new(info: &'static TypeInfo) -> Self {
        Header { count: Count::one(), reserved: 0, info }
    }
}

/// An owning handle of any object: one thin pointer and an atomic count. Every typed handle is one of these inside.
#[repr(transparent)]
pub struct ObjectRef {
    ptr: NonNull<Header>,
}

// SAFETY: an object is immutable while it is shared, its count is atomic, and everything stored in one is
// `Send + Sync` (a bound of the `Object` trait and of `FieldType`).
unsafe impl Send for ObjectRef {}
// SAFETY: as above.
unsafe impl Sync for ObjectRef {}

impl ObjectRef {
    /// Takes over one count of the object at `ptr`.
    ///
    /// # Safety
    /// `ptr` is the start of a live, fully initialized object with provenance over all of it, and the caller gives up
    /// one of its counts.
    pub(crate) unsafe fn from_raw(ptr: NonNull<Header>) -> Self {
        ObjectRef { ptr }
    }

    /// The start of the object.
    pub(crate) fn as_ptr(&self) -> NonNull<Header> {
        self.ptr
    }

    /// The object, borrowed.
    #[must_use]
    pub fn view(&self) -> ObjectView<'_> {
        ObjectView { ptr: self.ptr, marker: PhantomData }
    }

    /// The exact type.
    #[must_use]
    pub fn type_info(&self) -> &'static TypeInfo {
        self.view().type_info()
    }

    /// Whether both are the same object.
    #[must_use]
    pub fn ptr_eq(&self, other: &ObjectRef) -> bool {
        self.ptr == other.ptr
    }

    /// How many handles own the object at this moment.
    #[must_use]
    pub fn use_count(&self) -> u32 {
        self.view().use_count()
    }

    /// Whether this is the only handle, so that the object may be changed in place.
    pub(crate) fn is_unique(&self) -> bool {
        self.view().is_unique()
    }
}

impl Clone for ObjectRef {
    fn clone(&self) -> Self {
        self.view().count().add();
        ObjectRef { ptr: self.ptr }
    }
}

impl Drop for ObjectRef {
    fn drop(&mut self) {
        if self.view().count().remove() {
            release(self.ptr);
        }
    }
}

/// A borrowed object of any type: `Copy`, one thin pointer, no count.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct ObjectView<'a> {
    ptr: NonNull<Header>,
    marker: PhantomData<&'a ObjectRef>,
}

// SAFETY: like a `&ObjectRef`, which is `Send + Sync`.
unsafe impl Send for ObjectView<'_> {}
// SAFETY: as above.
unsafe impl Sync for ObjectView<'_> {}

impl<'a> ObjectView<'a> {
    /// Borrows the object at `ptr`.
    ///
    /// # Safety
    /// `ptr` is the start of an object that stays alive and unchanged for `'a`, with provenance over all of it.
    pub(crate) unsafe fn from_raw(ptr: NonNull<Header>) -> Self {
        ObjectView { ptr, marker: PhantomData }
    }

    /// The start of the object.
    pub(crate) fn as_ptr(self) -> NonNull<Header> {
        self.ptr
    }

    /// The count of the object.
    #[inline]
    fn count(self) -> &'a Count {
        // SAFETY: the object is alive for `'a`. The reference covers nothing but the count: while a handle gives its
        // count up, another thread may free the object, which only an atomic can stand.
        unsafe { &(*self.ptr.as_ptr()).count }
    }

    /// The exact type.
    #[must_use]
    #[inline]
    pub fn type_info(self) -> &'static TypeInfo {
        // SAFETY: the object is alive for `'a`.
        unsafe { self.ptr.as_ref() }.info
    }

    /// The type key of the exact type.
    #[must_use]
    pub fn type_key(self) -> &'static str {
        self.type_info().type_key
    }

    /// Whether the object's type is `info` or a descendant of it. One comparison and one look-up, whatever the depth
    /// of the hierarchy.
    #[must_use]
    #[inline]
    pub fn is_instance(self, info: &TypeInfo) -> bool {
        self.type_info().is_or_extends(info)
    }

    /// Whether both are the same object.
    #[must_use]
    #[inline]
    pub fn ptr_eq(self, other: ObjectView<'_>) -> bool {
        self.ptr == other.ptr
    }

    /// A number that tells this object from all others alive: for tables that live no longer than the object.
    #[must_use]
    #[inline]
    pub fn address(self) -> usize {
        self.ptr.as_ptr() as usize
    }

    /// How many handles own the object at this moment.
    #[must_use]
    pub fn use_count(self) -> u32 {
        self.count().get()
    }

    /// Whether one handle owns the object. If the caller has the only place it can be in, the object may be changed.
    pub(crate) fn is_unique(self) -> bool {
        self.count().is_one()
    }

    /// An owning handle of the same object.
    #[must_use]
    pub fn to_object(self) -> ObjectRef {
        let borrowed = std::mem::ManuallyDrop::new(ObjectRef { ptr: self.ptr });
        ObjectRef::clone(&borrowed)
    }

    /// The address `offset` bytes after the start of the object.
    ///
    /// # Safety
    /// `offset` lies in the object.
    #[inline]
    pub(crate) unsafe fn at(self, offset: u32) -> *const u8 {
        // SAFETY: by the contract, the address is in the allocation of the object.
        unsafe { self.ptr.as_ptr().cast::<u8>().cast_const().add(offset as usize) }
    }
}

impl fmt::Debug for ObjectView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::repr::write_repr(f, crate::object::AnyView::Object(*self))
    }
}

impl fmt::Debug for ObjectRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.view(), f)
    }
}

impl fmt::Display for ObjectRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.view(), f)
    }
}
