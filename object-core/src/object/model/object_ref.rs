//! [`ObjectRef`]: an owning reference to an object of any type. [`ObjectView`]: a borrowed one. [`Header`]: the start of
//! every object.

use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::ptr::NonNull;

use crate::object::model::count::{Count, Mark};
use crate::object::model::keywords::{Body, SEqHashKind};
use crate::object::model::release::{Link, release};
use crate::object::model::type_info::TypeInfo;
use crate::steps::step;

/// The start of every object; its data follows at [`DATA_OFFSET`].
// The lowest bits of addresses hold states (`graph/met_objects.rs`), also where pointers have four bytes.
#[repr(C, align(8))]
// Atomic values of loom are larger than the atomic values of std, and nodes follow at a multiple of the largest alignment.
#[cfg_attr(loom, repr(align(16)))]
pub(crate) struct Header {
    /// The number of [`ObjectRef`]s of the object. When there is none, the link of the list of dead objects overwrites the
    /// bytes before `info`.
    count: Count,
    /// A number for the operation that has the claim of all marks.
    mark: Mark,
    /// The exact type of the object.
    pub(crate) info: &'static TypeInfo,
}

/// Copies an object of one type; the copy has the same type and shares the children.
pub(crate) type CopyObject = fn(ObjectView<'_>) -> ObjectRef;

/// The offset of the data of an object, in bytes from its start.
pub(crate) const DATA_OFFSET: usize = size_of::<Header>();
#[cfg(not(loom))]
const _: () = assert!(DATA_OFFSET == 16);
// The link of a dead object fits before `info` and is aligned.
const _: () =
    assert!(std::mem::offset_of!(Header, info) >= size_of::<Link>() && align_of::<Header>() >= align_of::<Link>());

impl Header {
    /// The header of a new object with a reference count of one.
    pub(crate) fn new(info: &'static TypeInfo) -> Self {
        Header { count: Count::one(), mark: Mark::new(), info }
    }
}

/// An owning handle of an object of any type: one thin pointer to a reference-counted allocation. The count is atomic.
/// Every typed handle is a transparent wrapper of an `ObjectRef`.
#[repr(transparent)]
pub struct ObjectRef {
    ptr: NonNull<Header>,
}

// SAFETY: an object is immutable while it is shared, its count is atomic, and all data in objects is `Send + Sync`: the
// traits `Object` and `FieldType` require it.
unsafe impl Send for ObjectRef {}
// SAFETY: as for `Send`.
unsafe impl Sync for ObjectRef {}

// Code that catches a panic finds each object as it was before: an object changes in place only while one handle of it
// exists and is borrowed mutably.
impl UnwindSafe for ObjectRef {}
impl RefUnwindSafe for ObjectRef {}
impl UnwindSafe for ObjectView<'_> {}
impl RefUnwindSafe for ObjectView<'_> {}

impl ObjectRef {
    /// Makes a handle of the object at `ptr` without changing the reference count.
    ///
    /// # Safety
    /// `ptr` is the start of a live, initialized object, with provenance over the whole object, and the caller transfers
    /// one count of the object to the handle.
    pub(crate) unsafe fn from_raw(ptr: NonNull<Header>) -> Self {
        ObjectRef { ptr }
    }

    /// The start of the object.
    pub(crate) fn as_ptr(&self) -> NonNull<Header> {
        self.ptr
    }

    /// Borrows the object.
    #[must_use]
    pub fn view(&self) -> ObjectView<'_> {
        ObjectView { ptr: self.ptr, marker: PhantomData }
    }

    /// The exact type of the object.
    #[must_use]
    pub fn type_info(&self) -> &'static TypeInfo {
        self.view().type_info()
    }

    /// Whether both refer to the same object.
    #[must_use]
    pub fn ptr_eq(&self, other: &ObjectRef) -> bool {
        self.ptr == other.ptr
    }

    /// The number of handles of the object at this moment. Other threads may change it at any time.
    #[must_use]
    pub fn use_count(&self) -> u32 {
        self.view().use_count()
    }

    /// Gives the handle up without a release. Returns the start of the object if the handle was the last one; then the caller
    /// alone may access the object, and has to release it.
    #[inline(always)]
    pub(crate) fn give_up(self) -> Option<NonNull<Header>> {
        let handle = ManuallyDrop::new(self);
        handle.view().count().remove().then_some(handle.ptr)
    }

    /// Whether this is the only handle. If the caller also has the handle borrowed mutably, the object may be changed in
    /// place.
    pub(crate) fn is_unique(&self) -> bool {
        self.view().is_unique()
    }
}

impl Clone for ObjectRef {
    fn clone(&self) -> Self {
        step();
        self.view().count().add();
        ObjectRef { ptr: self.ptr }
    }
}

impl Drop for ObjectRef {
    fn drop(&mut self) {
        if self.view().count().remove() {
            // SAFETY: this handle was the last one, so no other handle releases the object.
            unsafe { release(self.ptr) };
        }
    }
}

