//! The reference evaluator: runs modules.
//!
//! [`Evaluator`] compiles a module and runs its functions. A run has no other effects than its packed functions have, and
//! its errors are values with the place of the binding and the calls under way.

#![forbid(unsafe_code)]

pub mod value;

pub(crate) mod controls;
pub(crate) mod scalar;
mod closure;
mod pattern;
mod code;
mod operator;
mod views;
mod compile;
mod expressions;
mod loop_program;
mod call_stack;
mod program;
mod truth;
mod packed;
mod machine;
mod session;
mod domains;
mod evaluator;
mod difference;
mod coverage;
mod comparison;
mod verdict;
mod inputs;
mod trials;
#[cfg(feature = "npy")]
pub mod npy;
#[cfg(feature = "npy")]
mod npy_header;

pub use call_stack::{CallStack, Entry};
pub use closure::{Closure, ClosureNode};
pub use comparison::{BindingDifference, Comparison, compare};
pub use controls::Controls;
pub use coverage::Coverage;
pub use difference::{Difference, Tolerance, first_difference};
pub use evaluator::Evaluator;
pub use inputs::{Inputs, Spread};
pub use operator::runtime::{ASSERTION_FAILED, value_text};
pub use operator::table::has_evaluation;
pub use pattern::SHAPE_MISMATCH;
pub use session::Event;
pub use trials::{Trial, Trials, TrialsReport};
pub use value::{Meter, Storage, Tensor, Value};
pub use verdict::Verdict;
