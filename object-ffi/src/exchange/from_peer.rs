//! Values of tvm-ffi as values of object-core.

use std::ffi::{CStr, c_char, c_void};
use std::ptr;

use object_core::dlpack::DlpackTensor;
use object_core::error::{Error, ErrorKind, Result};
use object_core::scalar::TypeCode;
use object_core::stack_budget::with_stack;
use object_core::{Any, Array, Bytes, DataType, Device, Map, ObjectRef, Shape, Str, Tensor};

use crate::abi::{ByteArray, Header, RawAny, SeqCell, ShapeCell, index};
use crate::errors::check;
use crate::exchange::{arrays, draft, functions};
use crate::handle::Handle;
use crate::proxy::{self, Node};
use crate::runtime::runtime;
use crate::value::{Value, call, object_of};

/// The value of object-core for a value that tvm-ffi lends.
///
/// # Errors
/// [`TypeMismatch`](ErrorKind::TypeMismatch) for an object of a type that this library did not register, and for other values
/// without a counterpart; [`Malformed`](ErrorKind::Malformed) for text that is not UTF-8; and the errors of tensors on other
/// devices than the CPU.
///
/// # Safety
/// The value is valid during the call.
pub(crate) unsafe fn to_any(raw: &RawAny) -> Result<Any> {
    // SAFETY: the type index says which member of the payload is valid, and an object of each of these types has the cell that
    // `c_api.h` declares for it. The value keeps the object alive.
    unsafe {
        Ok(match raw.type_index {
            index::NONE => Any::None,
            index::INT => Any::Int(raw.payload.int),
            index::BOOL => Any::Bool(raw.payload.int != 0),
            index::FLOAT => Any::Float(raw.payload.float),
            index::DATA_TYPE => Any::DataType(data_type(raw)),
            index::DEVICE => Any::Device(device(raw)),
            index::RAW_STR => text(CStr::from_ptr(raw.payload.pointer.cast::<c_char>()).to_bytes())?,
            index::SMALL_STR => text(small(raw))?,
            index::STR => text(cell::<ByteArray>(raw).as_bytes())?,
            index::SMALL_BYTES => Any::from(Bytes::new(small(raw))),
            index::BYTE_ARRAY => Any::from(Bytes::new((*raw.payload.pointer.cast::<ByteArray>()).as_bytes())),
            index::BYTES => Any::from(Bytes::new(cell::<ByteArray>(raw).as_bytes())),
            index::SHAPE => Any::from(shape(cell::<ShapeCell>(raw))),
            index::FUNCTION => Any::from(functions::from_function(raw)?),
            index::TENSOR => Any::from(tensor(raw)?),
            index::ARRAY | index::LIST => with_stack(|| array(raw))?,
            index::MAP => with_stack(|| map(raw, "ffi.MapSize", "ffi.MapForwardIterFunctor"))?,
            index::DICT => with_stack(|| map(raw, "ffi.DictSize", "ffi.DictForwardIterFunctor"))?,
            index::RVALUE_REF => return to_any(&lent(raw)),
            _ => Any::Object(object(raw)?),
        })
    }
}

/// The cell after the header of an object.
///
/// # Safety
/// The value is an object with this cell.
unsafe fn cell<T>(raw: &RawAny) -> &T {
    // SAFETY: by the contract.
    unsafe { &*raw.payload.pointer.cast::<u8>().add(size_of::<Header>()).cast::<T>() }
}

/// The object of an argument that a function may take. It stays with its owner.
///
/// # Safety
/// The value is such an argument, which is valid during the call.
unsafe fn lent(raw: &RawAny) -> RawAny {
    // SAFETY: by the contract, the payload is the address of the address of an object, or of null.
    unsafe {
        let object = *raw.payload.pointer.cast::<*mut c_void>();
        object.cast::<Header>().as_ref().map_or(RawAny::NONE, |header| RawAny::pointer(header.type_index, object))
    }
}

/// The bytes of a short text, which lie in the value.
fn small(raw: &RawAny) -> &[u8] {
    // SAFETY: all bytes of the payload are initialized.
    let bytes = unsafe { &raw.payload.bytes };
    &bytes[..bytes.len().min(raw.small_len as usize)]
}

