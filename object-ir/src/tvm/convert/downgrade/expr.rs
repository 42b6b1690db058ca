//! Expressions, and the choice of the conversion of an object.

use object_core::stack_budget::with_stack;
use object_core::{Any, AnyView, Array, AsAnyView, DataType, ObjectView, Result, Str, structural_equal};

use crate::ir::ty::PrimType;
use crate::ir::{Id, IntImm, Op, PrimExpr};
use crate::tir::{self, REDUCE_SCOPE, null_address};
use crate::tvm::convert::converter::{items, text, unsupported};
use crate::tvm::convert::downgrade::class::Kind;
use crate::tvm::convert::downgrade::form::Form;
use crate::tvm::convert::downgrade::scalar_type::dtype_of;
use crate::tvm::convert::downgrade::step::{Down, Downgrade};
use crate::tvm::convert::downgrade::types::{dimension_info, plain_type, prim_value, struct_info};
use crate::tvm::convert::downgrade::{buffers, calls};
use crate::tvm::convert::names;
use crate::tvm::version::TvmVersion;

/// The conversion of `object` in the given form.
pub(super) fn convert<'a>(converter: &mut Down<'a>, object: ObjectView<'a>, form: Form) -> Result<Any> {
    // Where the field does not select a form, the object is the same as in the form that it has by itself.
    let own = own_form(converter, object, form);
    if form == Form::Own && own != Form::Own {
        return converter.get(AnyView::Object(object), own);
    }
    match (form, own) {
        (Form::Buffer, _) => buffers::buffer(converter, object),
        (Form::StructInfo, Form::StructInfo | Form::Type) => struct_info(converter, object),
        (Form::Type, Form::StructInfo | Form::Type) => plain_type(converter, object),
        (Form::Scalar, Form::Scalar | Form::Buffer) => scalar(converter, object),
        (Form::Relax, Form::Scalar) => prim_value(converter, object),
        (Form::Relax, Form::Relax) => relax(converter, object),
        (Form::Scalar, Form::Relax) if can_be_scalar(object) => scalar(converter, object),
        (_, Form::Own) => other(converter, object),
        _ => Err(unsupported::<Downgrade<'_>>(object)),
    }
}

/// Whether the natural form of a type is structural information: types of Relax, and tuples of them.
fn is_struct_info(object: ObjectView<'_>) -> bool {
    let is_of_relax = |field: AnyView<'_>| field.as_object().is_some_and(|field| with_stack(|| is_struct_info(field)));
    object.type_key().starts_with("relax.")
        || (object.type_key() == "ir.TupleType" && items(object, "fields").any(is_of_relax))
}

/// Whether an expression whose natural form is an expression of Relax can be a scalar expression. A loop program calls functions
/// of the module.
fn can_be_scalar(object: ObjectView<'_>) -> bool {
    let op = object.get("op").and_then(AnyView::as_object);
    matches!(object.type_key(), "ir.Var" | "ir.StringImm") || op.is_some_and(|op| op.type_key() == "ir.GlobalVar")
}

/// The natural form of an object. Types are told apart only where the field selects no form, because each of nested tuples would
/// ask all below it.
fn own_form(converter: &mut Down<'_>, object: ObjectView<'_>, form: Form) -> Form {
    match converter.step.class_of(object).kind {
        Kind::Var | Kind::Call | Kind::Scalar | Kind::Relax if is_scalar(converter, object) => Form::Scalar,
        Kind::Var if variable_type(object) == Some("tirx.BufferType") => Form::Buffer,
        Kind::Var | Kind::Call | Kind::Scalar | Kind::Relax => Form::Relax,
        Kind::Type if form == Form::Own && is_struct_info(object) => Form::StructInfo,
        Kind::Type => Form::Type,
        Kind::Other => Form::Own,
    }
}

/// Whether the natural form of an expression is a scalar expression.
fn is_scalar(converter: &mut Down<'_>, object: ObjectView<'_>) -> bool {
    match converter.step.class_of(object).kind {
        Kind::Scalar => true,
        Kind::Var => match variable_type(object) {
            Some("ir.PrimType" | "ir.PointerType") => !converter.step.facts.is_relax_var(object),
            _ => false,
        },
        Kind::Call => match object.get("op").and_then(AnyView::as_object) {
            Some(op) if op.type_key() == "ir.Op" => {
                let name = op.get("name").and_then(AnyView::as_str).unwrap_or_default();
                name.starts_with("tirx.") || name.starts_with("prim.")
            }
            _ => false,
        },
        _ => false,
    }
}

