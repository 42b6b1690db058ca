//! Arithmetic facts: results of analyses of integer expressions.
//!
//! No node of a module contains one. Programs save them as graphs of their own.

pub(crate) mod int_set;
pub(crate) mod constraints;
pub(crate) mod iter_map;

pub use self::{constraints::*, int_set::*, iter_map::*};
