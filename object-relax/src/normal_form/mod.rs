//! The normal form of programs, in which no expression is nested (spec: Normal Form).

mod leaf;
mod names;
mod effects;
mod operator_form;
mod recognize;
mod sequence;
mod state;
mod walk;
mod normalizer;

pub(crate) use leaf::is_leaf;
pub use normalizer::Normalizer;
pub use recognize::is_normal;
pub(crate) use state::{Checkpoint, State};
pub(crate) use walk::{Walk, at};
