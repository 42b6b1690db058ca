//! [`rewrite()`]: the depth-first recursion of all rewrites. It goes on with the stack of a [`GraphEditor`] when its
//! [`StackBudget`] ends, so deep graphs do not overflow the machine stack. It allocates nothing for objects that stay as they
//! are.

use std::any::Any as StdAny;

use crate::container::ArrayView;
use crate::error::Error;
use crate::graph::{Access, ChildSlot, Children, Edited, FieldObjects, GraphEditor};
use crate::object::{Any, AnyView, DefRegionKind, ObjectRef, ObjectView};
use crate::stack_budget::{StackBudget, with_stack};
use crate::visit::{Level, PathSource, Position};

/// How a rewrite goes on at an object.
pub(crate) enum Entry<S> {
    /// It keeps the object and everything below it.
    Keep,
    /// It replaces the object with this value, and skips the children of the value.
    Replace(Any),
    /// It visits the children of the object, and then leaves the object with this state.
    Descend(S),
    /// It replaces the object with this value, and goes on as after `Descend`.
    DescendInto(Any, S),
}

impl<S> Entry<S> {
    /// The entry with a state that can be missing.
    fn with_known_state(self) -> Entry<Option<S>> {
        match self {
            Entry::Keep => Entry::Keep,
            Entry::Replace(value) => Entry::Replace(value),
            Entry::Descend(state) => Entry::Descend(Some(state)),
            Entry::DescendInto(value, state) => Entry::DescendInto(value, Some(state)),
        }
    }
}

/// How a rewrite meets an object.
pub(crate) enum Meeting {
    /// It has nothing to do: it keeps the object and everything below it.
    Done,
    /// It has one reference to the object, so it needs no state for it.
    Once,
    /// Neither.
    Open,
}

/// The callbacks of a rewrite.
pub(crate) trait Rewriter {
    /// The error that ends the rewrite.
    type Error: From<Error> + 'static;

    /// The data for each open object between entering and leaving it.
    type State;

    /// Called at each object first.
    ///
    /// # Errors
    /// An error ends the rewrite.
    fn meet(&mut self, _object: ObjectView<'_>, _at: &Position<'_>) -> Result<Meeting, Self::Error> {
        Ok(Meeting::Open)
    }

    /// Called at each object met once, before its children. Only an object that is replaced may get a state.
    fn enter_once(
        &mut self,
        _object: ObjectView<'_>,
        _at: &Position<'_>,
    ) -> Result<Entry<Option<Self::State>>, Self::Error> {
        Ok(Entry::Descend(None))
    }

    /// As [`leave`](Self::leave), for an object met once.
    fn leave_once(&mut self, _value: AnyView<'_>, _at: &Position<'_>) -> Result<Option<Any>, Self::Error> {
        Ok(None)
    }

    /// Called at each open object before its children. `is_kept` says whether the object exists until the rewrite ends.
    fn enter(
        &mut self,
        object: ObjectView<'_>,
        is_kept: bool,
        at: &Position<'_>,
    ) -> Result<Entry<Self::State>, Self::Error>;

    /// Called at an open object after the rewrite has written its new children into it. Returns the value that replaces
    /// it, if there is one. `value` is not an object if [`enter`](Self::enter) has put another value in its place.
    fn leave(&mut self, state: Self::State, value: AnyView<'_>, at: &Position<'_>) -> Result<Option<Any>, Self::Error>;
}

/// Rewrites the graph below `root`. An error ends the rewrite. An [`Error`] gets the path of the current object, and an error of
/// another type stays as it is.
pub(crate) fn rewrite<R: Rewriter>(root: ObjectRef, rewriter: &mut R) -> Result<Any, R::Error> {
    with_stack(|| rewrite_within(StackBudget::new(), root, rewriter))
}

/// As [`rewrite`], with frames on the heap for all levels.
pub(crate) fn rewrite_with_frames<R: Rewriter>(root: ObjectRef, rewriter: &mut R) -> Result<Any, R::Error> {
    with_stack(|| rewrite_within(StackBudget::NONE, root, rewriter))
}

