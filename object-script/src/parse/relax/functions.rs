//! The functions of the prefix `R` that are not calls: values, and statements in functions.

use std::rc::Rc;

use object_core::DataType;
use object_ir::ir::{IntImm, RelaxExpr, StringImm, Var};

use crate::parse::expr::convert;
use crate::parse::ir::functions::attributes;
use crate::parse::relax::binding::MATCH_CAST;
use crate::parse::relax::objects::subscript;
use crate::parse::relax::{constant, normalize, operator_call, signatures, struct_info, values};
use crate::parse::state::call::Call;
use crate::parse::state::parser::{Builtin, Eval, Parser};
use crate::parse::value::Value;

/// The functions by name.
pub(crate) static FUNCTIONS: &[(&str, Builtin)] = &[
    ("R.const", constant::constant),
    ("R.tuple", tuple),
    ("R.TupleGetItem", tuple_get_item),
    ("R.shape", shape),
    ("R.ShapeExpr", shape),
    ("R.prim_value", prim_value),
    ("R.str", string),
    ("R.dtype", dtype),
    ("R.ExternFunc", extern_func),
    ("R.match_cast", match_cast),
    ("R.output", output),
    ("R.func_attr", func_attr),
    ("R.func_ret_struct_info", func_ret_struct_info),
    ("R.func_ret_value", func_ret_value),
    ("R.nn.relu6", relu6),
    ("R.linear", linear),
    ("R.stop_lift_params", stop_lift_params),
    ("R.emit_te", emit_te),
];

/// The function that makes calls of the operator `relax.name` for the path `R.name`.
pub(crate) fn by_operator(path: &str) -> Option<Builtin> {
    let name = path.strip_prefix("R.")?;
    object_relax::op::operator(&format!("relax.{name}")).map(|_| operator_call::call as Builtin)
}

/// The names of operators, for hints.
pub(crate) fn operator_names() -> Vec<String> {
    signatures::names().into_iter().map(|name| format!("R.{name}")).collect()
}

/// `R.tuple(field, ...)`.
fn tuple(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let mut fields = Vec::new();
    for argument in call.rest().to_vec() {
        fields.push(values::argument(p, &argument)?);
    }
    call.finish(p)?;
    Ok(Value::object(values::tuple(fields)))
}

/// `R.TupleGetItem(tuple, index)`.
fn tuple_get_item(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let (tuple, index) = (call.required(p, "tuple_value")?.clone(), call.required(p, "index")?.clone());
    call.finish(p)?;
    subscript(p, &tuple, &index)
}

/// `R.shape([dimension, ...])`.
fn shape(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let value = call.required(p, "value")?.clone();
    call.finish(p)?;
    Ok(Value::object(values::shape_of(p, &value)?))
}

/// `R.prim_value(value)`. A truth value has the type `bool`; TVM reads it as an integer.
fn prim_value(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let value = call.required(p, "value")?.clone();
    call.finish(p)?;
    let scalar = match value.value {
        Value::Int(value) => IntImm::new(DataType::int(64), value).into(),
        _ => convert::prim(p, &value)?,
    };
    Ok(Value::object(values::prim_value(scalar)))
}

/// `R.str("text")`.
fn string(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let value = call.required(p, "value")?.clone();
    call.finish(p)?;
    let text = value.str(p)?;
    Ok(Value::object(values::with_leaf_info(StringImm::new(text).into())))
}

/// `R.dtype("float32")`.
fn dtype(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let value = call.required(p, "value")?.clone();
    call.finish(p)?;
    let dtype = value.dtype(p)?;
    Ok(Value::object(values::data_type(dtype)))
}

/// `R.ExternFunc("symbol", struct_info)`.
fn extern_func(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let symbol = call.required(p, "global_symbol")?.clone();
    let info = call.optional("struct_info").cloned();
    call.finish(p)?;
    let info = info.map_or(Ok(None), |info| struct_info::info(p, &info).map(Some))?;
    Ok(Value::object(values::extern_func(symbol.str(p)?, info)))
}

/// `R.match_cast(value, struct_info)`: the parts of the binding, which only an assignment takes.
fn match_cast(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let value = call.required(p, "value")?.clone();
    let info = call.required(p, "struct_info")?.clone();
    call.finish(p)?;
    let pair = [Value::object(values::argument(p, &value)?), Value::object(struct_info::info(p, &info)?)];
    Ok(Value::Method(Rc::new((Value::Tuple(Rc::new(pair)), MATCH_CAST.to_owned()))))
}

