//! The laws of structural equality and hashing, over random graphs of annotated types.

mod rng;
mod types;
mod typed;
mod recipe;
mod classes;
mod build;
mod reference;
mod paths;
mod check;
mod relate;
mod classes_hold;
mod diff_laws;
mod diffs;
mod edit_cases;
mod edit_laws;
mod hashes;
mod verdicts;
mod peer;
mod tables;
mod rewrites;
mod naive_rules;
mod rules;
mod text_forms;
#[path = "../common/texts.rs"]
mod texts;
mod regressions;