fn rewrite_within<R: Rewriter>(budget: StackBudget, root: ObjectRef, rewriter: &mut R) -> Result<Any, R::Error> {
    let mut run = Run { rewriter, changes: Vec::new(), budget };
    run.object(root.view(), None)?;
    Ok(run.changes.pop().map_or(Any::Object(root), |(_, value)| value))
}

/// A rewrite in progress.
///
/// Most objects need none of the functions that are not inlined: the rewrite has one reference to them, or is done with
/// them, and they have no children.
struct Run<'r, R> {
    rewriter: &'r mut R,
    /// The replaced children with their numbers, for all objects on the path, the children of the root first.
    changes: Vec<(usize, Any)>,
    budget: StackBudget,
}

/// The state of an object on its way to [`Rewriter::leave`]: `None` for an object met once.
type Left<R> = Option<<R as Rewriter>::State>;

impl<R: Rewriter> Run<'_, R> {
    /// Rewrites `object`, which is at the place `at`. If the object gets a replacement, adds the replacement to the changes.
    #[inline(always)]
    fn object<'a>(&mut self, object: ObjectView<'a>, at: Option<&Level<'_, 'a>>) -> Result<(), R::Error> {
        match self.rewriter.meet(object, &Position::new(&at)) {
            Ok(Meeting::Done) => return Ok(()),
            Ok(Meeting::Once) => {}
            Ok(Meeting::Open) => return self.open(object, at),
            Err(error) => return Err(located(error, &at)),
        }
        match self.rewriter.enter_once(object, &Position::new(&at)) {
            Ok(Entry::Descend(_)) => {}
            Ok(entry) => return self.other_entry(object, at, entry),
            Err(error) => return Err(located(error, &at)),
        }
        if FieldObjects::are_none(object) != Some(true) {
            let (first, own) = (self.changes.len(), holder(at).below(object));
            self.below(object, own, at)?;
            if self.changes.len() > first {
                return self.changed(Edited::new(object, own), first, None, at);
            }
        }
        match self.rewriter.leave_once(AnyView::Object(object), &Position::new(&at)) {
            Ok(None) => Ok(()),
            left => self.left(object, left, at),
        }
    }

    /// As [`object`](Self::object), for an open object.
    #[inline(never)]
    fn open<'a>(&mut self, object: ObjectView<'a>, at: Option<&Level<'_, 'a>>) -> Result<(), R::Error> {
        let state = match self.rewriter.enter(object, holder(at).is_kept(), &Position::new(&at)) {
            Ok(Entry::Descend(state)) => state,
            Ok(Entry::Keep) => return Ok(()),
            Ok(entry) => return self.other_entry(object, at, entry.with_known_state()),
            Err(error) => return Err(located(error, &at)),
        };
        if FieldObjects::are_none(object) != Some(true) {
            let (first, own) = (self.changes.len(), holder(at).below(object));
            self.below(object, own, at)?;
            if self.changes.len() > first {
                return self.changed(Edited::new(object, own), first, Some(state), at);
            }
        }
        match self.rewriter.leave(state, AnyView::Object(object), &Position::new(&at)) {
            Ok(None) => Ok(()),
            left => self.left(object, left, at),
        }
    }

    /// Goes on after the rewriter has left an object with a replacement or an error.
    #[inline(never)]
    fn left(
        &mut self,
        object: ObjectView<'_>,
        left: Result<Option<Any>, R::Error>,
        at: Option<&Level<'_, '_>>,
    ) -> Result<(), R::Error> {
        if let Some(value) = left.map_err(|error| located(error, &at))? {
            self.put(object, value, at);
        }
        Ok(())
    }

    /// Adds `value` to the changes as the replacement of `object`, unless it is the object itself.
    #[inline(never)]
    fn put(&mut self, object: ObjectView<'_>, value: Any, at: Option<&Level<'_, '_>>) {
        if !value.view().is_object(object) {
            self.changes.push((at.map_or(0, |level| level.number), value));
        }
    }

    /// Goes on after the entry of an object at which the rewrite does not visit the children of the object itself.
    #[inline(never)]
    fn other_entry(
        &mut self,
        object: ObjectView<'_>,
        at: Option<&Level<'_, '_>>,
        entry: Entry<Left<R>>,
    ) -> Result<(), R::Error> {
        match entry {
            Entry::Keep | Entry::Descend(_) => Ok(()),
            Entry::Replace(value) => {
                self.put(object, value, at);
                Ok(())
            }
            Entry::DescendInto(value, state) => {
                let edited = Edited::replaced(object, holder(at), value);
                let first = self.changes.len();
                if let AnyView::Object(object) = edited.value() {
                    self.below(object, edited.own(), at)?;
                }
                self.changed(edited, first, state, at)
            }
        }
    }

    /// Rewrites the children of an entered object, to which the rewrite has the access `own`.
    #[inline(never)]
    fn below<'a>(&mut self, object: ObjectView<'a>, own: Access, at: Option<&Level<'_, 'a>>) -> Result<(), R::Error> {
        if !self.budget.is_left() {
            return self.with_frames(object, own, at);
        }
        let Some(fields) = FieldObjects::of(object) else { return self.elements(object, own, at) };
        let mut level = Level::new(at, object, 0, own);
        for (number, child) in fields {
            level.number = number;
            self.object(child, Some(&level))?;
        }
        Ok(())
    }

    /// As [`below`](Self::below), for objects whose fields are not listed, and for arrays and maps.
    #[inline(never)]
    fn elements<'a>(
        &mut self,
        object: ObjectView<'a>,
        own: Access,
        at: Option<&Level<'_, 'a>>,
    ) -> Result<(), R::Error> {
        let mut level = Level::new(at, object, 0, own);
        if let Some(ArrayView::Objects(items)) = object.as_array() {
            for (number, item) in items.iter().enumerate() {
                level.number = number;
                self.object(item.view(), Some(&level))?;
            }
            return Ok(());
        }
        let mut children = Children::of(object);
        while let Some((child, _)) = children.next_object() {
            level.number = children.last_number();
            self.object(child, Some(&level))?;
        }
        Ok(())
    }

    /// Writes the changes from number `first` on into an object, and leaves it.
    #[inline(never)]
    fn changed(
        &mut self,
        mut edited: Edited<'_>,
        first: usize,
        state: Left<R>,
        at: Option<&Level<'_, '_>>,
    ) -> Result<(), R::Error> {
        if self.changes.len() > first {
            let applied = edited.apply(holder(at), at.last_slot(), &mut self.changes[first..]);
            self.changes.truncate(first);
            applied.map_err(|error| located(R::Error::from(error), &at))?;
        }
        let left = leave(self.rewriter, state, edited.value(), &Position::new(&at));
        if let Some(value) = left.map_err(|error| located(error, &at))? {
            edited.replace(value);
        }
        if let Some(value) = edited.into_value() {
            self.changes.push((at.map_or(0, |level| level.number), value));
        }
        Ok(())
    }

    /// As [`below`](Self::below), with frames on the heap for all levels.
    #[inline(never)]
    fn with_frames(&mut self, object: ObjectView<'_>, own: Access, at: Option<&Level<'_, '_>>) -> Result<(), R::Error> {
        let editor = GraphEditor::new(object, own);
        self.changes.extend(Frames { above: at, editor }.run(self.rewriter)?);
        Ok(())
    }
}

