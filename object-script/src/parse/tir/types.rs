//! Types in scripts: data types, addresses, and annotations (TVM 0.25 python/tvm/tirx/script/builder/ir.py).

use object_core::scalar::TypeCode;
use object_core::value::Str;
use object_core::{Array, DataType, ObjectHandle};
use object_ir::ir::{
    FloatImm, IntImm, PointerType, PointerTypeNode, PrimExpr, PrimType, PrimTypeNode, TensorMapType, TupleType, Type,
};
use object_ir::tir::fold;
use object_ir::tir::{Broadcast, SizeVar, Var, large_uint};

use crate::parse::state::call::{Argument, Call};
use crate::parse::state::parser::{Builtin, Eval, Parser};
use crate::parse::tir::scalar::{self, vector};
use crate::parse::value::Value;

/// The functions by name.
pub(crate) static FUNCTIONS: &[(&str, Builtin)] = &[
    ("T.handle", handle),
    ("T.ptr", pointer),
    ("T.buffer_var", pointer),
    ("T.TensorMap", tensor_map),
    ("T.Tuple", tuple),
    ("T.boolean", by_dtype_call),
    ("T.var", named_var),
    ("T.Var", var),
    ("T.min_value", limit),
    ("T.max_value", limit),
    ("T.infinity", limit),
];

/// Short names of data types.
const SHORT: &[(&str, &str)] = &[
    ("f16", "float16"),
    ("f32", "float32"),
    ("f64", "float64"),
    ("bf16", "bfloat16"),
    ("i8", "int8"),
    ("i16", "int16"),
    ("i32", "int32"),
    ("i64", "int64"),
    ("u8", "uint8"),
    ("u16", "uint16"),
    ("u32", "uint32"),
    ("u64", "uint64"),
    ("boolean", "bool"),
];

/// The data type that a function of TIR has the name of, such as `T.int64`.
pub(crate) fn dtype_of_path(path: &str) -> Option<DataType> {
    let name = path.strip_prefix("T.")?;
    if name == "void" {
        return Some(DataType::void());
    }
    let name = SHORT.iter().find(|(short, _)| *short == name).map_or(name, |(_, long)| *long);
    name.parse::<DataType>().ok().filter(|dtype| !dtype.is_void() && !scalar::is_handle(*dtype))
}

/// The function with the name of a data type, such as `T.int64`.
pub(crate) fn by_dtype(path: &str) -> Option<Builtin> {
    dtype_of_path(path).map(|_| by_dtype_call as Builtin)
}

/// A variable of the type, with a name from the statement at hand.
fn new_var(p: &Parser<'_>, ty: impl Into<Type>, is_size_var: bool) -> Value {
    let ty = ty.into();
    let (dtype, name) = (dtype_of(&ty), Str::from(p.tir.target(0)));
    if let Some(var) = p.tir.matched.find(&name, dtype).filter(|_| !is_size_var) {
        return Value::object(var.clone());
    }
    if is_size_var { Value::object(SizeVar::new(dtype, name, ty)) } else { Value::object(Var::new(dtype, name, ty)) }
}

/// The data type of the values of a type.
pub(crate) fn dtype_of(ty: &Type) -> DataType {
    let object = ty.as_object().view();
    if let Some(prim) = object.node::<PrimTypeNode>() {
        return prim.dtype;
    }
    if object.node::<PointerTypeNode>().is_some() { DataType::handle() } else { DataType::void() }
}

/// The type of a function without result.
pub(crate) fn no_value() -> Type {
    TupleType::new(Array::<Type>::default()).into()
}

/// `T.int64()`, a variable; `T.int64(value)`, a constant or a converted expression.
fn by_dtype_call(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let Some(dtype) = dtype_of_path(&call.name) else { return Err(p.error(call.range, "expected a data type")) };
    let value = call.optional("expr").cloned();
    let is_size_var = call.optional("is_size_var").cloned().map_or(Ok(false), |it| it.bool(p))?;
    call.finish(p)?;
    let Some(argument) = value else { return Ok(new_var(p, PrimType::new(dtype), is_size_var)) };
    constant(p, dtype, &argument)
}

