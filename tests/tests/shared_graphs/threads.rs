//! The cost of comparison and hashing with several threads: the steps of all threads together.

use object_core::steps;

use crate::families::families;
use crate::measure::{Cost, cost};
use crate::operations::{Operation, equal, hash, lexical, sticky};
use crate::table;

/// The operations that use several threads.
const OPERATIONS: &[Operation] = &[
    Operation { name: "equal", run: |case, limit| equal(case, limit, sticky().parallel(true)) },
    Operation { name: "equal, lexical", run: |case, limit| equal(case, limit, lexical().parallel(true)) },
    Operation { name: "hash, lexical", run: |case, limit| hash(case, limit, lexical().parallel(true)) },
];

/// Families on which the steps of all threads together grow faster than the graph, and the reasons.
const KNOWN: &[(&str, &str, &str)] = &[
    ("equal", "scopes that share a large term", EACH_TASK),
    ("equal, lexical", "scopes that share a large term", EACH_TASK),
    ("equal", "scopes that share their parameters", EACH_TASK),
    ("equal", "dag scopes that share dag nodes", EACH_TASK),
];

const EACH_TASK: &str = "each task remembers results for itself, so each walks the term that all scopes share";

#[test]
fn threads_take_few_steps_per_node() {
    if !steps::COUNTS {
        println!("skipped: a build without debug assertions counts no steps");
        return;
    }
    // A pool of the current thread alone, which counts the steps of all tasks.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
    let _pool = pool.expect("the thread is in no other pool");
    let mut faults = Vec::new();
    for family in families() {
        let cases = family.cases();
        for operation in OPERATIONS {
            let is_known = KNOWN.iter().any(|(of, on, _)| *of == operation.name && *on == family.name);
            let is_superlinear = cost(operation, &cases) == Cost::Superlinear;
            if is_superlinear && !is_known && !table::is_known(operation, family) {
                faults.push(format!("`{}` on `{}` grows", operation.name, family.name));
            } else if !is_superlinear && is_known {
                faults.push(format!("`{}` on `{}` is linear now; remove it", operation.name, family.name));
            }
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}
