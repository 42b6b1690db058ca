//! The functions of the prefix `T` that scalar expressions and their parts consist of (TVM 0.25
//! python/tvm/tirx/script/builder/ir.py).

use object_core::DataType;
use object_core::value::Str;
use object_ir::ir::{Attrs, FloatImm, IntImm, Op, PrimExpr, Range, RelaxExpr};
use object_ir::tir::fold::{self, BinaryOp, int};
use object_ir::tir::{
    self, Add, And, Broadcast, Cast, CommReducer, Div, EQ, Evaluate, FloorDiv, FloorMod, GE, GT, IterVar, LE, LT, Let,
    Max, Min, Mod, Mul, NE, Not, Or, Reduce, Select, Shuffle, Sub, Var,
};
use ruff_text_size::TextRange;

use crate::parse::ir::functions::{attributes, dict_attrs};
use crate::parse::state::call::{Argument, Call};
use crate::parse::state::parser::{Builtin, Eval, Parser};
use crate::parse::tir::intrinsic::llvm_lookup_intrinsic_id;
use crate::parse::tir::scalar::{int32, is_handle, matched, prim, prims, ramp as make_ramp, to_prim, vector};
use crate::parse::tir::types;
use crate::parse::value::Value;
use crate::words;

/// The functions by name.
pub(crate) static FUNCTIONS: &[(&str, Builtin)] = &[
    ("T.evaluate", evaluate),
    ("T.Break", break_stmt),
    ("T.Continue", continue_stmt),
    ("T.Cast", cast_node),
    ("T.cast", cast),
    ("T.Select", select),
    ("T.if_then_else", if_then_else),
    ("T.Let", let_expr),
    ("T.Ramp", ramp),
    ("T.ramp", ramp),
    ("T.Broadcast", broadcast),
    ("T.broadcast", broadcast),
    ("T.Shuffle", shuffle),
    ("T.Call", call_node),
    ("T.Not", not),
    ("T.StringImm", string),
    ("T.IntImm", int_imm),
    ("T.FloatImm", float_imm),
    ("T.llvm_lookup_intrinsic_id", llvm_lookup_intrinsic_id),
    ("T.func_attr", func_attr),
    ("T.iter_var", iter_var),
    ("T.reduce", reduce),
    ("T.bind", bind),
    ("T.Bind", bind),
    ("T.meta_var", same),
    ("T.static_assert", static_assert),
    ("T.min", operation),
    ("T.max", operation),
    ("T.Add", operation),
    ("T.Sub", operation),
    ("T.Mul", operation),
    ("T.Div", operation),
    ("T.Mod", operation),
    ("T.truncdiv", operation),
    ("T.truncmod", operation),
    ("T.FloorDiv", operation),
    ("T.FloorMod", operation),
    ("T.floordiv", operation),
    ("T.floormod", operation),
    ("T.Min", operation),
    ("T.Max", operation),
    ("T.EQ", operation),
    ("T.NE", operation),
    ("T.LT", operation),
    ("T.LE", operation),
    ("T.GT", operation),
    ("T.GE", operation),
    ("T.And", operation),
    ("T.Or", operation),
    ("T.ceildiv", ceildiv),
];

/// `T.evaluate(expr)`.
fn evaluate(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let value = call.required(p, "value")?.clone();
    call.finish(p)?;
    let value = prim(p, &value)?;
    p.tir.push(Evaluate::new(value));
    Ok(Value::None)
}

/// `T.Break()`. The keyword `break` is a call, as in TVM.
fn break_stmt(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    call.finish(p)?;
    p.tir.push(tir::Break::new());
    Ok(Value::None)
}

/// `T.Continue()`. The keyword `continue` is a call, as in TVM.
fn continue_stmt(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    call.finish(p)?;
    p.tir.push(tir::Continue::new());
    Ok(Value::None)
}

/// `T.Cast(dtype, value)`.
fn cast_node(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let (dtype, value) = (call.required(p, "dtype")?.clone(), call.required(p, "value")?.clone());
    call.finish(p)?;
    Ok(Value::object(Cast::new(dtype.dtype(p)?, prim(p, &value)?)))
}

/// `T.cast(value, dtype)`.
fn cast(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let (value, dtype) = (call.required(p, "src")?.clone(), call.required(p, "dtype")?.clone());
    call.finish(p)?;
    let dtype = dtype.dtype(p)?;
    Ok(Value::object(types::cast(&prim(p, &value)?, dtype)))
}

