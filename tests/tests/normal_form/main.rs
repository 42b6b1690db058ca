//! The normal form of programs: recorded results, laws over random programs, and cost.

#[path = "../common/mod.rs"]
mod common;
mod cost;
mod evaluate;
mod goldens;
mod laws;
mod programs;
#[path = "../laws/rng.rs"]
#[allow(dead_code, reason = "each test file uses its part")]
mod rng;
