//! [`Runtime`]: the functions of tvm-ffi in this process.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::sync::OnceLock;

use object_core::error::{Error, ErrorKind, Result};

use crate::abi::{
    AttributeColumn, ByteArray, CustomAllocator, FieldRecord, MethodRecord, RawAny, SafeCall, TypeInfoRecord,
    TypeRecord, Version,
};

/// The patch numbers of the versions 0.1 whose ABI this crate knows.
const PATCHES: std::ops::RangeInclusive<u32> = 12..=16;

type Object = *mut c_void;
type Release = unsafe extern "C" fn(*mut c_void);

/// Declares the table of functions, and how the dynamic linker finds each of them.
macro_rules! runtime {
    ($($name:ident = $symbol:literal: fn($($arg:ty),*) $(-> $result:ty)?;)*) => {
        /// The functions of tvm-ffi, by the part of their name after `TVMFFI`.
        pub(crate) struct Runtime {
            $(pub(crate) $name: unsafe extern "C" fn($($arg),*) $(-> $result)?,)*
            /// `TVMFFIGetCustomAllocator`, since 0.1.16.
            pub(crate) allocator: Option<unsafe extern "C" fn() -> *mut CustomAllocator>,
        }

        impl Runtime {
            fn resolve() -> Result<Runtime> {
                Ok(Runtime {
                    $($name: {
                        let address = symbol($symbol).ok_or_else(|| missing($symbol))?;
                        // SAFETY: `c_api.h` declares the symbol as a function of this type in all versions of `PATCHES`.
                        unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn($($arg),*) $(-> $result)?>(address) }
                    },)*
                    allocator: symbol(c"TVMFFIGetCustomAllocator").map(|address| {
                        // SAFETY: as above, for the versions that have the symbol.
                        unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn() -> *mut CustomAllocator>(address) }
                    }),
                })
            }
        }
    };
}

runtime! {
    inc_ref = c"TVMFFIObjectIncRef": fn(Object) -> c_int;
    dec_ref = c"TVMFFIObjectDecRef": fn(Object) -> c_int;
    type_key_to_index = c"TVMFFITypeKeyToIndex": fn(*const ByteArray, *mut i32) -> c_int;
    type_get_or_alloc_index = c"TVMFFITypeGetOrAllocIndex": fn(*const ByteArray, i32, i32, i32, i32, i32) -> i32;
    type_register_field = c"TVMFFITypeRegisterField": fn(i32, *const FieldRecord) -> c_int;
    type_register_method = c"TVMFFITypeRegisterMethod": fn(i32, *const MethodRecord) -> c_int;
    type_register_metadata = c"TVMFFITypeRegisterMetadata": fn(i32, *const TypeRecord) -> c_int;
    type_register_attr = c"TVMFFITypeRegisterAttr": fn(i32, *const ByteArray, *const RawAny) -> c_int;
    get_type_info = c"TVMFFIGetTypeInfo": fn(i32) -> *const TypeInfoRecord;
    get_attribute_column = c"TVMFFIGetTypeAttrColumn": fn(*const ByteArray) -> *const AttributeColumn;
    function_create = c"TVMFFIFunctionCreate": fn(*mut c_void, SafeCall, Option<Release>, *mut Object) -> c_int;
    function_get_global = c"TVMFFIFunctionGetGlobal": fn(*const ByteArray, *mut Object) -> c_int;
    function_set_global = c"TVMFFIFunctionSetGlobalFromMethodInfo": fn(*const MethodRecord, c_int) -> c_int;
    function_call = c"TVMFFIFunctionCall": fn(Object, *const RawAny, i32, *mut RawAny) -> c_int;
    error_create = c"TVMFFIErrorCreate": fn(*const ByteArray, *const ByteArray, *const ByteArray, *mut Object) -> c_int;
    error_set_raised = c"TVMFFIErrorSetRaised": fn(Object);
    error_move_from_raised = c"TVMFFIErrorMoveFromRaised": fn(*mut Object);
    string_from_byte_array = c"TVMFFIStringFromByteArray": fn(*const ByteArray, *mut RawAny) -> c_int;
    bytes_from_byte_array = c"TVMFFIBytesFromByteArray": fn(*const ByteArray, *mut RawAny) -> c_int;
    env_check_signals = c"TVMFFIEnvCheckSignals": fn() -> c_int;
    tensor_from_dlpack = c"TVMFFITensorFromDLPackVersioned": fn(*mut c_void, i32, i32, *mut Object) -> c_int;
}