fn select(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let condition = call.required(p, "condition")?.clone();
    let (a, b) = (call.required(p, "true_value")?.clone(), call.required(p, "false_value")?.clone());
    call.finish(p)?;
    let condition = prim(p, &condition)?;
    let (a, b) = matched(p, &a, &b)?;
    Ok(Value::object(Select::new(a.dtype, condition, a, b)))
}

/// `T.if_then_else(condition, a, b)`. A constant condition selects one side.
fn if_then_else(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let condition = call.required(p, "cond")?.clone();
    let (a, b) = (call.required(p, "t")?.clone(), call.required(p, "f")?.clone());
    // TVM ignores the data type of a call whose operands say it.
    call.keyword("dtype");
    call.finish(p)?;
    let condition = prim(p, &condition)?;
    let (a, b) =
        if is_handle_value(&a) && is_handle_value(&b) { (prim(p, &a)?, prim(p, &b)?) } else { matched(p, &a, &b)? };
    match int(&condition) {
        Some(0) => return Ok(Value::object(b)),
        Some(_) => return Ok(Value::object(a)),
        None => {}
    }
    node(p, a.dtype, "tirx.if_then_else", vec![condition, a, b], call.range)
}

fn is_handle_value(argument: &Argument) -> bool {
    to_prim(&argument.value).is_some_and(|expr| is_handle(expr.dtype))
}

/// A call of an operator by its full name.
fn node(p: &mut Parser<'_>, dtype: DataType, op: &str, args: Vec<PrimExpr>, range: TextRange) -> Eval<Value> {
    let call = crate::parse::tir::scalar::intrinsic(dtype, op, args);
    call.map(Value::object).ok_or_else(|| p.error(range, format!("the operator `{op}` is not known")))
}

/// `T.Let(body, where={var: value})`.
fn let_expr(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let body = call.required(p, "expr")?.clone();
    let bindings = call.required(p, "where")?.clone();
    call.finish(p)?;
    let Value::Dict(entries) = &bindings.value else { return Err(bindings.expected(p, "a dict of one variable")) };
    let [(var, value)] = &**entries else { return Err(bindings.expected(p, "a dict of one variable")) };
    let var: Var = Argument { value: var.clone(), range: bindings.range }.object(p, "a variable")?;
    let value = prim(p, &Argument { value: value.clone(), range: bindings.range })?;
    let body = prim(p, &body)?;
    Ok(Value::object(Let::new(body.dtype, var, value, body)))
}

fn ramp(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let (start, stride) = (call.required(p, "base")?.clone(), call.required(p, "stride")?.clone());
    let lanes = call.required(p, "lanes")?.clone();
    call.finish(p)?;
    let (start, stride, count) = (prim(p, &start)?, prim(p, &stride)?, prim(p, &lanes)?);
    let ramp = make_ramp(&start, &stride, &count);
    ramp.map(Value::object).ok_or_else(|| lanes.expected(p, "a constant number of lanes, or `T.vscale()` times one"))
}

fn broadcast(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let (value, lanes) = (call.required(p, "value")?.clone(), call.required(p, "lanes")?.clone());
    call.finish(p)?;
    let (value, count) = (prim(p, &value)?, prim(p, &lanes)?);
    let Some((dtype, count)) = vector(value.dtype, &count).filter(|_| value.dtype.lanes() == 1) else {
        return Err(lanes.expected(p, "a constant number of lanes, or `T.vscale()` times one"));
    };
    Ok(Value::object(Broadcast::new(dtype, value, count)))
}

fn shuffle(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let (vectors, lanes) = (call.required(p, "vectors")?.clone(), call.required(p, "indices")?.clone());
    call.finish(p)?;
    let (vectors, indices) = (prims(p, &vectors)?, prims(p, &lanes)?);
    let first = vectors.first().map(|vector| DataType { raw_lanes: 1, ..vector.dtype });
    let dtype = first.zip(i64::try_from(indices.len()).ok()).and_then(|(first, count)| vector(first, &int32(count)));
    match dtype {
        Some((dtype, _)) => Ok(Value::object(Shuffle::new(dtype, vectors, indices))),
        None => Err(p.error(call.range, "`T.Shuffle` takes vectors, and the numbers of lanes")),
    }
}

