//! [`infer`]: the structural information of a call of an operator.

use object_core::access_path::{AccessPath, AccessStep};
use object_core::prelude::*;
use object_ir::distributed::DTensorStructInfo;
use object_ir::ir::{Call, Op, RelaxExpr, StructInfo};

use super::context::InferContext;
use super::op_call::OpCall;
use super::operator::Operator;
use super::sharding::ShardedCall;
use super::table::declaration;
use crate::struct_info::default_derive;

/// The structural information of the result of a call of an operator. The arguments need structural information;
/// constants, shapes and tuples of them have one without being inferred.
///
/// A call of an operator that does not define its result has the structural information in its `sinfo_args`, and may
/// be any value if there is none.
///
/// # Errors
/// The message names the operator, the argument or attribute, and the expected and given value; the path leads from the
/// call to that argument or attribute.
///
/// [`Call`](ErrorKind::Call) for a wrong number of arguments, [`MissingField`](ErrorKind::MissingField) for an argument
/// without structural information, [`TypeMismatch`](ErrorKind::TypeMismatch) for arguments of the wrong kind, element
/// type, rank or shape, [`OutOfRange`](ErrorKind::OutOfRange) for wrong attributes, and
/// [`UnknownFunction`](ErrorKind::UnknownFunction) if the callee is not an operator.
///
/// ```
/// use object_core::DataType;
/// use object_core::structural_equal;
/// use object_relax::arith::Analyzer;
/// use object_ir::ir::{Constant, ObjectStructInfo};
/// use object_relax::op::{self, InferContext};
///
/// let analyzer = Analyzer::for_shapes();
/// let context = InferContext::new(&analyzer);
/// let nothing = op::infer(&op::null_value(), &context)?;
/// assert!(structural_equal(&nothing, &ObjectStructInfo::new()));
/// # Ok::<(), object_core::Error>(())
/// ```
pub fn infer(call: &Call, context: &InferContext<'_>) -> Result<StructInfo, Error> {
    let operator = call.op.downcast_ref::<Op>().and_then(declaration);
    infer_with_args(call, call.args.as_slice(), operator, context)
}

/// [`infer`] of the call with other arguments. `operator` is the declaration of the callee, if it has one.
pub fn infer_with_args(
    call: &Call,
    args: &[RelaxExpr],
    operator: Option<&'static Operator>,
    context: &InferContext<'_>,
) -> Result<StructInfo, Error> {
    if !call.op.is::<Op>() {
        let message =
            format!("expected a call of an operator, got a call of `{}`", call.op.as_object().view().type_key());
        let place = AccessPath::from_steps([AccessStep::Attr("op".into())]);
        return Err(Error::new(ErrorKind::UnknownFunction, message).at(place));
    }
    let Some((operator, infer)) = operator.and_then(|operator| Some((operator, operator.infer?))) else {
        return Ok(default_derive(call));
    };
    let signature = &operator.signature;
    // Inference of operators without attributes takes about as long as a look-up.
    let kept = context.shared_results().filter(|_| call.attrs.is_some()).map(|results| &results.calls);
    let kept = kept.and_then(|kept| Some((kept, kept.place(signature, call, args)?)));
    if let Some(result) = kept.and_then(|(kept, place)| kept.get(place, signature, call, args)) {
        return Ok(result);
    }
    if let Some(checked) = OpCall::of_tensors(call, args, signature, context) {
        let checked = checked?;
        let result = infer(&checked)?;
        if let Some((kept, place)) = kept.filter(|_| checked.depends_on_facts_only()) {
            kept.keep(place, signature, call, args, &result);
        }
        return Ok(result);
    }
    let Some(sharding) = operator.sharding else { return infer(&OpCall::new(call, args, signature, context)?) };
    let mut distributed = Vec::new();
    let checked = OpCall::with_infos(call, args, signature, context, |info| {
        let tensor = info.downcast_ref::<DTensorStructInfo>()?;
        distributed.push(tensor.clone());
        Some(tensor.tensor_sinfo.clone().into())
    })?;
    let whole = infer(&checked)?;
    if distributed.is_empty() { Ok(whole) } else { sharding(&ShardedCall::new(&checked, distributed, &whole)?) }
}
