//! Analyses and transforms: recorded results for small programs, laws over many programs, depth and cost.

#[path = "../common/mod.rs"]
mod common;

mod deep;
mod laws;
mod programs;
mod reshape;
mod transforms;