/// The access of a rewrite to the holder of an object at this place. A call of a hook may have taken back ownership since an
/// earlier call.
#[inline(always)]
fn holder(at: Option<&Level<'_, '_>>) -> Access {
    at.map_or(Access::ROOT, Level::own)
}

/// Leaves an object with its state.
fn leave<R: Rewriter>(
    rewriter: &mut R,
    state: Left<R>,
    value: AnyView<'_>,
    at: &Position<'_>,
) -> Result<Option<Any>, R::Error> {
    match state {
        Some(state) => rewriter.leave(state, value, at),
        None => rewriter.leave_once(value, at),
    }
}

/// The objects on the heap below the objects on the machine stack.
struct Frames<'p, 'a, 'e> {
    above: Option<&'p Level<'p, 'a>>,
    editor: GraphEditor<'e>,
}

impl Frames<'_, '_, '_> {
    /// Rewrites the graph below the root of the editor. Returns the changes of the children of the root.
    fn run<R: Rewriter>(mut self, rewriter: &mut R) -> Result<Vec<(usize, Any)>, R::Error> {
        // The states of the entered objects.
        let mut states: Vec<Left<R>> = Vec::new();
        loop {
            if self.editor.down() {
                if let Some(state) = self.enter(rewriter)? {
                    states.push(state);
                    continue;
                }
            } else if let Some(state) = states.pop() {
                self.leave(state, rewriter)?;
            } else {
                return Ok(self.editor.into_changes());
            }
            self.editor.up();
        }
    }

    /// Enters the current object. Returns its state if the rewrite visits its children.
    fn enter<R: Rewriter>(&mut self, rewriter: &mut R) -> Result<Option<Left<R>>, R::Error> {
        let AnyView::Object(object) = self.editor.value() else { return Ok(None) };
        let at = &Position::new(self);
        let entry = match rewriter.meet(object, at) {
            Ok(Meeting::Done) => return Ok(None),
            Ok(Meeting::Once) => rewriter.enter_once(object, at),
            Ok(Meeting::Open) => {
                rewriter.enter(object, self.editor.holder().is_kept(), at).map(Entry::with_known_state)
            }
            Err(error) => Err(error),
        };
        let (value, state) = match entry.map_err(|error| located(error, self))? {
            Entry::Keep => return Ok(None),
            Entry::Descend(state) => return Ok(Some(state)),
            Entry::Replace(value) => (value, None),
            Entry::DescendInto(value, state) => (value, Some(state)),
        };
        self.editor.replace(value);
        Ok(state)
    }

    /// Writes the replaced children into the current object, and leaves it.
    fn leave<R: Rewriter>(&mut self, state: Left<R>, rewriter: &mut R) -> Result<(), R::Error> {
        let applied = self.editor.apply().map_err(R::Error::from);
        let left = applied.and_then(|()| leave(rewriter, state, self.editor.value(), &Position::new(self)));
        if let Some(value) = left.map_err(|error| located(error, self))? {
            self.editor.replace(value);
        }
        Ok(())
    }
}

impl PathSource for Frames<'_, '_, '_> {
    fn slots(&self) -> Vec<ChildSlot<'_>> {
        let mut slots = self.above.slots();
        slots.extend(self.editor.slots());
        slots
    }

    fn slot_above(&self, levels: usize) -> Option<ChildSlot<'_>> {
        let depth = self.editor.depth();
        if levels < depth { self.editor.slots().nth_back(levels) } else { self.above.slot_above(levels - depth) }
    }

    fn depth(&self) -> usize {
        self.above.depth() + self.editor.depth()
    }

    fn region(&self) -> DefRegionKind {
        self.editor.region(|| self.above.region())
    }
}

/// `error` with the path of the current object before the path in the error, if it is an [`Error`]. The type of an error of
/// the user does not tell where it could keep a path.
#[cold]
fn located<E: 'static>(mut error: E, at: &dyn PathSource) -> E {
    if let Some(error) = (&mut error as &mut dyn StdAny).downcast_mut::<Error>() {
        let mut path = Position::new(at).path();
        let own = error.path().cloned().unwrap_or_default();
        own.steps().iter().for_each(|step| path.push(step.clone()));
        *error = error.clone().at(path);
    }
    error
}
