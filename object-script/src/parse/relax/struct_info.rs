//! Structural information: `R.Tensor`, `R.Shape` and so on (TVM 0.25 python/tvm/relax/script/parser/entry.py).

use object_core::value::Str;
use object_core::{DataType, ObjectHandle};
use object_ir::ir::{
    EnvFunc, FuncStructInfo, ObjectStructInfo, PrimStructInfo, RelaxExpr, ShapeExpr, ShapeStructInfo, StructInfo,
    TensorStructInfo, TupleStructInfo, Var,
};

use crate::parse::expr::convert;
use crate::parse::expr::signature_scalar::scalar_type;
use crate::parse::ir::global_infos;
use crate::parse::relax::values;
use crate::parse::state::call::{Argument, Call};
use crate::parse::state::parser::{Builtin, Eval, Parser};
use crate::parse::value::Value;

/// The functions by name.
pub(crate) static FUNCTIONS: &[(&str, Builtin)] = &[
    ("R.Object", object),
    ("R.Any", object),
    ("I.StringType", object),
    ("R.Tensor", tensor),
    ("R.Shape", shape),
    ("R.Prim", prim),
    ("R.Tuple", tuple),
    ("R.Callable", callable),
];

/// The argument as structural information: `R.Tensor` stands for `R.Tensor()`, and `None` for the empty tuple.
///
/// # Errors
/// Reports another value.
pub(crate) fn info(p: &mut Parser<'_>, argument: &Argument) -> Eval<StructInfo> {
    match &argument.value {
        Value::None => Ok(TupleStructInfo::new(Vec::<StructInfo>::new()).into()),
        Value::Path(path) if FUNCTIONS.iter().any(|(name, _)| *name == &**path) => {
            let function = (p.languages.builtin)(path);
            let call = Call::new(path.to_string(), argument.range, Vec::new(), Vec::new());
            let Some(function) = function else { return Err(argument.expected(p, "structural information")) };
            let value = function(p, &call)?;
            value.to::<StructInfo>().ok_or_else(|| argument.expected(p, "structural information"))
        }
        value => match scalar_type(value) {
            Some(dtype) => Ok(PrimStructInfo::new(None, dtype).into()),
            None => value
                .to::<StructInfo>()
                .ok_or_else(|| argument.expected(p, "structural information such as `R.Tensor((2, 3), \"float32\")`")),
        },
    }
}

/// The argument as a list of structural information: one, or a tuple or list of several.
///
/// # Errors
/// Reports another value.
pub(crate) fn infos(p: &mut Parser<'_>, argument: &Argument) -> Eval<Vec<StructInfo>> {
    match &argument.value {
        Value::Tuple(items) | Value::List(items) => {
            items.iter().map(|item| info(p, &Argument { value: item.clone(), range: argument.range })).collect()
        }
        _ => Ok(vec![info(p, argument)?]),
    }
}

fn object(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    call.finish(p)?;
    Ok(Value::object(ObjectStructInfo::new()))
}

/// `R.Tensor(shape, dtype, vdevice, ndim)`.
pub(crate) fn tensor(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let (shape, dtype) = shape_and_dtype(p, call)?;
    let vdevice = match call.optional("vdevice").cloned() {
        Some(argument) => Some(global_infos::device(p, &argument)?),
        None => None,
    };
    let ndim = rank(p, shape.as_ref(), call)?;
    call.finish(p)?;
    Ok(Value::object(TensorStructInfo::new(shape, dtype, vdevice, ndim)))
}

/// The shape and the data type of a tensor: the first argument may be the data type alone.
///
/// # Errors
/// Reports wrong arguments.
pub(crate) fn shape_and_dtype(p: &mut Parser<'_>, call: &Call) -> Eval<(Option<RelaxExpr>, DataType)> {
    let mut shape = call.optional("shape").cloned();
    let mut dtype = call.optional("dtype").cloned();
    if dtype.is_none() && shape.as_ref().is_some_and(|shape| matches!(shape.value, Value::Str(_))) {
        dtype = shape.take();
    }
    let shape = match shape {
        Some(shape) => Some(tensor_shape(p, &shape)?),
        None => None,
    };
    let dtype = dtype.map_or(Ok(DataType::void()), |dtype| dtype.dtype(p))?;
    Ok((shape, dtype))
}

