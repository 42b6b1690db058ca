//! The operations on graphs as functions by name.

#![allow(clippy::needless_pass_by_value, reason = "functions of the registry own their arguments")]

use std::collections::BTreeSet;

use object_core::prelude::*;
use object_core::register_function;
use object_core::stats::GraphStats;
use object_core::visit::walk;

use crate::ir::Op;
use crate::results::{Difference, Limits, Statistics, TypeCount};
use crate::tvm::{GraphReader, TvmVersion};

register_function!(
    /// The graph in a text in TVM's JSON graph format, of any version, with the types of TVM 0.25.
    "objir.from_json"(text, limits) = from_json
);
register_function!(
    /// The graph as text in TVM's JSON graph format, with the types of TVM 0.25.
    "objir.to_json"(root) = to_json
);
register_function!(
    /// The structural hash in hexadecimal digits, as `objir hash` prints it.
    "objir.hash"(root) = hash
);
register_function!(
    /// Whether two graphs are structurally equal.
    "objir.equal"(a, b) = equal
);
register_function!(
    /// The differences of two graphs, at most `limit` of them; without a limit, at most 20.
    "objir.diff"(a, b, limit, limits) = diff
);
register_function!(
    /// The size of a graph, how much of it is shared, and its types.
    "objir.stats"(root) = stats
);

register_function!(
    /// The names of the operators in a graph, each once, in the order of the alphabet.
    "objir.operators"(root) = operators
);

fn from_json(text: Str, limits: Option<Limits>) -> Result<Any, Error> {
    let limits = limits.unwrap_or_default();
    let read = GraphReader::new().limits(limits.to_limits()?).meter(&limits.meter()?).read(text.as_bytes())?;
    Ok(read.into_rust_types()?.root)
}

fn to_json(root: Any) -> Result<Str, Error> {
    TvmVersion::V0_25.to_json(&root).map(Str::from)
}

fn hash(root: Any) -> Result<Str, Error> {
    Ok(format!("{:016x}", StructuralOptions::new().hash(&root)?).into())
}

fn equal(a: Any, b: Any) -> Result<bool, Error> {
    StructuralOptions::new().equal(&a, &b)
}

fn diff(a: Any, b: Any, limit: Option<u32>, limits: Option<Limits>) -> Result<Array<Difference>, Error> {
    let (limit, limits) = (limit.unwrap_or(20) as usize, limits.unwrap_or_default().to_limits()?);
    Ok(StructuralOptions::new().diff_within(&limits, &a, &b, limit)?.iter().map(Difference::of).collect())
}

fn stats(root: Any) -> Statistics {
    let GraphStats { nodes, edges, shared, depth, tree_nodes, types, .. } = GraphStats::of(&root);
    let types = types.iter().map(|it| TypeCount::new(it.type_key, it.nodes as i64, it.references as i64));
    let tree_nodes = i64::try_from(tree_nodes).unwrap_or(i64::MAX);
    Statistics::new(nodes as i64, edges as i64, shared as i64, depth as i64, tree_nodes, types)
}

fn operators(root: Any) -> Array<Str> {
    let mut names = BTreeSet::new();
    walk(&root, |op: &Op, _| {
        names.insert(op.name.to_string());
    });
    names.into_iter().map(Str::from).collect()
}
