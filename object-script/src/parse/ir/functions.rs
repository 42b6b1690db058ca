//! The functions of the prefix `I`, of `tvm`, and of Python (TVM 0.25 python/tvm/script/ir_builder/ir/ir.py).

use object_core::value::Str;
use object_core::{Any, Map};
use object_ir::ir::{DictAttrs, DummyGlobalInfo, GlobalVar, Op, Range, VDevice};
use object_ir::tir::fold::{self, BinaryOp};
use object_ir::tvm::{GraphReader, VersionedGraph};

use crate::parse::expr::convert;
use crate::parse::ir::target;
use crate::parse::state::call::Call;
use crate::parse::state::parser::{Builtin, Eval, Parser};
use crate::parse::value::Value;

/// The functions by name.
pub(crate) static FUNCTIONS: &[(&str, Builtin)] = &[
    ("I.vdevice", vdevice),
    ("I.dummy_global_info", dummy_global_info),
    ("I.target", target::target_call),
    ("T.target", target::target_call),
    ("I.GlobalVar", global_var),
    ("I.Op", op),
    ("I.Range", range),
    ("T.Range", range),
    ("R.Range", range),
    ("tvm.ir.load_json", load_json),
    ("tvm.ir.Range", range),
    ("tvm.target.Target", target::target_call),
    ("range", python_range),
    ("len", length),
    ("int", to_int),
    ("float", to_float),
    ("bool", to_bool),
    ("list", to_list),
    ("tuple", to_tuple),
];

fn vdevice(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let target = match call.optional("target").cloned() {
        Some(argument) => Some(target::target(p, &argument)?),
        None => None,
    };
    let id = call.optional("vdevice_id").cloned().map_or(Ok(0), |it| it.int(p))?;
    let scope = match call.optional("memory_scope").cloned() {
        Some(argument) => Str::from(argument.str(p)?),
        None => Str::from("global"),
    };
    call.finish(p)?;
    Ok(Value::object(VDevice::new(target, id, scope)))
}

fn dummy_global_info(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    call.finish(p)?;
    Ok(Value::object(DummyGlobalInfo::new()))
}

fn global_var(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let name = call.required(p, "name_hint")?.clone();
    call.finish(p)?;
    Ok(Value::object(GlobalVar::new(name.str(p)?)))
}

fn op(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let name = call.required(p, "name")?.clone();
    call.finish(p)?;
    let op = Op::get(name.str(p)?).map_err(|error| p.object_error(name.range, &error))?;
    Ok(Value::object(op))
}

/// `I.Range(end)` and `I.Range(begin, end)`.
fn range(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let first = call.required(p, "begin")?.clone();
    let end = call.optional("end").cloned();
    call.finish(p)?;
    let first_value = convert::prim(p, &first)?;
    let range = match end {
        None => {
            let zero = fold::cast(first_value.dtype, &object_ir::ir::IntImm::new(first_value.dtype, 0).into());
            Range::new(zero, first_value, None)
        }
        Some(end) => {
            let end_value = convert::prim(p, &end)?;
            let extent = fold::binary(BinaryOp::Sub, &end_value, &first_value)
                .map_err(|error| p.object_error(call.range, &error))?;
            Range::new(first_value, extent, None)
        }
    };
    Ok(Value::object(range))
}

/// `tvm.ir.load_json(text)`: the metadata of a script.
fn load_json(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let text = call.required(p, "json_str")?.clone();
    call.finish(p)?;
    let graph = GraphReader::new().read(text.str(p)?.as_bytes()).and_then(VersionedGraph::into_rust_types);
    let graph = graph.map_err(|error| p.object_error(text.range, &error))?;
    Ok(Value::from_any(graph.root.view()))
}

/// The largest range that becomes a list.
const MAX_RANGE: i64 = 1 << 16;

fn python_range(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let mut bounds = Vec::new();
    for argument in call.rest().to_vec() {
        bounds.push(argument.int(p)?);
    }
    call.finish(p)?;
    let (start, end, step) = match bounds[..] {
        [end] => (0, end, 1),
        [start, end] => (start, end, 1),
        [start, end, step] if step != 0 => (start, end, step),
        _ => return Err(p.error(call.range, "`range` takes one to three integers, and a step other than 0")),
    };
    let mut values = Vec::new();
    let mut at = start;
    while if step > 0 { at < end } else { at > end } {
        if values.len() as i64 >= MAX_RANGE {
            return Err(p.error(call.range, format!("expected a range of at most {MAX_RANGE} integers")));
        }
        values.push(Value::Int(at));
        at = at.saturating_add(step);
    }
    Ok(Value::List(values.into()))
}

fn length(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let value = call.required(p, "obj")?.clone();
    call.finish(p)?;
    match value.value.items() {
        Some(items) => Ok(Value::Int(items.len() as i64)),
        None => Err(value.expected(p, "a tuple or a list")),
    }
}

fn to_int(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let value = call.required(p, "x")?.clone();
    call.finish(p)?;
    match value.value {
        Value::Float(number) if number.abs() < 9e18 => Ok(Value::Int(number as i64)),
        _ => Ok(Value::Int(value.int(p)?)),
    }
}

/// `float("inf")` and `float(1)`.
fn to_float(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let value = call.required(p, "x")?.clone();
    call.finish(p)?;
    match &value.value {
        Value::Float(_) => Ok(value.value),
        Value::Str(text) => match text.trim().parse::<f64>() {
            Ok(number) => Ok(Value::Float(number)),
            Err(_) => Err(value.expected(p, "a number")),
        },
        _ => Ok(Value::Float(value.int(p)? as f64)),
    }
}

fn to_bool(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let value = call.required(p, "x")?.clone();
    call.finish(p)?;
    match crate::parse::expr::operator::truth(&value.value) {
        Some(value) => Ok(Value::Bool(value)),
        None => Err(value.expected(p, "a value of Python")),
    }
}

fn to_list(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let value = call.required(p, "iterable")?.clone();
    call.finish(p)?;
    value.value.items().map(Value::List).ok_or_else(|| value.expected(p, "a tuple or a list"))
}

fn to_tuple(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let value = call.required(p, "iterable")?.clone();
    call.finish(p)?;
    value.value.items().map(Value::Tuple).ok_or_else(|| value.expected(p, "a tuple or a list"))
}

/// The attributes in a dict of Python.
///
/// # Errors
/// Reports another value, and a value that attributes cannot hold.
pub(crate) fn attributes(
    p: &mut Parser<'_>,
    argument: &crate::parse::state::call::Argument,
) -> Eval<Vec<(String, Any)>> {
    let Value::Dict(entries) = &argument.value else { return Err(argument.expected(p, "a dict of attributes")) };
    let mut result = Vec::new();
    for (name, value) in entries.iter() {
        let Some(name) = name.as_str() else {
            return Err(p.expected(argument.range, "the name of an attribute", name));
        };
        match value.to_any() {
            Some(any) => result.push((name.to_owned(), any)),
            None => return Err(p.expected(argument.range, "a value of an attribute", value)),
        }
    }
    Ok(result)
}

/// Attributes by name.
pub(crate) fn dict_attrs(attrs: impl IntoIterator<Item = (String, Any)>) -> DictAttrs {
    let entries: Vec<(Str, Any)> = attrs.into_iter().map(|(name, value)| (Str::from(name.as_str()), value)).collect();
    DictAttrs::new(Map::<Str, Any>::new(entries))
}
