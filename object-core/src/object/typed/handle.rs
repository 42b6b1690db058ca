//! [`ObjectHandle`], [`TypedHandle`] and [`Object`]: what node structs and their handles are, and casts between them.

use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::ptr::NonNull;

use crate::error::Error;
use crate::object::model::compared_field::ComparedField;
use crate::object::model::contents::FieldContents;
use crate::object::model::field_info::FieldInfo;
use crate::object::model::object_ref::{DATA_OFFSET, Header, ObjectRef, ObjectView};
use crate::object::model::type_info::{Ancestor, TypeInfo};
use crate::object::model::type_schema::TypeSchema;

/// A node struct annotated with `#[derive(Object)]`: the data of an object.
///
/// # Safety
/// Only the derive implements it. [`TYPE_INFO`](Self::TYPE_INFO) describes exactly this struct: its fields are listed
/// with the offsets and types they have, the steps are those of the fields, and each ancestor lies at the offset listed
/// for it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a node struct",
    label = "not annotated with `#[derive(Object)]`",
    note = "annotate `{Self}` with `#[derive(Object)]` and `#[object(type_key = \"...\")]`"
)]
pub unsafe trait Object: Sized + Send + Sync + 'static {
    /// The handle of objects with this data.
    type Handle: TypedHandle<Node = Self>;
    /// The table that describes the type.
    const TYPE_INFO: &'static TypeInfo;
    /// All fields, those of the ancestors first.
    const FIELDS: &'static [FieldInfo];
    /// The [`steps`](crate::object::model::compared_field::steps) of the fields.
    const COMPARED_FIELDS: &'static [ComparedField];
    /// Root first, without the type itself.
    const ANCESTORS: &'static [Ancestor];
    /// Whether no type extends this one.
    const FINAL: bool;
}

/// A thin, counted pointer to an object of some set of types.
///
/// # Safety
/// The type is a `#[repr(transparent)]` wrapper of [`ObjectRef`], and
/// [`accepts_object`](Self::accepts_object) is true for an object only if everything that the wrapper's safe methods
/// assume holds for it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a handle of an object",
    label = "not a handle",
    note = "the handle of `XNode` is `X`, made by `#[derive(Object)]` on `XNode`"
)]
pub unsafe trait ObjectHandle: Clone + Send + Sync + 'static {
    /// What the object can be or contain.
    const CONTENTS: FieldContents = FieldContents::Anything;

    /// Whether this handle may point to `object`.
    fn accepts_object(object: ObjectView<'_>) -> bool;

    /// Whether this handle may point to every object of the type `info` and its descendants. `false` means that each
    /// object has to be looked at.
    fn accepts_type_info(_info: &TypeInfo) -> bool {
        false
    }

    /// The type in schema words.
    fn handle_schema() -> TypeSchema;

    /// The error for an object that is not accepted.
    fn rejected(object: ObjectView<'_>) -> Error {
        Error::type_mismatch(&Self::handle_schema().to_string(), object.type_key())
    }

    /// The untyped handle inside.
    #[inline]
    fn as_object(&self) -> &ObjectRef {
        const { assert!(size_of::<Self>() == size_of::<ObjectRef>()) };
        // SAFETY: `Self` is a transparent wrapper of `ObjectRef`.
        unsafe { &*(&raw const *self as *const ObjectRef) }
    }

    /// The untyped handle, by value.
    #[inline]
    fn into_object(self) -> ObjectRef {
        let handle = ManuallyDrop::new(self);
        // SAFETY: as above; `handle` is not dropped, so the count moves.
        unsafe { (&raw const handle as *const ObjectRef).read() }
    }

    /// `object` as this handle, or back as it was.
    ///
    /// # Errors
    /// The object itself, if this handle may not point to it.
    fn try_from_object(object: ObjectRef) -> Result<Self, ObjectRef> {
        if Self::accepts_object(object.view()) {
            // SAFETY: just checked.
            Ok(unsafe { from_object_unchecked(object) })
        } else {
            Err(object)
        }
    }

    /// Whether the object is one that `H` may point to.
    #[inline]
    fn is<H: ObjectHandle>(&self) -> bool {
        H::accepts_object(self.as_object().view())
    }

    /// The same handle as an `H`, if the object is one that `H` may point to. It costs the test alone.
    #[inline]
    fn downcast_ref<H: ObjectHandle>(&self) -> Option<&H> {
        // SAFETY: checked, and both are transparent wrappers of `ObjectRef`.
        self.is::<H>().then(|| unsafe { &*std::ptr::from_ref(self).cast::<H>() })
    }

    /// The handle as an `H`, or back as it was.
    ///
    /// # Errors
    /// The handle itself, if `H` may not point to the object.
    fn downcast<H: ObjectHandle>(self) -> Result<H, Self> {
        // SAFETY: `Self` came from this object; `try_from_object` gives the object back unchanged.
        H::try_from_object(self.into_object()).map_err(|object| unsafe { from_object_unchecked(object) })
    }

    /// Whether both handles point to the same object.
    #[inline]
    fn ptr_eq<H: ObjectHandle>(&self, other: &H) -> bool {
        self.as_object().ptr_eq(other.as_object())
    }
}

