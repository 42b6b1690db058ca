//! Allocation of the memory of objects.

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::ptr::NonNull;

use crate::object::model::object_ref::Header;

/// Allocates memory for an object of fixed size.
#[inline]
pub(crate) fn allocate(layout: Layout) -> NonNull<Header> {
    // SAFETY: every layout has room for a header, so its size is not zero.
    match NonNull::new(unsafe { alloc(layout) }) {
        Some(ptr) => ptr.cast(),
        None => handle_alloc_error(layout),
    }
}

/// Memory without an initialized object. Dropping a `Memory` frees the memory, also during a panic.
pub(crate) struct Memory {
    ptr: NonNull<Header>,
    layout: Layout,
}

impl Memory {
    /// New memory for an object.
    #[inline]
    pub(crate) fn new(layout: Layout) -> Self {
        Memory { ptr: allocate(layout), layout }
    }

    /// The memory at `ptr`, to be freed.
    ///
    /// # Safety
    /// The memory came from [`allocate`] with this layout, and nothing else frees it.
    pub(crate) unsafe fn from_raw(ptr: NonNull<Header>, layout: Layout) -> Self {
        Memory { ptr, layout }
    }

    /// The start of the memory.
    #[inline]
    pub(crate) fn as_ptr(&self) -> NonNull<Header> {
        self.ptr
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: the memory came from `allocate` with this layout, and this is its only owner.
        unsafe { dealloc(self.ptr.as_ptr().cast(), self.layout) };
    }
}
