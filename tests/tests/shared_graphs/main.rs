//! The cost of every operation on graphs that share objects: steps per node, on directed families and on random graphs.
//!
//! `SHARED_GRAPHS` sets the number of random graphs per class, `SHARED_GRAPHS_SEED` the seed. Only builds with debug
//! assertions count steps.

#[path = "../common/mod.rs"]
mod common;
#[path = "../laws/rng.rs"]
mod rng;
#[path = "../laws/types.rs"]
#[allow(dead_code, reason = "the laws use the other types")]
mod types;

mod families;
mod measure;
mod operations;
mod table;
mod tall;
mod wide;
