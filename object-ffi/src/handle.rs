//! [`Handle`]: an owned reference to an object of tvm-ffi.

use std::ffi::c_void;
use std::ptr::NonNull;

use crate::abi::Header;
use crate::runtime::runtime;

/// An owned reference to an object of tvm-ffi.
pub(crate) struct Handle(NonNull<Header>);

// SAFETY: the counts of objects of tvm-ffi are atomic, and each thread may release an object.
unsafe impl Send for Handle {}
// SAFETY: as above; a shared handle only lends its address.
unsafe impl Sync for Handle {}

impl Handle {
    /// Takes over a reference. `None` for null.
    ///
    /// # Safety
    /// The pointer is null or an object, of which the caller owns a reference that it gives up.
    pub(crate) unsafe fn from_raw(object: *mut c_void) -> Option<Handle> {
        NonNull::new(object.cast()).map(Handle)
    }

    /// A further reference to an object.
    ///
    /// # Safety
    /// The pointer is an object, which somebody keeps alive during the call.
    pub(crate) unsafe fn retain(object: NonNull<c_void>) -> Handle {
        // SAFETY: by the contract.
        unsafe { (runtime().inc_ref)(object.as_ptr()) };
        Handle(object.cast())
    }

    pub(crate) fn as_ptr(&self) -> *mut c_void {
        self.0.as_ptr().cast()
    }

    pub(crate) fn type_index(&self) -> i32 {
        // SAFETY: the object lives, because this handle owns a reference.
        unsafe { self.0.as_ref().type_index }
    }

    /// The reference, which the caller releases.
    pub(crate) fn into_raw(self) -> *mut c_void {
        std::mem::ManuallyDrop::new(self).as_ptr()
    }
}

impl Clone for Handle {
    fn clone(&self) -> Self {
        // SAFETY: the object lives, because this handle owns a reference.
        unsafe { Handle::retain(self.0.cast()) }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: the handle owns a reference, and nobody uses the handle later.
        unsafe { (runtime().dec_ref)(self.as_ptr()) };
    }
}
