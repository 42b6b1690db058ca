//! Calls of intrinsics: `T.exp(x)`, `T.call_extern("int32", "f", x)` (TVM 0.25 python/tvm/tirx/op.py).

use object_core::{DataType, ObjectHandle};
use object_ir::ir::{FloatImmNode, IntImm, Op, PrimExpr, RelaxExpr, op_table};
use object_ir::tir;

use crate::intrinsics::{DtypePlace, ResultType, dtype_place, ops_of_name, printed_name, result_type};
use crate::llvm_intrinsics;
use crate::parse::state::call::{Argument, Call};
use crate::parse::state::parser::{Builtin, Eval, Parser};
use crate::parse::tir::scalar::{intrinsic, matched, prim};
use crate::parse::value::Value;

/// Other names of intrinsics.
const ALIASES: &[(&str, &str)] = &[
    ("tvm_call_packed", "call_packed"),
    ("tvm_call_cpacked", "call_cpacked"),
    ("tvm_call_packed_lowered", "call_packed_lowered"),
    ("tvm_call_cpacked_lowered", "call_cpacked_lowered"),
    ("abs", "fabs"),
    ("power", "pow"),
];

/// The operator with this name after the prefix.
fn operator(name: &str) -> Option<Op> {
    let name = ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, name)| *name);
    ops_of_name(name).find_map(|op| Op::get(&op).ok())
}

/// The operator of a call of `name`, and where the call states its data type.
///
/// Operators of CUDA have a second name, under which they print with a data type. A call with a data type stands for the
/// operator with the first name, as in TVM, but for the calls of `T.ptx.cp_async` that a pass of TVM makes
/// (TVM 0.25 python/tvm/backend/cuda/script.py).
fn called(name: &str, arguments: &[Argument]) -> Option<(Op, DtypePlace)> {
    let op = operator(name)?;
    let place = dtype_place(&op.name);
    let begins_with_type = arguments.first().is_some_and(|it| type_in_text(&it.value).is_some());
    if place != DtypePlace::Nowhere || !begins_with_type {
        return Some((op, place));
    }
    let second = ops_of_name(name).find(|op| dtype_place(op) == DtypePlace::First);
    let Some(second) = second.and_then(|second| Op::get(&second).ok()) else { return Some((op, place)) };
    let is_of_pass = name == "ptx.cp_async" && arguments.len() == 6;
    Some((if is_of_pass { second } else { op }, DtypePlace::First))
}

/// The data type that a text names.
fn type_in_text(value: &Value) -> Option<DataType> {
    let Value::Str(text) = value else { return None };
    text.parse().ok()
}

/// The function that calls the intrinsic of a name, such as `T.exp`.
pub(crate) fn by_name(path: &str) -> Option<Builtin> {
    let op = operator(path.strip_prefix("T.")?)?;
    // Operators of other languages have the same names.
    op.name.starts_with("tirx.").then_some(call as Builtin)
}

/// The names of the functions that call intrinsics, for hints.
pub(crate) fn names() -> impl Iterator<Item = String> {
    let ops = op_table().into_iter().filter(|op| op.name.starts_with("tirx."));
    ops.map(|op| format!("T.{}", printed_name(&op.name)))
}

/// The intrinsics of two numbers, which have one type.
const MATCHED: &[&str] = &["tirx.pow", "tirx.fmod", "tirx.atan2", "tirx.hypot", "tirx.copysign", "tirx.nextafter"];

