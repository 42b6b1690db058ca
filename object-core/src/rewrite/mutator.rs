//! [`Mutator`]: a rewrite as a trait, with callbacks before and after the children of each object.
//!
//! The rewrite calls the mutator once for each object, and the result replaces every reference to the object. So the
//! rewrite preserves sharing, and a variable with changed fields becomes one new variable, at its binder and at every
//! use. An unchanged object keeps its address. The rewrite copies a changed object, or changes it in place if the
//! caller passed the root by value and nothing else refers to the object. It always copies two kinds of objects: a map
//! of which a key changes, and an array or map that is itself an element of another one and gets elements of other
//! types.

use std::marker::PhantomData;
use std::num::NonZeroUsize;

use crate::error::{Error, Result};
use crate::graph::{Met, MetObjects, MetState};
use crate::object::{Any, AnyView, FieldType, ObjectRef, ObjectView};
use crate::rewrite::engine::{Entry, Rewriter, rewrite};
use crate::table::AddressTable;
use crate::visit::{IntoOutcome, Position};

/// How a rewrite changes an object, and how it continues.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub enum Mutation {
    /// Keeps the object, and visits its children.
    #[default]
    Keep,
    /// Keeps the object and everything below it. After the children, this is the same as `Keep`.
    Skip,
    /// Replaces the object with this value, and skips the children of the value.
    Replace(Any),
    /// Replaces the object with this value, and visits the children of the value. If the value contains the object
    /// itself, the rewrite visits the children of this inner occurrence without another call of [`Mutator::enter`].
    /// After the children, this is the same as `Replace`.
    ReplaceInto(Any),
}

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

/// An object that the rewrite has entered and may reach again, unless its [`MetState`] says enough about it.
struct Entered {
    /// Keeps the object alive, so that no other object gets its address. `None` if the object exists until the rewrite ends.
    _object: Option<ObjectRef>,
    result: Outcome,
    /// The result for the object inside of the value that replaces it.
    inner_result: Outcome,
}

impl Entered {
    /// An object that the rewrite has not left.
    fn open(object: Option<ObjectRef>) -> Self {
        Entered { _object: object, result: Outcome::Open, inner_result: Outcome::Open }
    }
}

/// The result for an object.
enum Outcome {
    /// The rewrite has not left the object.
    Open,
    /// The object itself.
    Same,
    Value(Any),
}

/// An entered object that the rewrite has not left, and for which it will store a result.
struct Open {
    /// The address, plus one if the result belongs in `Entered::inner_result`.
    key: NonZeroUsize,
    mark: u32,
}

/// `root` with the changes that `mutator` makes.
///
/// If the rewrite fails or a callback panics, it drops `root`. Other handles of the root or of its parts still refer to
/// unchanged objects.
///
/// # Errors
/// The error of the mutator, and the error of a field that rejects a value, both with the path;
/// [`DuplicateKey`](crate::ErrorKind::DuplicateKey) if two keys of a map become equal. Errors of this crate convert to `E`.
pub fn mutate_with<T, E>(root: T, mutator: &mut impl Mutator<E>) -> Result<T, E>
where
    T: FieldType,
    E: From<Error> + 'static,
{
    match root.into_any() {
        Any::Object(object) => {
            let (met, entered) = (MetObjects::default(), AddressTable::default());
            let mut run = Run { mutator, met, entered, error: PhantomData };
            Ok(rewrite(object, &mut run)?.cast()?)
        }
        plain => Ok(plain.cast()?),
    }
}

impl Open {
    /// `None` does not occur, because no object has the address zero.
    #[inline(always)]
    fn new(met: Met, is_inner: bool) -> Option<Self> {
        Some(Open { key: NonZeroUsize::new(met.address | usize::from(is_inner))?, mark: met.mark })
    }

    fn is_inner(&self) -> bool {
        self.key.get() & 1 != 0
    }

    fn met(&self) -> Met {
        Met { address: self.key.get() & !1, mark: self.mark }
    }
}

/// The rewrite of a mutator.
struct Run<'m, M, E> {
    mutator: &'m mut M,
    /// The entered objects that the rewrite may reach again.
    met: MetObjects,
    /// The objects in `met` with the state [`MetState::Stored`].
    entered: AddressTable<Entered>,
    error: PhantomData<E>,
}

impl<M: Mutator<E>, E: From<Error> + 'static> Rewriter for Run<'_, M, E> {
    type Error = E;
    type State = Option<Open>;