/// `T.Call(dtype, "tirx.exp", [x], attrs={...})`.
fn call_node(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let (dtype, op) = (call.required(p, "dtype")?.clone(), call.required(p, "op")?.clone());
    let args = call.required(p, "args")?.clone();
    let attrs = call.optional("attrs").cloned();
    call.finish(p)?;
    let function: RelaxExpr = match &op.value {
        Value::Str(name) => Op::get(name).map_err(|error| p.object_error(op.range, &error))?.into(),
        _ => op.object(p, "the name of an operator, or a function of the module")?,
    };
    let attrs: Option<Attrs> = match attrs {
        None => None,
        Some(attrs) => Some(match attrs.value.to::<Attrs>() {
            Some(attrs) => attrs,
            None => dict_attrs(attributes(p, &attrs)?).into(),
        }),
    };
    Ok(Value::object(tir::Call::new(dtype.dtype(p)?, function, prims(p, &args)?, attrs)))
}

fn not(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let a = call.required(p, "a")?.clone();
    call.finish(p)?;
    let a = prim(p, &a)?;
    Ok(Value::object(Not::new(truth_type(&a), a)))
}

fn truth_type(operand: &PrimExpr) -> DataType {
    DataType { raw_lanes: operand.dtype.raw_lanes, ..DataType::boolean() }
}

fn string(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let text = call.required(p, "value")?.clone();
    call.finish(p)?;
    Ok(Value::object(tir::StringImm::new(DataType::handle(), text.str(p)?)))
}

fn int_imm(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let (dtype, value) = (call.required(p, "dtype")?.clone(), call.required(p, "value")?.clone());
    call.finish(p)?;
    Ok(Value::object(IntImm::new(dtype.dtype(p)?, value.int(p)?)))
}

fn float_imm(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let (dtype, value) = (call.required(p, "dtype")?.clone(), call.required(p, "value")?.clone());
    call.finish(p)?;
    Ok(Value::object(FloatImm::new(dtype.dtype(p)?, value.float(p)?)))
}

/// `T.func_attr({...})`.
fn func_attr(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let attrs = call.required(p, "attrs")?.clone();
    call.finish(p)?;
    let entries = attributes(p, &attrs)?;
    let function = p.innermost_function("T.func_attr", call.range)?;
    let mut repeated = None;
    for (name, value) in entries {
        if function.attrs.iter().any(|(known, _)| *known == name) {
            repeated = Some(name);
        } else {
            function.attrs.push((name, value));
        }
    }
    match repeated {
        Some(name) => Err(p.error(call.range, format!("the function has the attribute `{name}` twice"))),
        None => Ok(Value::None),
    }
}

/// `T.iter_var(var, dom, "DataPar", tag)`.
fn iter_var(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let (var, dom) = (call.required(p, "v")?.clone(), call.required(p, "dom")?.clone());
    let kind = call.required(p, "iter_type")?.clone();
    let tag = call.required(p, "thread_tag")?.clone();
    call.finish(p)?;
    let domain = match &dom.value {
        Value::None => None,
        _ => Some(dom.object::<Range>(p, "a range such as `T.Range(0, n)`")?),
    };
    let var = match &var.value {
        Value::Str(name) => {
            let dtype = domain.as_ref().map_or(DataType::int(32), |domain| domain.extent.dtype);
            Var::new(dtype, name.clone(), object_ir::ir::PrimType::new(dtype))
        }
        _ => var.object(p, "a variable")?,
    };
    let Some(value) = words::kind(words::AXIS_KINDS, kind.str(p)?) else {
        return Err(kind.expected(p, "a kind of axis such as \"DataPar\""));
    };
    Ok(Value::object(IterVar::new(domain, var, value, tag.str(p)?)))
}

/// `T.reduce(combiner, source=[...], init=[...], axis=[...], condition=..., value_index=0)`.
fn reduce(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let combiner = call.required(p, "combiner")?.clone();
    let source = call.required(p, "source")?.clone();
    let init = call.optional("init").cloned();
    let axis = call.required(p, "axis")?.clone();
    let condition = call.optional("condition").cloned();
    let index = call.optional("value_index").cloned().map_or(Ok(0), |index| index.int(p))?;
    call.finish(p)?;
    let combiner: CommReducer = combiner.object(p, "`T.comm_reducer(...)`")?;
    let source = prims(p, &source)?;
    let init = init.map_or(Ok(Vec::new()), |init| prims(p, &init))?;
    let Some(items) = axis.value.items() else { return Err(axis.expected(p, "a list of axes")) };
    let mut axes = Vec::new();
    for item in items.iter() {
        axes.push(Argument { value: item.clone(), range: axis.range }.object::<IterVar>(p, "`T.iter_var(...)`")?);
    }
    let condition = match condition {
        Some(condition) => prim(p, &condition)?,
        None => IntImm::new(DataType::boolean(), 1).into(),
    };
    let result = usize::try_from(index).ok().and_then(|index| source.get(index));
    let Some(dtype) = result.map(|source| source.dtype) else {
        return Err(p.error(call.range, "`value_index` is not the number of a value in `source`"));
    };
    Ok(Value::object(Reduce::new(dtype, combiner, source, init, axes, condition, index)))
}

