//! Arithmetic of scalar expressions: the [`Analyzer`] simplifies them and proves relations between them.
//!
//! The types with node structs are results of TVM's analyses. No node of a module contains one. Programs save them as
//! graphs of their own.

mod proof;
mod normal;
mod prover;
mod simplify;
mod context;
pub(crate) mod form;
mod affine;
mod memo;
mod query;
mod analyzer;

pub use analyzer::{Analyzer, ConstraintScope};
pub use proof::Proof;
