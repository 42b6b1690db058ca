//! Structural information and types of TVM 0.25 as types of TVM 0.27.

use object_core::{Any, AnyView, DataType, ObjectView, Result, Str};

use crate::tvm::convert::upgrade::step::Up;

/// The type of the values of the expression `object`.
pub(super) fn type_of<'a>(converter: &mut Up<'a>, object: ObjectView<'a>) -> Result<Any> {
    if object.type_key() == "tirx.BufferRegion" {
        return converter.object("tirx.BufferRegionType", &[]);
    }
    match (object.get("struct_info_"), object.get("dtype")) {
        (Some(info), _) if info.as_object().is_some() => converter.get(info, ()),
        (None, Some(AnyView::DataType(dtype))) => scalar_type(converter, dtype),
        // The type that stands for an unknown one.
        _ => converter.object("ir.Type", &[]),
    }
}

/// The type of scalars with the data type `dtype`, or of addresses.
pub(super) fn scalar_type(converter: &Up<'_>, dtype: DataType) -> Result<Any> {
    match dtype == DataType::handle() {
        true => pointer_type(converter, prim_type(converter, DataType::void())?, "global".into()),
        false => prim_type(converter, dtype),
    }
}

/// The type of scalars with the data type `dtype`.
pub(super) fn prim_type(converter: &Up<'_>, dtype: DataType) -> Result<Any> {
    converter.object("ir.PrimType", &[("dtype", dtype.into())])
}

/// The type of addresses of elements with the type `element` in the memory `scope`.
pub(super) fn pointer_type(converter: &Up<'_>, element: Any, scope: Str) -> Result<Any> {
    converter.object("ir.PointerType", &[("element_type", element), ("storage_scope", scope.into())])
}

/// The type for a type or a structural information with this key; `None` for an object that is neither, or that converts by its
/// fields.
pub(super) fn convert<'a>(converter: &mut Up<'a>, object: ObjectView<'a>) -> Result<Option<Any>> {
    Ok(match object.type_key() {
        "relax.PrimStructInfo" | "ir.PrimType" => match object.get("dtype") {
            Some(AnyView::DataType(dtype)) => Some(scalar_type(converter, dtype)?),
            _ => None,
        },
        "relax.TupleStructInfo" => {
            let fields = converter.field(object, "fields", ())?;
            Some(converter.object("ir.TupleType", &[("fields", fields)])?)
        }
        _ => None,
    })
}
