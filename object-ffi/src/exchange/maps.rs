//! [`ForeignMap`]: a map or a dictionary of tvm-ffi, read by the functions that tvm-ffi has for it.

use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::OnceLock;

use object_core::error::{Error, Result};

use crate::abi::{RawAny, index};
use crate::exchange::functions::{GlobalFunction, global, handle_of};
use crate::handle::Handle;
use crate::value::{Value, call, call_raw};

/// The functions for one of the types of maps.
pub(crate) struct MapFunctions {
    size: GlobalFunction,
    iterate: GlobalFunction,
}

pub(crate) static MAP: MapFunctions = MapFunctions {
    size: GlobalFunction::new("ffi.MapSize"),
    iterate: GlobalFunction::new("ffi.MapForwardIterFunctor"),
};

pub(crate) static DICT: MapFunctions = MapFunctions {
    size: GlobalFunction::new("ffi.DictSize"),
    iterate: GlobalFunction::new("ffi.DictForwardIterFunctor"),
};

/// A map that the caller keeps alive.
pub(crate) struct ForeignMap<'a> {
    raw: &'a RawAny,
    functions: &'static MapFunctions,
}

/// The entries of a map from one of them on.
pub(crate) struct Entries(Handle);

impl<'a> ForeignMap<'a> {
    /// The map in a value.
    ///
    /// # Safety
    /// The value is a map of the type of the functions, which is valid during `'a`.
    pub(crate) unsafe fn new(raw: &'a RawAny, functions: &'static MapFunctions) -> Self {
        ForeignMap { raw, functions }
    }

    /// The number of entries.
    ///
    /// # Errors
    /// The errors that tvm-ffi raises, here and in the other functions.
    pub(crate) fn len(&self) -> Result<i64> {
        // SAFETY: by the contract of `new`, the argument is valid.
        unsafe { call_raw(self.functions.size.get()?, &[*self.raw]).map(int) }
    }

    /// The entries. The map has one at least.
    pub(crate) fn entries(&self) -> Result<Entries> {
        // SAFETY: by the contract of `new`.
        let iterator = unsafe { call_raw(self.functions.iterate.get()?, &[*self.raw]) }?;
        handle_of(&iterator.raw()).map(Entries)
    }
}

/// The value of a key in a map, if the map has the key.
///
/// # Errors
/// The errors that tvm-ffi raises.
///
/// # Safety
/// The first value is a map, no dictionary, and both are valid during the call.
pub(crate) unsafe fn get(map: &RawAny, key: RawAny) -> Result<Option<Value>> {
    static GET: GlobalFunction = GlobalFunction::new("ffi.MapGetItemOrMissing");
    let missing = missing()?;
    // SAFETY: by the contract.
    let value = unsafe { call_raw(GET.get()?, &[*map, key]) }?;
    Ok((value.object() != Some(missing)).then_some(value))
}

/// The object that stands for the value of a missing key, for the rest of the process.
fn missing() -> Result<NonNull<c_void>> {
    static MISSING: OnceLock<Value> = OnceLock::new();
    let object = match MISSING.get() {
        Some(found) => found.object(),
        None => {
            let found = call(&global("ffi.GetInvalidObject")?, &[])?;
            MISSING.get_or_init(|| found).object()
        }
    };
    object.ok_or_else(|| Error::type_mismatch("ffi.Object", "another value of tvm-ffi"))
}

impl Entries {
    /// The key and the value of the entry.
    ///
    /// # Errors
    /// The errors that tvm-ffi raises.
    pub(crate) fn current(&self) -> Result<(Value, Value)> {
        Ok((self.command(0)?, self.command(1)?))
    }

    /// Goes to the next entry, and returns whether there is one.
    ///
    /// # Errors
    /// As [`current`](Self::current).
    pub(crate) fn advance(&self) -> Result<bool> {
        Ok(int(self.command(2)?) != 0)
    }

    fn command(&self, number: i64) -> Result<Value> {
        // SAFETY: the argument is plain.
        unsafe { call_raw(&self.0, &[RawAny::int(index::INT, number)]) }
    }
}

/// The integer or truth value that a function of tvm-ffi has returned.
#[allow(clippy::needless_pass_by_value, reason = "the results of functions are owned")]
fn int(value: Value) -> i64 {
    // SAFETY: tvm-ffi initializes the payload of each value, and the payload is a number where tvm-ffi returns a number.
    unsafe { value.raw().payload.int }
}
