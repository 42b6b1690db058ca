//! Functions in both directions. A function that comes back to its side is the same function.

use std::ffi::{c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use object_core::error::{Error, ErrorKind, Result};
use object_core::object::TypeSchema;
use object_core::table::Table;
use object_core::{AnyView, Function, Object, ObjectHandle, ObjectRef, Str};

use crate::abi::{ByteArray, RawAny, SafeCall, index};
use crate::errors::{check, raise};
use crate::exchange::from_peer::to_anys;
use crate::exchange::lent::Lent;
use crate::handle::Handle;
use crate::runtime::runtime;
use crate::tensor_view::TensorViewNode;
use crate::value::{Value, call, object_of};
use crate::{identity, release};

/// A function of Rust that a function object of tvm-ffi calls.
struct Exported {
    function: Function,
    /// For each argument, whether its type is or contains the type of a view of a tensor; none for a packed function.
    has_views: Box<[bool]>,
    /// The function object.
    object: AtomicPtr<c_void>,
}

/// A function object of tvm-ffi that a function of Rust calls.
struct Imported {
    handle: Handle,
    /// The context of the function of Rust and of its copies under other names. It lives as long as this value, so no other
    /// object has its address.
    mark: ObjectRef,
}

/// The functions that have crossed. An owner removes its entry before it is dropped, so the table needs no references.
#[derive(Default)]
struct Crossed {
    /// The address of an [`Exported`], by the address of its function object.
    exported: Table<usize, usize>,
    /// The address of a function object, by the address of the mark of an [`Imported`].
    imported: Table<usize, usize>,
}

fn crossed() -> MutexGuard<'static, Crossed> {
    static CROSSED: OnceLock<Mutex<Crossed>> = OnceLock::new();
    CROSSED.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner)
}

/// The function object for a function.
///
/// # Errors
/// The errors that tvm-ffi raises.
pub(crate) fn to_function(function: &Function) -> Result<Handle> {
    if let Some(origin) = origin(function) {
        return Ok(origin);
    }
    identity::find_or_make(function.as_object().view(), || {
        let signature = function.signature();
        let args = signature.iter().flat_map(|signature| &signature.args);
        let has_views = args.map(|arg| mentions_view(&arg.schema)).collect();
        let exported = Exported { function: function.clone(), has_views, object: AtomicPtr::default() };
        let exported = Box::into_raw(Box::new(exported));
        let object = create(exported.cast(), enter, Some(drop_exported))?;
        // SAFETY: the function object that owns the value is alive.
        unsafe { (*exported).object.store(object.as_ptr(), Ordering::Release) };
        crossed().exported.insert(object.as_ptr().addr(), exported.expose_provenance());
        Ok(object)
    })
}

/// Whether a type is or contains the type of a view of a tensor.
fn mentions_view(schema: &TypeSchema) -> bool {
    schema.name == TensorViewNode::TYPE_INFO.type_key() || schema.args.iter().any(mentions_view)
}

/// The function object that `function` calls, if it came from tvm-ffi.
fn origin(function: &Function) -> Option<Handle> {
    let mark = function.context()?.view().address();
    let crossed = crossed();
    let object = NonNull::new(ptr::with_exposed_provenance_mut(*crossed.imported.get(&mark)?))?;
    // SAFETY: the entry is in the table, so its owner has a reference, which it keeps until it gets the lock.
    Some(unsafe { Handle::retain(object) })
}

/// A function object that calls `body` with `context`, which `drop` releases.
///
/// # Errors
/// The errors that tvm-ffi raises.
pub(crate) fn create(
    context: *mut c_void,
    body: SafeCall,
    drop: Option<unsafe extern "C" fn(*mut c_void)>,
) -> Result<Handle> {
    let mut object = ptr::null_mut();
    // SAFETY: the function writes an owned function object.
    unsafe {
        check((runtime().function_create)(context, body, drop, &raw mut object))?;
        Ok(Handle::from_raw(object).unwrap_unchecked())
    }
}

/// Releases the context of a function object.
///
/// # Safety
/// `exported` comes from [`to_function`], and nobody uses it later.
unsafe extern "C" fn drop_exported(exported: *mut c_void) {
    // SAFETY: by the contract.
    let exported = unsafe { Box::from_raw(exported.cast::<Exported>()) };
    let object = exported.object.load(Ordering::Acquire);
    crossed().exported.remove(&object.addr());
    identity::forget(exported.function.as_object().view().address(), object);
    release::release(exported);
}

