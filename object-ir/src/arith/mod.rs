//! Arithmetic facts: what an analysis has found out about integer expressions.
//!
//! No field of a module's types holds one; they are saved on their own, as the result of an analysis.

pub(crate) mod int_set;
pub(crate) mod constraints;
pub(crate) mod iter_map;

pub use self::{constraints::*, int_set::*, iter_map::*};
