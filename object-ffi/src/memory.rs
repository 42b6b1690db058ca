//! The memory of the objects that this crate makes for tvm-ffi.

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::ffi::c_void;
use std::ptr::NonNull;

use crate::runtime::runtime;

/// The function that frees an object which the allocator of tvm-ffi made; its address is in the word before the object
/// (`TVMFFIObjectAllocHeader`).
type DeleteSpace = unsafe extern "C" fn(*mut c_void);

/// Memory for an object of the type `type_index`. Since 0.1.16, it comes from the allocator of tvm-ffi, so that Python keeps
/// one wrapper for each object.
pub(crate) fn allocate<T>(type_index: i32) -> NonNull<T> {
    let layout = Layout::new::<T>();
    // SAFETY: tvm-ffi lends its allocator, which never is null. The size of an object with a header is not zero.
    let memory = unsafe {
        match runtime().allocator.map(|get| &*get()) {
            Some(allocator) => match allocator.allocate {
                Some(allocate) => allocate(layout.size(), layout.align(), type_index, allocator.context),
                None => std::ptr::null_mut(),
            },
            None => alloc(layout).cast(),
        }
    };
    NonNull::new(memory.cast()).unwrap_or_else(|| handle_alloc_error(layout))
}

/// Frees the memory of an object.
///
/// # Safety
/// `object` comes from [`allocate`], its content is dropped, and nobody uses it later.
pub(crate) unsafe fn free<T>(object: NonNull<T>) {
    // SAFETY: by the contract. Where tvm-ffi has an allocator, it put the function into the word before the object.
    unsafe {
        if runtime().allocator.is_some() {
            let delete = object.cast::<Option<DeleteSpace>>().sub(1).read();
            if let Some(delete) = delete {
                delete(object.as_ptr().cast());
            }
        } else {
            dealloc(object.as_ptr().cast(), Layout::new::<T>());
        }
    }
}
