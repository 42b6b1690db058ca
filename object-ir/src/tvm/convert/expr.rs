//! Expressions, and the choice of the conversion of an object.

use object_core::{Any, AnyView, Array, DataType, ObjectView, Result, Str};

use crate::ir::{Id, Op, PrimExpr, PrimStructInfo, RelaxExpr};
use crate::tir;
use crate::tvm::convert::converter::{Attempt, Converter, unsupported};
use crate::tvm::convert::form::Form;
use crate::tvm::convert::scalar_type::dtype_of;
use crate::tvm::convert::types::{dimension_info, plain_type, struct_info};
use crate::tvm::convert::{buffers, names};

/// The conversion of `object` in the given form.
pub(super) fn convert<'a>(converter: &mut Converter<'a>, object: ObjectView<'a>, form: Form) -> Attempt<Any> {
    if let Some(container) = converter.container(object, form)? {
        return Ok(container);
    }
    let is_type = object.type_info().ancestors().any(|ancestor| ancestor.type_key() == "ir.Type");
    let is_type = is_type || object.type_key() == "ir.Type";
    let own = match object.get("ty") {
        Some(_) if is_scalar(converter, object) => Form::Scalar,
        Some(_) if object.type_key() != "relax.expr.MatchCast" => Form::Relax,
        _ if is_type && object.type_key().starts_with("relax.") => Form::StructInfo,
        _ if is_type => Form::Type,
        _ => Form::Own,
    };
    match (form, own) {
        (Form::Own, _) if buffers::buffer_type(object).is_some() => buffers::buffer(converter, object),
        (Form::Buffer, _) => buffers::buffer(converter, object),
        (Form::StructInfo, Form::StructInfo | Form::Type) | (Form::Own, Form::StructInfo) => {
            struct_info(converter, object)
        }
        (Form::Type, Form::StructInfo | Form::Type) | (Form::Own, Form::Type) => plain_type(converter, object),
        (Form::Scalar | Form::Own, Form::Scalar) => scalar(converter, object),
        (Form::Relax, Form::Scalar) => prim_value(converter, object),
        (Form::Relax | Form::Own, Form::Relax) => relax(converter, object),
        (Form::Scalar, Form::Relax) if matches!(object.type_key(), "ir.Var" | "ir.StringImm") => {
            scalar(converter, object)
        }
        (_, Form::Own) => other(converter, object),
        _ => Err(unsupported(object).into()),
    }
}

/// Whether the natural form of an expression is a scalar expression.
fn is_scalar(converter: &Converter<'_>, object: ObjectView<'_>) -> bool {
    match object.type_key() {
        "ir.IntImm" | "ir.FloatImm" | "ir.TensorLoad" | "ir.TensorRegion" | "te.Reduce" => true,
        "ir.Var" => {
            let is_relax = !matches!(variable_type(object), Some("ir.PrimType" | "ir.PointerType" | "tirx.BufferType"));
            !is_relax && !converter.facts.is_relax_var(object)
        }
        "ir.Call" => match object.get("op").and_then(AnyView::as_object) {
            Some(op) if op.type_key() == "ir.Op" => {
                let name = op.get("name").and_then(AnyView::as_str).unwrap_or_default();
                name.starts_with("tirx.") || name.starts_with("prim.")
            }
            _ => false,
        },
        key => key.starts_with("prim."),
    }
}

/// The type key of the type of a variable.
fn variable_type(object: ObjectView<'_>) -> Option<&'static str> {
    let ty = object.get("ty").and_then(AnyView::as_object)?;
    (object.type_key() == "ir.Var").then_some(ty.type_key())
}

/// A scalar expression.
fn scalar<'a>(converter: &mut Converter<'a>, object: ObjectView<'a>) -> Attempt<Any> {
    match object.type_key() {
        "ir.Var" => scalar_var(converter, object),
        "ir.Call" => call(converter, object),
        "ir.StringImm" => {
            let value = converter.field(object, "value", Form::Own)?;
            converter.object("tirx.StringImm", &[("value", value), ("dtype", DataType::handle().into())])
        }
        key => match names::bit_operator(key) {
            Some(op) => {
                let mut args = Vec::new();
                for name in ["a", "b"] {
                    if let Some(value) = object.get(name) {
                        args.push(converter.get(value, Form::Scalar)?.cast::<PrimExpr>()?);
                    }
                }
                Ok(scalar_call(op, dtype_of(object.get("ty").unwrap_or_default()), args)?.into())
            }
            None => converter.by_fields(object),
        },
    }
}

/// A variable of scalar expressions. For a buffer, the variable with its address.
fn scalar_var<'a>(converter: &mut Converter<'a>, object: ObjectView<'a>) -> Attempt<Any> {
    if let Some(ty) = buffers::buffer_type(object) {
        return buffers::address(converter, object, ty);
    }
    let ty = converter.field(object, "ty", Form::Type)?;
    if converter.facts.is_relax_var(object) {
        converter.used_dims.insert(object.address());
    }
    let fields = [
        ("span", converter.field(object, "span", Form::Own)?),
        ("dtype", dtype_of(object.get("ty").unwrap_or_default()).into()),
        ("name", converter.field(object, "name", Form::Own)?),
        ("type_annotation", ty),
    ];
    converter.object("tirx.Var", &fields)
}

/// A call of an operator on scalars.
pub(super) fn scalar_call(op: &str, dtype: DataType, args: impl IntoIterator<Item = PrimExpr>) -> Result<PrimExpr> {
    Ok(tir::Call::new(dtype, Op::get(op)?, args.into_iter().collect::<Array<PrimExpr>>(), None).into())
}

