//! Types of calls of operators on scalars that TVM 0.25 calls `handle`, its data type of all addresses.

use object_core::{Any, AnyView, DataType, ObjectView, Result};

use crate::tvm::convert::converter::text;
use crate::tvm::convert::names;
use crate::tvm::convert::upgrade::step::Up;
use crate::tvm::convert::upgrade::types::{pointer_type, prim_type};

/// The type of the call `object` of the operator `name`, with the converted arguments `args`, where its data type does not tell
/// the type.
pub(super) fn call_type<'a>(
    converter: &mut Up<'a>,
    object: ObjectView<'a>,
    name: &str,
    args: &Any,
) -> Result<Option<Any>> {
    let args = args.view().as_object().and_then(ObjectView::as_array);
    let arg = |index: usize| args.and_then(|args| args.get(index)).and_then(AnyView::as_object);
    let (element, address) = match name {
        "tirx.tvm_stack_make_shape" => return global(converter, DataType::int(64)),
        "tirx.tvm_stack_alloca" => return allocation(converter, arg(0).map_or("", |kind| text(kind, "value"))),
        "tirx.tvm_access_ptr" => (arg(0), arg(1)),
        "tirx.address_of" => (arg(0), arg(0).and_then(|load| load.get("source")).and_then(AnyView::as_object)),
        _ => {
            let dtype = object.get("dtype");
            let is_void = names::returns_nothing(name)
                && matches!(dtype, Some(AnyView::DataType(dtype)) if dtype == DataType::handle());
            return is_void.then(|| prim_type(converter, DataType::void())).transpose();
        }
    };
    // The address of the element that the operator gets, or of the element type that it gets, in the memory of the address that it gets.
    let scope = address.and_then(ty_of).and_then(|ty| ty.get("storage_scope")).and_then(AnyView::as_str);
    let element = element.and_then(ty_of).filter(|ty| ty.type_key() == "ir.PrimType");
    match element.zip(scope) {
        Some((element, scope)) => pointer_type(converter, Any::Object(element.to_object()), scope.into()).map(Some),
        None => Ok(None),
    }
}

/// The type of the address of memory on the stack for values of this kind.
fn allocation(converter: &Up<'_>, kind: &str) -> Result<Option<Any>> {
    match kind {
        "shape" => global(converter, DataType::int(64)),
        "arg_tcode" => global(converter, DataType::int(32)),
        "tensormap" => {
            let element = converter.object("tirx.TensorMapType", &[])?;
            pointer_type(converter, element, "global".into()).map(Some)
        }
        _ => Ok(None),
    }
}

/// The type of addresses of such elements in global memory.
fn global(converter: &Up<'_>, element: DataType) -> Result<Option<Any>> {
    pointer_type(converter, prim_type(converter, element)?, "global".into()).map(Some)
}

/// The type of a converted expression.
fn ty_of(object: ObjectView<'_>) -> Option<ObjectView<'_>> {
    object.get("ty").and_then(AnyView::as_object)
}
