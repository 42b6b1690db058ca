//! Conversion between element types (TVM 0.25 `src/relax/op/tensor/datatype.cc`).

use object_core::prelude::*;
use object_ir::attrs::{AstypeAttrs, WrapParamAttrs};
use object_ir::ir::StructInfo;

use super::dims::with_dtype;
use super::op_call::OpCall;
use super::operator::operators;
use super::parameter::{ElementType, Tensor};

operators! {
    /// Each element, converted to another type.
    fn astype = "relax.astype"(x: Tensor, dtype: ElementType<AstypeAttrs>), Pure, converted;
    /// A parameter, converted to another type before the function runs.
    fn wrap_param = "relax.wrap_param"(data: Tensor, dtype: ElementType<WrapParamAttrs>), Pure, wrapped;
}

fn converted(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    Ok(with_dtype(call.tensor(0)?, call.attrs::<AstypeAttrs>()?.dtype))
}

fn wrapped(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    Ok(with_dtype(call.tensor(0)?, call.attrs::<WrapParamAttrs>()?.dtype))
}
