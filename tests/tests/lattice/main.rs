//! Types and structural information: recorded results, tables of own cases, and laws.

#[path = "../common/mod.rs"]
mod common;
mod cost;
mod goldens;
mod laws;
mod program;
mod programs;
mod recorded;
mod tables;
mod text;