fn tensor_shape(p: &mut Parser<'_>, argument: &Argument) -> Eval<RelaxExpr> {
    if argument.value.items().is_some() {
        return values::shape_of(p, argument);
    }
    let expr = argument.value.to::<RelaxExpr>();
    let is_shape = |expr: &RelaxExpr| {
        expr.is::<ShapeExpr>()
            || (expr.is::<Var>() && expr.struct_info.as_ref().is_some_and(|info| info.is::<ShapeStructInfo>()))
    };
    match expr.filter(is_shape) {
        Some(expr) => Ok(expr),
        None => Err(argument.expected(p, "a shape: a tuple of dimensions, `R.shape(...)` or a variable of a shape")),
    }
}

/// The number of dimensions of a shape, or of the argument `ndim` without a shape; -1 if neither is known.
///
/// # Errors
/// Reports an argument that contradicts the shape.
pub(crate) fn rank(p: &mut Parser<'_>, shape: Option<&RelaxExpr>, call: &Call) -> Eval<i64> {
    let known = shape.map_or(-1, |shape| match shape.downcast_ref::<ShapeExpr>() {
        Some(shape) => i64::try_from(shape.values.len()).unwrap_or(i64::MAX),
        None => {
            let info = shape.struct_info.as_ref().and_then(|info| info.downcast_ref::<ShapeStructInfo>());
            info.map_or(-1, |info| info.ndim)
        }
    });
    let Some(argument) = call.optional("ndim").cloned() else { return Ok(known) };
    match argument.int(p)? {
        -1 => Ok(known),
        stated if known == -1 || stated == known => Ok(stated),
        _ => Err(argument.expected(p, &format!("{known}, the number of dimensions of the shape"))),
    }
}

/// `R.Shape(values, ndim)`.
fn shape(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let shape = match call.optional("values").cloned() {
        Some(dims) => Some(values::shape_of(p, &dims)?),
        None => None,
    };
    let ndim = rank(p, shape.as_ref(), call)?;
    call.finish(p)?;
    let dims = shape.as_ref().and_then(|shape| shape.downcast_ref::<ShapeExpr>()).map(|shape| shape.values.clone());
    Ok(Value::object(ShapeStructInfo::new(dims, ndim)))
}

/// `R.Prim(dtype)` and `R.Prim(value=value)`.
fn prim(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let dtype = call.optional("dtype").cloned();
    let value = call.optional("value").cloned();
    call.finish(p)?;
    let dtype = dtype.map_or(Ok(None), |dtype| dtype.dtype(p).map(Some))?;
    let Some(argument) = value else {
        let Some(dtype) = dtype else {
            return Err(p.error(call.range, "`R.Prim` takes a data type or a value"));
        };
        return Ok(Value::object(PrimStructInfo::new(None, dtype)));
    };
    let value = match &argument.value {
        Value::Float(_) => convert::prim(p, &argument)?,
        value => convert::dimension(p, value, argument.range)?,
    };
    let value = match dtype {
        Some(dtype) if dtype != value.dtype && value.is::<object_ir::ir::IntImm>() => {
            object_ir::tir::fold::cast(dtype, &value)
        }
        _ => value,
    };
    let own = value.dtype;
    if dtype.is_some_and(|dtype| dtype != own) {
        return Err(p.error(argument.range, format!("expected a value of the stated data type, got `{own}`")));
    }
    Ok(Value::object(PrimStructInfo::new(Some(value), own)))
}

/// `R.Tuple(field, ...)`, also with one tuple or list of fields.
fn tuple(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let fields = match call.rest() {
        [one] if matches!(one.value, Value::Tuple(_) | Value::List(_)) => infos(p, &one.clone())?,
        fields => fields.to_vec().iter().map(|field| info(p, field)).collect::<Eval<Vec<_>>>()?,
    };
    call.finish(p)?;
    Ok(Value::object(TupleStructInfo::new(fields)))
}

/// `R.Callable(params, ret, purity, derive_func)`.
fn callable(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let params = call.optional("params").cloned();
    let ret = call.optional("ret").cloned();
    let purity = call.optional("purity").cloned();
    let derive = call.optional("derive_func").cloned();
    call.finish(p)?;
    let params = params.map_or(Ok(None), |params| infos(p, &params).map(Some))?;
    let ret = match ret {
        Some(ret) => info(p, &ret)?,
        None => ObjectStructInfo::new().into(),
    };
    let purity = purity.map_or(Ok(params.is_some()), |purity| purity.bool(p))?;
    let derive = match derive {
        Some(derive) => match derive.value.to::<EnvFunc>() {
            Some(function) => Some(function),
            None => Some(EnvFunc::new(Str::from(derive.str(p)?))),
        },
        None => None,
    };
    Ok(Value::object(FuncStructInfo::new(params.map(Into::into), ret, derive, purity)))
}
