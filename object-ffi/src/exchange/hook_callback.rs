//! [`HookCallback`]: the function by which a hook (`__s_equal__`) of tvm-ffi compares two values in a running comparison.

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::ptr;
use std::thread::{self, ThreadId};

use object_core::error::{Error, ErrorKind, Result};

use crate::abi::{RawAny, index};
use crate::exchange::compared_type::Region;
use crate::exchange::comparison::Comparison;
use crate::exchange::functions::{answer, arguments, create};
use crate::handle::Handle;
use crate::value::{Value, call_raw};

/// The function object, whose context lives as long as the object, also if a hook keeps it.
pub(crate) struct HookCallback {
    function: Handle,
    context: *const Context,
}

struct Context {
    /// The comparison that the running hook belongs to, else null.
    comparison: Cell<*mut Comparison>,
    /// The thread of the comparison, which alone reads the cell.
    thread: ThreadId,
}

impl HookCallback {
    /// # Errors
    /// The errors that tvm-ffi raises.
    pub(crate) fn new() -> Result<Self> {
        let context = Context { comparison: Cell::new(ptr::null_mut()), thread: thread::current().id() };
        let context = Box::into_raw(Box::new(context));
        let function = create(context.cast(), compare, Some(drop_context))?;
        Ok(HookCallback { function, context })
    }

    /// The result of `hook` for two objects and this function.
    ///
    /// # Errors
    /// The error that the hook raises.
    ///
    /// # Safety
    /// The objects are valid during the call, and so is the comparison, which nothing else uses meanwhile.
    pub(crate) unsafe fn run(&self, hook: &Handle, a: RawAny, b: RawAny, comparison: *mut Comparison) -> Result<bool> {
        // SAFETY: the function object owns the context.
        let cell = unsafe { &(*self.context).comparison };
        let outer = cell.replace(comparison);
        let function = RawAny::pointer(index::FUNCTION, self.function.as_ptr());
        // SAFETY: by the contract.
        let result = unsafe { call_raw(hook, &[a, b, function]) };
        cell.set(outer);
        // SAFETY: the payload of a truth value is a number.
        Ok(unsafe { result?.raw().payload.int } != 0)
    }
}

/// Compares two values for a hook: the arguments are the values, the region and the name of the field.
///
/// # Safety
/// `context` is a `Context`, and the arguments and the result are as tvm-ffi passes them.
unsafe extern "C" fn compare(context: *mut c_void, args: *const RawAny, count: i32, result: *mut RawAny) -> c_int {
    // SAFETY: by the contract. A hook runs while its comparison waits for it, in the thread of the comparison.
    unsafe {
        answer(result, || {
            let context = &*context.cast::<Context>();
            let is_own = thread::current().id() == context.thread;
            let comparison = if is_own { context.comparison.get().as_mut() } else { None };
            match (comparison, arguments(args, count)) {
                (Some(comparison), [a, b, region, _]) => {
                    let is_equal = comparison.values_of_hook(a, b, Region::of_number(region.payload.int));
                    Ok(Value::plain(RawAny::int(index::BOOL, is_equal.into())))
                }
                _ => Err(Error::new(ErrorKind::Call, "expected a call by a hook, with the four arguments of a hook")),
            }
        })
    }
}

/// # Safety
/// `context` comes from [`HookCallback::new`], and nobody uses it later.
unsafe extern "C" fn drop_context(context: *mut c_void) {
    // SAFETY: by the contract.
    drop(unsafe { Box::from_raw(context.cast::<Context>()) });
}
