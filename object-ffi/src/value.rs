//! [`Value`]: an owned value of tvm-ffi.

use std::ffi::c_void;
use std::ptr::NonNull;

use object_core::error::Result;

use crate::abi::{RawAny, index};
use crate::errors::check;
use crate::handle::Handle;
use crate::runtime::runtime;

/// An owned value of tvm-ffi.
pub(crate) struct Value(RawAny);

// SAFETY: a value is plain bytes, or a reference to an object, which a `Handle` may send and share as well.
unsafe impl Send for Value {}
// SAFETY: as above; a shared value only lends its bytes.
unsafe impl Sync for Value {}

impl Value {
    /// Takes over a value.
    ///
    /// # Safety
    /// If the value is an object, the caller owns a reference to it, which it gives up.
    pub(crate) unsafe fn from_raw(raw: RawAny) -> Value {
        Value(raw)
    }

    /// A value that is not an object.
    pub(crate) fn plain(raw: RawAny) -> Value {
        debug_assert!(raw.type_index < index::OBJECT);
        Value(raw)
    }

    /// The value without the ownership.
    pub(crate) fn raw(&self) -> RawAny {
        self.0
    }

    /// The value, which the caller releases.
    pub(crate) fn into_raw(self) -> RawAny {
        std::mem::ManuallyDrop::new(self).0
    }

    /// The address of the object, if the value is one.
    pub(crate) fn object(&self) -> Option<NonNull<c_void>> {
        object_of(&self.0)
    }
}

/// The address of the object, if the value is one.
pub(crate) fn object_of(raw: &RawAny) -> Option<NonNull<c_void>> {
    if raw.type_index < index::OBJECT {
        return None;
    }
    // SAFETY: the payload of an object is its address. All bytes are initialized.
    NonNull::new(unsafe { raw.payload.pointer })
}

impl Clone for Value {
    fn clone(&self) -> Self {
        if let Some(object) = self.object() {
            // SAFETY: the object lives, because this value owns a reference. The copy owns the new one.
            unsafe { (runtime().inc_ref)(object.as_ptr()) };
        }
        Value(self.0)
    }
}

impl Drop for Value {
    fn drop(&mut self) {
        if let Some(object) = self.object() {
            // SAFETY: the value owns a reference, and nobody uses the value later.
            unsafe { (runtime().dec_ref)(object.as_ptr()) };
        }
    }
}

impl From<Handle> for Value {
    fn from(handle: Handle) -> Value {
        Value(RawAny::pointer(handle.type_index(), handle.into_raw()))
    }
}

/// Calls a function object of tvm-ffi.
///
/// # Errors
/// The error that the function raises.
pub(crate) fn call(function: &Handle, args: &[Value]) -> Result<Value> {
    let raw: Vec<RawAny> = args.iter().map(Value::raw).collect();
    // SAFETY: the values live during the call.
    unsafe { call_raw(function, &raw) }
}

/// As [`call`], with arguments that the caller lends.
///
/// # Errors
/// As [`call`].
///
/// # Safety
/// The arguments are valid during the call.
pub(crate) unsafe fn call_raw(function: &Handle, args: &[RawAny]) -> Result<Value> {
    let mut result = RawAny::NONE;
    let count = i32::try_from(args.len()).unwrap_or(i32::MAX);
    // SAFETY: `function` is a function object, because its callers check the type index. The arguments are borrowed for the
    // call, and the function writes an owned result if it succeeds.
    check(unsafe { (runtime().function_call)(function.as_ptr(), args.as_ptr(), count, &raw mut result) })?;
    // SAFETY: the call has given up the result.
    Ok(unsafe { Value::from_raw(result) })
}
