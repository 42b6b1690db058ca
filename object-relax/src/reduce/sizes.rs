//! The static sizes of a program, made smaller.

use std::collections::BTreeSet;

use object_core::prelude::*;
use object_core::reduce::Reducer;
use object_core::rewrite::{Mutate, Mutation};
use object_core::visit::{Position, walk};
use object_ir::ir::{IntImm, ShapeExpr};

/// The size that takes the place of larger ones. A size of 1 broadcasts, so programs often behave otherwise with it.
const SMALL: i64 = 2;

/// Makes sizes small: all dimensions of one size together, so that the shapes fit each other.
pub(super) fn sizes(reducer: &mut Reducer<'_>) -> Result<bool, Error> {
    let root = reducer.value().clone();
    let mut sizes: BTreeSet<i64> = BTreeSet::new();
    walk(&root, |shape: &ShapeExpr, _| sizes.extend(static_sizes(shape).filter(|size| *size > SMALL)));
    let sizes: Vec<i64> = sizes.into_iter().collect();
    reducer.remove_parts(sizes.len(), |is_small| {
        let small = sizes.iter().zip(is_small).filter(|(_, is_small)| **is_small);
        let small: BTreeSet<i64> = small.map(|(size, _)| *size).collect();
        let change =
            |shape: &ShapeExpr, _: &Position<'_>| with_small(shape, &small).map_or(Mutation::Keep, Mutation::Replace);
        Mutate::new().leave(change).run(root.clone()).ok()
    })
}

fn static_sizes(shape: &ShapeExpr) -> impl Iterator<Item = i64> {
    shape.values.iter().filter_map(|dim| Some(dim.downcast_ref::<IntImm>()?.value))
}

/// The shape with small sizes in place of these; `None` if it has none of them.
fn with_small(shape: &ShapeExpr, small: &BTreeSet<i64>) -> Option<Any> {
    if !static_sizes(shape).any(|size| small.contains(&size)) {
        return None;
    }
    let dims = shape.values.iter().map(|dim| match dim.downcast_ref::<IntImm>() {
        Some(size) if small.contains(&size.value) => size.clone().with_changes(|node| node.value = SMALL).into(),
        _ => dim,
    });
    let shape = ShapeExpr::of(dims.collect::<Vec<_>>()).ok()?;
    Some(shape.into())
}
