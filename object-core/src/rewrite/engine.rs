//! [`rewrite()`]: the depth-first loop of all rewrites. Its stack is in the [`GraphEditor`], so deep graphs do not
//! overflow the machine stack.

use std::any::Any as StdAny;

use crate::error::Error;
use crate::graph::{ChildSlot, GraphEditor};
use crate::object::{Any, DefRegionKind, ObjectRef};
use crate::visit::{PathSource, Position};

impl PathSource for GraphEditor {
    fn slots(&self) -> Vec<ChildSlot<'_>> {
        GraphEditor::slots(self).collect()
    }

    fn last_slot(&self) -> Option<ChildSlot<'_>> {
        GraphEditor::slots(self).next_back()
    }

    fn depth(&self) -> usize {
        GraphEditor::depth(self)
    }

    fn region(&self) -> DefRegionKind {
        GraphEditor::region(self)
    }
}

/// The callbacks of a rewrite.
pub(crate) trait Rewriter {
    /// The error that ends the rewrite.
    type Error: From<Error> + 'static;

    /// Called at each object before its children, and may replace it. Returns whether the rewrite visits the children
    /// of the editor's current value, and then calls [`leave`](Self::leave).
    fn enter(&mut self, editor: &mut GraphEditor) -> Result<bool, Self::Error>;

    /// Called at an entered object after the editor has written its new children into it, and may replace it.
    fn leave(&mut self, editor: &mut GraphEditor) -> Result<(), Self::Error>;
}

/// Rewrites the graph below `root`. An error ends the rewrite. An [`Error`] gets the path of the current object, and an error of
/// another type stays as it is.
pub(crate) fn rewrite<R: Rewriter>(root: ObjectRef, rewriter: &mut R) -> Result<Any, R::Error> {
    let mut editor = GraphEditor::new(root);
    loop {
        let mut is_entered = rewriter.enter(&mut editor).map_err(|error| located(error, &editor))?;
        while !is_entered || !editor.down() {
            if is_entered {
                let left = editor.apply().map_err(R::Error::from).and_then(|()| rewriter.leave(&mut editor));
                left.map_err(|error| located(error, &editor))?;
            }
            if let Some(root) = editor.up() {
                return Ok(root);
            }
            is_entered = true;
        }
    }
}

/// The position of the current value.
pub(super) fn position(editor: &GraphEditor) -> Position<'_> {
    Position::new(editor)
}

/// `error` with the path of the current object before the path in the error, if it is an [`Error`]. The type of an error of
/// the user does not tell where it could keep a path.
#[cold]
fn located<E: 'static>(mut error: E, editor: &GraphEditor) -> E {
    if let Some(error) = (&mut error as &mut dyn StdAny).downcast_mut::<Error>() {
        let mut path = position(editor).path();
        let own = error.path().cloned().unwrap_or_default();
        own.steps().iter().for_each(|step| path.push(step.clone()));
        *error = error.clone().at(path);
    }
    error
}
