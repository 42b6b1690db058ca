//! The reference evaluator: runs modules.
//!
//! [`Evaluator`] compiles a module and runs its functions. A run has no other effects than its packed functions have, and
//! its errors are values with the place of the binding and the calls under way.
//!
//! # How it works
//!
//! `compile` makes a list of instructions over numbered slots of each function of Relax (`code`), without recursion,
//! and `machine` runs them with frames in a list, so a recursion of a program uses no machine stack. A part of a
//! function without a meaning becomes an instruction that fails, so it is an error only where a run reaches it. A
//! closure is a `Function` whose context is its data, so packed functions can call it.
//!
//! A value is an `Any`. A [`Tensor`] is a handle of a part of a [`Storage`], so tensors alias as the specification
//! says. `pattern` is compiled structural information. `operator` has the results of operators, and `loop_program` runs
//! loop programs. `permute_dims` returns a view of its operand instead of a copy if one operator alone reads the
//! result, which takes views, and no instruction between the two can write into a tensor (`views`); runs with an
//! observer make no views.
//!
//! The feature `files` adds files of tensors: of NumPy, of safetensors, and of TVM's parameters.

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
mod packed_arguments;
mod vm_builtins;
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
mod trials_text;
mod results;
// Nobody calls functions of a module of WebAssembly by name, and their table would keep all of them in it.
#[cfg(not(target_family = "wasm"))]
mod functions;
#[cfg(feature = "files")]
mod npy_header;
#[cfg(feature = "files")]
pub mod npy;
#[cfg(feature = "files")]
mod safetensors;
#[cfg(feature = "files")]
mod tvm_params;
#[cfg(feature = "files")]
mod tensor_file;
// Tests of the workspace run its examples.
#[cfg(all(doc, not(doctest)))]
pub mod guide;

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
#[cfg(feature = "files")]
pub use tensor_file::TensorFile;
pub use trials::{Trial, Trials, TrialsReport};
pub use trials_text::{TrialsText, outcome};
pub use value::{Meter, Storage, Tensor, Value};
pub use verdict::Verdict;
