//! The identity of objects: at each time, an object of object-core has at most one object of tvm-ffi.

use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use object_core::ObjectView;
use object_core::error::Result;
use object_core::table::Table;

use crate::abi::Header;
use crate::handle::Handle;

/// An object of tvm-ffi without a reference to it. Its deleter removes it from the table before the memory is freed.
#[derive(Clone, Copy)]
struct Entry(NonNull<Header>);

// SAFETY: the table uses the address only under its lock, where the memory is valid.
unsafe impl Send for Entry {}

type Entries = Table<usize, Entry>;

/// The objects of tvm-ffi, by the address of the object of object-core that each of them owns a reference to.
fn entries() -> MutexGuard<'static, Entries> {
    static ENTRIES: OnceLock<Mutex<Entries>> = OnceLock::new();
    // The table is consistent between its own operations, so a panic in another thread leaves nothing half done.
    ENTRIES.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner)
}

/// The object of tvm-ffi for `object`; `make` makes it if there is none.
///
/// # Errors
/// The error of `make`.
pub(crate) fn find_or_make(object: ObjectView<'_>, make: impl FnOnce() -> Result<Handle>) -> Result<Handle> {
    if let Some(found) = find(object) {
        return Ok(found);
    }
    // The lock is free meanwhile, because `make` may look up other objects.
    let made = make()?;
    let mut entries = entries();
    // Another thread may have been faster.
    if let Some(found) = entries.get(&object.address()).and_then(|entry| entry.retain()) {
        drop(entries);
        return Ok(found);
    }
    if let Some(new) = NonNull::new(made.as_ptr().cast()) {
        entries.insert(object.address(), Entry(new));
    }
    Ok(made)
}

/// The living object of tvm-ffi for `object`, if there is one.
pub(crate) fn find(object: ObjectView<'_>) -> Option<Handle> {
    entries().get(&object.address()).and_then(|entry| entry.retain())
}

/// Makes `made` the object of tvm-ffi for `object`, which has none.
pub(crate) fn insert(object: ObjectView<'_>, made: NonNull<c_void>) {
    entries().insert(object.address(), Entry(made.cast()));
}

/// Removes an object of tvm-ffi. `address` is the address of its object of object-core.
pub(crate) fn forget(address: usize, object: *mut c_void) {
    let mut entries = entries();
    // A new object may have taken the place since the strong count became zero.
    if entries.get(&address).is_some_and(|entry| entry.0.as_ptr().cast() == object) {
        entries.remove(&address);
    }
}

/// The number of objects of object-core that tvm-ffi holds by an object with an identity.
pub(crate) fn live() -> usize {
    entries().len()
}

impl Entry {
    /// A further strong reference, unless the count is zero already: then the deleter of the object waits for the lock.
    fn retain(self) -> Option<Handle> {
        // SAFETY: the entry is in the table and the caller holds its lock, so the memory is valid.
        let counts = unsafe { &self.0.as_ref().counts };
        let strong = |counts: u64| counts & u64::from(u32::MAX) != 0;
        counts.fetch_update(Ordering::AcqRel, Ordering::Relaxed, |counts| strong(counts).then(|| counts + 1)).ok()?;
        // SAFETY: the update has added the reference that the handle takes over.
        unsafe { Handle::from_raw(self.0.as_ptr().cast()) }
    }
}
