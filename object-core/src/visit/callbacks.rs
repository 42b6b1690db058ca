//! [`Callbacks`]: lists of closures, each for the objects of one handle type.

use std::marker::PhantomData;

use crate::object::{ObjectHandle, ObjectView};
use crate::visit::position::Position;

/// A list of closures, each for the objects of one handle type. `()` is the empty list, and `(list, Callback<..>)` is a
/// list with one more closure. The type of a list names all its closures, so a call compiles to a chain of `if`s.
pub trait Callbacks<R> {
    /// Calls the first closure that accepts `object`.
    fn call(&mut self, object: ObjectView<'_>, at: &Position<'_>) -> Option<R>;
}

/// A closure for the objects that an `H` can refer to. `O` is its return type.
pub struct Callback<H, F, O> {
    closure: F,
    marker: PhantomData<fn(&H) -> O>,
}

/// The list `L` with one more closure.
pub type WithCallback<L, H, F, O> = (L, Callback<H, F, O>);

impl<H, F, O> Callback<H, F, O> {
    pub(crate) fn new(closure: F) -> Self {
        Callback { closure, marker: PhantomData }
    }
}

/// A return type of callbacks that converts to `R`.
#[diagnostic::on_unimplemented(
    message = "a callback cannot return `{Self}` here",
    note = "in a walk it returns `()`, a `WalkResult`, or a `Result` with nothing in it; in a rewrite an `Option` of the \
            new value, a `Mutation`, or a `Result` of one of these"
)]
pub trait IntoOutcome<R> {
    /// Converts the value to an `R`.
    fn into_outcome(self) -> R;
}

impl<R> Callbacks<R> for () {
    #[inline]
    fn call(&mut self, _: ObjectView<'_>, _: &Position<'_>) -> Option<R> {
        None
    }
}

impl<R, L, H, F, O> Callbacks<R> for WithCallback<L, H, F, O>
where
    L: Callbacks<R>,
    H: ObjectHandle,
    F: FnMut(&H, &Position<'_>) -> O,
    O: IntoOutcome<R>,
{
    #[inline]
    fn call(&mut self, object: ObjectView<'_>, at: &Position<'_>) -> Option<R> {
        if let Some(outcome) = self.0.call(object, at) {
            return Some(outcome);
        }
        let handle = object.as_handle::<H>()?;
        Some((self.1.closure)(handle, at).into_outcome())
    }
}