/// The function of object-core for a function object.
///
/// # Errors
/// [`TypeMismatch`](ErrorKind::TypeMismatch) if the value is not a function object.
pub(crate) fn from_function(raw: &RawAny) -> Result<Function> {
    let handle = handle_of(raw)?;
    if let Some(exported) = crossed().exported.get(&handle.as_ptr().addr()) {
        // SAFETY: the function object is alive, and it owns the value.
        let exported = unsafe { &*ptr::with_exposed_provenance::<Exported>(*exported) };
        return Ok(exported.function.clone());
    }
    let mark = ObjectRef::from(Str::new("a function of tvm-ffi"));
    let address = handle.as_ptr().expose_provenance();
    crossed().imported.insert(mark.view().address(), address);
    let imported = Imported { handle, mark: mark.clone() };
    let function = Function::from_packed(move |args| {
        let (imported, mut lent) = (&imported, Lent::default());
        let args = args.iter().map(|arg| lent.lend(*arg)).collect::<Result<Vec<_>>>()?;
        let result = call(&imported.handle, &args)?;
        lent.take_back(&result)
    });
    Ok(function.with_context(mark))
}

/// The global function of tvm-ffi called `name`, for [`look_elsewhere`](object_core::function::look_elsewhere).
pub(crate) fn global_function(name: &str) -> Option<Function> {
    from_function(&Value::from(global(name).ok()?).raw()).ok().map(|function| function.with_name(name.to_owned()))
}

impl Drop for Imported {
    fn drop(&mut self) {
        crossed().imported.remove(&self.mark.view().address());
    }
}

/// A reference to the function object in a value.
///
/// # Errors
/// [`TypeMismatch`](ErrorKind::TypeMismatch) if the value is not a function object.
pub(crate) fn handle_of(raw: &RawAny) -> Result<Handle> {
    match object_of(raw) {
        // SAFETY: the value keeps the object alive.
        Some(object) if raw.type_index == index::FUNCTION => Ok(unsafe { Handle::retain(object) }),
        _ => Err(Error::type_mismatch("ffi.Function", "another value of tvm-ffi")),
    }
}

/// The global function of tvm-ffi called `name`.
///
/// # Errors
/// [`UnknownFunction`](ErrorKind::UnknownFunction) if there is none.
pub(crate) fn global(name: &str) -> Result<Handle> {
    let (bytes, mut object) = (ByteArray::of(name), ptr::null_mut());
    // SAFETY: the function writes an owned function object, or null.
    let handle = unsafe {
        check((runtime().function_get_global)(&raw const bytes, &raw mut object))?;
        Handle::from_raw(object)
    };
    handle.ok_or_else(|| Error::new(ErrorKind::UnknownFunction, format!("tvm-ffi has no global function `{name}`")))
}

/// A global function of tvm-ffi that stays for the rest of the process, found once.
pub(crate) struct GlobalFunction {
    name: &'static str,
    found: OnceLock<Handle>,
}

impl GlobalFunction {
    pub(crate) const fn new(name: &'static str) -> Self {
        GlobalFunction { name, found: OnceLock::new() }
    }

    /// The function.
    ///
    /// # Errors
    /// As [`global`].
    pub(crate) fn get(&self) -> Result<&Handle> {
        match self.found.get() {
            Some(found) => Ok(found),
            None => global(self.name).map(|function| self.found.get_or_init(|| function)),
        }
    }
}

/// Calls the function of an [`Exported`].
///
/// # Safety
/// `context` is an `Exported`, and the arguments and the result are as tvm-ffi passes them.
unsafe extern "C" fn enter(context: *mut c_void, args: *const RawAny, count: i32, result: *mut RawAny) -> c_int {
    // SAFETY: by the contract.
    let (exported, args) = unsafe { (&*context.cast::<Exported>(), arguments(args, count)) };
    // SAFETY: by the contract.
    unsafe { answer(result, || invoke(exported, args)) }
}

/// The arguments that tvm-ffi passes.
///
/// # Safety
/// `args` has `count` values, which live for `'a`.
pub(crate) unsafe fn arguments<'a>(args: *const RawAny, count: i32) -> &'a [RawAny] {
    match usize::try_from(count) {
        // SAFETY: by the contract.
        Ok(count) if count > 0 => unsafe { std::slice::from_raw_parts(args, count) },
        _ => &[],
    }
}

fn invoke(exported: &Exported, args: &[RawAny]) -> Result<Value> {
    // SAFETY: tvm-ffi keeps the arguments alive during the call.
    let args = unsafe { to_anys(args, &exported.has_views) }?;
    let views: Vec<AnyView<'_>> = args.iter().map(|arg| arg.view()).collect();
    Lent::default().lend(exported.function.call(&views)?.view())
}

/// Writes the result of `body` for tvm-ffi, or raises its error or its panic there. Returns the status.
///
/// # Safety
/// `result` is valid for writes of a value.
pub(crate) unsafe fn answer(result: *mut RawAny, body: impl FnOnce() -> Result<Value>) -> c_int {
    let panicked = |_| Err(Error::new(ErrorKind::Call, "object-ffi panicked; please report this defect"));
    match catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(panicked) {
        Ok(value) => {
            // SAFETY: by the contract. The caller owns the value.
            unsafe { result.write(value.into_raw()) };
            0
        }
        Err(error) => raise(&error),
    }
}
