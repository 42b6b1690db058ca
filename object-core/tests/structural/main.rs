//! Structural equality, hashes, first mismatches and diffs.

#![allow(missing_docs, reason = "the types of a test explain themselves")]

#[path = "../demo/mod.rs"]
mod demo;
#[path = "../terms/mod.rs"]
mod terms;

mod crafted_hashes;
mod diff;
mod diff_steps;
mod hooks;
mod hooks_elsewhere;
mod interner;
mod lexical;
mod provisional_hashes;
mod structural;
mod structural_map;
