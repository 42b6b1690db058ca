//! Tests of the evaluator.

#[path = "../common/mod.rs"]
mod common;

mod declarations;
mod goldens;
mod hostile;
mod limits;
mod loop_programs;
mod programs;
mod values;