/// A call of an intrinsic of loop programs.
fn call<'a>(converter: &mut Converter<'a>, object: ObjectView<'a>) -> Attempt<Any> {
    let op = object.get("op").and_then(AnyView::as_object);
    let args = object.get("args").and_then(AnyView::as_object).and_then(ObjectView::as_array);
    let name = op.and_then(|op| op.get("name")).and_then(AnyView::as_str).unwrap_or_default();
    if let ("tirx.buffer_data", Some(args)) = (name, args) {
        return converter.get(args.get(0).unwrap_or_default(), Form::Scalar);
    }
    let fields = [
        ("span", converter.field(object, "span", Form::Own)?),
        ("dtype", dtype_of(object.get("ty").unwrap_or_default()).into()),
        ("op", converter.field(object, "op", Form::Relax)?),
        ("args", converter.field(object, "args", Form::Scalar)?),
        ("attrs", converter.field(object, "attrs", Form::Own)?),
    ];
    converter.object("tirx.Call", &fields)
}

/// A scalar as an expression of Relax.
fn prim_value<'a>(converter: &mut Converter<'a>, object: ObjectView<'a>) -> Attempt<Any> {
    let value: PrimExpr = converter.get(AnyView::Object(object), Form::Scalar)?.cast()?;
    let info = PrimStructInfo::new(Some(value.clone()), value.dtype);
    converter.object("relax.expr.PrimValue", &[("struct_info_", info.into()), ("value", value.into())])
}

/// An expression of Relax.
fn relax<'a>(converter: &mut Converter<'a>, object: ObjectView<'a>) -> Attempt<Any> {
    match object.type_key() {
        "ir.Var" | "relax.expr.DataflowVar" => relax_var(converter, object),
        "ir.Op" => {
            let name = object.get("name").and_then(AnyView::as_str).unwrap_or_default();
            Ok(RelaxExpr::from(Op::get(&names::operator(name))?).into())
        }
        "ir.GenericConst" => constant(converter, object),
        "ir.Call" | "ir.StringImm" | "ir.Tuple" | "ir.TupleGetItem" => converter.by_fields(object),
        "tirx.PrimFunc" => buffers::prim_func(converter, object),
        _ => converter.by_fields(object),
    }
}

/// A variable of Relax.
fn relax_var<'a>(converter: &mut Converter<'a>, object: ObjectView<'a>) -> Attempt<Any> {
    let info = match converter.dims.contains(&object.address()) {
        true => dimension_info(converter, object)?,
        false => converter.field(object, "ty", Form::StructInfo)?,
    };
    let name: Str = converter.field(object, "name", Form::Own)?.cast()?;
    let is_local = object.type_key() == "relax.expr.DataflowVar";
    let key = if is_local { "relax.expr.DataflowVar" } else { "relax.expr.Var" };
    let span = converter.field(object, "span", Form::Own)?;
    converter.object(key, &[("span", span), ("struct_info_", info), ("vid", Id::new(name).into())])
}

/// A constant of Relax.
fn constant<'a>(converter: &mut Converter<'a>, object: ObjectView<'a>) -> Attempt<Any> {
    let value = object.get("value").unwrap_or_default();
    let (key, field) = match value {
        AnyView::DataType(_) => ("relax.expr.DataTypeImm", "value"),
        AnyView::Object(tensor) if tensor.type_key() == "ffi.Tensor" => ("relax.expr.Constant", "data"),
        _ => return Err(unsupported(object).into()),
    };
    let info = converter.field(object, "ty", Form::StructInfo)?;
    let span = converter.field(object, "span", Form::Own)?;
    converter.object(key, &[("span", span), ("struct_info_", info), (field, value.to_any())])
}

/// An object that is neither an expression nor a type.
fn other<'a>(converter: &mut Converter<'a>, object: ObjectView<'a>) -> Attempt<Any> {
    match object.type_key() {
        "ir.EnvFunc" => {
            let name = object.get("name").and_then(AnyView::as_str).unwrap_or_default();
            converter.object("ir.EnvFunc", &[("name", names::function(name).into())])
        }
        "target.TargetKind" => {
            let name = object.get("name").and_then(AnyView::as_str).unwrap_or_default();
            Ok(crate::target::TargetKind::get(name)?.into())
        }
        "tirx.DeclBuffer" => buffers::declaration(converter, object),
        "tirx.Return" => returned(converter, object),
        "relax.expr.VarBinding" => binding(converter, object),
        _ => converter.by_fields(object),
    }
}

/// A binding. A variable that is a dimension too gets its value by a `match_cast`, which defines the dimension.
fn binding<'a>(converter: &mut Converter<'a>, object: ObjectView<'a>) -> Attempt<Any> {
    let var = object.get("var").and_then(AnyView::as_object);
    let Some(var) = var.filter(|var| converter.dims.contains(&var.address())) else {
        return converter.by_fields(object);
    };
    let fields = [
        ("span", converter.field(object, "span", Form::Own)?),
        ("var", converter.get(AnyView::Object(var), Form::Relax)?),
        ("value", converter.field(object, "value", Form::Relax)?),
        ("struct_info", dimension_info(converter, var)?),
    ];
    converter.object("relax.expr.MatchCast", &fields)
}

/// The statement that ends a function with a value, which is a call in TVM 0.25.
pub(super) fn returned<'a>(converter: &mut Converter<'a>, object: ObjectView<'a>) -> Attempt<Any> {
    let value: PrimExpr = converter.field(object, "value", Form::Scalar)?.cast()?;
    let call = scalar_call("tirx.ret", value.dtype, [value])?;
    converter.object("tirx.Evaluate", &[("value", call.into())])
}
