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

/// The value that a rewrite has reached.
pub(crate) trait Place {
    /// The value.
    fn value(&self) -> AnyView<'_>;

    /// Replaces the value. Before the children, the next children are the children of the new value.
    fn replace(&mut self, value: Any);

    /// Whether the object with which the rewrite has reached the place exists until the rewrite ends.
    fn is_kept(&self) -> bool;

    /// The position.
    fn position(&self) -> Position<'_>;
}

/// The callbacks of a rewrite.
pub(crate) trait Rewriter {
    /// The error that ends the rewrite.
    type Error: From<Error> + 'static;

    /// The data for each entered object between entering and leaving it.
    type State;

    /// Called at each object before its children, and may replace it. If the result is `Some`, the rewrite visits the children
    /// of the current value, and then calls [`leave`](Self::leave).
    fn enter(&mut self, place: &mut impl Place) -> Result<Option<Self::State>, Self::Error>;

    /// Called at an entered object after the rewrite has written its new children into it, and may replace it.
    fn leave(&mut self, state: Self::State, place: &mut impl Place) -> Result<(), Self::Error>;
}

/// Rewrites the graph below `root`. An error ends the rewrite. An [`Error`] gets the path of the current object, and an error of
/// another type stays as it is.
pub(crate) fn rewrite<R: Rewriter>(mut root: ObjectRef, rewriter: &mut R) -> Result<Any, R::Error> {
    let mut run = Run { rewriter, changes: Vec::new(), budget: StackBudget::new() };
    let value = run.object(Edited::root(&mut root), None)?;
    Ok(value.unwrap_or(Any::Object(root)))
}

/// As [`rewrite`], with frames on the heap for all levels.
pub(crate) fn rewrite_with_frames<R: Rewriter>(mut root: ObjectRef, rewriter: &mut R) -> Result<Any, R::Error> {
    let mut frames =
        Frames { above: None, editor: GraphEditor::new(Edited::root(&mut root), None, DefRegionKind::None) };
    let entered = rewriter.enter(&mut frames).map_err(|error| located(error, &frames))?;
    let value = match entered {
        Some(state) => frames.run(state, rewriter)?,
        None => frames.editor.up().flatten(),
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
    /// Rewrites the object at the place `at`. Returns its replacement, if there is one.
    #[inline(always)]
    fn object(&mut self, mut edited: Edited<'_>, at: Option<&Level<'_, '_>>) -> Result<Option<Any>, R::Error> {
        let entered = self.rewriter.enter(&mut Occurrence { edited: &mut edited, at: &at });
        let Some(state) = entered.map_err(|error| located(error, &at))? else { return Ok(edited.into_value()) };
        if let AnyView::Object(object) = edited.value() {
            // Most objects of most graphs have no children.
            let fields = FieldObjects::of(object, 0).map(FieldObjects::empty_fields);
            if !matches!(fields, Some(None)) {
                if !self.budget.is_left() {
                    return self.with_frames(edited, state, at);
                }
                let (count, access) = (self.changes.len(), edited.begin());
                if let (Some(Some(skipped)), AnyView::Object(object)) = (fields, edited.value()) {
                    self.fields(object, skipped, access, at)?;
                } else {
                    self.children(edited.value(), access, at)?;
                }
                if self.changes.len() > count {
                    let applied = edited.apply(at.last_slot(), &mut self.changes[count..]);
                    self.changes.truncate(count);
                    applied.map_err(|error| located(R::Error::from(error), &at))?;
                }
            }
        }
        let left = self.rewriter.leave(state, &mut Occurrence { edited: &mut edited, at: &at });
        left.map_err(|error| located(error, &at))?;
        Ok(edited.into_value())
    }

    /// Rewrites the objects in the listed fields of an entered object, to which the rewrite has this access, without the first
    /// `skipped` of these fields.
    #[inline(never)]
    fn fields<'a>(
        &mut self,
        object: ObjectView<'a>,
        skipped: usize,
        access: Access,
        at: Option<&Level<'_, 'a>>,
    ) -> Result<(), R::Error> {
        let mut level = Level::new(at, object, 0);
        if let Some(fields) = FieldObjects::of(object, skipped) {
            for (number, child, _) in fields {
                level.number = number;
                self.child(child, access, &level)?;
            }
        }
        Ok(())
    }

    /// Rewrites the child that `level` has reached.
    #[inline(always)]
    fn child<'a>(&mut self, child: ObjectView<'a>, access: Access, level: &Level<'_, 'a>) -> Result<(), R::Error> {
        if let Some(value) = self.object(Edited::new(child, access), Some(level))? {
            self.changes.push((level.number, value));
        }
        Ok(())
    }

    /// Rewrites the children of an entered value, to which the rewrite has this access.
    #[inline(never)]
    fn children<'a>(&mut self, value: AnyView<'a>, access: Access, at: Option<&Level<'_, 'a>>) -> Result<(), R::Error> {
        let AnyView::Object(object) = value else { return Ok(()) };
        let mut level = Level::new(at, object, 0);
        if let Some(ArrayView::Objects(items)) = object.as_array() {
            for (number, item) in items.iter().enumerate() {
                level.number = number;
                self.child(item.view(), access, &level)?;
            }
            return Ok(());
        }
        let mut children = Children::of(object);
        while let Some((child, _)) = children.next_object() {
            level.number = children.last_number();
            self.child(child, access, &level)?;
        }
        Ok(())
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

/// An object on the machine stack.
struct Occurrence<'e, 'p, 'l, 'a> {
    edited: &'e mut Edited<'p>,
    at: &'e Option<&'l Level<'l, 'a>>,
}

impl Place for Occurrence<'_, '_, '_, '_> {
    #[inline(always)]
    fn value(&self) -> AnyView<'_> {
        self.edited.value()
    }

    #[inline(always)]
    fn replace(&mut self, value: Any) {
        self.edited.replace(value);
    }

    #[inline(always)]
    fn is_kept(&self) -> bool {
        self.edited.is_kept()
    }

    #[inline(always)]
    fn position(&self) -> Position<'_> {
        Position::new(self.at)
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
                if let Some(state) = rewriter.enter(&mut self).map_err(|error| located(error, &self))? {
                    states.push(state);
                    continue;
                }
            } else if let Some(state) = states.pop() {
                let applied = self.editor.apply().map_err(R::Error::from);
                applied.and_then(|()| rewriter.leave(state, &mut self)).map_err(|error| located(error, &self))?;
            }
            if let Some(value) = self.editor.up() {
                return Ok(value);
            }
        }
    }
}

impl Place for Frames<'_, '_, '_> {
    fn value(&self) -> AnyView<'_> {
        self.editor.value()
    }

    fn replace(&mut self, value: Any) {
        self.editor.replace(value);
    }

    fn is_kept(&self) -> bool {
        self.editor.is_kept()
    }

    fn position(&self) -> Position<'_> {
        Position::new(self)
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
