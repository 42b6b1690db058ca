//! [`rewrite()`]: the depth-first recursion of all rewrites. It goes on with the stack of a [`GraphEditor`] when its
//! [`StackBudget`] ends, so deep graphs do not overflow the machine stack. It allocates nothing for objects that stay as they
//! are.

use std::any::Any as StdAny;

use crate::container::ArrayView;
use crate::error::Error;
use crate::graph::{Access, ChildSlot, Children, Edited, FieldObjects, GraphEditor};
use crate::object::{Any, AnyView, DefRegionKind, ObjectRef, ObjectView};
use crate::stack_budget::StackBudget;
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

/// The callbacks of a rewrite.
pub(crate) trait Rewriter {
    /// The error that ends the rewrite.
    type Error: From<Error> + 'static;

    /// The data for each entered object between entering and leaving it.
    type State;

    /// Called at each object before its children. `is_kept` says whether the object exists until the rewrite ends.
    fn enter(
        &mut self,
        object: ObjectView<'_>,
        is_kept: bool,
        at: &Position<'_>,
    ) -> Result<Entry<Self::State>, Self::Error>;

    /// Called at an entered object after the rewrite has written its new children into it. Returns the value that replaces
    /// it, if there is one. `value` is not an object if [`enter`](Self::enter) has put another value in its place.
    fn leave(&mut self, state: Self::State, value: AnyView<'_>, at: &Position<'_>) -> Result<Option<Any>, Self::Error>;
}

/// Rewrites the graph below `root`. An error ends the rewrite. An [`Error`] gets the path of the current object, and an error of
/// another type stays as it is.
pub(crate) fn rewrite<R: Rewriter>(root: ObjectRef, rewriter: &mut R) -> Result<Any, R::Error> {
    let mut run = Run { rewriter, changes: Vec::new(), budget: StackBudget::new() };
    let value = run.object(root.view(), Access::ROOT, None)?;
    Ok(value.unwrap_or(Any::Object(root)))
}

/// As [`rewrite`], with frames on the heap for all levels.
pub(crate) fn rewrite_with_frames<R: Rewriter>(root: ObjectRef, rewriter: &mut R) -> Result<Any, R::Error> {
    let value = {
        let edited = Edited::new(root.view(), Access::ROOT);
        let mut frames = Frames { above: None, editor: GraphEditor::new(edited, None, DefRegionKind::None) };
        match frames.enter(rewriter)? {
            Some(state) => frames.run(state, rewriter)?,
            None => frames.editor.up().flatten(),
        }
    };
    Ok(value.unwrap_or(Any::Object(root)))
}

/// A rewrite in progress.
struct Run<'r, R> {
    rewriter: &'r mut R,
    /// The replaced children with their numbers, for all objects on the path, the children of the root first.
    changes: Vec<(usize, Any)>,
    budget: StackBudget,
}

