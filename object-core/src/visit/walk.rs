//! [`walk()`] and [`Walk`]: walks with closures, each for the objects of one type.

use std::convert::Infallible;
use std::marker::PhantomData;

use crate::object::{AnyView, AsAnyView, ObjectHandle, ObjectView};
use crate::visit::callbacks::{Callback, Callbacks, IntoOutcome, WithCallback};
use crate::visit::options::WalkOptions;
use crate::visit::position::Position;
use crate::visit::walker::{WalkResult, Walker, walk_with};

/// Calls `visit` once with each object of the graph below `root` that an `H` can refer to and its [`Position`], parents before
/// children. The closure has the form of the closures of a [`Walk`].
///
/// ```
/// use object_core::{Any, Array, Str, visit::walk};
/// let value = Array::<Any>::from([Any::from("a"), Any::from(Array::from([Str::from("b")]))]);
/// let mut words = Vec::new();
/// walk(&value, |word: &Str, _| words.push(word.to_string()));
/// assert_eq!(words, ["a", "b"]);
/// ```
pub fn walk<H: ObjectHandle>(root: &impl AsAnyView, visit: impl FnMut(&H, &Position<'_>)) {
    Walk::new().enter(visit).run(root);
}

/// A walk with closures, each for the objects of one handle type. Before the children of an object, the walk calls the
/// first closure given to [`enter`](Self::enter) that accepts the object; after the children, the first one given to
/// [`leave`](Self::leave).
///
/// A closure takes the handle and the [`Position`]. It returns nothing, a [`WalkResult`], or a `Result<(), E>` of which
/// an error ends the walk. A closure states the type of its first argument, which selects the objects. Closures that share
/// state keep it in a [`Cell`](std::cell::Cell); a [`Walker`] has state of its own.
///
/// ```
/// use object_core::{Any, Array, Str, visit::{Walk, WalkResult}};
/// let value = Array::<Any>::from([Any::from("a"), Any::from(Array::from([Str::from("b"), Str::from("c")]))]);
/// let found = Walk::interruptible()
///     .enter(|word: &Str, at| match word.as_str() {
///         "b" => WalkResult::Interrupt(at.path().to_string()),
///         _ => WalkResult::Advance,
///     })
///     .run(&value);
/// assert_eq!(found.as_deref(), Some("<root>[1][0]"));
/// ```
pub struct Walk<E, L, P, B> {
    enter: E,
    leave: L,
    plain: P,
    options: WalkOptions,
    marker: PhantomData<fn() -> B>,
}

impl Walk<(), (), (), Infallible> {
    /// A walk without closures that no closure can end early.
    #[must_use]
    pub fn new() -> Self {
        Walk::interruptible()
    }
}

impl Default for Walk<(), (), (), Infallible> {
    fn default() -> Self {
        Walk::new()
    }
}

impl<B> Walk<(), (), (), B> {
    /// A walk without closures that a closure can end early with a `B`.
    #[must_use]
    pub fn interruptible() -> Self {
        Walk { enter: (), leave: (), plain: (), options: WalkOptions::new(), marker: PhantomData }
    }
}

impl<E, L, P, B> Walk<E, L, P, B> {
    /// Adds a closure for the objects that an `H` can refer to. The walk calls it before the children of such an
    /// object.
    pub fn enter<H, F, O>(self, closure: F) -> Walk<WithCallback<E, H, F, O>, L, P, B>
    where
        H: ObjectHandle,
        F: FnMut(&H, &Position<'_>) -> O,
        O: IntoOutcome<WalkResult<B>>,
    {
        let Walk { enter, leave, plain, options, marker } = self;
        Walk { enter: (enter, Callback::new(closure)), leave, plain, options, marker }
    }

    /// Adds a closure for the objects that an `H` can refer to. The walk calls it after the children of such an object.
    pub fn leave<H, F, O>(self, closure: F) -> Walk<E, WithCallback<L, H, F, O>, P, B>
    where
        H: ObjectHandle,
        F: FnMut(&H, &Position<'_>) -> O,
        O: IntoOutcome<WalkResult<B>>,
    {
        let Walk { enter, leave, plain, options, marker } = self;
        Walk { enter, leave: (leave, Callback::new(closure)), plain, options, marker }
    }

    /// Sets a closure for the values that are not objects. The walk calls it at each position of such a value.
    pub fn plain<F, O>(self, closure: F) -> Walk<E, L, OnPlain<F>, B>
    where
        F: FnMut(AnyView<'_>, &Position<'_>) -> O,
        O: IntoOutcome<WalkResult<B>>,
    {
        let Walk { enter, leave, plain: _, options, marker } = self;
        Walk { enter, leave, plain: OnPlain(closure), options, marker }
    }

    /// Sets the options.
    #[must_use]
    pub fn options(mut self, options: WalkOptions) -> Self {
        self.options = options;
        self
    }

    /// Walks the graph below `root`. The result is the value with which a closure ended the walk, if one did.
    pub fn run(&mut self, root: &impl AsAnyView) -> Option<B>
    where
        E: Callbacks<WalkResult<B>>,
        L: Callbacks<WalkResult<B>>,
        P: PlainCallback<B>,
    {
        walk_with(root, self.options, self)
    }
}

/// A closure for the plain values of a [`Walk`].
pub struct OnPlain<F>(F);

/// The callback of a [`Walk`] for plain values: `()` if there is none, or [`OnPlain`].
pub trait PlainCallback<B> {
    /// Whether there is a closure.
    const IS_SOME: bool;

    /// Calls the closure.
    fn call(&mut self, value: AnyView<'_>, at: &Position<'_>) -> WalkResult<B>;
}

impl<B> PlainCallback<B> for () {
    const IS_SOME: bool = false;

    fn call(&mut self, _: AnyView<'_>, _: &Position<'_>) -> WalkResult<B> {
        WalkResult::Advance
    }
}

impl<B, O: IntoOutcome<WalkResult<B>>, F: FnMut(AnyView<'_>, &Position<'_>) -> O> PlainCallback<B> for OnPlain<F> {
    const IS_SOME: bool = true;

    fn call(&mut self, value: AnyView<'_>, at: &Position<'_>) -> WalkResult<B> {
        (self.0)(value, at).into_outcome()
    }
}

impl<'a, E, L, P, B> Walker<'a> for Walk<E, L, P, B>
where
    E: Callbacks<WalkResult<B>>,
    L: Callbacks<WalkResult<B>>,
    P: PlainCallback<B>,
{
    type Break = B;

    const PLAIN: bool = P::IS_SOME;

    #[inline]
    fn enter(&mut self, object: ObjectView<'a>, at: &Position<'_>) -> WalkResult<B> {
        self.enter.call(object, at).unwrap_or(WalkResult::Advance)
    }

    #[inline]
    fn leave(&mut self, object: ObjectView<'a>, at: &Position<'_>) -> WalkResult<B> {
        self.leave.call(object, at).unwrap_or(WalkResult::Advance)
    }

    #[inline]
    fn plain(&mut self, value: AnyView<'a>, at: &Position<'_>) -> WalkResult<B> {
        self.plain.call(value, at)
    }
}
