//! Tests of the evaluator.

#[path = "../common/mod.rs"]
mod common;

mod called_programs;
mod comparison;
mod declarations;
mod decoder;
mod float32;
mod goldens;
mod hostile;
mod limits;
mod loop_calls;
mod loop_forms;
mod loop_nests;
mod loop_programs;
mod mutants;
mod preserved;
mod programs;
mod tensor_files;
mod values;
