//! Whether the iterations of a run are independent.

use super::ColumnAccess;
use super::domain::Resolved;

/// Whether an iteration uses an element that another iteration writes; of a nest, iterations of different lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Independence {
    No,
    /// None does, but iterations load elements that they store.
    Updates,
    /// None does, and the accesses load no element that they store, but for folds. So a run can begin again.
    Full,
}

/// Compares all stores with all other accesses.
pub(super) fn independence(accesses: &[ColumnAccess], resolved: &[Resolved]) -> Independence {
    let mut result = Independence::Full;
    for (number, (store, at)) in accesses.iter().zip(resolved).enumerate().filter(|(_, (access, _))| access.is_store) {
        let is_distinct = !at.is_checked && at.lanes.are_distinct();
        let is_one_element = store.is_fold && store.total.is_none() && !at.is_checked;
        if !is_distinct && !is_one_element {
            return Independence::No;
        }
        for (other, (access, it)) in accesses.iter().zip(resolved).enumerate() {
            if other == number || !overlap(at, it) {
                continue;
            }
            // The same elements in the same iterations are in order, unless a fold has them in a column.
            let is_same = !it.is_checked
                && is_distinct
                && (!store.is_fold || access.is_start)
                && (!access.is_fold || store.is_start)
                && (store.size, at.first, at.steps) == (access.size, it.first, it.steps)
                && store.memory == access.memory;
            if !is_same {
                return Independence::No;
            }
            if !access.is_store {
                result = Independence::Updates;
            }
        }
    }
    result
}

fn overlap(a: &Resolved, b: &Resolved) -> bool {
    a.bytes.0 == b.bytes.0 && a.bytes.1.start < b.bytes.1.end && b.bytes.1.start < a.bytes.1.end
}
