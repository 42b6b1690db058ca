//! Upcasts: from a handle, or from a reference to one, to the handle of an ancestor.

use crate::object::typed::handle::{ObjectHandle, from_object_unchecked};

/// A handle of a type that extends the type of the handle `A`. The derive implements this trait for every type and each of
/// its ancestors, and implements `From` for all upcasts by means of it.
///
/// # Safety
/// `A` accepts every object that `Self` accepts.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not extend `{A}`",
    note = "give the node struct of `{Self}` the attribute `#[object(parent = ...)]` with `{A}`'s node struct or a descendant of it"
)]
pub unsafe trait Extends<A: ObjectHandle>: ObjectHandle {}

/// The handle of this node struct is `A` or extends it.
///
/// # Safety
/// `A` accepts every object that the handle of `Self` accepts.
#[diagnostic::on_unimplemented(message = "the handle of `{Self}` neither is nor extends `{A}`")]
pub unsafe trait IsOrExtends<A: ObjectHandle> {}

/// A value that converts to the handle `A` by an upcast: a handle that extends `A`, or a reference to a handle that extends
/// `A` or is `A`. The derive implements `From<Self>` for `A` by means of this trait.
///
/// # Safety
/// `A` accepts every object that the handle accepts.
#[diagnostic::on_unimplemented(message = "`{Self}` does not extend `{A}`")]
pub unsafe trait UpcastsTo<A: ObjectHandle> {
    /// The handle. An owned handle moves, and a borrowed one is cloned.
    fn upcast(self) -> A;
}

// SAFETY: by the contract of `Extends`.
unsafe impl<A: ObjectHandle, H: Extends<A>> UpcastsTo<A> for H {
    #[inline]
    fn upcast(self) -> A {
        let object = self.into_object();
        debug_assert!(A::accepts_object(object.view()));
        // SAFETY: `H` accepts the object, so by the contract of `Extends`, `A` accepts it.
        unsafe { from_object_unchecked(object) }
    }
}

/// Borrows a handle as the handle of an ancestor. The reference count does not change.
#[inline]
pub fn upcast_ref<A: ObjectHandle, H: ObjectHandle>(handle: &H) -> &A
where
    for<'a> &'a H: UpcastsTo<A>,
{
    debug_assert!(A::accepts_object(handle.as_object().view()));
    // SAFETY: `H` accepts the object, so by the contract of `UpcastsTo`, `A` accepts it. Both types are transparent
    // wrappers of `ObjectRef`.
    unsafe { &*std::ptr::from_ref(handle).cast::<A>() }
}
