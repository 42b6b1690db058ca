//! [`Rule`]: a rewrite that applies a rule once to each object, and puts the result in the place of every reference to the
//! object.

use std::marker::PhantomData;
use std::num::NonZeroUsize;

use crate::error::{Error, Result};
use crate::graph::{Met, MetObjects, MetState};
use crate::object::{Any, AnyView, ObjectRef, ObjectView};
use crate::rewrite::engine::{Entry, Meeting, Rewriter, rewrite};
use crate::rewrite::splice::{check_place, splice};
use crate::table::AddressTable;
use crate::visit::Position;

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
    /// itself, the rewrite visits the children of this inner occurrence without another call of [`Mutator::enter`](crate::rewrite::Mutator::enter).
    /// After the children, this is the same as `Replace`.
    ReplaceInto(Any),
    /// Removes the object: the element of an array with the object, or the entry of a map with the object as its key or value. It is
    /// an error elsewhere.
    Remove,
    /// Puts these values into the array in the place of the object, and skips their children. It is an error if the object is not
    /// an element of an array.
    Splice(Vec<Any>),
}

/// The rule of a rewrite. The rewrite calls [`enter`](Self::enter) and [`leave`](Self::leave) once for each object.
pub(super) trait Rule<E> {
    /// Data of the rule from before an object that may occur again.
    type Before: Copy;

    /// As [`Mutator::enter`](crate::rewrite::Mutator::enter).
    fn enter(&mut self, object: ObjectView<'_>, at: &Position<'_>) -> Result<Mutation, E>;

    /// As [`Mutator::leave`](crate::rewrite::Mutator::leave).
    fn leave(&mut self, object: ObjectView<'_>, at: &Position<'_>) -> Result<Mutation, E>;

    /// Whether the rewrite calls [`replacement`](Self::replacement) for each reference to `object`, which has several handles.
    #[inline(always)]
    fn looks_at(&self, _object: ObjectView<'_>) -> bool {
        false
    }

    /// The value that takes the place of a reference; `None` if the reference stays. The rewrite calls neither `enter` nor `leave` for an object with
    /// such a value.
    fn replacement(&mut self, _object: ObjectView<'_>, _at: &Position<'_>) -> Result<Option<Any>, E> {
        Ok(None)
    }

    /// Called at each further reference to an object, without its children.
    #[inline(always)]
    fn again(&mut self, _object: ObjectView<'_>, _at: &Position<'_>) -> Result<(), E> {
        Ok(())
    }

    /// Whether `value`, the result for `object` at its first place, can take the place of another reference to it. If it
    /// cannot, the rewrite visits the object again.
    #[inline(always)]
    fn fits(&self, _value: &Any, _object: ObjectView<'_>, _at: &Position<'_>) -> bool {
        true
    }

    /// Called before an object that may occur again.
    fn before(&self) -> Self::Before;

    /// Called after an object that may occur again, with its address.
    #[inline(always)]
    fn after(&mut self, _address: usize, _before: Self::Before) {}
}

/// Rewrites the graph below `root` by a rule.
pub(super) fn rewrite_by_rule<E: From<Error> + 'static>(root: ObjectRef, rule: impl Rule<E>) -> Result<Any, E> {
    rewrite(root, &mut Run { rule, met: MetObjects::default(), entered: AddressTable::default(), error: PhantomData })
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
struct Open<B> {
    /// The address, plus one if the result belongs in `Entered::inner_result`.
    key: NonZeroUsize,
    mark: u32,
    before: B,
}

impl<B> Open<B> {
    #[inline(always)]
    fn new(met: Met, is_inner: bool, before: B) -> Self {
        let key = NonZeroUsize::new(met.address | usize::from(is_inner)).expect("no object has the address zero");
        Open { key, mark: met.mark, before }
    }

    #[inline(always)]
    fn is_inner(&self) -> bool {
        self.key.get() & 1 != 0
    }

    #[inline(always)]
    fn met(&self) -> Met {
        Met { address: self.key.get() & !1, mark: self.mark }
    }
}

/// The rewrite of a rule.
struct Run<R, E> {
    rule: R,
    /// The entered objects that the rewrite may reach again.
    met: MetObjects,
    /// The objects in `met` with the state [`MetState::Stored`].
    entered: AddressTable<Entered>,
    error: PhantomData<E>,
}

