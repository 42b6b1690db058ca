//! The steps after a process has loaded the library.

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::{Mutex, PoisonError};

use object_core::error::Result;
use object_core::object::Body;
use object_core::{function, interrupt, registry};

use crate::abi::{ByteArray, MethodRecord, RawAny};
use crate::errors::{check, check_signals};
use crate::exchange::functions::{answer, create, global_function, to_function};
use crate::exchange::{difference, types, writer};
use crate::foreign::foreign;
use crate::runtime::{find, raise_in_any_version, runtime, symbol};
use crate::schema::function_metadata;
use crate::value::Value;

/// Whether the types and functions are in tvm-ffi already.
static IS_DONE: Mutex<bool> = Mutex::new(false);

/// Registers all types and functions, once.
pub(crate) fn setup() -> Result<()> {
    let mut is_done = IS_DONE.lock().unwrap_or_else(PoisonError::into_inner);
    if !*is_done {
        find()?;
        stay_loaded();
        interrupt::set(check_signals);
        register()?;
        *is_done = true;
    }
    Ok(())
}

fn register() -> Result<()> {
    let types = registry::types()?.into_iter().filter(|info| matches!(info.body(), Body::Node | Body::Opaque));
    types::register_all(&types.collect::<Vec<_>>())?;
    if let Some(foreign) = foreign() {
        let doc = "The object of the other library in the place of its counterpart.";
        let object = create(ptr::null_mut(), writer::export, None)?.into();
        register_function(foreign.export, doc, &function_metadata(None), &object)?;
        let doc = "Whether two objects of the other library are equal, or else both as objects of this library.";
        let object = create(ptr::null_mut(), difference::difference, None)?.into();
        register_function(foreign.difference, doc, &function_metadata(None), &object)?;
    }
    function::look_elsewhere(global_function);
    function::all()?.iter().try_for_each(|function| {
        let metadata = function_metadata(function.signature().as_ref());
        register_function(function.name(), function.doc(), &metadata, &to_function(function)?.into())
    })
}

/// Makes a function object a global function.
fn register_function(name: &str, doc: &str, metadata: &str, object: &Value) -> Result<()> {
    let record = MethodRecord {
        name: ByteArray::of(name),
        doc: ByteArray::of(doc),
        metadata: ByteArray::of(metadata),
        flags: 0,
        method: object.raw(),
    };
    // SAFETY: tvm-ffi copies the texts and retains the function.
    check(unsafe { (runtime().function_set_global)(&raw const record, 0) })
}

/// Whether the process has tvm-ffi.
pub(crate) fn is_peer_loaded() -> bool {
    symbol(c"TVMFFIGetVersion").is_some()
}

/// Keeps the library in memory: tvm-ffi has the addresses of its functions for the rest of the process.
fn stay_loaded() {
    let mut info = MaybeUninit::<libc::Dl_info>::uninit();
    // SAFETY: `dladdr` writes the description of the library with this address, whose path `dlopen` reads.
    unsafe {
        if libc::dladdr(setup as *const c_void, info.as_mut_ptr()) != 0 {
            libc::dlopen(info.assume_init().dli_fname, libc::RTLD_LAZY | libc::RTLD_NOLOAD | libc::RTLD_NODELETE);
        }
    }
}

/// `setup()` of the module that `tvm_ffi.load_module` returns: registers all types and functions, unless the load has done
/// it.
///
/// # Safety
/// `result` is valid for writes of a value.
#[unsafe(no_mangle)]
unsafe extern "C" fn __tvm_ffi_setup(_: *mut c_void, _: *const RawAny, _: i32, result: *mut RawAny) -> c_int {
    if let Err(error) = find() {
        return raise_in_any_version(&error);
    }
    // SAFETY: by the contract.
    unsafe { answer(result, || setup().map(|()| Value::plain(RawAny::NONE))) }
}
