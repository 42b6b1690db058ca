//! Graphs of objects: the children of any object, and replacement of objects in place.

pub(crate) mod children;
pub(crate) mod edited;
pub(crate) mod graph_editor;

pub(crate) use children::{ChildSlot, Children, FieldObjects, region_of_child, slot};
pub(crate) use edited::{Access, Edited};
pub(crate) use graph_editor::GraphEditor;
