//! [`mutate()`] and [`Mutate`]: rewrites with closures, each for the objects of one type.

use crate::error::Result;
use crate::object::{FieldType, ObjectHandle, ObjectView};
use crate::rewrite::mutator::{Mutation, Mutator, mutate_with};
use crate::visit::{Callback, Callbacks, IntoOutcome, Position, WithCallback};

/// `root` with every object that an `H` can refer to replaced by the result of `replace`, children before parents.
/// `None` keeps the object.
///
/// ```
/// use object_core::{Array, Error, Str, rewrite::mutate};
/// let value = Array::from([Str::from("a"), Str::from("b")]);
/// let louder = mutate(value, |word: &Str| (word.as_str() == "a").then(|| Str::from("A")))?;
/// assert_eq!(format!("{louder:?}"), r#"["A", "b"]"#);
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// As [`mutate_with`].
pub fn mutate<H, T, O>(root: T, mut replace: impl FnMut(&H) -> O) -> Result<T>
where
    H: ObjectHandle,
    T: FieldType,
    O: IntoOutcome<Result<Mutation>>,
{
    Mutate::new().leave(|object: &H, _: &Position<'_>| replace(object)).run(root)
}

/// A rewrite with closures, each for the objects of one handle type. Before the children of an object, the rewrite
/// calls the first closure given to [`enter`](Self::enter) that accepts the object; after the children, the first one
/// given to [`leave`](Self::leave).
///
/// A closure takes the handle and the [`Position`]. It returns an `Option` of the new value, a [`Mutation`], or a
/// `Result` of one of these. A closure states the type of its first argument, which selects the objects.
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
pub struct Mutate<E, L> {
    enter: E,
    leave: L,
}

impl Mutate<(), ()> {
    /// A rewrite without closures.
    #[must_use]
    pub fn new() -> Self {
        Mutate { enter: (), leave: () }
    }
}

impl Default for Mutate<(), ()> {
    fn default() -> Self {
        Mutate::new()
    }
}

impl<E: Callbacks<Result<Mutation>>, L: Callbacks<Result<Mutation>>> Mutate<E, L> {
    /// Adds a closure for the objects that an `H` can refer to. The rewrite calls it before the children of such an
    /// object: top-down.
    pub fn enter<H, F, O>(self, closure: F) -> Mutate<WithCallback<E, H, F, O>, L>
    where
        H: ObjectHandle,
        F: FnMut(&H, &Position<'_>) -> O,
        O: IntoOutcome<Result<Mutation>>,
    {
        Mutate { enter: (self.enter, Callback::new(closure)), leave: self.leave }
    }

    /// Adds a closure for the objects that an `H` can refer to. The rewrite calls it after the children of such an
    /// object: bottom-up.
    pub fn leave<H, F, O>(self, closure: F) -> Mutate<E, WithCallback<L, H, F, O>>
    where
        H: ObjectHandle,
        F: FnMut(&H, &Position<'_>) -> O,
        O: IntoOutcome<Result<Mutation>>,
    {
        Mutate { enter: self.enter, leave: (self.leave, Callback::new(closure)) }
    }

    /// `root` with the changes.
    ///
    /// # Errors
    /// As [`mutate_with`].
    pub fn run<T: FieldType>(&mut self, root: T) -> Result<T> {
        mutate_with(root, self)
    }
}

impl<E: Callbacks<Result<Mutation>>, L: Callbacks<Result<Mutation>>> Mutator for Mutate<E, L> {
    fn enter(&mut self, object: ObjectView<'_>, at: &Position<'_>) -> Result<Mutation> {
        self.enter.call(object, at).unwrap_or(Ok(Mutation::Keep))
    }

    fn leave(&mut self, object: ObjectView<'_>, at: &Position<'_>) -> Result<Mutation> {
        self.leave.call(object, at).unwrap_or(Ok(Mutation::Keep))
    }
}
