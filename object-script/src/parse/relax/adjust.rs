//! The parameters of operators whose functions of Python compute arguments and attributes of others (TVM 0.25
//! python/tvm/relax/op and src/relax/op).

use object_core::scalar::TypeCode;
use object_core::{DataType, ObjectHandle, Str};
use object_ir::ir::{FloatImm, IntImm, PrimExpr, PrimValue, RelaxExpr, ShapeExpr, TensorStructInfo};
use object_ir::tir::fold;
use object_relax::op::{ArgumentKind, Completion, Presence, new_shape};

use crate::parse::expr::convert::{self, to_prim};
use crate::parse::relax::integers::integer;
use crate::parse::relax::parts::Parts;
use crate::parse::relax::values;
use crate::parse::state::call::{Argument, Call};
use crate::parse::state::parser::{Eval, Parser};
use crate::parse::value::Value;

/// Adjusts the parts of a call of some operators.
///
/// # Errors
/// Reports values that the operator does not take.
pub(crate) fn adjust(p: &mut Parser<'_>, parts: &mut Parts) -> Eval<()> {
    parts.completions.iter().for_each(|completion| complete(parts, *completion));
    match parts.name.as_str() {
        "nn.attention" | "nn.attention_bias" => attention(parts),
        "arange" => arange(parts),
        "reshape" => reshape(p, parts)?,
        "clip" => numbers_as_doubles(p, parts)?,
        "split" => sections(p, parts)?,
        "memory.view" => view(p, parts)?,
        "image.resize2d" => region_of_interest(parts, 4),
        "image.resize3d" => region_of_interest(parts, 6),
        "grad.take_backward" => no_mode(parts),
        "cumsum" | "cumprod" => default_field(parts, "exclusive", Value::Bool(false)),
        "layout_transform" => {
            pad_value(parts);
            index_map(p, parts)?;
            for field in ["axis_separators", "input_axis_separators"] {
                default_field(parts, field, Value::List([].into()));
            }
        }
        "unique" if !p.words.has_one_scalar => truth_values(parts),
        _ => {}
    }
    Ok(())
}

/// Completes a parameter as the declaration of the operator says.
fn complete(parts: &mut Parts, completion: Completion) {
    match completion {
        Completion::Same { to, from } => {
            let source = parts.given(from).cloned();
            if let Some(target) = parts.arg(to) {
                if target.as_ref().is_none_or(|argument| matches!(argument.value, Value::None)) {
                    *target = source;
                }
            } else if let Some(source) = source {
                default_field(parts, to, source.value);
            }
        }
        Completion::Repeated { name, count } => {
            let is_argument = parts.arg(name).is_some();
            let Some(given) = parts.given(name) else { return };
            let one = match given.value.items() {
                Some(items) => items.first().filter(|_| items.len() == 1).cloned(),
                None if is_argument => to_prim(&given.value).map(|_| given.value.clone()),
                None => matches!(given.value, Value::Int(_)).then(|| given.value.clone()),
            };
            if let Some(one) = one {
                given.value = Value::Tuple(vec![one; count].into());
            }
        }
        Completion::BothSides { name, rank } => {
            if let Some(given) = parts.given(name)
                && let Some(items) = given.value.items().filter(|items| items.len() == rank)
            {
                given.value = Value::Tuple(items.iter().chain(items.iter()).cloned().collect());
            }
        }
    }
}

/// An attention with a bias is another operator than one without.
fn attention(parts: &mut Parts) {
    let bias = parts.args.get(3).and_then(|(.., bias)| bias.clone());
    let has_bias = bias.is_some_and(|bias| !matches!(bias.value, Value::None));
    parts.name = if has_bias { "nn.attention_bias" } else { "nn.attention" }.to_owned();
    parts.args.truncate(if has_bias { 4 } else { 3 });
}

/// In the new shape, 0 stands for the dimension of the tensor at the same place, and -1 for the rest of the elements
/// (TVM 0.25 `ConvertNewShapeToExpr` in src/relax/op/tensor/manipulate.cc).
fn reshape(p: &mut Parser<'_>, parts: &mut Parts) -> Eval<()> {
    let tensor = parts.given("x").and_then(|x| x.value.to::<RelaxExpr>());
    let range = parts.range;
    let Some(shape) = parts.given("shape") else { return Ok(()) };
    let Some(items) = shape.value.items() else { return Ok(()) };
    if items.iter().all(|item| !matches!(item.as_int(), Some(0 | -1))) {
        return Ok(());
    }
    let info = tensor.and_then(|tensor| tensor.struct_info.clone());
    let info = info.and_then(|info| info.downcast_ref::<TensorStructInfo>().cloned());
    let Some(old) = info.as_ref().and_then(|info| info.shape.as_ref()?.downcast_ref::<ShapeExpr>()) else {
        return Err(shape
            .clone()
            .expected(p, "a shape without 0 and -1, because the shape of the tensor is not known"));
    };
    let dims: Eval<Vec<PrimExpr>> = items.iter().map(|item| convert::dimension(p, item, shape.range)).collect();
    let dims = new_shape(old.values.as_slice(), &dims?).map_err(|error| p.object_error(range, &error))?;
    shape.value = Value::Tuple(dims.into_iter().map(Value::object).collect());
    Ok(())
}

