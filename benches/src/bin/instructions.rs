//! Builds a random tree twice and compares or hashes it so many times, for `bench/instructions.sh`, which counts the
//! instructions of that.
//!
//!     instructions equal|hash NODES TIMES

#![forbid(unsafe_code)]

use std::hint::black_box;
use std::process::ExitCode;

use object_benches::{expr_tree, random_tree};
use object_core::prelude::*;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [operation, nodes, times] = &arguments[..] else { return usage() };
    let (Ok(nodes), Ok(times)) = (nodes.parse::<usize>(), times.parse::<usize>()) else { return usage() };
    let steps = random_tree(nodes, 1);
    if steps.len() != nodes {
        return usage();
    }
    let (a, b) = (expr_tree(&steps), expr_tree(&steps));
    let equal = StructuralEqual::new().map_free_vars(true);
    let all_as_expected = match operation.as_str() {
        "equal" => (0..times).all(|_| equal.equal(black_box(&a), black_box(&b)).is_ok_and(|equal| equal)),
        "hash" => (0..times).all(|_| StructuralHash::new().hash(black_box(&a)).is_ok()),
        _ => return usage(),
    };
    // What releasing costs is the same however often the operation ran.
    if all_as_expected { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn usage() -> ExitCode {
    eprintln!("usage: instructions equal|hash NODES TIMES, where NODES is an odd number");
    ExitCode::from(2)
}
