//! [`dtype_of`]: the data type of scalars of a type of TVM 0.27.

use object_core::{AnyView, DataType};

/// The data type of scalars with the type `ty` of TVM 0.27: void for no value, and `handle` for all that is no number.
pub(super) fn dtype_of(ty: AnyView<'_>) -> DataType {
    let Some(object) = ty.as_object() else { return DataType::void() };
    match (object.type_key(), object.get("dtype"), object.get("fields").and_then(AnyView::as_object)) {
        ("ir.PrimType", Some(AnyView::DataType(dtype)), _) => dtype,
        ("ir.TupleType", _, Some(fields)) if fields.as_array().is_some_and(|fields| fields.is_empty()) => {
            DataType::void()
        }
        _ => DataType::handle(),
    }
}
