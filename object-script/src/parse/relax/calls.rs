//! Calls of functions outside of Relax: `R.call_tir`, `R.call_packed` and so on (TVM 0.25 python/tvm/relax/op/base.py).

use object_core::object::Object;
use object_core::value::Str;
use object_core::{Any, Map, ObjectHandle};
use object_ir::attrs::{
    CallInplacePackedAttrs, CallTIRInplaceAttrs, CallTIRWithGradAttrs, HintOnDeviceAttrs, ToVDeviceAttrs,
};
use object_ir::ir::{Attrs, Call as CallExpr, ExternFunc, Op, RelaxExpr, StringImm, StructInfo, TupleStructInfo};

use crate::parse::ir::{functions, global_infos};
use crate::parse::relax::integers::integer;
use crate::parse::relax::operator_call::wrapped;
use crate::parse::relax::struct_info::infos;
use crate::parse::relax::{attributes, values};
use crate::parse::state::call::{Argument, Call};
use crate::parse::state::parser::{Builtin, Eval, Parser};
use crate::parse::value::Value;

/// The functions by name.
pub(crate) static FUNCTIONS: &[(&str, Builtin)] = &[
    ("R.call_tir", call_tir),
    ("R.call_tir_inplace", call_tir_inplace),
    ("R.call_tir_with_grad", call_tir_with_grad),
    ("R.call_dps_packed", call_dps_packed),
    ("R.call_py_func", call_py_func),
    ("R.call_packed", call_packed),
    ("R.call_pure_packed", call_pure_packed),
    ("R.call_inplace_packed", call_inplace_packed),
    ("R.dist.call_tir", call_tir),
    ("R.dist.call_tir_local_view", call_tir_local_view),
    ("R.print", print),
    ("R.assert_op", assert_op),
    ("R.hint_on_device", hint_on_device),
    ("R.to_vdevice", to_vdevice),
    ("R.device", device),
];

fn op(p: &mut Parser<'_>, call: &Call, name: &str) -> Eval<Op> {
    Op::get(name).map_err(|error| p.object_error(call.range, &error))
}

/// The structural information of the result: one, or a list of several, which is a tuple.
fn output(p: &mut Parser<'_>, argument: &Argument) -> Eval<StructInfo> {
    let mut infos = infos(p, argument)?;
    Ok(if infos.len() == 1 { infos.swap_remove(0) } else { TupleStructInfo::new(infos).into() })
}

/// The parts that all calls of loop programs have.
struct LoopCall {
    args: Vec<RelaxExpr>,
    result: StructInfo,
}

/// The callee, the arguments, and then the parameters in `middle`, the result and the further arguments.
fn loop_call(p: &mut Parser<'_>, call: &Call, middle: Option<&str>) -> Eval<(LoopCall, Option<Argument>)> {
    let callee = call.required(p, "gvar")?.clone();
    let args = call.required(p, "args")?.clone();
    let middle = match middle {
        Some(name) => Some(call.required(p, name)?.clone()),
        None => None,
    };
    let out = call.required(p, "out_sinfo")?.clone();
    let mut exprs = vec![values::argument(p, &callee)?, wrapped(p, &args)?];
    let result = output(p, &out)?;
    if let Some(vars) = call.keyword("tir_vars").cloned().filter(|it| !matches!(it.value, Value::None)) {
        exprs.push(values::shape(p, &vars)?);
    }
    Ok((LoopCall { args: exprs, result }, middle))
}

fn finished(p: &mut Parser<'_>, call: &Call, name: &str, parts: LoopCall, attrs: Option<Attrs>) -> Eval<Value> {
    // The last parameter is also one by position.
    let mut parts = parts;
    if let Some(vars) = call.optional("tir_vars").cloned().filter(|_| parts.args.len() == 2) {
        parts.args.push(values::shape(p, &vars)?);
    }
    call.finish(p)?;
    Ok(Value::object(CallExpr::new(op(p, call, name)?, parts.args, attrs, [parts.result])))
}

/// `R.call_tir(function, args, out_sinfo, tir_vars)`.
fn call_tir(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let (parts, _) = loop_call(p, call, None)?;
    finished(p, call, "relax.call_tir", parts, None)
}

fn call_tir_local_view(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let (parts, _) = loop_call(p, call, None)?;
    finished(p, call, "relax.dist.call_tir_local_view", parts, None)
}

/// `R.call_tir_inplace(function, args, inplace_indices, out_sinfo, tir_vars)`. The printer states the indices last.
fn call_tir_inplace(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let (parts, indices) = loop_call(p, call, Some("inplace_indices"))?;
    let Some(indices) = indices else { return Err(p.follow_up()) };
    let attrs = CallTIRInplaceAttrs::new(integers(p, &indices)?);
    finished(p, call, "relax.call_tir_inplace", parts, Some(attrs.into()))
}

