//! [`Cost`]: the steps of an operation per node, and how they grow.

use object_core::prelude::*;
use object_core::stats::GraphStats;

use crate::operations::{Case, Operation};

/// The steps per node at which an operation stops. Operations of linear cost take far fewer.
const LIMIT: u64 = 1000;

/// How much more the steps per node may be in the larger graph of a family, which has at least four times the nodes of the
/// smaller one. Quadratic time gives four. A logarithm, which persistent maps add, stays below, also where the addresses of
/// objects make the maps deeper than usual.
const GROWTH: f64 = 2.5;

/// The steps of an operation per node and reference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cost {
    /// So many in the largest graph.
    PerNode(f64),
    /// They grow with the graph.
    Superlinear,
}

/// The number of nodes and references of one value of the case, on average.
pub(crate) fn size(case: &Case) -> u64 {
    let of = |value: &Any| {
        let stats = GraphStats::of(value);
        stats.nodes + stats.edges
    };
    [&case.left, &case.right, &case.other].map(of).iter().sum::<usize>() as u64 / 3 + 1
}

/// The steps per node of an operation on a case; `None` if they reach the limit.
pub(crate) fn per_node(operation: &Operation, case: &Case, size: u64, limit: u64) -> Option<f64> {
    (operation.run)(case, limit * size).map(|steps| steps as f64 / size as f64)
}

/// The cost of an operation on a small and a large case of one family.
pub(crate) fn cost(operation: &Operation, cases: &[(Case, u64); 2]) -> Cost {
    let [small, large] = [0, 1].map(|index: usize| per_node(operation, &cases[index].0, cases[index].1, LIMIT));
    match (small, large) {
        (Some(small), Some(large)) if large <= GROWTH * small.max(2.0) => Cost::PerNode(large.max(small)),
        _ => Cost::Superlinear,
    }
}
