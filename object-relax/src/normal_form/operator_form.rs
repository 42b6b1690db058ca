//! Operators whose calls have a normal form of their own (the attribute `FNormalize` in TVM 0.25,
//! `src/relax/op/op.cc` and `src/relax/op/tensor/inspect.cc`).
//!
//! A call of a loop program has its arguments in a literal tuple, so that passes find them. A fact about a tensor that is
//! known before run time becomes a constant.

use object_core::access_path::{AccessPath, AccessStep};
use object_core::prelude::*;
use object_ir::ir::{
    Call, DataflowVar, Op, PrimStructInfo, PrimValue, RelaxExpr, Tuple, TupleGetItem, TupleStructInfo, Var,
    calls_loop_program,
};

use crate::derivation::Surroundings;
use crate::op::describe::describe;

/// The prefix of the operators that state facts about tensors.
const FACTS: &str = "relax.inspect.";

/// The length of a chain of variables that are bound to each other.
const MAX_BINDINGS: usize = 1000;

/// Whether a call with structural information has the form that its operator demands.
pub(super) fn has_operator_form(call: &Call) -> bool {
    let Some(op) = call.op.downcast_ref::<Op>() else { return true };
    if op.name.starts_with(FACTS) {
        known_fact(call).is_none()
    } else {
        !calls_loop_program(&op.name) || call.args.as_slice().get(1).is_none_or(|args| args.is::<Tuple>())
    }
}

/// The value of a call that states a fact about a tensor, if the fact is known.
fn known_fact(call: &Call) -> Option<RelaxExpr> {
    let info = call.struct_info.as_ref()?;
    let value = info.downcast_ref::<PrimStructInfo>()?.value.clone()?;
    let mut constant: RelaxExpr = PrimValue::new(value).into();
    constant.make_mut().struct_info = Some(info.clone());
    Some(constant)
}

/// The expression in place of a call whose operator demands another form, in a dataflow block or elsewhere. Its parts may
/// have nested expressions.
///
/// # Errors
/// [`TypeMismatch`](ErrorKind::TypeMismatch) if the arguments of a loop program are not a tuple.
pub(super) fn operator_form(
    call: &Call,
    surroundings: &Surroundings,
    is_in_dataflow: bool,
) -> Result<RelaxExpr, Error> {
    if let Some(constant) =
        known_fact(call).filter(|_| !call.op.downcast_ref::<Op>().is_some_and(|op| calls_loop_program(&op.name)))
    {
        return Ok(constant);
    }
    let mut args = call.args.to_vec();
    let wrong = |given: String| {
        let message = format!("the arguments of the loop program: expected a tuple, got {given}");
        let steps = [AccessStep::Attr("args".into()), AccessStep::ArrayItem(1)];
        Error::new(ErrorKind::TypeMismatch, message).at(AccessPath::from_steps(steps))
    };
    let Some(var) = args[1].downcast_ref::<Var>() else {
        return Err(wrong(format!("`{}`", args[1].as_object().view().type_key())));
    };
    let tuple = match bound_tuple(var, surroundings, is_in_dataflow) {
        Some(tuple) => tuple,
        None => match var.struct_info.as_ref() {
            Some(info) => {
                let members = info.downcast_ref::<TupleStructInfo>().ok_or_else(|| wrong(describe(info)))?.fields.len();
                // A length fits the type of an index.
                let member = |index| TupleGetItem::new(var, i64::try_from(index).unwrap_or(i64::MAX)).into();
                Tuple::new((0..members).map(member).collect::<Array<RelaxExpr>>())
            }
            None => return Err(wrong(format!("the variable `{}` without structural information", var.vid.name_hint))),
        },
    };
    args[1] = tuple.into();
    let mut call = call.clone();
    call.make_mut().args = args.into();
    Ok(call.into())
}

/// The literal tuple that a variable is bound to, if all its fields are visible: a dataflow variable is not, after its
/// block or in a function inside of it.
fn bound_tuple(var: &Var, surroundings: &Surroundings, is_in_dataflow: bool) -> Option<Tuple> {
    let mut value: RelaxExpr = var.into();
    for _ in 0..MAX_BINDINGS {
        let Some(var) = value.downcast_ref::<Var>() else { break };
        value = surroundings.value(var)?;
    }
    let tuple = value.downcast_ref::<Tuple>()?;
    let is_visible = |field: &RelaxExpr| match field.downcast_ref::<DataflowVar>() {
        Some(_) => is_in_dataflow && field.downcast_ref::<Var>().is_some_and(|var| surroundings.get(var).is_some()),
        None => !field.is::<Tuple>(),
    };
    tuple.fields.as_slice().iter().all(is_visible).then(|| tuple.clone())
}
