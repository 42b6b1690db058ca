//! Rules about calls of loop programs: `call_tir` and its variants.

use object_core::access_path::AccessStep;
use object_core::prelude::*;
use object_core::{ErrorKind, ObjectView};
use object_ir::attrs::CallTIRInplaceAttrs;
use object_ir::distributed::DTensorStructInfo;
use object_ir::ir::{
    Call, CallNode, FuncStructInfo, GlobalVar, OpNode, PrimExpr, PrimStructInfo, RelaxExpr, ShapeStructInfo,
    StructInfo, Tuple, TupleNode, TupleStructInfo, Var, calls_loop_program,
};
use object_ir::tir::PrimFunc;

use crate::analysis::shape_vars;
use crate::analysis::walk::view;
use crate::derivation::{Arguments, derive_with_notes, signature_of_loop_program};
use crate::op::describe::describe;
use crate::op::{InferContext, infer};
use crate::struct_info::{BaseCheck, VarMap, base_check};
use crate::well_formed::context::Context;
use crate::well_formed::names::name_of;
use crate::well_formed::place::{Field, Place};
use crate::well_formed::rule::{Phase, Rule};
use crate::well_formed::rules::obvious_fit::fits_obviously;

pub(super) const RULES: &[&Rule] = &[&CALL_TIR_ARGUMENTS, &CALL_TIR_SIGNATURE, &POSSIBLE_CALL_TIR_RESULT];

static CALL_TIR_ARGUMENTS: Rule = Rule {
    name: "call-tir-arguments",
    phase: Phase::Normal,
    criteria: &[],
    text: "A call of `call_tir`, `call_tir_inplace` or `call_tir_with_grad` has a literal tuple as its second argument, at \
           most one further argument, one explicit result, and the attributes of the operator. This rule says so in the \
           normal form already; `call-arguments` says most of it once the program is typed.",
    source: "TVM 0.25 src/relax/op/op.cc, the normalization of these operators",
    failing: "fn main(x: T[2]) { y: T[2] = relax.call_tir(@f, x)<T[2]>: T[2]; return y } prim fn f",
    passing: "fn main(x: T[2]) { y: T[2] = relax.call_tir(@f, (x): Tup(T[2]))<T[2]>: T[2]; return y } prim fn f",
};

static CALL_TIR_SIGNATURE: Rule = Rule {
    name: "call-tir-signature",
    phase: Phase::Typed,
    criteria: &[],
    text: "The arguments, the further dimensions and the explicit result of a call of a loop program fit the buffers of \
           the loop program. The shape variables of the loop program have the values that the arguments give them.",
    source: "specification, `call_tir`; TVM 0.25 src/relax/op/op.cc, `ValidateCallTIR`",
    failing: "fn main(x: T[3]) { y: T[2] = relax.call_tir(@f, (x): Tup(T[3]))<T[2]>: T[2]; return y }
        prim fn f: Fn!(T[2], T[2]) -> Tup()",
    passing: "fn main(x: T[3]) { y: T[3] = relax.call_tir(@f, (x): Tup(T[3]))<T[3]>: T[3]; return y }
        prim fn f: Fn!(T[n], T[n]) -> Tup()",
};

static POSSIBLE_CALL_TIR_RESULT: Rule = Rule {
    name: "possible-call-tir-result",
    phase: Phase::Typed,
    criteria: &[],
    text: "The explicit result of a call of a loop program certainly has the shape and the data type that the loop \
           program writes.",
    source: "TVM 0.25 src/relax/op/op.cc, `ValidateCallTIR`, where a result that only may fit is an error",
    failing: "fn main(x: T[2], z: T[n]) { y: T[n] = relax.call_tir(@f, (x): Tup(T[2]))<T[n]>: T[n]; return y }
        prim fn f: Fn!(T[2], T[2]) -> Tup()",
    passing: "fn main(x: T[n]) { y: T[n] = relax.call_tir(@f, (x): Tup(T[n]))<T[n]>: T[n]; return y }
        prim fn f: Fn!(T[m], T[m]) -> Tup()",
};

/// Whether a call is one of a loop program.
fn is_of_loop_program(call: &CallNode) -> bool {
    let op = view(&call.op).node::<OpNode>();
    op.is_some_and(|op| calls_loop_program(&op.name))
}

/// Whether [`check_call`] reports the violations of the operator's own demands.
pub(in crate::well_formed) fn reports_arguments(cx: &Context<'_>, call: &CallNode) -> bool {
    cx.findings.reports(&CALL_TIR_ARGUMENTS) && is_of_loop_program(call)
}