impl<R: Rule<E>, E: From<Error> + 'static> Rewriter for Run<R, E> {
    type Error = E;
    type State = Open<R::Before>;

    #[inline(always)]
    fn meet(&mut self, object: ObjectView<'_>, at: &Position<'_>) -> Result<Meeting, E> {
        // An object with one handle has one occurrence.
        if object.use_count() <= 1 {
            return Ok(Meeting::Once);
        }
        if self.rule.looks_at(object) {
            return Ok(Meeting::Open);
        }
        if self.met.is_done(object) {
            self.rule.again(object, at)?;
            return Ok(Meeting::Done);
        }
        Ok(Meeting::Open)
    }

    #[inline(always)]
    fn enter_once(&mut self, object: ObjectView<'_>, at: &Position<'_>) -> Result<Entry<Option<Self::State>>, E> {
        Ok(match self.rule.enter(object, at)? {
            Mutation::Keep => Entry::Descend(None),
            Mutation::Skip => Entry::Keep,
            Mutation::Replace(value) => Entry::Replace(value),
            Mutation::ReplaceInto(value) => {
                let before = self.rule.before();
                Entry::DescendInto(value, Some(self.enter_inside(object, before)))
            }
            Mutation::Remove => Entry::Replace(splice(Vec::new(), at)?),
            Mutation::Splice(values) => Entry::Replace(splice(values, at)?),
        })
    }

    #[inline(always)]
    fn leave_once(&mut self, value: AnyView<'_>, at: &Position<'_>) -> Result<Option<Any>, E> {
        let AnyView::Object(object) = value else { return Ok(None) };
        Ok(match self.rule.leave(object, at)? {
            Mutation::Keep | Mutation::Skip => None,
            Mutation::Replace(value) | Mutation::ReplaceInto(value) => Some(value),
            Mutation::Remove => Some(splice(Vec::new(), at)?),
            Mutation::Splice(values) => Some(splice(values, at)?),
        })
    }

    #[inline(always)]
    fn enter(&mut self, object: ObjectView<'_>, is_kept: bool, at: &Position<'_>) -> Result<Entry<Self::State>, E> {
        let before = self.rule.before();
        if self.rule.looks_at(object)
            && let Some(value) = self.rule.replacement(object, at)?
        {
            return Ok(Entry::Replace(value));
        }
        let state = self.met.meet(object);
        let met = MetObjects::key(object);
        if let Some(state) = state {
            self.rule.again(object, at)?;
            let is_done = state == MetState::Done;
            return if is_done { Ok(Entry::Keep) } else { self.enter_again(met, object, at, before) };
        }
        if !is_kept {
            self.keep(met, object.to_object());
        }
        let open = Open::new(met, false, before);
        let entry = match self.rule.enter(object, at)? {
            Mutation::Keep => return Ok(Entry::Descend(open)),
            Mutation::ReplaceInto(value) => {
                return Ok(Entry::DescendInto(value, self.enter_inside(object, before)));
            }
            Mutation::Skip => Entry::Keep,
            Mutation::Replace(value) => Entry::Replace(value),
            Mutation::Remove => Entry::Replace(splice(Vec::new(), at)?),
            Mutation::Splice(values) => Entry::Replace(splice(values, at)?),
        };
        let value = if let Entry::Replace(value) = &entry { value.view() } else { AnyView::Object(object) };
        self.store(&open, value);
        Ok(entry)
    }

    #[inline(always)]
    fn leave(&mut self, open: Self::State, value: AnyView<'_>, at: &Position<'_>) -> Result<Option<Any>, E> {
        let replacement = self.leave_once(value, at)?;
        self.rule.after(open.met().address, open.before);
        self.store(&open, replacement.as_ref().map_or(value, Any::view));
        Ok(replacement)
    }
}

impl<R: Rule<E>, E: From<Error> + 'static> Run<R, E> {
    /// Puts the result for an entered object in its place, or enters the object inside of the value that replaces it.
    fn enter_again(
        &self,
        met: Met,
        object: ObjectView<'_>,
        at: &Position<'_>,
        before: R::Before,
    ) -> Result<Entry<Open<R::Before>>, E> {
        let Some(known) = self.entered.get(&met.address) else {
            return Ok(Entry::Descend(Open::new(met, true, before)));
        };
        let result = if matches!(known.result, Outcome::Open) { &known.inner_result } else { &known.result };
        Ok(match result {
            Outcome::Open => Entry::Descend(Open::new(met, true, before)),
            Outcome::Same => Entry::Keep,
            Outcome::Value(value) if !self.rule.fits(value, object, at) => {
                Entry::Descend(Open::new(met, false, before))
            }
            Outcome::Value(value) => {
                check_place(value, at)?;
                Entry::Replace(value.clone())
            }
        })
    }

    /// Keeps an entered object alive.
    fn keep(&mut self, met: Met, object: ObjectRef) {
        self.met.set_state(met, MetState::Stored);
        self.entered.insert(met.address, Entered::open(Some(object)));
    }

    /// The state of an object that a value replaces of which the rewrite visits the children. The value may contain the
    /// object, and then it is the last holder of the object.
    #[inline(never)]
    fn enter_inside(&mut self, object: ObjectView<'_>, before: R::Before) -> Open<R::Before> {
        self.met.meet(object);
        let met = MetObjects::key(object);
        self.keep(met, object.to_object());
        Open::new(met, false, before)
    }

    /// Stores the result for an object.
    #[inline(always)]
    fn store(&mut self, open: &Open<R::Before>, value: AnyView<'_>) {
        let met = open.met();
        let is_same = value.as_object().is_some_and(|object| object.address() == met.address);
        if !(is_same && !open.is_inner() && self.met.finish(met)) {
            self.store_value(open, value, is_same);
        }
    }

    #[inline(never)]
    fn store_value(&mut self, open: &Open<R::Before>, value: AnyView<'_>, is_same: bool) {
        let met = open.met();
        self.met.set_state(met, MetState::Stored);
        let known = self.entered.entry(met.address).or_insert_with(|| Entered::open(None));
        let result = if open.is_inner() { &mut known.inner_result } else { &mut known.result };
        *result = if is_same { Outcome::Same } else { Outcome::Value(value.to_any()) };
    }
}