impl<R: Rewriter> Run<'_, R> {
    /// Rewrites `object`, which is at the place `at` in a holder to which the rewrite has the access `holder`. Returns its
    /// replacement, if there is one. An object that stays as it is needs no [`Edited`].
    #[inline(always)]
    fn object<'a>(
        &mut self,
        object: ObjectView<'a>,
        holder: Access,
        at: Option<&Level<'_, 'a>>,
    ) -> Result<Option<Any>, R::Error> {
        let state = match self.rewriter.enter(object, holder.is_kept, &Position::new(&at)) {
            Ok(Entry::Descend(state)) => state,
            Ok(Entry::Keep) => return Ok(None),
            Ok(Entry::Replace(value)) => return Ok(Edited::replaced(object, holder, value).into_value()),
            Ok(Entry::DescendInto(value, state)) => {
                return self.replacement(Edited::replaced(object, holder, value), state, at);
            }
            Err(error) => return Err(located(error, &at)),
        };
        // Most objects of most graphs have no children.
        let fields = FieldObjects::of(object, 0).map(FieldObjects::empty_fields);
        if !matches!(fields, Some(None)) {
            if !self.budget.is_left() {
                return self.with_frames(Edited::new(object, holder), state, at);
            }
            let (first, own) = (self.changes.len(), holder.below(object, false));
            match fields {
                Some(Some(skipped)) => self.fields(object, skipped, own, at)?,
                _ => self.children(object, own, at)?,
            }
            if self.changes.len() > first {
                return self.changed(Edited::entered(object, holder, own), first, state, at);
            }
        }
        match self.rewriter.leave(state, AnyView::Object(object), &Position::new(&at)) {
            Ok(None) => Ok(None),
            Ok(Some(value)) => Ok(Edited::replaced(object, holder, value).into_value()),
            Err(error) => Err(located(error, &at)),
        }
    }

    /// Rewrites the objects in the listed fields of an entered object, to which the rewrite has this access, without the first
    /// `skipped` of these fields.
    #[inline(never)]
    fn fields<'a>(
        &mut self,
        object: ObjectView<'a>,
        skipped: usize,
        own: Access,
        at: Option<&Level<'_, 'a>>,
    ) -> Result<(), R::Error> {
        let mut level = Level::new(at, object, 0);
        if let Some(fields) = FieldObjects::of(object, skipped) {
            for (number, child, _) in fields {
                level.number = number;
                self.child(child, own, &level)?;
            }
        }
        Ok(())
    }

    /// Rewrites the children of an entered object, to which the rewrite has this access.
    #[inline(never)]
    fn children<'a>(
        &mut self,
        object: ObjectView<'a>,
        own: Access,
        at: Option<&Level<'_, 'a>>,
    ) -> Result<(), R::Error> {
        let mut level = Level::new(at, object, 0);
        if let Some(ArrayView::Objects(items)) = object.as_array() {
            for (number, item) in items.iter().enumerate() {
                level.number = number;
                self.child(item.view(), own, &level)?;
            }
            return Ok(());
        }
        let mut children = Children::of(object);
        while let Some((child, _)) = children.next_object() {
            level.number = children.last_number();
            self.child(child, own, &level)?;
        }
        Ok(())
    }

    /// Rewrites the child that `level` has reached, in an object to which the rewrite has the access `holder`.
    #[inline(always)]
    fn child<'a>(&mut self, child: ObjectView<'a>, holder: Access, level: &Level<'_, 'a>) -> Result<(), R::Error> {
        if let Some(value) = self.object(child, holder, Some(level))? {
            self.changes.push((level.number, value));
        }
        Ok(())
    }

    /// Rewrites the children of a value that has replaced an entered object, and leaves the value.
    #[inline(never)]
    fn replacement(
        &mut self,
        mut edited: Edited<'_>,
        state: R::State,
        at: Option<&Level<'_, '_>>,
    ) -> Result<Option<Any>, R::Error> {
        if !self.budget.is_left() {
            return self.with_frames(edited, state, at);
        }
        let (first, own) = (self.changes.len(), edited.begin());
        if let AnyView::Object(object) = edited.value() {
            self.children(object, own, at)?;
        }
        self.changed(edited, first, state, at)
    }

    /// Writes the changes from number `first` on into an object, and leaves it.
    #[inline(never)]
    fn changed(
        &mut self,
        mut edited: Edited<'_>,
        first: usize,
        state: R::State,
        at: Option<&Level<'_, '_>>,
    ) -> Result<Option<Any>, R::Error> {
        if self.changes.len() > first {
            let applied = edited.apply(at.last_slot(), &mut self.changes[first..]);
            self.changes.truncate(first);
            applied.map_err(|error| located(R::Error::from(error), &at))?;
        }
        let left = self.rewriter.leave(state, edited.value(), &Position::new(&at));
        if let Some(value) = left.map_err(|error| located(error, &at))? {
            edited.replace(value);
        }
        Ok(edited.into_value())
    }

    /// Rewrites an entered object with frames on the heap for all levels.
    #[inline(never)]
    fn with_frames(
        &mut self,
        edited: Edited<'_>,
        state: R::State,
        at: Option<&Level<'_, '_>>,
    ) -> Result<Option<Any>, R::Error> {
        let editor = GraphEditor::new(edited, at.last_slot(), at.region());
        Frames { above: at, editor }.run(state, self.rewriter)
    }
}

/// The objects on the heap below the objects on the machine stack.
struct Frames<'p, 'a, 'e> {
    above: Option<&'p Level<'p, 'a>>,
    editor: GraphEditor<'e>,
}

impl Frames<'_, '_, '_> {
    /// Rewrites the graph below the current object, which is entered. Returns the replacement of the object, if there is one.
    fn run<R: Rewriter>(mut self, state: R::State, rewriter: &mut R) -> Result<Option<Any>, R::Error> {
        // The states of the entered objects.
        let mut states = vec![state];
        loop {
            if self.editor.down() {
                if let Some(state) = self.enter(rewriter)? {
                    states.push(state);
                    continue;
                }
            } else if let Some(state) = states.pop() {
                self.leave(state, rewriter)?;
            }
            if let Some(value) = self.editor.up() {
                return Ok(value);
            }
        }
    }

    /// Enters the current object. Returns its state if the rewrite visits its children.
    fn enter<R: Rewriter>(&mut self, rewriter: &mut R) -> Result<Option<R::State>, R::Error> {
        let AnyView::Object(object) = self.editor.value() else { return Ok(None) };
        let entry = rewriter.enter(object, self.editor.is_kept(), &Position::new(self));
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
    fn leave<R: Rewriter>(&mut self, state: R::State, rewriter: &mut R) -> Result<(), R::Error> {
        let applied = self.editor.apply().map_err(R::Error::from);
        let left = applied.and_then(|()| rewriter.leave(state, self.editor.value(), &Position::new(self)));
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

    fn last_slot(&self) -> Option<ChildSlot<'_>> {
        self.editor.slots().next_back().or_else(|| self.above.last_slot())
    }

    fn depth(&self) -> usize {
        self.above.depth() + self.editor.depth()
    }

    fn region(&self) -> DefRegionKind {
        self.editor.region()
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