fn constant(p: &mut Parser<'_>, dtype: DataType, argument: &Argument) -> Eval<Value> {
    let is_integer = fold::is_integer(dtype) || dtype == DataType::boolean();
    let is_scalar = dtype.lanes() == 1;
    match &argument.value {
        Value::Str(text) => match text.trim().parse::<f64>() {
            Ok(number) if !is_integer && is_scalar => Ok(Value::object(FloatImm::new(dtype, number))),
            _ => Err(argument.expected(p, "a number")),
        },
        Value::Int(value) if is_integer && is_scalar => Ok(Value::object(IntImm::new(dtype, *value))),
        Value::LargeUint(value) if dtype == DataType::uint(64) => {
            let constant = large_uint(*value).map_err(|error| p.object_error(argument.range, &error))?;
            Ok(Value::object(constant))
        }
        Value::Bool(value) if is_integer && is_scalar => Ok(Value::object(IntImm::new(dtype, i64::from(*value)))),
        Value::Int(_) | Value::LargeUint(_) | Value::Float(_) if !is_integer && is_scalar => {
            Ok(Value::object(FloatImm::new(dtype, argument.float(p)?)))
        }
        _ => Ok(Value::object(cast(&scalar::prim(p, argument)?, dtype))),
    }
}

/// The expression converted to `dtype`; a scalar is repeated for each lane of a vector.
pub(crate) fn cast(expr: &PrimExpr, dtype: DataType) -> PrimExpr {
    if expr.dtype == dtype {
        return expr.clone();
    }
    let element = DataType { raw_lanes: 1, ..dtype };
    if expr.dtype.lanes() == 1
        && let Some((dtype, lanes)) =
            vector(element, &scalar::int32(dtype.lanes().into())).filter(|_| dtype.lanes() > 1)
    {
        return Broadcast::new(dtype, cast(expr, element), lanes).into();
    }
    fold::cast(dtype, expr)
}

/// `T.handle()`, `T.handle("float32", "global")`.
fn handle(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let element = call.optional("dtype").cloned();
    let scope = call.optional("storage_scope").cloned();
    let is_size_var = call.optional("is_size_var").cloned().map_or(Ok(false), |it| it.bool(p))?;
    call.finish(p)?;
    let scope = match &scope {
        Some(scope) => scope.str(p)?,
        None => "global",
    };
    let ty: Type = match &element {
        None if scope == "global" => PrimType::new(DataType::handle()).into(),
        None => PointerType::new(PrimType::new(DataType::void()), scope).into(),
        Some(Argument { value: Value::Str(name), .. })
            if matches!(name.as_str(), "TensorMap" | "tensormap" | "CUtensorMap" | "cuTensorMap") =>
        {
            PointerType::new(TensorMapType::new(), "").into()
        }
        Some(element) => PointerType::new(element_type(p, element)?, scope).into(),
    };
    Ok(new_var(p, ty, is_size_var))
}

/// The type of the elements at an address: a data type, or the type of a variable.
fn element_type(p: &mut Parser<'_>, argument: &Argument) -> Eval<Type> {
    if let Some(var) = argument.value.to::<Var>() {
        return Ok(var.type_annotation.clone());
    }
    if let Value::Str(name) = &argument.value
        && name.as_str() == "void"
    {
        return Ok(PrimType::new(DataType::void()).into());
    }
    Ok(PrimType::new(argument.dtype(p)?).into())
}

fn pointer(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let element = call.required(p, "dtype")?.clone();
    let scope = call.optional("storage_scope").cloned();
    let is_size_var = call.optional("is_size_var").cloned().map_or(Ok(false), |it| it.bool(p))?;
    call.finish(p)?;
    let scope = scope.map_or(Ok(Str::from("global")), |scope| scope.str(p).map(Str::from))?;
    let ty = PointerType::new(element_type(p, &element)?, scope);
    Ok(new_var(p, ty, is_size_var))
}

fn tensor_map(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    call.finish(p)?;
    Ok(new_var(p, PointerType::new(TensorMapType::new(), ""), false))
}

/// `T.Tuple(types)`, as the type of a variable.
fn tuple(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let mut fields = Vec::new();
    for argument in call.rest().to_vec() {
        fields.push(type_of(p, &argument)?);
    }
    call.finish(p)?;
    Ok(Value::object(TupleType::new(fields)))
}