/// The structural information of a call by its arguments, as far as a check has inferred it.
pub(in crate::well_formed) enum Inference {
    /// Nothing has inferred it.
    Open,
    /// The inference fails, and this is reported.
    Failed,
    /// The result.
    Known(StructInfo),
}

/// Checks the form of a call, and its arguments against the callee. Other calls keep these rules.
pub(in crate::well_formed) fn check_call<'a>(
    cx: &mut Context<'a>,
    call: &'a CallNode,
    object: ObjectView<'a>,
    place: Place,
) -> Inference {
    if !is_of_loop_program(call) {
        return Inference::Open;
    }
    let (is_legal, inference) = check_form(cx, call, object, place);
    let is_on = [&CALL_TIR_SIGNATURE, &POSSIBLE_CALL_TIR_RESULT].iter().any(|rule| cx.findings.reports(rule));
    if is_legal && is_on && !fits_obviously(call) {
        check_signature(cx, call, object, place);
    }
    inference
}

/// Checks a call by the demands of its operator. Returns whether it keeps them.
fn check_form<'a>(cx: &mut Context<'a>, call: &'a CallNode, object: ObjectView<'a>, place: Place) -> (bool, Inference) {
    let (args, results) = (call.args.as_slice(), call.sinfo_args.view().len());
    let tuple = args.get(1).map(view);
    let message = || format!("a call of {} has wrong arguments", name_of(view(&call.op)));
    let wrong = if tuple.is_none_or(|tuple| tuple.node::<TupleNode>().is_none()) {
        let given = tuple.map_or_else(|| "nothing".to_owned(), name_of);
        Some(("a `Tuple` as the second argument", given))
    } else if args.len() > 3 {
        Some(("two or three arguments", args.len().to_string()))
    } else if results != 1 {
        Some(("one element in `sinfo_args`", results.to_string()))
    } else {
        None
    };
    if let Some((expected, given)) = wrong {
        cx.report(&CALL_TIR_ARGUMENTS, place, object, message, |draft| draft.expected(expected, given));
        return (false, Inference::Open);
    }
    // Without attributes, the operator has no further demands that this rule depends on.
    if call.attrs.is_none() && !cx.findings.reports(&CALL_TIR_ARGUMENTS) {
        return (true, Inference::Open);
    }
    let Some(handle) = object.to_handle::<Call>() else { return (false, Inference::Open) };
    match infer(&handle, &cx.infer_context()) {
        Ok(info) => (true, Inference::Known(info)),
        Err(error) => {
            // An argument without structural information is the matter of another rule.
            if error.kind() != ErrorKind::MissingField {
                cx.report(&CALL_TIR_ARGUMENTS, place, object, || error.message().to_owned(), |draft| draft);
            }
            let is_reported = cx.findings.reports(&CALL_TIR_ARGUMENTS);
            (false, if is_reported { Inference::Failed } else { Inference::Open })
        }
    }
}

/// The parameters of the callee: as its structural information says, or else as the loop program in the module has them.
fn params_of_callee(cx: &Context<'_>, callee: &RelaxExpr) -> Option<Vec<StructInfo>> {
    let stated = callee.struct_info.as_ref().and_then(|info| info.downcast_ref::<FuncStructInfo>());
    if let Some(params) = stated.and_then(|info| info.params.as_ref()) {
        return Some(params.to_vec());
    }
    let function = cx.module?.functions.get(callee.downcast_ref::<GlobalVar>()?)?;
    let signature = signature_of_loop_program(function.downcast_ref::<PrimFunc>()?);
    signature.params.as_ref().map(Array::to_vec)
}

/// The structural information of the arguments: the elements of the tuple, and the further dimensions as scalars. `None`
/// if something is unknown, which another rule reports.
fn argument_infos(call: &CallNode) -> Option<(Vec<StructInfo>, Vec<StructInfo>)> {
    let tuple = call.args.get(1)?;
    let tuple = tuple.downcast_ref::<Tuple>()?;
    let inputs: Option<Vec<StructInfo>> = tuple.fields.iter().map(|field| field.struct_info.clone()).collect();
    let Some(dims) = call.args.get(2) else { return Some((inputs?, Vec::new())) };
    let dims = dims.struct_info.as_ref()?.downcast_ref::<ShapeStructInfo>()?.clone();
    let scalar = |value: Option<PrimExpr>| PrimStructInfo::new(value, DataType::int(64)).into();
    let dims = match &dims.values {
        Some(values) => values.iter().map(|value| PrimStructInfo::of_value(value).into()).collect(),
        None => (0..dims.ndim.clamp(0, MOST_DIMS)).map(|_| scalar(None)).collect(),
    };
    Some((inputs?, dims))
}

/// The largest rank that counts as one; a file may contain any number.
const MOST_DIMS: i64 = 1024;

