//! Values of object-core as values of tvm-ffi.

use std::ffi::c_void;
use std::ptr;

use object_core::dlpack::{DlpackTensor, RawDataType, RawDevice};
use object_core::error::Result;
use object_core::object::Body;
use object_core::stack_budget::with_stack;
use object_core::{Any, AnyView, DataType, Device, Function, ObjectView, Tensor};

use crate::abi::{ByteArray, Payload, RawAny, index};
use crate::errors::check;
use crate::exchange::{arrays, functions, types};
use crate::handle::Handle;
use crate::identity;
use crate::proxy::{self, Kept, Node};
use crate::runtime::runtime;
use crate::tensor_view::TensorView;
use crate::value::{Value, call};

/// The value of tvm-ffi for a value.
///
/// # Errors
/// [`NotConstructible`](object_core::ErrorKind::NotConstructible) for an object of a type that another library has registered;
/// the errors of [`DlpackTensor::of`] for tensors; and the errors that tvm-ffi raises.
pub(crate) fn to_value(value: AnyView<'_>) -> Result<Value> {
    let raw = match value {
        AnyView::None => RawAny::NONE,
        AnyView::Bool(value) => RawAny::int(index::BOOL, value.into()),
        AnyView::Int(value) => RawAny::int(index::INT, value),
        AnyView::Float(float) => RawAny { type_index: index::FLOAT, small_len: 0, payload: Payload { float } },
        AnyView::DataType(value) => data_type(value),
        AnyView::Device(value) => device(value),
        AnyView::Object(object) => return with_stack(|| to_object(object)),
    };
    Ok(Value::plain(raw))
}

fn data_type(value: DataType) -> RawAny {
    let mut raw = RawAny::int(index::DATA_TYPE, 0);
    raw.payload.data_type = RawDataType { code: value.code.0, bits: value.bits, lanes: value.raw_lanes };
    raw
}

fn device(value: Device) -> RawAny {
    let mut raw = RawAny::int(index::DEVICE, 0);
    raw.payload.device = RawDevice { device_type: value.device_type, device_id: value.device_id };
    raw
}

fn to_object(object: ObjectView<'_>) -> Result<Value> {
    match object.type_info().body() {
        Body::Str => text(object.as_str().unwrap_or_default()),
        Body::Bytes => bytes(object.as_bytes().unwrap_or_default()),
        Body::Shape => shape(object.as_shape().unwrap_or_default()),
        Body::Tensor => tensor(&Any::Object(object.to_object()).cast()?).map(Value::from),
        Body::Function => functions::to_function(&Any::Object(object.to_object()).cast::<Function>()?).map(Value::from),
        Body::Array if object.type_key() == "ffi.Array" => arrays::to_array(object).map(Value::from),
        Body::Array => container(object, object.as_array().into_iter().flat_map(|array| array.iter())),
        Body::Map => {
            let entries = object.as_map().into_iter().flat_map(|map| map.iter());
            container(object, entries.flat_map(|(key, value)| [key_of(key), value]))
        }
        Body::Opaque => match object.as_handle::<TensorView>() {
            Some(view) => tensor_of_view(view).map(Value::from),
            None => proxy_of(object),
        },
        _ => proxy_of(object),
    }
}

fn proxy_of(object: ObjectView<'_>) -> Result<Value> {
    let index = types::index_of(object.type_info())?;
    let make = || Ok(proxy::make(index, Node { object: object.to_object(), kept: Kept::default() }));
    identity::find_or_make(object, make).map(Value::from)
}

/// The key of a map of tvm-ffi, which finds keys by their bits. All values that are not a number are one key here.
fn key_of(key: AnyView<'_>) -> AnyView<'_> {
    match key {
        AnyView::Float(float) if float.is_nan() => AnyView::Float(f64::NAN),
        key => key,
    }
}

/// A list, map or dictionary: the function with the name of its type makes it from its elements.
fn container<'a>(object: ObjectView<'_>, items: impl Iterator<Item = AnyView<'a>>) -> Result<Value> {
    let items = items.map(to_value).collect::<Result<Vec<_>>>()?;
    call(&functions::global(object.type_key())?, &items)
}

pub(crate) fn text(text: &str) -> Result<Value> {
    let (bytes, mut raw) = (ByteArray::of(text), RawAny::NONE);
    // SAFETY: the function copies the text and writes an owned value.
    unsafe {
        check((runtime().string_from_byte_array)(&raw const bytes, &raw mut raw))?;
        Ok(Value::from_raw(raw))
    }
}

fn bytes(bytes: &[u8]) -> Result<Value> {
    let (bytes, mut raw) = (ByteArray { data: bytes.as_ptr(), size: bytes.len() }, RawAny::NONE);
    // SAFETY: the function copies the bytes and writes an owned value.
    unsafe {
        check((runtime().bytes_from_byte_array)(&raw const bytes, &raw mut raw))?;
        Ok(Value::from_raw(raw))
    }
}

fn shape(extents: &[i64]) -> Result<Value> {
    let extents: Vec<_> = extents.iter().map(|extent| Value::plain(RawAny::int(index::INT, *extent))).collect();
    call(&functions::global("ffi.Shape")?, &extents)
}

/// The tensor over the same memory.
fn tensor(tensor: &Tensor) -> Result<Handle> {
    exported(DlpackTensor::of(tensor)?)
}

/// The tensor of which this is a view.
fn tensor_of_view(view: &TensorView) -> Result<Handle> {
    view.origin().map_or_else(|| exported(view.share()?), |origin| Ok(origin.clone()))
}

/// The tensor over the memory of a managed tensor.
///
/// # Errors
/// The errors that tvm-ffi raises.
pub(crate) fn exported(tensor: DlpackTensor) -> Result<Handle> {
    let managed = tensor.into_raw();
    let mut object = ptr::null_mut::<c_void>();
    // SAFETY: tvm-ffi takes the managed tensor over if it succeeds, and writes an owned object.
    unsafe {
        if let Err(error) = check((runtime().tensor_from_dlpack)(managed.cast(), 0, 0, &raw mut object)) {
            drop(DlpackTensor::from_raw(managed)?);
            return Err(error);
        }
        Ok(Handle::from_raw(object).unwrap_unchecked())
    }
}