/// One integer or several.
fn integers(p: &mut Parser<'_>, argument: &Argument) -> Eval<Vec<i64>> {
    let items = argument.value.items().unwrap_or_else(|| vec![argument.value.clone()].into());
    let integers: Option<Vec<i64>> = items.iter().map(integer).collect();
    integers.ok_or_else(|| argument.expected(p, "a list of integers"))
}

/// `R.call_tir_with_grad(function, args, out_sinfo, te_grad_name, te_grad_kwargs, tir_vars)`.
fn call_tir_with_grad(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let (parts, _) = loop_call(p, call, None)?;
    let name = call.required(p, "te_grad_name")?.clone();
    let kwargs = call.optional("te_grad_kwargs").cloned();
    let kwargs = match kwargs {
        Some(kwargs) => match &kwargs.value {
            Value::Dict(_) => functions::attributes(p, &kwargs)?,
            other => match other.to::<Map<Str, Any>>() {
                Some(map) => map.iter().map(|(name, value)| (name.to_string(), value)).collect(),
                None => return Err(kwargs.expected(p, "a dict")),
            },
        },
        None => Vec::new(),
    };
    let kwargs: Map<Str, Any> = Map::new(kwargs.into_iter().map(|(name, value)| (Str::from(name.as_str()), value)));
    let attrs = CallTIRWithGradAttrs::new(name.str(p)?, kwargs);
    finished(p, call, "relax.call_tir_with_grad", parts, Some(attrs.into()))
}

/// The function of the registry: its name, or `R.ExternFunc`.
fn packed(p: &mut Parser<'_>, argument: &Argument) -> Eval<RelaxExpr> {
    match &argument.value {
        Value::Str(symbol) => Ok(values::extern_func(symbol, None).into()),
        _ => values::argument(p, argument),
    }
}

/// `R.call_dps_packed(function, args, out_sinfo)`.
fn call_dps_packed(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let function = call.required(p, "func")?.clone();
    let args = call.required(p, "args")?.clone();
    let out = call.required(p, "out_sinfo")?.clone();
    call.finish(p)?;
    let args = [packed(p, &function)?, wrapped(p, &args)?];
    let result = output(p, &out)?;
    Ok(Value::object(CallExpr::new(op(p, call, "relax.call_dps_packed")?, args, None, [result])))
}

/// `R.call_py_func(name, args, out_sinfo=...)`. The printer states the arguments as one tuple.
fn call_py_func(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let name = call.required(p, "func_name")?.clone();
    let args = call.rest().to_vec();
    let out = call.keyword("out_sinfo").or_else(|| call.keyword("sinfo_args")).cloned();
    call.finish(p)?;
    let Some(out) = out else { return Err(p.error(call.range, "`R.call_py_func` lacks the argument `out_sinfo`")) };
    let name: RelaxExpr = values::argument(p, &name)?;
    let mut exprs = Vec::new();
    for argument in &args {
        exprs.push(values::argument(p, argument)?);
    }
    let args = match &exprs[..] {
        [one] if one.is::<object_ir::ir::Tuple>() => one.clone(),
        _ => values::tuple(exprs),
    };
    let result = output(p, &out)?;
    Ok(Value::object(CallExpr::new(op(p, call, "relax.call_py_func")?, [name, args], None, [result])))
}

/// The structural information in `sinfo_args`, none without it.
fn results(p: &mut Parser<'_>, call: &Call) -> Eval<Vec<StructInfo>> {
    match call.keyword("sinfo_args").cloned().filter(|it| !matches!(it.value, Value::None)) {
        Some(argument) => infos(p, &argument),
        None => Ok(Vec::new()),
    }
}

/// All arguments as expressions, the first one as a function of the registry.
fn packed_args(p: &mut Parser<'_>, call: &Call) -> Eval<Vec<RelaxExpr>> {
    let function = call.required(p, "func")?.clone();
    let mut args = vec![packed(p, &function)?];
    for argument in call.rest().to_vec() {
        args.push(values::argument(p, &argument)?);
    }
    Ok(args)
}

/// `R.call_packed(name, args..., sinfo_args=..., attrs_type_key=..., key=value...)`.
fn call_packed(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let mut args = packed_args(p, call)?;
    let function = args.remove(0);
    if !function.is::<ExternFunc>() {
        return Err(p.error(call.range, "`R.call_packed` takes the name of a function"));
    }
    let results = results(p, call)?;
    let key = call.keyword("attrs_type_key").cloned();
    let fields: Vec<(String, Argument)> =
        call.rest_keywords().into_iter().map(|(name, argument)| (name.to_string(), argument.clone())).collect();
    call.finish(p)?;
    let attrs = match &key {
        None if fields.is_empty() => None,
        Some(key) if key.str(p)? != object_ir::ir::DictAttrsNode::TYPE_INFO.type_key() => {
            let name = key.str(p)?;
            let info = object_core::registry::type_info(name).map_err(|error| p.object_error(key.range, &error))?;
            let fields: Vec<(&str, Argument)> = fields.iter().map(|(name, it)| (name.as_str(), it.clone())).collect();
            Some(attributes::build(p, info, &fields, call.range)?)
        }
        _ => {
            let mut entries = Vec::new();
            for (name, argument) in fields {
                match argument.value.to_any() {
                    Some(value) => entries.push((name, value)),
                    None => return Err(argument.expected(p, "a value of an attribute")),
                }
            }
            Some(functions::dict_attrs(entries).into())
        }
    };
    Ok(Value::object(CallExpr::new(function, args, attrs, results)))
}

