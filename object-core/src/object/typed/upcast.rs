//! Upcasts: from a handle, or from a reference to one, to the handle of an ancestor.

use std::marker::PhantomData;

use crate::object::typed::handle::{Object, ObjectHandle, TypedHandle, from_object_unchecked};

/// A proof that the handle `A` accepts every object with a node `N`. It follows from the parents that the type tables name,
/// so safe code cannot make a wrong one.
#[doc(hidden)]
pub struct Upcast<N, A>(PhantomData<fn(N) -> A>);

impl<N: Object> Upcast<N, N::Handle> {
    /// The handle of a node struct accepts its objects.
    pub const SAME: Self = Upcast(PhantomData);
}

impl<N, A> Upcast<N, A> {
    /// A handle that accepts the objects with a node `N` also accepts the objects of a type `C` that extends it.
    #[must_use]
    pub const fn of_child<C: Object<Parent = N>>(&self) -> Upcast<C, A> {
        Upcast(PhantomData)
    }
}

/// A handle of a type that extends the type of the handle `A`. The derive implements this trait for every type and each of
/// its ancestors, and implements `From` for all upcasts by means of it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not extend `{A}`",
    note = "give the node struct of `{Self}` the attribute `#[object(parent = ...)]` with `{A}`'s node struct or a descendant of it"
)]
pub trait Extends<A: ObjectHandle>: TypedHandle {
    /// The proof.
    #[doc(hidden)]
    const UPCAST: Upcast<Self::Node, A>;
}

/// The handle of this node struct is `A` or extends it.
#[diagnostic::on_unimplemented(
    message = "`{A}` is not the handle of an ancestor",
    label = "the handle of `{Self}` neither is nor extends `{A}`",
    note = "`into` converts a handle to the handle of an ancestor; `try_into` and `downcast` convert it back"
)]
pub trait IsOrExtends<A: ObjectHandle>: Sized {
    /// The proof.
    const UPCAST: Upcast<Self, A>;
}

/// A value that converts to the handle `A` by an upcast: a handle that extends `A`, or a reference to a handle that extends
/// `A` or is `A`. The derive implements `From<Self>` for `A` by means of this trait.
#[diagnostic::on_unimplemented(message = "`{Self}` does not extend `{A}`")]
pub trait UpcastsTo<A: ObjectHandle> {
    /// The node struct of the handle.
    #[doc(hidden)]
    type Node;

    /// The proof.
    #[doc(hidden)]
    const UPCAST: Upcast<Self::Node, A>;

    /// The handle. An owned handle moves, and a borrowed one is cloned.
    fn upcast(self) -> A;
}

impl<A: ObjectHandle, H: Extends<A>> UpcastsTo<A> for H {
    type Node = <H as TypedHandle>::Node;
    const UPCAST: Upcast<<H as TypedHandle>::Node, A> = <H as Extends<A>>::UPCAST;

    #[inline]
    fn upcast(self) -> A {
        // The proof exists only if its constant has a value.
        const { <H as Extends<A>>::UPCAST };
        let object = self.into_object();
        debug_assert!(A::accepts_object(object.view()));
        // SAFETY: `H` accepts the object, so by the proof above, `A` accepts it.
        unsafe { from_object_unchecked(object) }
    }
}

/// Borrows a handle as the handle of an ancestor. The reference count does not change.
#[inline]
pub fn upcast_ref<A: ObjectHandle, H: TypedHandle>(handle: &H) -> &A
where
    for<'a> &'a H: UpcastsTo<A, Node = <H as TypedHandle>::Node>,
{
    const { <&'static H as UpcastsTo<A>>::UPCAST };
    debug_assert!(A::accepts_object(handle.as_object().view()));
    // SAFETY: `H` accepts the object, so by the proof above, `A` accepts it. Both types consist of an `ObjectRef`.
    unsafe { &*std::ptr::from_ref(handle).cast::<A>() }
}
