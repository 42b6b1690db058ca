//! Products of matrices and tensors (TVM 0.25 `src/relax/op/tensor/linear_algebra.cc`).

use object_core::prelude::*;
use object_ir::attrs::{EinsumAttrs, MatmulAttrs};
use object_ir::ir::StructInfo;

use super::broadcast::{broadcast_dims, same_dtype};
use super::checks::{check_size, common_vdevice, require_rank, some_tensors, written_dims, wrong_rank};
use super::dims::{DimRefs, Dims, tensor, written_rank, written_values};
use super::einsum::Equation;
use super::op_call::OpCall;
use super::operator::operators;
use super::parameter::{Attributes, Defaults, Tensor, Tensors};

operators! {
    /// The products of matrices in the last two dimensions; the dimensions before them broadcast. A tensor of one
    /// dimension is a row on the left, and a column on the right, and the result does not have this dimension.
    fn matmul = "relax.matmul"(x1: Tensor, x2: Tensor, attrs: Defaults<MatmulAttrs>), Pure, infer_matmul, sharding matmul_parts;
    /// The sum of products that `subscripts` describes, such as `ij,jk->ik`.
    fn einsum = "relax.einsum"(operands: Tensors, attrs: Attributes<EinsumAttrs>), Pure, infer_einsum;
    /// The product of each element of one vector and each element of the other.
    fn outer = "relax.outer"(x1: Tensor, x2: Tensor), Pure, infer_outer;
}

fn infer_matmul(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let (x1, x2) = (call.tensor(0)?, call.tensor(1)?);
    let vdevice = match (&x1.vdevice, &x2.vdevice) {
        (Some(a), Some(b)) => structural_equal(a, b).then(|| a.clone()),
        (a, b) => a.clone().or_else(|| b.clone()),
    };
    let given = call.attrs::<MatmulAttrs>()?.out_dtype;
    let dtype = if given.is_void() { same_dtype(call, 0, 1)? } else { given };
    let (a, b) = (written_values(x1), written_values(x2));
    let (Some(a_rank), Some(b_rank)) = (written_rank(x1), written_rank(x2)) else {
        return Ok(tensor(Dims::Unknown, dtype, vdevice));
    };
    for (index, rank) in [a_rank, b_rank].into_iter().enumerate() {
        if rank == 0 {
            return Err(wrong_rank(call, index, "at least 1 dimension", 0));
        }
    }
    let missing = usize::from(a_rank == 1) + usize::from(b_rank == 1);
    let unknown = Dims::Rank(a_rank.max(b_rank).max(2) - missing);
    let (Some(a), Some(b)) = (a, b) else { return Ok(tensor(unknown, dtype, vdevice)) };
    let (a_batch, a_matrix) = a.split_at(a_rank.saturating_sub(2));
    let (b_batch, b_matrix) = b.split_at(b_rank.saturating_sub(2));
    let Some(batch) = broadcast_dims(call, 1, a_batch, b_batch)? else { return Ok(tensor(unknown, dtype, vdevice)) };
    let mut dims: DimRefs<'_> = batch.iter().collect();
    if let (Some((length, rows)), Some((given, columns))) = (a_matrix.split_last(), b_matrix.split_first()) {
        check_size(call, 1, b_batch.len(), [given, length], "the last dimension of `x1`")?;
        dims.extend(rows.iter().chain(columns));
    }
    Ok(call.result_of(&dims, dtype, vdevice))
}

fn infer_einsum(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let operands = some_tensors(call, 0)?;
    let subscripts = &call.attrs::<EinsumAttrs>()?.subscripts;
    let equation = Equation::parse(subscripts).map_err(|reason| call.attribute_error("subscripts", reason))?;
    let (dtype, vdevice) = (operands[0].dtype, common_vdevice(&operands));
    if let Some(place) = operands.iter().position(|operand| operand.dtype != dtype) {
        let text = |dtype: DataType| if dtype.is_void() { "an unknown type".into() } else { dtype.to_string() };
        let (expected, given) = (text(dtype), text(operands[place].dtype));
        let message = format!("member {place}: expected elements of {expected} as in member 0, got {given}");
        return Err(call.argument_error(ErrorKind::TypeMismatch, 0, message));
    }
    let shapes: Vec<Dims> = operands.iter().map(|operand| written_dims(operand)).collect();
    Ok(tensor(equation.result(call, &shapes)?, dtype, vdevice))
}

fn infer_outer(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    require_rank(call, 0, 1)?;
    require_rank(call, 1, 1)?;
    let (x1, x2) = (call.tensor(0)?, call.tensor(1)?);
    let dims = match (written_dims(x1), written_dims(x2)) {
        (Dims::Known(a), Dims::Known(b)) => Dims::Known([a, b].concat()),
        _ => Dims::Rank(2),
    };
    // The result of TVM has no device.
    Ok(tensor(dims, x1.dtype, None))
}
