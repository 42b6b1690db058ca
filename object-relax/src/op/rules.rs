//! Rules of inference that do not look into the arguments.

use object_core::prelude::*;
use object_ir::ir::StructInfo;

use super::dims::{object, void};
use super::op_call::OpCall;

/// The result has the structural information of the first argument.
pub(super) fn same_as_first(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    Ok(call.info(0).clone())
}

/// The result may be any value, such as a block of memory.
pub(super) fn any_value(_: &OpCall<'_>) -> Result<StructInfo, Error> {
    Ok(object())
}

/// The call has no result: it gives an empty tuple.
pub(super) fn no_result(_: &OpCall<'_>) -> Result<StructInfo, Error> {
    Ok(void())
}