/// The signature that takes the inputs and the further dimensions and returns the outputs. The parameters of a loop
/// program are the inputs, the outputs and the further dimensions, in this order.
fn as_function(call: &CallNode, params: &[StructInfo], inputs: usize, dims: usize) -> FuncStructInfo {
    let (first, last) = (inputs, params.len() - dims);
    let mut outputs = params[first..last].to_vec();
    let attrs = call.attrs.as_ref().and_then(|attrs| attrs.downcast_ref::<CallTIRInplaceAttrs>());
    for (at, input) in attrs.iter().flat_map(|attrs| attrs.inplace_indices.to_vec()).enumerate() {
        // The operator has checked that each index is -1 or an argument.
        if let Some(param) = usize::try_from(input).ok().and_then(|input| params.get(input)) {
            outputs.insert(at.min(outputs.len()), param.clone());
        }
    }
    let result = if let [only] = outputs.as_slice() { only.clone() } else { TupleStructInfo::of(outputs).into() };
    FuncStructInfo::of(params[..first].iter().chain(&params[last..]).cloned(), result)
}

/// Checks the arguments and the explicit result against the parameters of the callee.
fn check_signature<'a>(cx: &mut Context<'a>, call: &'a CallNode, object: ObjectView<'a>, place: Place) {
    let Some((callee, (inputs, dims))) = call.args.get(0).zip(argument_infos(call)) else { return };
    let Some(params) = params_of_callee(cx, &callee) else { return };
    // Loop programs know nothing about distributed tensors.
    if inputs.iter().any(|info| info.is::<DTensorStructInfo>()) {
        return;
    }
    let given = inputs.len() + dims.len();
    if given > params.len() {
        let message = || "a call has more arguments than the loop program has parameters".to_owned();
        let expected = format!("at most {}", params.len());
        return cx
            .report(&CALL_TIR_SIGNATURE, place, object, message, |draft| draft.expected(expected, given.to_string()));
    }
    let function = as_function(call, &params, inputs.len(), dims.len());
    let vars = inputs.iter().chain(&dims).map(|info| Var::of("argument", info.clone()).into());
    let stand_in = Call::new(callee, Array::new(vars.collect::<Vec<RelaxExpr>>()), None, []);
    // The shape variables of the callee mean nothing to the caller.
    let visible = params.iter().flat_map(shape_vars).fold(VarMap::keeping_others(), |map, var| map.hide(&var));
    let derived = derive_with_notes(&function, Arguments::of(&stand_in), &visible, &InferContext::new(&cx.analyzer));
    let derived = match derived {
        Ok((derived, _)) => derived,
        Err(error) => {
            let (at, part) = argument_at(cx, call, (place, object), &error, inputs.len());
            return cx.report(&CALL_TIR_SIGNATURE, at, part, || error.message().to_owned(), |draft| draft);
        }
    };
    let Some(stated) = call.sinfo_args.as_slice().first() else { return };
    let (rule, message) = match base_check(stated, &derived, &cx.analyzer) {
        BaseCheck::Pass => return,
        BaseCheck::FailL0 => (&CALL_TIR_SIGNATURE, "the explicit result of a call contradicts its loop program"),
        BaseCheck::FailL1 | BaseCheck::FailL2 => {
            (&POSSIBLE_CALL_TIR_RESULT, "the explicit result of a call may differ from the result of its loop program")
        }
    };
    let array = cx.places.field(place, Field::SinfoArgs);
    let at = cx.places.item(array, 0);
    cx.report(
        rule,
        at,
        view(stated),
        || message.to_owned(),
        |draft| draft.expected(describe(&derived), describe(stated)),
    );
}

/// The place of the argument that an error about the stand-in is about.
fn argument_at<'a>(
    cx: &mut Context<'a>,
    call: &'a CallNode,
    at_call: (Place, ObjectView<'a>),
    error: &Error,
    inputs: usize,
) -> (Place, ObjectView<'a>) {
    let index = error.path().and_then(|path| match path.steps() {
        [_, AccessStep::ArrayItem(index)] => Some(*index),
        _ => None,
    });
    let (Some(index), [_, tuple, rest @ ..]) = (index, call.args.as_slice()) else { return at_call };
    let args = cx.places.field(at_call.0, Field::Args);
    if index >= inputs {
        let Some(dims) = rest.first() else { return at_call };
        return (cx.places.item(args, 2), view(dims));
    }
    let tuple_at = cx.places.item(args, 1);
    let Some(tuple) = view(tuple).node::<TupleNode>() else { return at_call };
    let Some(field) = tuple.fields.as_slice().get(index) else { return at_call };
    let fields = cx.places.field(tuple_at, Field::Fields);
    (cx.places.item(fields, index), view(field))
}
