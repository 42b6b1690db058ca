//! [`rewrite()`]: the depth-first loop of all rewrites. Its stack is in the [`GraphEditor`], so deep graphs do not
//! overflow the machine stack.

use crate::error::{Error, Result};
use crate::graph::{ChildSlot, GraphEditor};
use crate::object::{Any, ObjectRef};
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
}

/// The callbacks of a rewrite.
pub(super) trait Rewriter {
    /// Called at each object before its children, and may replace it. Returns whether the rewrite visits the children
    /// of the editor's current value, and then calls [`leave`](Self::leave).
    fn enter(&mut self, editor: &mut GraphEditor) -> Result<bool>;

    /// Called at an entered object after the editor has written its new children into it, and may replace it.
    fn leave(&mut self, editor: &mut GraphEditor) -> Result<()>;
}

/// Rewrites the graph below `root`. An error ends the rewrite, and gets the path of the current object.
pub(super) fn rewrite(root: ObjectRef, rewriter: &mut impl Rewriter) -> Result<Any> {
    let mut editor = GraphEditor::new(root);
    loop {
        let mut is_entered = rewriter.enter(&mut editor).map_err(|error| located(error, &editor))?;
        while !is_entered || !editor.down() {
            if is_entered {
                let left = editor.apply().and_then(|()| rewriter.leave(&mut editor));
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
    Position::new(editor, editor.region())
}

/// `error` with the path of the current object before the path in the error.
#[cold]
fn located(error: Error, editor: &GraphEditor) -> Error {
    let mut path = position(editor).path();
    let own = error.path().cloned().unwrap_or_default();
    own.steps().iter().for_each(|step| path.push(step.clone()));
    error.at(path)
}
