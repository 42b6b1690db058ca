//! Builds a workload twice and does something with it so many times, for `bench/instructions.sh`, which counts the
//! instructions of that. Prints how many nodes the workload has. `walk` looks at the
//! integers, and so does `mutate`, which changes none.
//!
//!     instructions tree-100001|relax-5000|.. equal|hash|walk|mutate TIMES

#![forbid(unsafe_code)]

use std::hint::black_box;
use std::process::ExitCode;

use object_benches as workloads;
use object_core::prelude::*;
use object_core::rewrite::mutate;
use object_core::visit::walk;
use object_ir::ir::IntImm;

fn main() -> ExitCode {
    match run() {
        Ok(nodes) => {
            println!("{nodes}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("instructions: {message}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<usize, String> {
    const USAGE: &str = "usage: instructions tree-SIZE|relax-SIZE equal|hash|walk|mutate TIMES";
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, operation, times] = &arguments[..] else { return Err(USAGE.into()) };
    let times: usize = times.parse().map_err(|_| USAGE)?;
    let workload = match name.split_once('-').and_then(|(shape, size)| Some((shape, size.parse().ok()?))) {
        Some(("tree", nodes)) if nodes % 2 == 1 => workloads::tree(nodes),
        Some(("relax", bindings)) => workloads::relax(bindings),
        _ => return Err(format!("no workload `{name}`; {USAGE}, where the size of a tree is odd")),
    };
    let (a, b) = (workload.build(0), workload.build(1));
    let equal = StructuralEqual::new().map_free_vars(true);
    let as_expected = match operation.as_str() {
        "equal" => (0..times).all(|_| equal.equal(black_box(&a), black_box(&b)).is_ok_and(|equal| equal)),
        "hash" => (0..times).all(|_| StructuralHash::new().hash(black_box(&a)).is_ok()),
        "walk" => (0..times).all(|_| {
            let mut integers = 0;
            walk(black_box(&a), |_: &IntImm| integers += 1);
            integers > 0
        }),
        "mutate" => {
            let unchanged = |root: Any| mutate(root, |_: &IntImm| None::<IntImm>).ok();
            let address = |root: &Any| root.view().as_object().map(|object| object.address());
            (0..times).all(|_| unchanged(black_box(&a).clone()).is_some_and(|same| address(&same) == address(&a)))
        }
        _ => return Err(USAGE.into()),
    };
    if as_expected { Ok(workload.nodes) } else { Err(format!("{operation} of {name} failed")) }
}
