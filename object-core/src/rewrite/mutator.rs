//! [`Mutator`]: a rewrite as a trait, with callbacks before and after the children of each object.
//!
//! The rewrite calls the mutator once for each object, and the result replaces every reference to the object. So the
//! rewrite preserves sharing, and a variable with changed fields becomes one new variable, at its binder and at every
//! use. An unchanged object keeps its address. The rewrite copies a changed object, or changes it in place if the
//! caller passed the root by value and nothing else refers to the object. It always copies two kinds of objects: a map
//! of which a key changes, and an array or map that is itself an element of another one and gets elements of other
//! types.

use crate::error::{Error, Result};
use crate::object::{Any, FieldType, ObjectView};
use crate::rewrite::rule::{Mutation, Rule, rewrite_by_rule};
use crate::visit::{IntoOutcome, Position};

impl<E> IntoOutcome<Result<Mutation, E>> for Mutation {
    fn into_outcome(self) -> Result<Mutation, E> {
        Ok(self)
    }
}

/// `None` keeps the object. `Some(Any::None)` removes it, if its field is optional.
impl<T: Into<Any>, E> IntoOutcome<Result<Mutation, E>> for Option<T> {
    fn into_outcome(self) -> Result<Mutation, E> {
        Ok(self.map_or(Mutation::Keep, |value| Mutation::Replace(value.into())))
    }
}

impl<O: IntoOutcome<Result<Mutation, E>>, E> IntoOutcome<Result<Mutation, E>> for Result<O, E> {
    fn into_outcome(self) -> Result<Mutation, E> {
        self.and_then(IntoOutcome::into_outcome)
    }
}

/// The callbacks of a rewrite. `E` is the type of their errors: the error of this crate, or another one that it converts to.
///
/// ```
/// use object_core::prelude::*;
/// use object_core::rewrite::{Mutation, Mutator, mutate_with};
/// use object_core::visit::Position;
/// use object_core::ObjectView;
///
/// /// Appends a number to each text.
/// struct Number(usize);
///
/// impl Mutator for Number {
///     fn leave(&mut self, object: ObjectView<'_>, _: &Position<'_>) -> Result<Mutation, Error> {
///         let Some(text) = object.as_str() else { return Ok(Mutation::Keep) };
///         self.0 += 1;
///         Ok(Mutation::Replace(Any::from(format!("{text}{}", self.0))))
///     }
/// }
///
/// let numbered = mutate_with(Array::from([Str::from("a"), Str::from("b")]), &mut Number(0))?;
/// assert_eq!(format!("{numbered:?}"), r#"["a1", "b2"]"#);
/// # Ok::<(), Error>(())
/// ```
pub trait Mutator<E = Error> {
    /// Called with an object before its children: top-down.
    ///
    /// # Errors
    /// An error ends the rewrite. The rewrite adds the path of the object to an [`Error`]; for an error of another type, the
    /// callback can take the path from the position.
    fn enter(&mut self, _object: ObjectView<'_>, _at: &Position<'_>) -> Result<Mutation, E> {
        Ok(Mutation::Keep)
    }

    /// Called with an object after its children, with the new children in it: bottom-up. It is not called for an object
    /// for which [`enter`](Self::enter) returned [`Skip`](Mutation::Skip) or [`Replace`](Mutation::Replace).
    ///
    /// # Errors
    /// As [`enter`](Self::enter).
    fn leave(&mut self, _object: ObjectView<'_>, _at: &Position<'_>) -> Result<Mutation, E> {
        Ok(Mutation::Keep)
    }
}

/// `root` with the changes that `mutator` makes.
///
/// If the rewrite fails or a callback panics, it drops `root`. Other handles of the root or of its parts still refer to
/// unchanged objects.
///
/// # Errors
/// The error of the mutator, and the error of a field that rejects a value, both with the path;
/// [`DuplicateKey`](crate::ErrorKind::DuplicateKey) if two keys of a map become equal;
/// [`TypeMismatch`](crate::ErrorKind::TypeMismatch) if an object is to be removed or spliced that is not in an array or map. Errors of this crate convert to `E`.
pub fn mutate_with<T, E>(root: T, mutator: &mut impl Mutator<E>) -> Result<T, E>
where
    T: FieldType,
    E: From<Error> + 'static,
{
    match root.into_any() {
        Any::Object(object) => Ok(rewrite_by_rule(object, ByMutator(mutator))?.cast()?),
        plain => Ok(plain.cast()?),
    }
}

/// The rule of a mutator.
struct ByMutator<'m, M>(&'m mut M);

impl<M: Mutator<E>, E> Rule<E> for ByMutator<'_, M> {
    type Before = ();

    #[inline(always)]
    fn enter(&mut self, object: ObjectView<'_>, at: &Position<'_>) -> Result<Mutation, E> {
        self.0.enter(object, at)
    }

    #[inline(always)]
    fn leave(&mut self, object: ObjectView<'_>, at: &Position<'_>) -> Result<Mutation, E> {
        self.0.leave(object, at)
    }

    #[inline(always)]
    fn before(&self) {}
}