/// Wraps `object` without asking whether `H` may point to it.
///
/// # Safety
/// `H::accepts_object` holds for it.
#[inline]
pub(crate) unsafe fn from_object_unchecked<H: ObjectHandle>(object: ObjectRef) -> H {
    const { assert!(size_of::<H>() == size_of::<ObjectRef>()) };
    let object = ManuallyDrop::new(object);
    // SAFETY: `H` is a transparent wrapper of `ObjectRef`, which is not dropped here.
    unsafe { (&raw const object as *const H).read() }
}

/// What a handle made by the derive is inside: a counted pointer to an object with a node `N`.
///
/// The derive puts the handle beside the user's node struct, where the user's own code can name its field. So the field
/// must not be an [`ObjectRef`], of which anyone could make a handle of any object; a `Pointer<N>` only comes from
/// another handle of the same node struct.
#[repr(transparent)]
pub struct Pointer<N> {
    object: ObjectRef,
    node: PhantomData<fn() -> N>,
}

impl<N> Clone for Pointer<N> {
    #[inline]
    fn clone(&self) -> Self {
        Pointer { object: self.object.clone(), node: PhantomData }
    }
}

/// The handle of a node struct: it dereferences to the node.
///
/// # Safety
/// Only the derive implements it; [`accepts_object`](ObjectHandle::accepts_object) is
/// [`is_instance`](ObjectView::is_instance) of the node's type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the handle of a node struct",
    label = "no node to look into",
    note = "handles of node structs are made by `#[derive(Object)]`; an `ObjectRef` or an `Any` is one after a \
            `downcast` or a `try_from`"
)]
pub unsafe trait TypedHandle: ObjectHandle + Deref<Target = Self::Node> {
    /// The node struct.
    type Node: Object<Handle = Self>;
}

/// A handle whose node may be changed through it, copying the node first if it is shared. All handles made by the
/// derive are, except those of singletons.
#[diagnostic::on_unimplemented(
    message = "the node of a `{Self}` cannot be changed",
    label = "cannot be changed in place",
    note = "handles made by `#[derive(Object)]` can, except those of singletons, which all users of a key share"
)]
pub trait MakeMut: TypedHandle {
    /// The node, to be changed. If other handles share the object, this one first gets a copy of its own, which shares
    /// the children.
    ///
    /// # Panics
    /// Never for types with reflected fields; an `opaque` node that is shared panics if it cannot be copied.
    fn make_mut(&mut self) -> &mut Self::Node {
        if !self.as_object().is_unique() {
            let view = self.as_object().view();
            let info = view.type_info();
            let Some(copy) = info.copy else {
                panic!("`{}` is shared and cannot be copied: it is opaque and not Clone", info.type_key)
            };
            // SAFETY: a copy has the type of its original.
            *self = unsafe { from_object_unchecked(copy(view)) };
        }
        // SAFETY: the handle is the only one and borrowed mutably, and it accepts only objects of its node's type.
        unsafe { node_unchecked_mut(self.as_object().as_ptr()) }
    }
}

