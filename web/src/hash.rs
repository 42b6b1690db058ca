//! The request `hash`: the structural hash of a graph, and counts of its objects.

use object_core::meter::Meter;
use object_core::prelude::*;
use object_core::stats::GraphStats;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::program::{Depth, File, Program};

/// The largest number of types in the answer.
const TYPES: usize = 12;

/// The hash, as the command `objir hash` prints it.
pub(crate) fn answer(file: &File<'_>, meter: &Meter) -> Result<Value, Failure> {
    let (program, _) = Program::read(file, Depth::Any, meter)?;
    let root = &program.graph.root;
    let hash = StructuralOptions::new().hash(root)?;
    let stats = GraphStats::of(root);
    let types = stats.types.iter().take(TYPES).map(|it| json!({ "type": it.type_key, "nodes": it.nodes }));
    Ok(json!({
        "hash": format!("{hash:016x}"),
        "root": root.type_key(),
        "version": program.version.name(),
        "remark": program.remark,
        "nodes": stats.nodes,
        "edges": stats.edges,
        "shared": stats.shared,
        "depth": stats.depth,
        "types": types.collect::<Vec<_>>(),
    }))
}
