//! Buffers: variables whose type is a type of buffers in TVM 0.27, objects of their own in TVM 0.25.

use object_core::{Any, AnyView, Array, DataType, Map, ObjectView, Result, Str};

use crate::ir::ty::{PointerType, PrimType};
use crate::tir;
use crate::tir::buffer_type;
use crate::tvm::convert::converter::{empty_array, items, unsupported};
use crate::tvm::convert::downgrade::form::Form;
use crate::tvm::convert::downgrade::scalar_type::dtype_of;
use crate::tvm::convert::downgrade::step::{Down, Downgrade};

/// The type of the buffer that `object` is, if it is one.
pub(super) fn buffer_type<'a>(object: ObjectView<'a>) -> Option<ObjectView<'a>> {
    let ty = object.get("ty").and_then(AnyView::as_object)?;
    (object.type_key() == "ir.Var" && ty.type_key() == "tirx.BufferType").then_some(ty)
}

/// The buffer that `object` is.
pub(super) fn buffer<'a>(converter: &mut Down<'a>, object: ObjectView<'a>) -> Result<Any> {
    let Some(ty) = buffer_type(object) else { return Err(unsupported::<Downgrade<'_>>(object)) };
    let fields = [
        ("data", converter.get(AnyView::Object(object), Form::Scalar)?),
        ("dtype", dtype_of(ty.get("dtype").unwrap_or_default()).into()),
        ("shape", converter.field(ty, "shape", Form::Scalar)?),
        ("strides", converter.field(ty, "strides", Form::Scalar)?),
        ("axis_separators", empty_array()),
        ("elem_offset", converter.field(ty, "elem_offset", Form::Scalar)?),
        ("name", converter.field(object, "name", Form::Own)?),
        ("data_alignment", converter.field(ty, "data_alignment", Form::Own)?),
        ("offset_factor", converter.field(ty, "offset_factor", Form::Own)?),
        ("buffer_type", buffer_type::DEFAULT.into()),
        ("span", converter.field(object, "span", Form::Own)?),
        ("layout", converter.field(ty, "layout", Form::Own)?),
        ("allocated_addr", converter.field(ty, "allocated_addr", Form::Scalar)?),
    ];
    converter.object("tirx.Buffer", &fields)
}

/// The variable with the address of the buffer that `object` is, which has the type `ty`.
pub(super) fn address<'a>(converter: &mut Down<'a>, object: ObjectView<'a>, ty: ObjectView<'a>) -> Result<Any> {
    if let Some(declared) = converter.step.facts.addresses.get(&object.address()).copied() {
        return converter.get(AnyView::Object(declared), Form::Scalar);
    }
    let name: Str = converter.field(object, "name", Form::Own)?.cast()?;
    let scope: Str = converter.field(ty, "storage_scope", Form::Own)?.cast()?;
    let dtype = dtype_of(ty.get("dtype").unwrap_or_default());
    let element = PrimType::new(if dtype == DataType::boolean() { DataType::int(8) } else { dtype });
    Ok(tir::Var::new(DataType::handle(), format!("{name}_ptr"), PointerType::new(element, scope)).into())
}

/// A function over buffers. A parameter that is a buffer is an address in TVM 0.25, with the buffer in a map.
pub(super) fn prim_func<'a>(converter: &mut Down<'a>, object: ObjectView<'a>) -> Result<Any> {
    let mut params: Vec<tir::Var> = Vec::new();
    let mut buffers: Vec<(tir::Var, tir::Buffer)> = Vec::new();
    for param in items(object, "params") {
        let is_buffer = param.as_object().and_then(buffer_type).is_some();
        let form = if is_buffer { Form::Buffer } else { Form::Scalar };
        let value = converter.get(param, form)?;
        if is_buffer {
            let buffer: tir::Buffer = value.cast()?;
            let handle = DataType::handle();
            let var = tir::Var::new(handle, format!("{}_handle", buffer.name), PrimType::new(handle));
            params.push(var.clone());
            buffers.push((var, buffer));
        } else {
            params.push(value.cast()?);
        }
    }
    let fields = vec![("params", Array::from(params).into()), ("buffer_map", Map::new(buffers).into())];
    converter.by_fields_with(object, fields)
}

/// The declaration of a buffer over memory of another one. The buffer has the address.
pub(super) fn declaration<'a>(converter: &mut Down<'a>, object: ObjectView<'a>) -> Result<Any> {
    let buffer = converter.field(object, "buffer", Form::Buffer)?;
    converter.object("tirx.DeclBuffer", &[("buffer", buffer)])
}
