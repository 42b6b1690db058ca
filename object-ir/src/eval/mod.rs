//! The reference evaluator: runs modules.

pub mod value;

mod controls;
mod loop_program;

pub use controls::Controls;
pub use value::{Meter, Storage, Tensor, Value};
