//! The children of any object, whether node, array or map, and changes of a graph in place.

pub(crate) mod graph_editor;
pub(crate) mod children;

pub(crate) use children::{Children, Slot};
pub(crate) use graph_editor::GraphEditor;
