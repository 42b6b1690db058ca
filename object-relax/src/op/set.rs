//! Sets of elements (TVM 0.25 `src/relax/op/tensor/set.cc`).

use object_core::prelude::*;
use object_ir::ir::{PrimValue as PrimValueExpr, StructInfo};

use super::axes::position;
use super::describe::describe_expr;
use super::dims::{Dims, constant, dim, rank_of, tensor, tuple};
use super::op_call::OpCall;
use super::operator::operators;
use super::parameter::{Optional, Prim, PrimValue, Tensor};

operators! {
    /// The distinct elements, or the distinct parts along `axis`; with the position of the first occurrence, the
    /// positions in the result, and the number of occurrences of each, as far as the flags ask for them.
    fn unique = "relax.unique"(
        x: Tensor,
        sorted: Prim,
        return_index: PrimValue,
        return_inverse: PrimValue,
        return_counts: PrimValue,
        axis: Optional<Prim>,
    ), Pure, distinct;
    /// The positions of the elements that are not 0, one column for each.
    fn nonzero = "relax.nonzero"(x: Tensor), Pure, positions;
}

fn distinct(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let x = call.tensor(0)?;
    let rank = rank_of(x);
    let axis = (call.len() > 5).then(|| call.arg(5).downcast_ref::<PrimValueExpr>()).flatten();
    if let Some((rank, axis)) = rank.zip(axis.and_then(|axis| constant(&axis.value))) {
        position(axis, rank).map_err(|expected| {
            let message = format!("expected {expected}, got {axis}");
            call.argument_error(ErrorKind::OutOfRange, 5, message)
        })?;
    }
    let dims = |rank_of_values: Dims| if rank == Some(0) { Dims::Known(vec![dim(1)]) } else { rank_of_values };
    let values = dims(if axis.is_some() { rank.into() } else { Dims::Rank(1) });
    let mut results = vec![tensor(values, x.dtype, x.vdevice.clone())];
    for index in 2..5 {
        let flag = call.scalar(index)?;
        let flag = constant(flag).ok_or_else(|| {
            let message = format!("expected a constant, got {}", describe_expr(flag));
            call.argument_error(ErrorKind::TypeMismatch, index, message)
        })?;
        if flag != 0 {
            results.push(tensor(dims(Dims::Rank(1)), DataType::int(64), x.vdevice.clone()));
        }
    }
    Ok(if results.len() == 1 { results.swap_remove(0) } else { tuple(results) })
}

fn positions(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    Ok(tensor(Dims::Rank(2), DataType::int(64), call.tensor(0)?.vdevice.clone()))
}