/// `R.output(var, ...)`: the variables of a dataflow block that are visible after it.
fn output(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let args = call.rest().to_vec();
    call.finish(p)?;
    let frame = normalize::frame(p, call.range)?;
    let has_outputs = match &frame.dataflow {
        None => return Err(p.error(call.range, "`R.output` is only in a dataflow block")),
        Some(dataflow) => dataflow.outputs.is_some(),
    };
    if has_outputs {
        return Err(p.error(call.range, "a dataflow block has one `R.output`, got another one"));
    }
    let mut outputs = Vec::new();
    for argument in args {
        let var: Var = argument.object(p, "a variable of the dataflow block")?;
        let frame = normalize::frame(p, call.range)?;
        let is_emitted =
            frame.dataflow.as_ref().is_some_and(|dataflow| dataflow.emitted.contains(&normalize::address(&var)));
        if !is_emitted {
            let message = format!("`{}` is not a variable of the dataflow block", var.vid.name_hint);
            return Err(p.error(argument.range, message));
        }
        outputs.push((var.vid.name_hint.to_string(), var));
    }
    let frame = normalize::frame(p, call.range)?;
    if let Some(dataflow) = &mut frame.dataflow {
        dataflow.outputs = Some(outputs);
    }
    Ok(Value::None)
}

/// `R.func_attr({...})`.
fn func_attr(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let dict = call.required(p, "attrs")?.clone();
    call.finish(p)?;
    for (name, value) in attributes(p, &dict)? {
        let frame = normalize::frame(p, call.range)?;
        let is_known = frame.attrs.iter().any(|(known, _)| *known == name);
        let is_private_symbol = name == "global_symbol" && frame.is_private && p.relax.len() == 1;
        if is_known {
            return Err(p.error(dict.range, format!("the function has the attribute `{name}` twice")));
        }
        if is_private_symbol {
            return Err(p.error(dict.range, "a private function does not have a `global_symbol`"));
        }
        normalize::frame(p, call.range)?.attrs.push((name, value));
    }
    Ok(Value::None)
}

/// `R.func_ret_struct_info(struct_info)`.
fn func_ret_struct_info(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let info = call.required(p, "ret_sinfo")?.clone();
    call.finish(p)?;
    let info = struct_info::info(p, &info)?;
    let frame = normalize::frame(p, call.range)?;
    if frame.ret.is_some() {
        return Err(p.error(call.range, "the function states the structural information of its result twice"));
    }
    frame.ret = Some(info);
    Ok(Value::None)
}

/// `R.func_ret_value(value)`.
fn func_ret_value(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let value = call.required(p, "value")?.clone();
    call.finish(p)?;
    let value = values::argument(p, &value)?;
    let value = normalize::normalize(p, value, call.range)?;
    let frame = normalize::frame(p, call.range)?;
    if frame.output.is_some() {
        return Err(p.error(call.range, "a function has one result, got another one"));
    }
    frame.output = Some(value);
    Ok(Value::None)
}

/// The result of another function of `R`.
fn other(p: &mut Parser<'_>, call: &Call, name: &str, args: Vec<Value>) -> Eval<RelaxExpr> {
    let args = args.into_iter().map(|value| crate::parse::state::call::Argument { value, range: call.range });
    let call = Call::new(format!("R.{name}"), call.range, args.collect(), Vec::new());
    let value = operator_call::call(p, &call)?;
    value.to::<RelaxExpr>().ok_or_else(|| p.expected(call.range, "an expression", &value))
}

/// `R.nn.relu6(x)` is `R.clip(x, 0, 6)`.
fn relu6(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let x = call.required(p, "data")?.clone();
    call.finish(p)?;
    other(p, call, "clip", vec![x.value, Value::Int(0), Value::Int(6)]).map(Value::object)
}

/// `R.linear(data, weight, bias, out_dtype)`: a product with the transposed weight, and a sum.
fn linear(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let data = call.required(p, "data")?.clone();
    let weight = call.required(p, "weight")?.clone();
    let bias = call.optional("bias").cloned();
    let dtype = call.optional("out_dtype").cloned();
    call.finish(p)?;
    let weight = other(p, call, "permute_dims", vec![weight.value])?;
    let mut args = vec![data.value, Value::object(weight)];
    args.extend(dtype.map(|dtype| dtype.value));
    let product = other(p, call, "matmul", args)?;
    Ok(Value::object(match bias {
        Some(bias) => other(p, call, "add", vec![Value::object(product), bias.value])?,
        None => product,
    }))
}

fn stop_lift_params(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let x = call.required(p, "x")?.clone();
    call.finish(p)?;
    other(p, call, "builtin.stop_lift_params", vec![x.value]).map(Value::object)
}

/// `R.emit_te` runs a function of Python, which this parser does not have.
fn emit_te(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let hint = Some("write the loop program, and call it with `R.call_tir`".to_owned());
    Err(p.error_with_hint(call.range, "`R.emit_te` runs a function of Python, which is not part of the script", hint))
}