/// The type key of the type of a variable.
fn variable_type(object: ObjectView<'_>) -> Option<&'static str> {
    let ty = object.get("ty").and_then(AnyView::as_object)?;
    (object.type_key() == "ir.Var").then_some(ty.type_key())
}

/// A scalar expression.
fn scalar<'a>(converter: &mut Down<'a>, object: ObjectView<'a>) -> Result<Any> {
    match object.type_key() {
        "ir.Var" => scalar_var(converter, object),
        "ir.Call" => call(converter, object),
        "ir.IntImm" => match object.get("value").and_then(AnyView::as_object) {
            Some(value) => large_uint(converter, object, value),
            None => converter.by_fields(object),
        },
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

/// A constant whose `value` exceeds the largest `int64`, so it is an `ffi.BigInt`.
fn large_uint<'a>(converter: &mut Down<'a>, object: ObjectView<'a>, value: ObjectView<'a>) -> Result<Any> {
    let is_uint64 = dtype_of(object.get("ty").unwrap_or_default()) == DataType::uint(64);
    match text(value, "value").parse::<u64>() {
        Ok(value) if is_uint64 => Ok(tir::large_uint(value)?.into()),
        _ => converter.by_fields(object),
    }
}

/// A variable of scalar expressions. For a buffer, the variable with its address.
fn scalar_var<'a>(converter: &mut Down<'a>, object: ObjectView<'a>) -> Result<Any> {
    if let Some(ty) = buffers::buffer_type(object) {
        return buffers::address(converter, object, ty);
    }
    let ty = match object.get("ty").and_then(AnyView::as_object) {
        Some(ty) if is_untyped_address(ty) => PrimType::new(DataType::handle()).into(),
        _ => converter.field(object, "ty", Form::Type)?,
    };
    if converter.step.facts.is_relax_var(object) {
        converter.step.used_dims.insert(object.address());
    }
    let fields = [
        ("span", converter.field(object, "span", Form::Own)?),
        ("dtype", dtype_of(object.get("ty").unwrap_or_default()).into()),
        ("name", converter.field(object, "name", Form::Own)?),
        ("type_annotation", ty),
    ];
    converter.object("tirx.Var", &fields)
}

/// Whether `ty` is the type of addresses in global memory that says nothing about the elements. TVM 0.25 has a scalar type for
/// them.
fn is_untyped_address(ty: ObjectView<'_>) -> bool {
    let element = ty.get("element_type").and_then(AnyView::as_object);
    let is_void = |element: ObjectView<'_>| {
        element.get("dtype").is_some_and(|dtype| matches!(dtype, AnyView::DataType(dtype) if dtype.is_void()))
    };
    element.is_some_and(is_void) && ty.get("storage_scope").and_then(AnyView::as_str) == Some("global")
}

/// A call of an operator on scalars.
pub(super) fn scalar_call(op: &str, dtype: DataType, args: impl IntoIterator<Item = PrimExpr>) -> Result<PrimExpr> {
    Ok(tir::Call::new(dtype, Op::get(op)?, args.into_iter().collect::<Array<PrimExpr>>(), None).into())
}

/// A call of an intrinsic of loop programs.
fn call<'a>(converter: &mut Down<'a>, object: ObjectView<'a>) -> Result<Any> {
    let op = object.get("op").and_then(AnyView::as_object);
    let args = object.get("args").and_then(AnyView::as_object).and_then(ObjectView::as_array);
    let name = op.and_then(|op| op.get("name")).and_then(AnyView::as_str).unwrap_or_default();
    if let ("tirx.buffer_data", Some(args)) = (name, args) {
        return converter.get(args.get(0).unwrap_or_default(), Form::Scalar);
    }
    let dtype = dtype_of(object.get("ty").unwrap_or_default());
    let is_untyped = dtype.is_void() && names::returns_nothing(name);
    let fields = [
        ("span", converter.field(object, "span", Form::Own)?),
        ("dtype", if is_untyped { DataType::handle() } else { dtype }.into()),
        ("op", converter.field(object, "op", Form::Relax)?),
        ("args", converter.field(object, "args", Form::Scalar)?),
        ("attrs", converter.field(object, "attrs", Form::Own)?),
    ];
    converter.object("tirx.Call", &fields)
}

/// An expression of Relax.
fn relax<'a>(converter: &mut Down<'a>, object: ObjectView<'a>) -> Result<Any> {
    match object.type_key() {
        "ir.Var" | "relax.expr.DataflowVar" => relax_var(converter, object),
        "ir.Op" => converter.operator(object),
        "ir.GenericConst" => constant(converter, object),
        "ir.Tuple" => tuple(converter, object),
        "ir.Call" => calls::call(converter, object),
        "tirx.PrimFunc" => buffers::prim_func(converter, object),
        _ => converter.by_fields(object),
    }
}

/// A tuple. Its structural information has the values of the scalars in it.
fn tuple<'a>(converter: &mut Down<'a>, object: ObjectView<'a>) -> Result<Any> {
    let ty = object.get("ty").and_then(AnyView::as_object);
    let types: Vec<_> = ty.into_iter().flat_map(|ty| items(ty, "fields")).collect();
    let fields: Vec<_> = items(object, "fields").collect();
    let has_scalars = types.iter().any(|ty| ty.as_object().is_some_and(|ty| may_have_value(ty)));
    if !has_scalars || types.len() != fields.len() {
        return converter.by_fields(object);
    }
    let mut infos = Vec::new();
    for (field, ty) in fields.into_iter().zip(types) {
        let own = match ty.as_object().is_some_and(may_have_value) {
            true => info_of(converter, field)?,
            false => Any::None,
        };
        infos.push(if matches!(own, Any::None) { converter.get(ty, Form::StructInfo)? } else { own });
    }
    let info = converter.object("relax.TupleStructInfo", &[("fields", Array::<Any>::from_anys(infos).into())])?;
    converter.by_fields_with(object, vec![("struct_info_", info)])
}