/// A borrowed object of any type: one thin pointer, which is `Copy` and does not change the reference count.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct ObjectView<'a> {
    ptr: NonNull<Header>,
    marker: PhantomData<&'a ObjectRef>,
}

// SAFETY: an `ObjectView` gives the access that a `&ObjectRef` gives, which is `Send + Sync`.
unsafe impl Send for ObjectView<'_> {}
// SAFETY: as for `Send`.
unsafe impl Sync for ObjectView<'_> {}

impl<'a> ObjectView<'a> {
    /// Borrows the object at `ptr`.
    ///
    /// # Safety
    /// `ptr` is the start of an object that stays alive and unchanged for `'a`, with provenance over the whole object.
    pub(crate) unsafe fn from_raw(ptr: NonNull<Header>) -> Self {
        ObjectView { ptr, marker: PhantomData }
    }

    /// The start of the object.
    pub(crate) fn as_ptr(self) -> NonNull<Header> {
        self.ptr
    }

    /// The reference count of the object.
    #[inline]
    fn count(self) -> &'a Count {
        // SAFETY: the object is alive for `'a`. The reference covers only the atomic count: while a handle decrements the
        // count, another thread may free the object, and a reference to other data would then be dangling.
        unsafe { &(*self.ptr.as_ptr()).count }
    }

    /// The mark of the object.
    #[inline(always)]
    pub(crate) fn mark(self) -> &'a Mark {
        // SAFETY: the object is alive for `'a`, and the reference covers only the atomic mark.
        unsafe { &(*self.ptr.as_ptr()).mark }
    }

    /// The exact type of the object.
    #[must_use]
    #[inline]
    pub fn type_info(self) -> &'static TypeInfo {
        step();
        // SAFETY: the object is alive for `'a`.
        unsafe { self.ptr.as_ref() }.info
    }

    /// The type key of the exact type.
    #[must_use]
    pub fn type_key(self) -> &'static str {
        self.type_info().type_key
    }

    /// Whether the type of the object is `info` or extends it. The check takes constant time, whatever the depth of the
    /// hierarchy.
    #[must_use]
    #[inline]
    pub fn is_instance(self, info: &TypeInfo) -> bool {
        self.type_info().is_or_extends(info)
    }

    /// Whether both refer to the same object.
    #[must_use]
    #[inline]
    pub fn ptr_eq(self, other: ObjectView<'_>) -> bool {
        step();
        self.ptr == other.ptr
    }

    /// Whether structural equality relates the object to at most one object: it is a variable or a `dag` node. A copy of it can be
    /// unequal to it.
    pub(crate) fn is_identified(self) -> bool {
        matches!(self.type_info().kind, SEqHashKind::FreeVar | SEqHashKind::DagNode)
    }

    /// Whether every handle and every rule of a field that accepts `other` accepts this object: both are the same object, or
    /// both are objects of one type, and that type is not a container or a function. Rules also look at the elements of
    /// containers and at the signatures of functions.
    #[inline]
    pub(crate) fn is_interchangeable_with(self, other: ObjectView<'_>) -> bool {
        let info = self.type_info();
        self.ptr_eq(other)
            || std::ptr::eq(info, other.type_info()) && !matches!(info.body, Body::Array | Body::Map | Body::Function)
    }

    /// The address of the object. It identifies the object while the object is alive; a later object may have the same
    /// address.
    #[must_use]
    #[inline]
    pub fn address(self) -> usize {
        step();
        self.ptr.as_ptr() as usize
    }

    /// The number of handles of the object at this moment. Other threads may change it at any time.
    #[must_use]
    #[inline]
    pub fn use_count(self) -> u32 {
        self.count().get()
    }

    /// Whether the object has exactly one handle. A caller that has this handle borrowed mutably may change the object in
    /// place.
    #[inline]
    pub(crate) fn is_unique(self) -> bool {
        self.count().is_one()
    }

    /// An owning handle of the same object.
    #[must_use]
    pub fn to_object(self) -> ObjectRef {
        let borrowed = ManuallyDrop::new(ObjectRef { ptr: self.ptr });
        ObjectRef::clone(&borrowed)
    }

    /// The address `offset` bytes after the start of the object.
    ///
    /// # Safety
    /// `offset` is at most the size of the object.
    #[inline]
    pub(crate) unsafe fn at(self, offset: u32) -> *const u8 {
        // SAFETY: by the contract, the address is in the allocation of the object or at its end.
        unsafe { self.ptr.as_ptr().cast::<u8>().cast_const().add(offset as usize) }
    }
}

/// An untyped handle equals the handles of the same object.
impl PartialEq for ObjectRef {
    fn eq(&self, other: &Self) -> bool {
        self.view() == other.view()
    }
}

impl Eq for ObjectRef {}

impl Hash for ObjectRef {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.view().hash(state);
    }
}

/// A borrowed object equals itself.
impl PartialEq for ObjectView<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.ptr_eq(*other)
    }
}

impl Eq for ObjectView<'_> {}

impl Hash for ObjectView<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_usize(self.address());
    }
}