    #[inline(always)]
    fn enter(&mut self, object: ObjectView<'_>, is_kept: bool, at: &Position<'_>) -> Result<Entry<Option<Open>>, E> {
        // An object with one handle has one occurrence.
        if object.use_count() <= 1 {
            return self.enter_first(object, None, at);
        }
        if self.met.is_done(object) { Ok(Entry::Keep) } else { self.enter_shared(object, is_kept, at) }
    }

    #[inline(always)]
    fn leave(&mut self, open: Option<Open>, value: AnyView<'_>, at: &Position<'_>) -> Result<Option<Any>, E> {
        let mutation = match value {
            AnyView::Object(object) => self.mutator.leave(object, at)?,
            _ => Mutation::Keep,
        };
        let replacement = match mutation {
            Mutation::Keep | Mutation::Skip => None,
            Mutation::Replace(value) | Mutation::ReplaceInto(value) => Some(value),
        };
        if let Some(open) = open {
            self.store(&open, replacement.as_ref().map_or(value, Any::view));
        }
        Ok(replacement)
    }
}

impl<M: Mutator<E>, E: From<Error> + 'static> Run<'_, M, E> {
    /// Enters an object that may occur again, or puts its result in its place.
    #[inline(never)]
    fn enter_shared(
        &mut self,
        object: ObjectView<'_>,
        is_kept: bool,
        at: &Position<'_>,
    ) -> Result<Entry<Option<Open>>, E> {
        let state = self.met.meet(object);
        let met = MetObjects::key(object);
        match state {
            None => {
                if !is_kept {
                    self.keep(met, object.to_object());
                }
                self.enter_first(object, Open::new(met, false), at)
            }
            Some(MetState::Done) => Ok(Entry::Keep),
            Some(MetState::Entered | MetState::Stored) => Ok(self.enter_again(met)),
        }
    }

    /// Puts the result for an entered object in its place, or enters the object inside of the value that replaces it.
    fn enter_again(&self, met: Met) -> Entry<Option<Open>> {
        let Some(known) = self.entered.get(&met.address) else { return Entry::Descend(Open::new(met, true)) };
        let result = if matches!(known.result, Outcome::Open) { &known.inner_result } else { &known.result };
        match result {
            Outcome::Open => Entry::Descend(Open::new(met, true)),
            Outcome::Same => Entry::Keep,
            Outcome::Value(value) => Entry::Replace(value.clone()),
        }
    }

    /// Keeps an entered object alive.
    fn keep(&mut self, met: Met, object: ObjectRef) {
        self.met.set_state(met, MetState::Stored);
        self.entered.insert(met.address, Entered::open(Some(object)));
    }

    /// Enters an object for the first time. `open` is the place for its result, if it may occur again.
    #[inline(always)]
    fn enter_first(
        &mut self,
        object: ObjectView<'_>,
        open: Option<Open>,
        at: &Position<'_>,
    ) -> Result<Entry<Option<Open>>, E> {
        let entry = match self.mutator.enter(object, at)? {
            Mutation::Keep => return Ok(Entry::Descend(open)),
            Mutation::ReplaceInto(value) => {
                // The value may contain the object, and then it is the last holder of the object.
                self.met.meet(object);
                let met = MetObjects::key(object);
                self.keep(met, object.to_object());
                return Ok(Entry::DescendInto(value, Open::new(met, false)));
            }
            Mutation::Skip => Entry::Keep,
            Mutation::Replace(value) => Entry::Replace(value),
        };
        if let Some(open) = open {
            let value = if let Entry::Replace(value) = &entry { value.view() } else { AnyView::Object(object) };
            self.store(&open, value);
        }
        Ok(entry)
    }

    /// Stores the result for an object.
    #[inline(never)]
    fn store(&mut self, open: &Open, value: AnyView<'_>) {
        let met = open.met();
        let is_same = value.as_object().is_some_and(|object| object.address() == met.address);
        if is_same && !open.is_inner() && self.met.finish(met) {
            return;
        }
        self.met.set_state(met, MetState::Stored);
        let known = self.entered.entry(met.address).or_insert_with(|| Entered::open(None));
        let result = if open.is_inner() { &mut known.inner_result } else { &mut known.result };
        *result = if is_same { Outcome::Same } else { Outcome::Value(value.to_any()) };
    }
}
