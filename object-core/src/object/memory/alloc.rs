//! Allocation of the memory of objects.

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::ptr::NonNull;

use crate::object::model::object_ref::Header;

/// Allocates uninitialized memory for an object. A failed allocation ends the process.
///
/// # Safety
/// The size in `layout` is not zero. The layout of an object includes its header, so no object has size zero.
#[inline]
pub(crate) unsafe fn allocate(layout: Layout) -> NonNull<Header> {
    // SAFETY: by the contract, the size is not zero.
    match NonNull::new(unsafe { alloc(layout) }) {
        Some(ptr) => ptr.cast(),
        None => handle_alloc_error(layout),
    }
}

/// Memory of an object without an initialized object in it. Dropping an `Allocation` frees the memory, also during a
/// panic, and drops nothing else.
pub(crate) struct Allocation {
    ptr: NonNull<Header>,
    layout: Layout,
}

impl Allocation {
    /// Allocates memory for an object.
    ///
    /// # Safety
    /// As for [`allocate`].
    #[inline]
    pub(crate) unsafe fn new(layout: Layout) -> Self {
        // SAFETY: by the contract.
        Allocation { ptr: unsafe { allocate(layout) }, layout }
    }

    /// Takes over the memory at `ptr`.
    ///
    /// # Safety
    /// The memory came from [`allocate`] with this layout, and nothing else frees it.
    pub(crate) unsafe fn from_raw(ptr: NonNull<Header>, layout: Layout) -> Self {
        Allocation { ptr, layout }
    }

    /// The start of the memory.
    #[inline]
    pub(crate) fn as_ptr(&self) -> NonNull<Header> {
        self.ptr
    }
}

impl Drop for Allocation {
    fn drop(&mut self) {
        // SAFETY: the memory came from `allocate` with this layout, and the `Allocation` is its only owner.
        unsafe { dealloc(self.ptr.as_ptr().cast(), self.layout) };
    }
}