/// The structural information of a converted expression.
fn info_of<'a>(converter: &mut Down<'a>, expr: AnyView<'a>) -> Result<Any> {
    let expr = converter.get(expr, Form::Relax)?;
    Ok(expr.as_any_view().as_object().and_then(|expr| expr.get("struct_info_")).unwrap_or_default().to_any())
}

/// Whether structural information for the type can have the value of a scalar.
fn may_have_value(ty: ObjectView<'_>) -> bool {
    matches!(ty.type_key(), "ir.PrimType" | "ir.TupleType")
}

/// A variable of Relax.
fn relax_var<'a>(converter: &mut Down<'a>, object: ObjectView<'a>) -> Result<Any> {
    let value = converter.step.facts.values.get(&object.address()).copied();
    let info = match value.filter(|value| variable_type(*value).is_none() && is_scalar(converter, *value)) {
        _ if converter.step.dims.contains(&object.address()) => dimension_info(converter, object)?,
        // The type of TVM 0.25 has the value of the scalar.
        Some(value) => dimension_info(converter, value)?,
        None => match value {
            Some(value) if value.type_key() == "ir.Tuple" => info_of(converter, AnyView::Object(value))?,
            _ => converter.field(object, "ty", Form::StructInfo)?,
        },
    };
    let name: Str = converter.field(object, "name", Form::Own)?.cast()?;
    let is_local = object.type_key() == "relax.expr.DataflowVar";
    let key = if is_local { "relax.expr.DataflowVar" } else { "relax.expr.Var" };
    let span = converter.field(object, "span", Form::Own)?;
    converter.object(key, &[("span", span), ("struct_info_", info), ("vid", Id::new(name).into())])
}

/// A constant of Relax.
fn constant<'a>(converter: &mut Down<'a>, object: ObjectView<'a>) -> Result<Any> {
    let value = object.get("value").unwrap_or_default();
    let (key, field) = match value {
        AnyView::DataType(_) => ("relax.expr.DataTypeImm", "value"),
        AnyView::Object(tensor) if tensor.type_key() == "ffi.Tensor" => ("relax.expr.Constant", "data"),
        _ => return Err(unsupported::<Downgrade<'_>>(object)),
    };
    let info = converter.field(object, "ty", Form::StructInfo)?;
    let span = converter.field(object, "span", Form::Own)?;
    converter.object(key, &[("span", span), ("struct_info_", info), (field, value.to_any())])
}

/// An object that is neither an expression nor a type.
fn other<'a>(converter: &mut Down<'a>, object: ObjectView<'a>) -> Result<Any> {
    match object.type_key() {
        "ir.EnvFunc" => {
            let name = names::function(TvmVersion::V0_25, text(object, "name"));
            converter.object("ir.EnvFunc", &[("name", name.into())])
        }
        "target.TargetKind" => converter.singleton("target.TargetKind", text(object, "name")),
        "tirx.AttrStmt" if text(object, "attr_key") == REDUCE_SCOPE => reduction(converter, object),
        "tirx.DeclBuffer" => buffers::declaration(converter, object),
        "tirx.Return" => returned(converter, object),
        "relax.expr.VarBinding" => binding(converter, object),
        _ => converter.by_fields(object),
    }
}

/// The statement of a reduction over threads. Its value, which has no meaning, is the number 0 in TVM 0.27.
fn reduction<'a>(converter: &mut Down<'a>, object: ObjectView<'a>) -> Result<Any> {
    let value = converter.field(object, "value", Form::Scalar)?;
    let is_number = structural_equal(&value, &IntImm::new(DataType::int(32), 0));
    let value = if is_number { null_address().into() } else { value };
    converter.by_fields_with(object, vec![("value", value)])
}

/// A binding. A variable that is a dimension too gets its value by a `match_cast`, which defines the dimension.
fn binding<'a>(converter: &mut Down<'a>, object: ObjectView<'a>) -> Result<Any> {
    let var = object.get("var").and_then(AnyView::as_object);
    let Some(var) = var.filter(|var| converter.step.dims.contains(&var.address())) else {
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
pub(super) fn returned<'a>(converter: &mut Down<'a>, object: ObjectView<'a>) -> Result<Any> {
    let value: PrimExpr = converter.field(object, "value", Form::Scalar)?.cast()?;
    let call = scalar_call("tirx.ret", value.dtype, [value])?;
    converter.object("tirx.Evaluate", &[("value", call.into())])
}
