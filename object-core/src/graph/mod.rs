//! Graphs of objects: the children of any object, the objects that an operation has met, and replacement of objects in
//! place.

pub(crate) mod children;
pub(crate) mod edited;
pub(crate) mod graph_editor;
mod marked_slots;
mod memory;
mod met_objects;
mod place_marks;

pub(crate) use children::{ChildSlot, Children, FieldObjects, region_of_child, slot, stays_in_no_region};
pub(crate) use edited::{Access, Edited, take_back, with_changes};
pub(crate) use graph_editor::GraphEditor;
pub(crate) use marked_slots::ObjectMap;
pub(crate) use memory::{bytes_of, list_bytes};
pub(crate) use met_objects::{Met, MetObjects, MetState};
pub use place_marks::PlaceMarks;