fn text(bytes: &[u8]) -> Result<Any> {
    let text = std::str::from_utf8(bytes);
    let text =
        text.map_err(|error| Error::new(ErrorKind::Malformed, format!("expected text in UTF-8, got {error}")))?;
    Ok(Any::from(Str::new(text)))
}

fn data_type(raw: &RawAny) -> DataType {
    // SAFETY: all bytes of the payload are initialized.
    let raw = unsafe { raw.payload.data_type };
    DataType { code: TypeCode(raw.code), bits: raw.bits, raw_lanes: raw.lanes }
}

fn device(raw: &RawAny) -> Device {
    // SAFETY: all bytes of the payload are initialized.
    let raw = unsafe { raw.payload.device };
    Device { device_type: raw.device_type, device_id: raw.device_id }
}

/// # Safety
/// The cell is valid.
unsafe fn shape(cell: &ShapeCell) -> Shape {
    if cell.size == 0 {
        return Shape::new(&[]);
    }
    // SAFETY: by the contract, the cell has `size` extents.
    Shape::new(unsafe { std::slice::from_raw_parts(cell.data, cell.size) })
}

/// # Safety
/// The value is an array or a list that is valid during the call.
unsafe fn array(raw: &RawAny) -> Result<Any> {
    if let Some(object) = arrays::object_of_array(raw) {
        return Ok(Any::Object(object));
    }
    // SAFETY: by the contract. Code of users that runs meanwhile may change a list, so each step reads the cell again and owns
    // the element.
    unsafe {
        let mut items = Vec::new();
        while i64::try_from(items.len()).is_ok_and(|len| len < cell::<SeqCell>(raw).size) {
            let item = cell::<SeqCell>(raw).data.add(items.len()).read();
            items.push(to_any(&item)?);
        }
        Ok(Any::from(Array::from_anys(items)))
    }
}

/// # Safety
/// The value is a map that is valid during the call, and the names are the functions of its type.
unsafe fn map(raw: &RawAny, size: &str, iterate: &str) -> Result<Any> {
    let Some(object) = object_of(raw) else { return Ok(Any::None) };
    // SAFETY: the value keeps the map alive.
    let map = [Value::from(unsafe { Handle::retain(object) })];
    let command = |number| [Value::plain(RawAny::int(index::INT, number))];
    // SAFETY: a value of tvm-ffi is valid while it is owned.
    let owned = |value: Value| unsafe { to_any(&value.raw()) };
    let len: i64 = owned(call(&functions::global(size)?, &map)?)?.cast()?;
    let mut entries = Vec::new();
    if len == 0 {
        return Ok(Any::from(Map::<Any, Any>::new(entries)));
    }
    let iterator = call(&functions::global(iterate)?, &map)?;
    let iterator = functions::handle_of(&iterator.raw())?;
    loop {
        entries.push((owned(call(&iterator, &command(0))?)?, owned(call(&iterator, &command(1))?)?));
        if !owned(call(&iterator, &command(2))?)?.cast::<bool>()? {
            return Ok(Any::from(Map::<Any, Any>::new(entries)));
        }
    }
}

/// A copy of a tensor, whose memory others may change.
///
/// # Safety
/// The value is a tensor that is valid during the call.
unsafe fn tensor(raw: &RawAny) -> Result<Tensor> {
    let mut managed = ptr::null_mut();
    // SAFETY: by the contract, and the function writes a managed tensor that the caller owns.
    unsafe {
        check((runtime().tensor_to_dlpack)(raw.payload.pointer, &raw mut managed))?;
        DlpackTensor::from_raw(managed.cast())?.to_tensor()
    }
}

/// The object that a proxy stands for.
///
/// # Errors
/// As [`to_any`], and as [`draft::object_of`].
pub(crate) fn object(raw: &RawAny) -> Result<ObjectRef> {
    let node = proxy::content_of::<Node>(raw).map(|node| Ok(node.0.clone()));
    node.or_else(|| draft::object_of(raw)).unwrap_or_else(|| Err(foreign(raw)))
}

#[cold]
fn foreign(raw: &RawAny) -> Error {
    let message = format!(
        "expected a value or an object of a type of this library, got an object with the type index {} of tvm-ffi; convert it to a \
         type that this library exports",
        raw.type_index
    );
    Error::new(ErrorKind::TypeMismatch, message)
}
