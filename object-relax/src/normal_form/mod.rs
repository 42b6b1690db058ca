//! The normal form of programs, in which no expression is nested (spec: Normal Form).
//!
//! [`Normalizer`] first asks [`is_normal`], which visits each part of a program once and allocates almost nothing. A
//! program in normal form comes back as the same object, so the recognition and the normalizer agree on the meaning of
//! "normal"; `tests/tests/normal_form/laws.rs` checks that over random programs. Otherwise `walk` goes through the
//! program in the order of evaluation. `sequence` collects the bindings of a body or branch:
//! consecutive bindings of one kind are one block, so blocks need no merging, and a block whose bindings did not change
//! is the given block. Structural information that is missing comes from `derivation`, one expression at a time.
//!
//! Calls are trees under structural equality, which does not distinguish a shared call from a copy. So a shared
//! expression with side effects is evaluated at each occurrence. A shared expression without them is evaluated once in
//! each block, as in TVM, which keeps the cost linear. The size of the program limits the number of steps, so programs
//! that share side effects exponentially often are an error.

mod leaf;
mod names;
mod effects;
mod operator_form;
mod recognize;
mod sequence;
mod state;
mod walk;
mod normalizer;

pub use leaf::{is_leaf, is_void, without_void_var};
pub use normalizer::Normalizer;
pub use recognize::is_normal;
pub(crate) use state::{Checkpoint, State};
pub(crate) use walk::{Walk, at};
