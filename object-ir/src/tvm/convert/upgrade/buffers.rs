//! Buffers: objects of their own in TVM 0.25, variables whose type is a type of buffers in TVM 0.27.

use object_core::{Any, AnyView, Array, DataType, Error, ErrorKind, ObjectView, Result, Str};

use crate::tir::buffer_type;
use crate::tvm::convert::converter::items;
use crate::tvm::convert::upgrade::calls::operator_call;
use crate::tvm::convert::upgrade::step::Up;
use crate::tvm::convert::upgrade::types::{pointer_type, prim_type};

/// The variable that is the buffer `object`.
pub(super) fn buffer<'a>(converter: &mut Up<'a>, object: ObjectView<'a>) -> Result<Any> {
    check(converter, object)?;
    let data = object.get("data").and_then(AnyView::as_object);
    let scope = data.map_or_else(|| "global".into(), storage_scope);
    let dtype = element_type(converter, object)?;
    let mut fields = vec![("dtype", dtype), ("storage_scope", scope.into())];
    for name in ["shape", "strides", "elem_offset", "data_alignment", "offset_factor", "layout", "allocated_addr"] {
        fields.push((name, converter.field(object, name, ())?));
    }
    let ty = converter.object("tirx.BufferType", &fields)?;
    let [span, name] = [converter.field(object, "span", ())?, converter.field(object, "name", ())?];
    converter.object("ir.Var", &[("span", span), ("ty", ty), ("name", name)])
}

/// Checks that TVM 0.27 has the buffer.
fn check(converter: &Up<'_>, object: ObjectView<'_>) -> Result<()> {
    let owner =
        object.get("data").and_then(AnyView::as_object).map(|data| converter.step.facts.buffers.get(&data.address()));
    let is_owner = owner.flatten().is_some_and(|owner| owner.ptr_eq(object));
    let message = if !is_owner && !converter.step.facts.declared.contains(&object.address()) {
        "TVM 0.27 has no buffer over memory of another one without a declaration"
    } else if !matches!(object.get("buffer_type"), Some(AnyView::Int(buffer_type::DEFAULT))) {
        "TVM 0.27 has no buffers whose extents of one repeat their element"
    } else if items(object, "axis_separators").next().is_some() {
        "TVM 0.27 has no groups of dimensions in buffers (`axis_separators`)"
    } else if !has_elements_of_its_type(object) {
        "TVM 0.27 has no buffers whose address is an address of elements of another type"
    } else {
        return Ok(());
    };
    Err(Error::new(ErrorKind::TypeMismatch, message))
}

/// Whether the address of the buffer is an address of its elements. The memory of booleans has bytes.
fn has_elements_of_its_type(buffer: ObjectView<'_>) -> bool {
    let data = buffer.get("data").and_then(AnyView::as_object);
    let ty = data.and_then(|data| data.get("type_annotation")).and_then(AnyView::as_object);
    let element = ty.and_then(|ty| ty.get("element_type")).and_then(AnyView::as_object);
    let (Some(AnyView::DataType(stored)), Some(AnyView::DataType(dtype))) =
        (element.and_then(|element| element.get("dtype")), buffer.get("dtype"))
    else {
        return true;
    };
    stored == dtype || (dtype == DataType::boolean() && stored == DataType::int(8))
}

/// The memory that the address `data` is in.
fn storage_scope(data: ObjectView<'_>) -> Str {
    let scope = data.get("type_annotation").and_then(AnyView::as_object).and_then(|ty| ty.get("storage_scope"));
    scope.and_then(AnyView::as_str).filter(|scope| !scope.is_empty()).unwrap_or("global").into()
}

/// The type of the elements of a buffer.
fn element_type(converter: &Up<'_>, buffer: ObjectView<'_>) -> Result<Any> {
    match buffer.get("dtype") {
        Some(AnyView::DataType(dtype)) => prim_type(converter, dtype),
        _ => Ok(Any::None),
    }
}

/// The address of the buffer `object`, as an expression.
pub(super) fn address<'a>(converter: &mut Up<'a>, object: ObjectView<'a>, data: ObjectView<'a>) -> Result<Any> {
    let element = element_type(converter, object)?;
    let ty = pointer_type(converter, element, storage_scope(data))?;
    let buffer = converter.get(AnyView::Object(object), ())?;
    operator_call(converter, "tirx.buffer_data", vec![buffer], ty)
}

/// A function over buffers. A parameter that is an address with a buffer in the map is the buffer in TVM 0.27.
pub(super) fn prim_func<'a>(converter: &mut Up<'a>, object: ObjectView<'a>) -> Result<Any> {
    let map = object.get("buffer_map").and_then(AnyView::as_object).and_then(ObjectView::as_map);
    let mut params = Vec::new();
    for param in items(object, "params") {
        let buffer = map.and_then(|map| map.get(param));
        params.push(converter.get(buffer.unwrap_or(param), ())?);
    }
    let mut fields = vec![("ty", super::types::type_of(converter, object)?)];
    fields.push(("params", Array::<Any>::from_anys(params).into()));
    for name in ["span", "attrs", "ret_type", "body"] {
        fields.push((name, converter.field(object, name, ())?));
    }
    converter.object("tirx.PrimFunc", &fields)
}

/// The declaration of a buffer over memory that exists. It has the address.
pub(super) fn declaration<'a>(converter: &mut Up<'a>, object: ObjectView<'a>) -> Result<Any> {
    let buffer = object.get("buffer").and_then(AnyView::as_object);
    let data = buffer.and_then(|buffer| buffer.get("data")).unwrap_or_default();
    let data = converter.get(data, ())?;
    converter.by_fields_with(object, vec![("data", data)])
}
