//! TVMScript: the texts of TVM, the forms of values that TVM does not print, and the places in the text.

#[path = "../common/mod.rs"]
mod common;

mod cases;
mod editor;
mod exact;
mod format;
mod hostile;
mod loop_programs;
mod nesting;
mod own_forms;
mod page;
mod peer;
mod places;
mod source_places;
mod readable;
