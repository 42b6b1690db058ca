//! Values of tvm-ffi as values of object-core.

use std::ffi::{CStr, c_char, c_void};

use object_core::dlpack::RawTensor;
use object_core::error::{Error, ErrorKind, Result};
use object_core::scalar::TypeCode;
use object_core::{Any, Bytes, DataType, Device, ObjectRef, Shape, Str, Tensor};

use crate::abi::{ByteArray, Header, RawAny, ShapeCell, index};
use crate::exchange::reader::Reader;
use crate::exchange::types::type_key;
use crate::exchange::{draft, functions};
use crate::handle::Handle;
use crate::proxy::{self, Node};
use crate::tensor_view::{Owner, TensorView, managed};
use crate::value::object_of;

/// The value of object-core for a value that tvm-ffi lends. An object of another library is converted.
///
/// # Errors
/// [`TypeMismatch`](ErrorKind::TypeMismatch) for an object of a type that this library did not register, and for other values
/// without a counterpart; [`Malformed`](ErrorKind::Malformed) for text that is not UTF-8; the errors of tensors on other
/// devices than the CPU; and the errors of [`Reader::finish`].
///
/// # Safety
/// The value is valid during the call.
pub(crate) unsafe fn to_any(raw: &RawAny) -> Result<Any> {
    // SAFETY: by the contract.
    let mut values = unsafe { to_anys(std::slice::from_ref(raw), &[]) }?;
    Ok(values.pop().unwrap_or_default())
}

/// The values of object-core for values that tvm-ffi lends, with one object for each of their objects. The tensors of the values
/// for which `has_views` is true are views.
///
/// # Errors
/// As [`to_any`].
///
/// # Safety
/// The values are valid during the call.
pub(crate) unsafe fn to_anys(raw: &[RawAny], has_views: &[bool]) -> Result<Vec<Any>> {
    let mut reader = Reader::default();
    for (at, raw) in raw.iter().enumerate() {
        // SAFETY: by the contract.
        unsafe { reader.add(raw, has_views.get(at) == Some(&true)) }?;
    }
    reader.finish()
}

/// A value that consists of no other values and has no identity; `None` for another one.
///
/// # Errors
/// As [`to_any`].
///
/// # Safety
/// The value is valid during the call.
pub(crate) unsafe fn plain(raw: &RawAny) -> Result<Option<Any>> {
    // SAFETY: the type index says which member of the payload is valid, and an object of each of these types has the cell that
    // `c_api.h` declares for it. The value keeps the object alive.
    unsafe {
        Ok(Some(match raw.type_index {
            index::NONE => Any::None,
            index::INT => Any::Int(raw.payload.int),
            index::BOOL => Any::Bool(raw.payload.int != 0),
            index::FLOAT => Any::Float(raw.payload.float),
            index::DATA_TYPE => Any::DataType(data_type(raw)),
            index::DEVICE => Any::Device(device(raw)),
            index::RAW_STR => text(CStr::from_ptr(raw.payload.pointer.cast::<c_char>()).to_bytes())?,
            index::SMALL_STR | index::STR => text(bytes(raw))?,
            index::BYTE_ARRAY => Any::from(Bytes::new((*raw.payload.pointer.cast::<ByteArray>()).as_bytes())),
            index::SMALL_BYTES | index::BYTES => Any::from(Bytes::new(bytes(raw))),
            index::SHAPE => Any::from(Shape::new(cell::<ShapeCell>(raw).as_slice())),
            index::FUNCTION => Any::from(functions::from_function(raw)?),
            _ => return Ok(None),
        }))
    }
}

/// The cell after the header of an object.
///
/// # Safety
/// The value is an object with this cell.
pub(crate) unsafe fn cell<T>(raw: &RawAny) -> &T {
    // SAFETY: by the contract.
    unsafe { &*raw.payload.pointer.cast::<u8>().add(size_of::<Header>()).cast::<T>() }
}

/// The object of an argument that a function may take. It stays with its owner.
///
/// # Safety
/// The value is such an argument, which is valid during the call.
pub(crate) unsafe fn lent(raw: &RawAny) -> RawAny {
    // SAFETY: by the contract, the payload is the address of the address of an object, or of null.
    unsafe { RawAny::object(*raw.payload.pointer.cast::<*mut c_void>()) }
}

/// The bytes of a text or of bytes that a value of tvm-ffi owns.
///
/// # Safety
/// The value is of one of these types, and valid.
pub(crate) unsafe fn bytes(raw: &RawAny) -> &[u8] {
    match raw.type_index {
        index::SMALL_STR | index::SMALL_BYTES => small(raw),
        // SAFETY: by the contract, the object has this cell.
        _ => unsafe { cell::<ByteArray>(raw).as_bytes() },
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

/// A copy of a tensor, whose memory others may change.
///
/// # Safety
/// The value is a tensor that is valid during the call, or the address of one.
pub(crate) unsafe fn tensor(raw: &RawAny) -> Result<Tensor> {
    // SAFETY: by the contract. The caller keeps the tensor alive.
    unsafe { managed(*described(raw), 0, Owner::Caller)?.to_tensor() }
}

/// The tensor itself, which the view keeps alive.
///
/// # Errors
/// [`TypeMismatch`](ErrorKind::TypeMismatch) for the address of a tensor, which no view can keep alive.
///
/// # Safety
/// As for [`tensor`].
pub(crate) unsafe fn tensor_view(raw: &RawAny) -> Result<TensorView> {
    let Some(object) = object_of(raw) else {
        let message = "expected a tensor with an owner, got the address of a tensor (`DLTensor*` or `tvm::ffi::TensorView`), which \
                       cannot be kept alive; pass a `tvm::ffi::Tensor`";
        return Err(Error::new(ErrorKind::TypeMismatch, message));
    };
    // SAFETY: by the contract.
    unsafe { managed(*described(raw), 0, Owner::Peer(Handle::retain(object))).map(TensorView::of) }
}

/// The description of a tensor.
///
/// # Safety
/// As for [`tensor`].
unsafe fn described(raw: &RawAny) -> &RawTensor {
    // SAFETY: by the contract. The description of a tensor object follows the header.
    unsafe {
        match raw.type_index {
            index::TENSOR => cell(raw),
            _ => &*raw.payload.pointer.cast(),
        }
    }
}

/// The object that a proxy stands for; `None` for an object of another library.
///
/// # Errors
/// As [`draft::object_of`].
pub(crate) fn own_object(raw: &RawAny) -> Result<Option<ObjectRef>> {
    match proxy::content_of::<Node>(raw) {
        Some(node) => Ok(Some(node.object.clone())),
        None => draft::object_of(raw).transpose(),
    }
}

/// The object that a proxy stands for.
///
/// # Errors
/// [`TypeMismatch`](ErrorKind::TypeMismatch) for an object of another library, and the errors of [`draft::object_of`].
pub(crate) fn object(raw: &RawAny) -> Result<ObjectRef> {
    own_object(raw)?.ok_or_else(|| unknown(raw))
}

/// The error for an object of another library.
#[cold]
pub(crate) fn unknown(raw: &RawAny) -> Error {
    let message = format!(
        "expected a value or an object of a type of this library, got an object of the type `{}`; convert it to a type that this \
         library exports",
        type_key(raw.type_index)
    );
    Error::new(ErrorKind::TypeMismatch, message)
}
