//! Types of TVM 0.27 as structural information and as types of TVM 0.25.

use object_core::{Any, AnyView, Array, ObjectView, Result};

use crate::ir::{ObjectStructInfo, PrimExpr, PrimStructInfo, StructInfo};
use crate::tvm::convert::converter::{items, unsupported};
use crate::tvm::convert::downgrade::form::Form;
use crate::tvm::convert::downgrade::scalar_type::dtype_of;
use crate::tvm::convert::downgrade::step::{Down, Downgrade};

/// The structural information of a value with the type `object`; none for the type that stands for an unknown one.
pub(super) fn struct_info<'a>(converter: &mut Down<'a>, object: ObjectView<'a>) -> Result<Any> {
    let object_info = |info: ObjectStructInfo| Any::from(StructInfo::from(info));
    Ok(match object.type_key() {
        "ir.Type" => Any::None,
        "ir.PrimType" | "ir.PointerType" => PrimStructInfo::new(None, dtype_of(AnyView::Object(object))).into(),
        "ir.StringType" | "ir.OpaqueType" => object_info(ObjectStructInfo::new()),
        "ir.TupleType" => {
            let fields = converter.field(object, "fields", Form::StructInfo)?;
            converter.object("relax.TupleStructInfo", &[("fields", fields)])?
        }
        "relax.FuncType" => match converter.step.facts.functions.get(&object.address()).copied() {
            Some(function) if has_dimensions(converter, function) => function_info(converter, object, function)?,
            _ => converter.by_fields(object)?,
        },
        "relax.AnyType" | "relax.ShapeType" | "relax.TensorType" | "relax.DTensorType" => {
            converter.by_fields(object)?
        }
        _ => return Err(unsupported::<Downgrade<'_>>(object)),
    })
}

/// Whether a parameter of `function` is a dimension too.
fn has_dimensions(converter: &Down<'_>, function: ObjectView<'_>) -> bool {
    let mut params = items(function, "params").filter_map(AnyView::as_object);
    params.any(|param| converter.step.dims.contains(&param.address()))
}

/// The structural information of `function`, whose type is `ty`. Its parameters define the dimensions that the type uses.
fn function_info<'a>(converter: &mut Down<'a>, ty: ObjectView<'a>, function: ObjectView<'a>) -> Result<Any> {
    let mut params = Vec::new();
    for var in items(function, "params").filter_map(AnyView::as_object) {
        params.push(match converter.step.dims.contains(&var.address()) {
            true => dimension_info(converter, var)?,
            false => converter.field(var, "ty", Form::StructInfo)?,
        });
    }
    let fields = [
        ("params", Array::<Any>::from_anys(params).into()),
        ("ret", converter.field(ty, "ret", Form::StructInfo)?),
        ("derive_func", converter.field(ty, "derive_func", Form::Own)?),
        ("purity", converter.field(ty, "purity", Form::Own)?),
    ];
    converter.object("relax.FuncStructInfo", &fields)
}

/// The type of a scalar or an address.
pub(super) fn plain_type<'a>(converter: &mut Down<'a>, object: ObjectView<'a>) -> Result<Any> {
    match object.type_key() {
        "ir.PrimType" | "ir.PointerType" | "ir.TupleType" | "ir.FuncType" | "tirx.TensorMapType" => {
            converter.by_fields(object)
        }
        _ => Err(unsupported::<Downgrade<'_>>(object)),
    }
}

/// The structural information of a variable of Relax that is a dimension too: its value is a variable of scalar expressions.
pub(super) fn dimension_info<'a>(converter: &mut Down<'a>, object: ObjectView<'a>) -> Result<Any> {
    let value: PrimExpr = converter.get(AnyView::Object(object), Form::Scalar)?.cast()?;
    Ok(PrimStructInfo::new(Some(value.clone()), value.dtype).into())
}

/// A scalar as an expression of Relax.
pub(super) fn prim_value<'a>(converter: &mut Down<'a>, object: ObjectView<'a>) -> Result<Any> {
    let value: PrimExpr = converter.get(AnyView::Object(object), Form::Scalar)?.cast()?;
    let info = PrimStructInfo::new(Some(value.clone()), value.dtype);
    converter.object("relax.expr.PrimValue", &[("struct_info_", info.into()), ("value", value.into())])
}