fn call(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let name = call.name.strip_prefix("T.").unwrap_or(&call.name);
    let mut arguments = call.rest().to_vec();
    let Some((op, place)) = called(name, &arguments) else {
        return Err(p.error(call.range, format!("the function `{}` is not known", call.name)));
    };
    let stated = stated_type(p, call, place, &mut arguments)?;
    if matches!(&*op.name, "tirx.cuda_func_call" | "tirx.cuda.func_call") {
        return source_call(p, call, op, &arguments);
    }
    call.finish(p)?;
    let mut args = Vec::with_capacity(arguments.len());
    match &*arguments {
        [a, b] if MATCHED.contains(&&*op.name) => {
            let (a, b) = matched(p, a, b)?;
            args.extend([a, b]);
        }
        _ => {
            for argument in &arguments {
                args.push(prim(p, argument)?);
            }
        }
    }
    if let (Some(first), Some(argument)) = (args.first_mut(), arguments.first())
        && &*op.name == "tirx.tvm_access_ptr"
        && let Some(dtype) = type_in_text(&argument.value)
        && let Some(annotation) = intrinsic(dtype, "tirx.type_annotation", Vec::new())
    {
        *first = annotation;
    }
    if let (Some(first), Some(argument)) = (args.first_mut(), arguments.first())
        && llvm_intrinsics::is_caller(&op.name)
        && matches!(argument.value, Value::Str(_))
    {
        *first = llvm_function(p, argument)?.into();
    }
    let dtype = match (stated, result_type(&op.name)) {
        (Some(dtype), _) | (None, ResultType::Fixed(dtype)) => dtype,
        (None, ResultType::Argument(index)) => args.get(index).map_or(DataType::void(), |arg| arg.dtype),
        (None, ResultType::Named(index)) => {
            arguments.get(index).and_then(|it| type_in_text(&it.value)).unwrap_or(DataType::void())
        }
    };
    if let Some(value) = folded(&op.name, dtype, &args) {
        return Ok(Value::object(value));
    }
    Ok(Value::object(tir::Call::new(dtype, RelaxExpr::from(op), args, None)))
}

/// The number of the function of LLVM that a text names.
fn llvm_function(p: &mut Parser<'_>, argument: &Argument) -> Eval<IntImm> {
    let number = llvm_intrinsics::number_of(argument.str(p)?);
    number.ok_or_else(|| argument.expected(p, "the name of a function of LLVM, such as \"llvm.sqrt\""))
}

/// `T.llvm_lookup_intrinsic_id("llvm.sqrt")`, in the type that calls hold.
pub(crate) fn llvm_lookup_intrinsic_id(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let name = call.required(p, "name")?.clone();
    call.finish(p)?;
    Ok(Value::object(llvm_function(p, &name)?))
}

/// The data type that the call states, which is not among the arguments of the node.
fn stated_type(
    p: &mut Parser<'_>,
    call: &Call,
    place: DtypePlace,
    arguments: &mut Vec<Argument>,
) -> Eval<Option<DataType>> {
    if let Some(dtype) = call.keyword("dtype").cloned() {
        let dtype = dtype.dtype(p)?;
        return Ok((place != DtypePlace::Nowhere).then_some(dtype));
    }
    let argument = match place {
        DtypePlace::Nowhere => return Ok(None),
        DtypePlace::First if !arguments.is_empty() => arguments.remove(0),
        DtypePlace::Last if !arguments.is_empty() => arguments.remove(arguments.len() - 1),
        _ => return Err(p.error(call.range, format!("`{}` lacks the argument `dtype`", call.name))),
    };
    if matches!(&argument.value, Value::Str(text) if matches!(text.as_str(), "void" | "")) {
        return Ok(Some(DataType::void()));
    }
    argument.dtype(p).map(Some)
}

/// The result of an intrinsic that TVM computes when it makes the call.
fn folded(op: &str, dtype: DataType, args: &[PrimExpr]) -> Option<PrimExpr> {
    let [value] = args else { return None };
    if op == "tirx.reinterpret" {
        return (value.dtype == dtype).then(|| value.clone());
    }
    let number = value.as_object().view().node::<FloatImmNode>()?.value;
    let result = match op {
        "tirx.floor" => number.floor(),
        "tirx.ceil" => number.ceil(),
        "tirx.trunc" => number.trunc(),
        "tirx.round" | "tirx.nearbyint" => number.round_ties_even(),
        "tirx.fabs" => number.abs(),
        _ => return None,
    };
    Some(object_ir::ir::FloatImm::new(dtype, result).into())
}

/// `T.cuda.func_call(x, source_code="...", return_type="int32")`: the source text is the last argument.
fn source_call(p: &mut Parser<'_>, call: &Call, op: Op, arguments: &[Argument]) -> Eval<Value> {
    let source = call.keyword("source_code").cloned();
    let dtype = call.keyword("return_type").cloned().map_or(Ok(DataType::void()), |it| it.dtype(p))?;
    call.finish(p)?;
    let mut args = Vec::new();
    for argument in arguments.iter().chain(&source) {
        args.push(prim(p, argument)?);
    }
    Ok(Value::object(tir::Call::new(dtype, RelaxExpr::from(op), args, None)))
}
