//! Types that extend other types.

pub use crate::object::memory::type_table::{ancestor_count, ancestors};
pub use crate::object::typed::upcast::{IsOrExtends, Upcast, upcast_ref};
pub use crate::object::{Extends, UpcastsTo};

use crate::object::{MakeMut, Object, ObjectHandle, TypedHandle};

/// `handle` after `change` has changed it through the handle of an ancestor.
///
/// # Panics
/// If the result of `change` is not an object of the type of `handle`.
pub fn change_base<A: ObjectHandle, H: MakeMut + UpcastsTo<A>>(handle: H, change: impl FnOnce(A) -> A) -> H {
    let changed = change(UpcastsTo::upcast(handle));
    H::try_from_object(changed.into_object()).unwrap_or_else(|_| panic!("a change of fields keeps the type"))
}

/// The node struct `C` may extend this one: every node struct marked `base` implements the trait for all `C`. The
/// parameter `C` makes the coherence check accept the generated impls, because that check looks into an associated type
/// only if a local type is involved.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the parent of `{C}`",
    label = "not a base",
    note = "a parent is a node struct with `#[derive(Object)]` and `base` in its `#[object(...)]`"
)]
pub trait BaseOf<C>: Object {
    /// The handle.
    type BaseHandle: TypedHandle<Node = Self>;

    /// The names of the arguments of `new_base`, in order.
    const ARG_NAMES: &'static [&'static str];
}

/// Makes the base part of a new object of an extending type from the tuple `Args` of its arguments.
#[diagnostic::on_unimplemented(
    message = "`base_args` does not list the arguments of `{Self}`",
    label = "other arguments are needed",
    note = "they are those of `{Self}::new_base`, in its order: write `base_args(name: Type, ...)` in `#[object(...)]`, or \
            leave it out if there are none"
)]
pub trait NewBase<Args>: Sized {
    /// The base part.
    #[must_use]
    fn from_args(args: Args) -> Self;
}

/// The arguments of the base part `P` of a new object. Their type is fixed before the compiler looks for a
/// [`NewBase`] impl, so that the message of that trait explains wrong arguments.
pub struct BaseArgs<P, Args> {
    args: Args,
    base: std::marker::PhantomData<P>,
}

impl<P, Args> BaseArgs<P, Args> {
    /// A base part with these arguments.
    #[must_use]
    pub const fn of(args: Args) -> Self {
        BaseArgs { args, base: std::marker::PhantomData }
    }
}

impl<P: BaseOf<()>> BaseArgs<P, ()> {
    /// The names of the arguments of the base part.
    pub const NAMES: &'static [&'static str] = P::ARG_NAMES;
}

impl<P: BaseOf<()>, Args> BaseArgs<P, Args> {
    /// The base part.
    #[must_use]
    pub fn build(self) -> P
    where
        P: NewBase<Args>,
    {
        P::from_args(self.args)
    }
}

/// Replaces [`BaseArgs::build`] and [`BaseArgs::NAMES`] for a parent that is not a base. The error of [`BaseOf`] reports such
/// a parent, and this trait prevents a second error about the arguments.
pub trait NotABase<P> {
    /// No names, with which the rule about names has nothing to compare.
    const NAMES: &'static [&'static str] = &[];

    /// Never called.
    ///
    /// # Panics
    /// Always.
    #[must_use]
    fn build(&self) -> P {
        panic!("not a base")
    }
}

impl<P, Args> NotABase<P> for BaseArgs<P, Args> {}