/// `R.arange(end)` begins at 0, and the type of integers is `int64`.
fn arange(parts: &mut Parts) {
    let is_none = |argument: &Option<Argument>| argument.as_ref().is_none_or(|it| matches!(it.value, Value::None));
    if parts.arg("end").is_some_and(|end| is_none(end)) {
        let end = parts.arg("start").and_then(|start| start.take());
        let range = parts.range;
        if let Some(target) = parts.arg("end") {
            *target = end;
        }
        if let Some(start) = parts.arg("start") {
            *start = Some(Argument { value: Value::Int(0), range });
        }
    }
    let is_integer = |argument: &Argument| {
        let prim = argument.value.to::<PrimValue>().map(|value| value.value.clone());
        let prim: Option<PrimExpr> = prim.or_else(|| to_prim(&argument.value));
        prim.is_some_and(|prim| prim.dtype.code == TypeCode::INT)
    };
    let has_integers = parts.args.iter().all(|(.., argument)| argument.as_ref().is_some_and(is_integer));
    let dtype = if has_integers { DataType::int(64) } else { DataType::float(32) };
    if let Some(field) = parts.field("dtype")
        && matches!(field.value, Value::None)
    {
        field.value = Value::DataType(dtype);
    }
}

/// Numbers of Python are scalars of type `int64` or `float64`.
fn numbers_as_doubles(p: &mut Parser<'_>, parts: &mut Parts) -> Eval<()> {
    for (_, kind, _, argument) in &mut parts.args {
        if *kind == ArgumentKind::Tensor {
            continue;
        }
        if let Some(argument) = argument {
            argument.value = Value::object(values::argument(p, argument)?);
        }
    }
    Ok(())
}

/// The number of parts, or the places of the cuts, as constants of type `int64`.
fn sections(p: &mut Parser<'_>, parts: &mut Parts) -> Eval<()> {
    let Some(argument) = parts.field("indices_or_sections") else { return Ok(()) };
    let imm = |value: &Value| integer(value).map(|value| IntImm::new(DataType::int(64), value));
    if let Some(count) = imm(&argument.value) {
        argument.value = Value::object(count);
        return Ok(());
    }
    let Some(items) = argument.value.items() else { return Ok(()) };
    let cuts: Option<Vec<Value>> = items.iter().map(|item| imm(item).map(Value::object)).collect();
    match cuts {
        Some(cuts) => argument.value = Value::List(cuts.into()),
        None => {
            let argument = argument.clone();
            return Err(argument.expected(p, "a number of parts, or a list of constants"));
        }
    }
    Ok(())
}

/// The argument that a view leaves out is the empty tuple.
fn view(p: &mut Parser<'_>, parts: &mut Parts) -> Eval<()> {
    let range = parts.range;
    for (name, _, presence, argument) in parts.args.iter_mut().skip(1) {
        *presence = Presence::Required;
        let given = argument.take().unwrap_or(Argument { value: Value::None, range });
        let expr: RelaxExpr = match (&given.value, *name) {
            (Value::None, _) => values::tuple(Vec::new()),
            (Value::Tuple(_) | Value::List(_), "shape") => values::shape(p, &given)?,
            (Value::Str(_), "dtype") => values::data_type(given.dtype(p)?),
            _ => values::scalar(p, &given)?,
        };
        *argument = Some(Argument { value: Value::object(expr), range: given.range });
    }
    Ok(())
}

/// The region of an image, as its corners. One number is all coordinates, which are 0 by default.
fn region_of_interest(parts: &mut Parts, count: usize) {
    default_field(parts, "roi", Value::Float(0.0));
    if let Some(roi) = parts.field("roi")
        && matches!(roi.value, Value::Float(_))
    {
        roi.value = Value::Tuple(vec![roi.value.clone(); count].into());
    }
}

fn default_field(parts: &mut Parts, name: &str, default: Value) {
    if let Some(field) = parts.field(name)
        && matches!(field.value, Value::None)
    {
        field.value = default;
    }
}

/// A call without a mode has the empty mode: the function of TVM makes attributes without one.
fn no_mode(parts: &mut Parts) {
    if parts.field("mode").is_none() {
        parts.fields.push(("mode", Argument { value: Value::Str(Str::from("")), range: parts.range }));
    }
}

/// The padding of a layout has the type of the tensor.
fn pad_value(parts: &mut Parts) {
    let tensor = parts.given("x").and_then(|x| x.value.to::<RelaxExpr>());
    let info = tensor.and_then(|tensor| tensor.struct_info.clone());
    let Some(dtype) = info.and_then(|info| info.downcast_ref::<TensorStructInfo>().map(|info| info.dtype)) else {
        return;
    };
    let Some(field) = parts.field("pad_value") else { return };
    let scalar: PrimExpr = match &field.value {
        Value::Int(value) if fold::is_integer(dtype) => IntImm::new(dtype, *value).into(),
        Value::Int(value) => FloatImm::new(dtype, *value as f64).into(),
        Value::Float(value) => FloatImm::new(dtype, *value).into(),
        _ => return,
    };
    field.value = Value::object(values::prim_value(scalar));
}

/// The map of indices of a layout may be a lambda.
fn index_map(p: &mut Parser<'_>, parts: &mut Parts) -> Eval<()> {
    const NAME: &str = "T.index_map";
    if let Some(field) = parts.field("index_map")
        && matches!(field.value, Value::Lambda(_))
        && let Some(function) = (p.languages.builtin)(NAME)
    {
        let call = Call::new(NAME.to_owned(), field.range, vec![field.clone()], Vec::new());
        field.value = function(p, &call)?;
    }
    Ok(())
}

/// Truth values of Python are integers of type `int64`, as in TVM.
fn truth_values(parts: &mut Parts) {
    for (.., argument) in &mut parts.args {
        if let Some(argument) = argument
            && let Value::Bool(value) = argument.value
        {
            argument.value = Value::Int(i64::from(value));
        }
    }
}