/// The largest number of a floating-point type.
fn largest_float(dtype: DataType) -> Option<f64> {
    Some(match (dtype.code, dtype.bits) {
        (TypeCode::FLOAT, 64) => f64::MAX,
        (TypeCode::FLOAT, 32) => f64::from(f32::MAX),
        (TypeCode::FLOAT, 16) => 65504.0,
        (TypeCode::BFLOAT, 16) => f64::from(f32::from_bits(0x7f7f_0000)),
        _ => return None,
    })
}

/// `T.min_value(dtype)`, `T.max_value(dtype)`, `T.infinity(dtype)` (TVM 0.25 src/tirx/op/op.cc).
fn limit(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let argument = call.required(p, "dtype")?.clone();
    call.finish(p)?;
    let dtype = argument.dtype(p)?;
    let is_min = call.name == "T.min_value";
    let float =
        if call.name == "T.infinity" { largest_float(dtype).map(|_| f64::INFINITY) } else { largest_float(dtype) };
    if let Some(value) = float {
        return Ok(Value::object(FloatImm::new(dtype, if is_min { -value } else { value })));
    }
    let bits = u32::from(dtype.bits);
    let value = match (dtype.code, is_min) {
        (TypeCode::INT, _) if !(1..=64).contains(&bits) => None,
        (TypeCode::INT, true) => Some(i64::MIN >> (64 - bits)),
        (TypeCode::INT, false) => Some(i64::MAX >> (64 - bits)),
        (TypeCode::UINT, true) => Some(0),
        (TypeCode::UINT, false) if (1..=63).contains(&bits) => Some((1_i64 << bits) - 1),
        _ => None,
    };
    match value.filter(|_| call.name != "T.infinity" && dtype.lanes() == 1) {
        Some(value) => Ok(Value::object(IntImm::new(dtype, value))),
        None => Err(argument.expected(p, "a type of numbers with such a value")),
    }
}

/// `T.Var(name, dtype)`.
fn var(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let name = call.required(p, "name")?.clone();
    let dtype = call.optional("dtype").cloned();
    call.finish(p)?;
    let dtype = dtype.map_or(Ok(DataType::int(32)), |dtype| dtype.dtype(p))?;
    let name = Str::from(written_name(p, &name)?);
    Ok(Value::object(Var::new(dtype, name, PrimType::new(dtype))))
}

/// The name in a string. If the variable is known, the string is a use of its name.
fn written_name<'v>(p: &mut Parser<'_>, argument: &'v Argument) -> Eval<&'v str> {
    let name = argument.str(p)?;
    if let Some(place) = p.log.as_ref().and_then(|log| log.current.place_of_string(name)) {
        p.log_use(name, place);
    }
    Ok(name)
}

/// `T.var(dtype, name)`.
fn named_var(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let dtype = call.required(p, "dtype")?.clone();
    let name = call.optional("name").cloned();
    call.finish(p)?;
    let dtype = dtype.dtype(p)?;
    let name = match &name {
        Some(name) => Str::from(written_name(p, name)?),
        None => Str::from(p.tir.target(0)),
    };
    Ok(Value::object(Var::new(dtype, name, PrimType::new(dtype))))
}

/// The type that an annotation stands for: `T.int32`, `T.handle("float32")`, `None`.
///
/// # Errors
/// Reports another value.
pub(crate) fn type_of(p: &mut Parser<'_>, annotation: &Argument) -> Eval<Type> {
    match &annotation.value {
        Value::None => Ok(no_value()),
        Value::Path(path) => match (&**path, dtype_of_path(path)) {
            (_, Some(dtype)) => Ok(PrimType::new(dtype).into()),
            ("T.handle", _) => Ok(PrimType::new(DataType::handle()).into()),
            ("T.TensorMap", _) => Ok(PointerType::new(TensorMapType::new(), "").into()),
            _ => Err(annotation.expected(p, "a type such as `T.int32`")),
        },
        Value::Object(object) => {
            let object = object.view();
            match (object.to_handle::<Var>(), object.to_handle::<Type>()) {
                (Some(var), _) => Ok(var.type_annotation.clone()),
                (_, Some(ty)) => Ok(ty),
                _ => Err(annotation.expected(p, "a type such as `T.int32`")),
            }
        }
        Value::Str(_) | Value::DataType(_) => Ok(PrimType::new(annotation.dtype(p)?).into()),
        _ => Err(annotation.expected(p, "a type such as `T.int32`")),
    }
}
