//! [`mutate()`] and [`Mutate`]: rewrites with closures, each for the objects of one type.

use std::marker::PhantomData;

use crate::error::{Error, Result};
use crate::object::{FieldType, ObjectHandle, ObjectView};
use crate::rewrite::mutator::{Mutator, mutate_with};
use crate::rewrite::rule::Mutation;
use crate::visit::{Callback, Callbacks, IntoOutcome, Position, WithCallback};

/// `root` with every object that an `H` can refer to replaced by the result of `replace`, children before parents.
/// `None` keeps the object. The closure also gets the [`Position`], as the closures of a [`Mutate`].
///
/// ```
/// use object_core::{Array, Error, Str, rewrite::mutate};
/// let value = Array::from([Str::from("a"), Str::from("b")]);
/// let louder = mutate(value, |word: &Str, _| (word.as_str() == "a").then(|| Str::from("A")))?;
/// assert_eq!(format!("{louder:?}"), r#"["A", "b"]"#);
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// As [`mutate_with`]. Closures with another type of error need [`Mutate::with_error`].
pub fn mutate<H, T, O>(root: T, replace: impl FnMut(&H, &Position<'_>) -> O) -> Result<T>
where
    H: ObjectHandle,
    T: FieldType,
    O: IntoOutcome<Result<Mutation>>,
{
    Mutate::new().leave(replace).run(root)
}

/// A rewrite with closures, each for the objects of one handle type. Before the children of an object, the rewrite
/// calls the first closure given to [`enter`](Self::enter) that accepts the object; after the children, the first one
/// given to [`leave`](Self::leave).
///
/// A closure takes the handle and the [`Position`]. It returns an `Option` of the new value, a [`Mutation`], or a
/// `Result` of one of these, with the crate's error or, after [`with_error`](Mutate::with_error), another one. A closure states the type of its first argument, which selects the objects.
///
/// ```
/// use object_core::{Any, Array, Error, Str, rewrite::{Mutate, Mutation}};
/// let quoted = Array::<Any>::from([Any::from("quote"), Any::from("a")]);
/// let value = Array::<Any>::from([Any::from("a"), Any::from(quoted)]);
/// let mutated = Mutate::new()
///     .enter(|list: &Array<Any>, _| match list.get(0) {
///         Some(first) if format!("{first:?}") == r#""quote""# => Mutation::Skip,
///         _ => Mutation::Keep,
///     })
///     .leave(|word: &Str, _| Some(Str::from(word.to_uppercase())))
///     .run(value)?;
/// assert_eq!(format!("{mutated:?}"), r#"["A", ["quote", "a"]]"#);
/// # Ok::<(), Error>(())
/// ```
///
/// A closure can remove an element of an array, or put several values into its place:
///
/// ```
/// use object_core::{Any, Array, Error, Str, rewrite::{Mutation, mutate}};
/// let value = Array::from(["a", "", "b c"].map(Str::from));
/// let words = mutate(value, |text: &Str, _| match text.as_str() {
///     "" => Mutation::Remove,
///     text if text.contains(' ') => Mutation::Splice(text.split(' ').map(Any::from).collect()),
///     _ => Mutation::Keep,
/// })?;
/// assert_eq!(words, ["a", "b", "c"]);
/// # Ok::<(), Error>(())
/// ```
pub struct Mutate<Enter, Leave, E = Error> {
    enter: Enter,
    leave: Leave,
    error: PhantomData<fn() -> E>,
}

impl Mutate<(), ()> {
    /// A rewrite without closures.
    #[must_use]
    pub fn new() -> Self {
        Mutate::with_error()
    }

    /// A rewrite without closures. Its closures and its [`run`](Mutate::run) return errors of the type `E`, to which the
    /// errors of this crate convert.
    ///
    /// ```
    /// use object_core::{Array, Str, rewrite::Mutate};
    ///
    /// #[derive(Debug)]
    /// enum Refused {
    ///     Word(String),
    ///     Other(object_core::Error),
    /// }
    ///
    /// impl From<object_core::Error> for Refused {
    ///     fn from(error: object_core::Error) -> Self {
    ///         Refused::Other(error)
    ///     }
    /// }
    ///
    /// let words = Array::from([Str::from("a"), Str::from("b!")]);
    /// let refused = Mutate::with_error::<Refused>()
    ///     .leave(|word: &Str, at| match word.strip_suffix('!') {
    ///         Some(word) => Err(Refused::Word(format!("{word} at {}", at.path()))),
    ///         None => Ok(Some(Str::from(word.to_uppercase()))),
    ///     })
    ///     .run(words);
    /// assert!(matches!(refused, Err(Refused::Word(text)) if text == "b at <root>[1]"));
    /// ```
    #[must_use]
    pub fn with_error<E: From<Error> + 'static>() -> Mutate<(), (), E> {
        Mutate { enter: (), leave: (), error: PhantomData }
    }
}

impl Default for Mutate<(), ()> {
    fn default() -> Self {
        Mutate::new()
    }
}

impl<Enter, Leave, E> Mutate<Enter, Leave, E>
where
    Enter: Callbacks<Result<Mutation, E>>,
    Leave: Callbacks<Result<Mutation, E>>,
    E: From<Error> + 'static,
{
    /// Adds a closure for the objects that an `H` can refer to. The rewrite calls it before the children of such an
    /// object: top-down.
    pub fn enter<H, F, O>(self, closure: F) -> Mutate<WithCallback<Enter, H, F, O>, Leave, E>
    where
        H: ObjectHandle,
        F: FnMut(&H, &Position<'_>) -> O,
        O: IntoOutcome<Result<Mutation, E>>,
    {
        Mutate { enter: (self.enter, Callback::new(closure)), leave: self.leave, error: PhantomData }
    }

    /// Adds a closure for the objects that an `H` can refer to. The rewrite calls it after the children of such an
    /// object: bottom-up.
    pub fn leave<H, F, O>(self, closure: F) -> Mutate<Enter, WithCallback<Leave, H, F, O>, E>
    where
        H: ObjectHandle,
        F: FnMut(&H, &Position<'_>) -> O,
        O: IntoOutcome<Result<Mutation, E>>,
    {
        Mutate { enter: self.enter, leave: (self.leave, Callback::new(closure)), error: PhantomData }
    }

    /// `root` with the changes.
    ///
    /// # Errors
    /// As [`mutate_with`].
    pub fn run<T: FieldType>(&mut self, root: T) -> Result<T, E> {
        mutate_with(root, self)
    }
}

impl<Enter, Leave, E> Mutator<E> for Mutate<Enter, Leave, E>
where
    Enter: Callbacks<Result<Mutation, E>>,
    Leave: Callbacks<Result<Mutation, E>>,
{
    #[inline(always)]
    fn enter(&mut self, object: ObjectView<'_>, at: &Position<'_>) -> Result<Mutation, E> {
        match self.enter.call(object, at) {
            Some(outcome) => outcome,
            None => Ok(Mutation::Keep),
        }
    }

    #[inline(always)]
    fn leave(&mut self, object: ObjectView<'_>, at: &Position<'_>) -> Result<Mutation, E> {
        match self.leave.call(object, at) {
            Some(outcome) => outcome,
            None => Ok(Mutation::Keep),
        }
    }
}