/// The node that `handle` points to.
#[inline]
pub fn node_of<H: TypedHandle>(handle: &H) -> &H::Node {
    // SAFETY: the handle accepts only objects of its node's type.
    unsafe { node_unchecked(handle.as_object().view()) }
}

/// The node of type `N` in `object`.
///
/// # Safety
/// The object is an instance of `N`.
#[inline]
pub(crate) unsafe fn node_unchecked<N: Object>(object: ObjectView<'_>) -> &N {
    // SAFETY: the object's type descends from `N`, whose node lies at the offset its table says.
    unsafe { &*object.at(offset_of_node::<N>(object)).cast::<N>() }
}

/// The node of type `N` in the object at `ptr`, to be changed.
///
/// # Safety
/// The object is an instance of `N`, and nobody else reads it while the reference is used.
pub(crate) unsafe fn node_unchecked_mut<'a, N: Object>(ptr: NonNull<Header>) -> &'a mut N {
    // SAFETY: the object is alive, and its node lies at the offset its table says.
    unsafe {
        let offset = offset_of_node::<N>(ObjectView::from_raw(ptr));
        &mut *ptr.as_ptr().cast::<u8>().add(offset as usize).cast::<N>()
    }
}

/// Where the node of type `N` begins in `object`, an instance of it.
#[inline]
fn offset_of_node<N: Object>(object: ObjectView<'_>) -> u32 {
    if N::FINAL { DATA_OFFSET as u32 } else { object.type_info().node_offset(N::TYPE_INFO) }
}

impl<'a> ObjectView<'a> {
    /// The node, if the object is an instance of `N`.
    #[must_use]
    #[inline]
    pub fn node<N: Object>(self) -> Option<&'a N> {
        // SAFETY: just checked.
        self.is_instance(N::TYPE_INFO).then(|| unsafe { node_unchecked(self) })
    }

    /// The same as an `H`, if `H` may point to the object: to look at, without a count.
    #[must_use]
    #[inline]
    pub fn as_handle<H: ObjectHandle>(&self) -> Option<&H> {
        // SAFETY: just checked. `H` is a transparent wrapper of a pointer to the object, and so is `Self`; behind a shared
        // reference an `H` is not dropped, so it needs no count of its own while the object is borrowed.
        H::accepts_object(*self).then(|| unsafe { &*std::ptr::from_ref(self).cast::<H>() })
    }

    /// An owning handle, if `H` may point to the object.
    #[must_use]
    pub fn to_handle<H: ObjectHandle>(self) -> Option<H> {
        // SAFETY: just checked.
        H::accepts_object(self).then(|| unsafe { from_object_unchecked(self.to_object()) })
    }
}

/// The handle `A` points to a type that the type of `Self` descends from. The derive implements it for every type and
/// each of its ancestors; `From` for all upcasts follows from it.
///
/// # Safety
/// Every object that `Self` accepts, `A` accepts.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not extend `{A}`",
    note = "give the node struct of `{Self}` the attribute `#[object(parent = ...)]` with `{A}`'s node struct or a descendant of it"
)]
pub unsafe trait Extends<A: ObjectHandle>: ObjectHandle {}

/// Upcasts a handle to that of an ancestor: a move of the pointer.
#[inline]
pub fn upcast<A: TypedHandle, H: Extends<A>>(handle: H) -> A {
    let object = handle.into_object();
    debug_assert!(A::accepts_object(object.view()));
    // SAFETY: that is what `Extends` promises.
    unsafe { from_object_unchecked(object) }
}
