//! The checker of well-formedness: its rules, recorded verdicts, mutations of good modules, depth and cost.

#[path = "../common/mod.rs"]
mod common;

mod goldens;
mod limits;
mod loop_verdicts;
mod mutants;
mod rules;
mod verdicts;

// The examples of the rules name functions of it.
use object_script as _;