static RUNTIME: OnceLock<Runtime> = OnceLock::new();

/// Finds tvm-ffi in this process.
///
/// # Errors
/// [`Call`](ErrorKind::Call) if no tvm-ffi is loaded, or a version whose ABI this crate does not know.
pub(crate) fn find() -> Result<()> {
    if RUNTIME.get().is_none() {
        check_version()?;
        // Another thread may have been first, with the same table.
        let _ = RUNTIME.set(Runtime::resolve()?);
    }
    Ok(())
}

/// The functions of tvm-ffi.
///
/// # Panics
/// If [`find`] has not succeeded. tvm-ffi calls the functions of this crate only after it did.
pub(crate) fn runtime() -> &'static Runtime {
    RUNTIME.get().expect("tvm-ffi calls this library after the library has found it")
}

/// The address of a symbol of the process.
pub(crate) fn symbol(name: &CStr) -> Option<*mut c_void> {
    // SAFETY: `dlsym` reads a C string.
    let address = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    (!address.is_null()).then_some(address)
}

fn missing(name: &CStr) -> Error {
    let name = name.to_string_lossy();
    let message = format!(
        "expected tvm-ffi in this process, found no symbol `{name}`; write `import tvm_ffi` before the library is loaded"
    );
    Error::new(ErrorKind::Call, message)
}

fn check_version() -> Result<()> {
    let name = c"TVMFFIGetVersion";
    let address = symbol(name).ok_or_else(|| missing(name))?;
    let mut version = Version::default();
    // SAFETY: all versions of tvm-ffi declare this function with this type.
    unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn(*mut Version)>(address)(&raw mut version) };
    accept(&version)
}

fn accept(version: &Version) -> Result<()> {
    let Version { major, minor, patch } = *version;
    if (major, minor) == (0, 1) && PATCHES.contains(&patch) {
        return Ok(());
    }
    let (first, last) = (PATCHES.start(), PATCHES.end());
    let message = format!(
        "expected tvm-ffi 0.1.{first} to 0.1.{last}, found {major}.{minor}.{patch}; install a version in this range, or a version of \
         object-ffi for yours"
    );
    Err(Error::new(ErrorKind::Call, message))
}

/// Raises an error in a version of tvm-ffi that this crate does not know. Returns the status for the caller.
pub(crate) fn raise_in_any_version(error: &Error) -> c_int {
    let message = CString::new(error.to_string().replace('\0', "")).unwrap_or_default();
    if let Some(address) = symbol(c"TVMFFIErrorSetRaisedFromCStr") {
        // SAFETY: all versions of tvm-ffi declare this function with this type. It copies the texts.
        unsafe {
            let raise = std::mem::transmute::<*mut c_void, unsafe extern "C" fn(*const c_char, *const c_char)>(address);
            raise(c"RuntimeError".as_ptr(), message.as_ptr());
        }
    }
    -1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_outside_of_the_range_is_named() {
        for patch in [12, 15, 16] {
            accept(&Version { major: 0, minor: 1, patch }).expect("a known version");
        }
        for (major, minor, patch) in [(0, 1, 11), (0, 1, 17), (0, 2, 12), (1, 1, 12)] {
            let error = accept(&Version { major, minor, patch }).expect_err("an unknown version");
            let found = format!("expected tvm-ffi 0.1.12 to 0.1.16, found {major}.{minor}.{patch}; install");
            assert!(error.message().starts_with(&found), "{error}");
        }
    }

    #[test]
    fn a_process_without_tvm_ffi_is_an_error() {
        let error = find().expect_err("the test has no tvm-ffi");
        assert!(error.message().contains("`import tvm_ffi`"), "{error}");
    }
}
