//! Constants of type `uint64` that are too large for an [`IntImm`]: calls of `tirx.large_uint_imm` with the lower and the upper 32
//! bits (TVM 0.25 include/tvm/tirx/builtin.h).

use object_core::{DataType, ObjectHandle, Result};

use crate::ir::{IntImm, IntImmNode, Op, OpNode, PrimExpr};
use crate::tir::expr::{Call, CallNode};

const NAME: &str = "tirx.large_uint_imm";

/// The constant `value` of type `uint64`.
///
/// ```
/// use object_core::ObjectHandle;
/// use object_ir::tir::{Call, large_uint, large_uint_value};
///
/// let most = large_uint(u64::MAX)?;
/// assert_eq!(most.downcast_ref::<Call>().and_then(|call| large_uint_value(call)), Some(u64::MAX));
/// # Ok::<(), object_core::Error>(())
/// ```
///
/// # Errors
/// The registry does not have the operator `tirx.large_uint_imm`.
pub fn large_uint(value: u64) -> Result<PrimExpr> {
    let dtype = DataType::uint(64);
    if let Ok(value) = i64::try_from(value) {
        return Ok(IntImm::new(dtype, value).into());
    }
    let half = |bits: u64| PrimExpr::from(IntImm::new(DataType::uint(32), i64::from(bits as u32)));
    Ok(Call::new(dtype, Op::get(NAME)?, [half(value), half(value >> 32)], None).into())
}

/// The value of a call of `tirx.large_uint_imm` with two constants. `None` for other calls.
#[must_use]
pub fn large_uint_value(call: &CallNode) -> Option<u64> {
    let op = call.op.as_object().view().node::<OpNode>()?;
    if op.name.as_str() != NAME || call.dtype != DataType::uint(64) {
        return None;
    }
    let half = |arg: &PrimExpr| u32::try_from(arg.as_object().view().node::<IntImmNode>()?.value).ok();
    let [low, high] = call.args.as_slice() else { return None };
    Some(u64::from(half(low)?) | u64::from(half(high)?) << 32)
}
