//! [`Callbacks`]: closures by the type of the object, of which the first that fits is called.

use std::marker::PhantomData;

use crate::object::{ObjectHandle, ObjectView};
use crate::visit::place::Place;

/// A list of closures, each for the objects of one handle type. `()` is the empty list, `(list, On<..>)` a longer one:
/// the compiler knows all of it, so that calling costs no more than a chain of `if`s.
pub trait Callbacks<R> {
    /// Calls the first closure that is for `object`.
    fn call(&mut self, object: ObjectView<'_>, at: &Place<'_>) -> Option<R>;
}

/// A closure for the objects that `H` may point to; `O` is what it returns.
pub struct On<H, F, O> {
    closure: F,
    marker: PhantomData<fn(&H) -> O>,
}

/// The list `L` with one closure more.
pub type Then<L, H, F, O> = (L, On<H, F, O>);

impl<H, F, O> On<H, F, O> {
    pub(crate) fn new(closure: F) -> Self {
        On { closure, marker: PhantomData }
    }
}

/// What a closure may return in place of `R`.
#[diagnostic::on_unimplemented(
    message = "a callback cannot return `{Self}` here",
    note = "in a walk it returns `()`, a `WalkResult`, or a `Result` with nothing in it; in a rewrite an `Option` of the \
            new value, a `Mutation`, or a `Result` of one of these"
)]
pub trait IntoOutcome<R> {
    /// The same as an `R`.
    fn into_outcome(self) -> R;
}

impl<R> Callbacks<R> for () {
    #[inline]
    fn call(&mut self, _: ObjectView<'_>, _: &Place<'_>) -> Option<R> {
        None
    }
}

impl<R, L, H, F, O> Callbacks<R> for (L, On<H, F, O>)
where
    L: Callbacks<R>,
    H: ObjectHandle,
    F: FnMut(&H, &Place<'_>) -> O,
    O: IntoOutcome<R>,
{
    #[inline]
    fn call(&mut self, object: ObjectView<'_>, at: &Place<'_>) -> Option<R> {
        if let Some(outcome) = self.0.call(object, at) {
            return Some(outcome);
        }
        let handle = object.as_handle::<H>()?;
        Some((self.1.closure)(handle, at).into_outcome())
    }
}
