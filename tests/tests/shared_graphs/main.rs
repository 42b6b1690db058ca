//! The cost of every operation on graphs that share objects: steps per node, on directed families and on random graphs.
//!
//! `SHARED_GRAPHS` sets the number of random graphs per class, `SHARED_GRAPHS_SEED` the seed, `SHARED_GRAPHS_CLASS` one
//! class, and `SHARED_GRAPHS_FAMILY` one directed family. Only builds with debug assertions count steps.

#![allow(dead_code, reason = "this test uses the graphs of the laws, and not the laws")]

#[path = "../laws/build.rs"]
mod build;
#[path = "../laws/classes.rs"]
mod classes;
#[path = "../common/mod.rs"]
mod common;
#[path = "../laws/recipe.rs"]
mod recipe;
#[path = "../laws/relate.rs"]
mod relate;
#[path = "../laws/rng.rs"]
mod rng;
#[path = "../laws/typed.rs"]
mod typed;
#[path = "../laws/types.rs"]
mod types;

mod edits;
mod families;
mod measure;
mod operations;
mod random;
mod table;
mod tall;
mod wide;