/// `R.call_pure_packed(name, args..., sinfo_args=...)`.
fn call_pure_packed(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let args = packed_args(p, call)?;
    let results = results(p, call)?;
    call.finish(p)?;
    Ok(Value::object(CallExpr::new(op(p, call, "relax.call_pure_packed")?, args, None, results)))
}

/// `R.call_inplace_packed(name, args..., inplace_indices=..., sinfo_args=...)`.
fn call_inplace_packed(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let args = packed_args(p, call)?;
    let Some(indices) = call.keyword("inplace_indices").cloned() else {
        return Err(p.error(call.range, "`R.call_inplace_packed` lacks the argument `inplace_indices`"));
    };
    let results = results(p, call)?;
    call.finish(p)?;
    let attrs: Attrs = CallInplacePackedAttrs::new(integers(p, &indices)?).into();
    Ok(Value::object(CallExpr::new(op(p, call, "relax.call_inplace_packed")?, args, Some(attrs), results)))
}

/// The format of a message: a string, or an expression.
fn format(p: &mut Parser<'_>, call: &Call) -> Eval<RelaxExpr> {
    match call.keyword("format").cloned() {
        Some(argument) => values::argument(p, &argument),
        None => Ok(values::with_leaf_info(StringImm::new("").into())),
    }
}

/// `R.print(values..., format="...")`. The format is the first argument.
fn print(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let mut args = vec![format(p, call)?];
    for argument in call.rest().to_vec() {
        args.push(values::argument(p, &argument)?);
    }
    call.finish(p)?;
    Ok(Value::object(CallExpr::new(op(p, call, "relax.print")?, args, None, [])))
}

/// `R.assert_op(condition, values..., format="...")`. The format is the second argument. In Python, the values are one
/// argument, an expression or a list.
fn assert_op(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let condition = call.required(p, "condition")?.clone();
    let condition = match condition.value {
        Value::Bool(value) => {
            values::prim_value(object_ir::ir::IntImm::new(object_core::DataType::boolean(), i64::from(value)).into())
        }
        _ => values::argument(p, &condition)?,
    };
    let mut args = vec![condition];
    let mut given = call.rest().to_vec();
    given.extend(call.keyword("format_args").cloned());
    args.push(format(p, call)?);
    for argument in given {
        match &argument.value {
            Value::None => {}
            Value::List(items) | Value::Tuple(items) => {
                for item in items.iter() {
                    args.push(values::expr(p, item, argument.range)?);
                }
            }
            _ => args.push(values::argument(p, &argument)?),
        }
    }
    call.finish(p)?;
    Ok(Value::object(CallExpr::new(op(p, call, "relax.assert_op")?, args, None, [])))
}

/// `R.device(device_type=..., index=...)`: the fields of `R.hint_on_device`.
fn device(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let kind = call.required(p, "device_type")?.clone();
    let index = call.optional("index").cloned();
    call.finish(p)?;
    let index = index.map_or(Ok(0), |index| index.int(p))?;
    let kind = kind.int(p)?;
    Ok(Value::Tuple(vec![Value::Int(kind), Value::Int(index)].into()))
}

/// `R.hint_on_device(data, device, memory_scope)`.
fn hint_on_device(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let data = call.required(p, "data")?.clone();
    let place = call.required(p, "dst_vdevice")?.clone();
    let scope = call.optional("memory_scope").cloned();
    call.finish(p)?;
    let data = values::argument(p, &data)?;
    let scope = match &scope {
        Some(scope) => scope.str(p)?,
        None => "global",
    };
    let items = place.value.items().unwrap_or_default();
    let [Value::Int(kind), Value::Int(index)] = &*items else {
        return Err(place.expected(p, "a device such as `R.device(1, 0)`"));
    };
    let attrs: Attrs = HintOnDeviceAttrs::new(*kind, *index, scope).into();
    Ok(Value::object(CallExpr::new(op(p, call, "relax.hint_on_device")?, [data], Some(attrs), [])))
}

/// `R.to_vdevice(data, dst_vdevice)`.
fn to_vdevice(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let data = call.required(p, "data")?.clone();
    let device = call.required(p, "dst_vdevice")?.clone();
    call.finish(p)?;
    let data = values::argument(p, &data)?;
    let attrs: Attrs = ToVDeviceAttrs::new(global_infos::device(p, &device)?).into();
    Ok(Value::object(CallExpr::new(op(p, call, "relax.to_vdevice")?, [data], Some(attrs), [])))
}