/// `T.bind(value, type, var=var)`: a variable for a value.
fn bind(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let value = call.required(p, "value")?.clone();
    let ty = call.optional("type_annotation").cloned();
    let var = call.optional("var").cloned();
    call.finish(p)?;
    let value = prim(p, &value)?;
    let var = match (var, ty) {
        (Some(var), _) => var.object::<Var>(p, "a variable")?,
        (None, ty) => {
            let ty = match ty {
                Some(ty) => types::type_of(p, &ty)?,
                None => object_ir::ir::PrimType::new(value.dtype).into(),
            };
            Var::new(types::dtype_of(&ty), Str::from(p.tir.target(0)), ty)
        }
    };
    p.tir.push(tir::Bind::new(var.clone(), value));
    Ok(Value::object(var))
}

/// A function that returns its argument.
fn same(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let value = call.required(p, "value")?.clone();
    call.finish(p)?;
    Ok(value.value)
}

fn static_assert(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let condition = call.required(p, "x")?.clone();
    let message = call.optional("message").cloned();
    call.finish(p)?;
    match crate::parse::expr::operator::truth(&condition.value) {
        Some(true) => Ok(Value::None),
        Some(false) => {
            let message = message.map_or(Ok("the condition is false".to_owned()), |it| it.str(p).map(str::to_owned))?;
            Err(p.error(call.range, message))
        }
        None => Err(condition.expected(p, "a condition of Python")),
    }
}

/// An operation by name makes its node, without folding, because the text has an operator for a folded one. Only the
/// smaller and the larger one of two constants is a constant, as in TVM.
fn operation(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let (a, b) = (call.required(p, "a")?.clone(), call.required(p, "b")?.clone());
    call.finish(p)?;
    let (a, b) = matched(p, &a, &b)?;
    let (dtype, truth) = (a.dtype, truth_type(&a));
    let expr: PrimExpr = match call.name.as_str() {
        "T.min" | "T.max" => {
            let is_min = call.name == "T.min";
            if let (Some(x), Some(y)) = (int(&a), int(&b)) {
                return Ok(Value::object(if (x <= y) == is_min { a } else { b }));
            }
            if is_min { Min::new(dtype, a, b).into() } else { Max::new(dtype, a, b).into() }
        }
        "T.Min" => Min::new(dtype, a, b).into(),
        "T.Max" => Max::new(dtype, a, b).into(),
        "T.Add" => Add::new(dtype, a, b).into(),
        "T.Sub" => Sub::new(dtype, a, b).into(),
        "T.Mul" => Mul::new(dtype, a, b).into(),
        "T.Div" | "T.truncdiv" => Div::new(dtype, a, b).into(),
        "T.Mod" | "T.truncmod" => Mod::new(dtype, a, b).into(),
        "T.FloorDiv" => FloorDiv::new(dtype, a, b).into(),
        "T.FloorMod" => FloorMod::new(dtype, a, b).into(),
        "T.floordiv" | "T.floormod" => {
            let op = if call.name == "T.floordiv" { BinaryOp::FloorDiv } else { BinaryOp::FloorMod };
            fold::binary(op, &a, &b).map_err(|error| p.object_error(call.range, &error))?
        }
        "T.EQ" => EQ::new(truth, a, b).into(),
        "T.NE" => NE::new(truth, a, b).into(),
        "T.LT" => LT::new(truth, a, b).into(),
        "T.LE" => LE::new(truth, a, b).into(),
        "T.GT" => GT::new(truth, a, b).into(),
        "T.GE" => GE::new(truth, a, b).into(),
        "T.And" => And::new(truth, a, b).into(),
        _ => Or::new(truth, a, b).into(),
    };
    Ok(Value::object(expr))
}

/// `T.ceildiv(a, b)`: `(a + b - 1) // b`.
fn ceildiv(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let (a, b) = (call.required(p, "lhs")?.clone(), call.required(p, "rhs")?.clone());
    call.finish(p)?;
    let (a, b) = matched(p, &a, &b)?;
    let one = IntImm::new(b.dtype, 1).into();
    let quotient = fold::binary(BinaryOp::Add, &a, &b)
        .and_then(|sum| fold::binary(BinaryOp::Sub, &sum, &one))
        .and_then(|sum| fold::binary(BinaryOp::FloorDiv, &sum, &b));
    quotient.map(Value::object).map_err(|error| p.object_error(call.range, &error))
}
