//! The release of dead objects, without recursion.

use std::cell::Cell;
use std::ptr::NonNull;

use crate::object::model::object_ref::Header;
use crate::steps::step;

/// The start of each object in the list of dead objects: the address of the next object; null at the end of the list.
pub(crate) type Link = *mut Header;

#[cfg(not(loom))]
thread_local! {
    /// The head of the list of objects whose count reached zero while this thread was releasing another object; `None`
    /// while the thread does not release an object. The value has no destructor, so it is accessible until the thread
    /// ends, also while the destructors of other thread-local values run.
    static PENDING: Cell<Option<Link>> = const { Cell::new(None) };
}

// All threads of a loom model run on one thread of the operating system.
#[cfg(loom)]
loom::thread_local! {
    static PENDING: Cell<Option<Link>> = Cell::new(None);
}

/// Releases a dead object, and every object that only it kept alive, without recursion: while an object is dropped, the
/// handles in it add their objects to a list instead of releasing them.
///
/// # Safety
/// The object at `ptr` is initialized, its count is zero, and this is the only call for it.
#[cold]
#[inline(never)]
pub(crate) unsafe fn release(ptr: NonNull<Header>) {
    step();
    if let Some(head) = PENDING.with(Cell::get) {
        // SAFETY: no handle refers to the object, so nothing reads its count. The link fits before the type in the header,
        // as an assertion beside `Header` checks.
        unsafe { ptr.cast::<Link>().write(head) };
        PENDING.with(|pending| pending.set(Some(ptr.as_ptr())));
        return;
    }
    let guard = ReleaseGuard;
    PENDING.with(|pending| pending.set(Some(std::ptr::null_mut())));
    // SAFETY: by the contract, the object is dead and initialized, and nothing else frees it. `free` belongs to its exact
    // type.
    unsafe { ((*ptr.as_ptr()).info.free)(ptr) };
    release_pending();
    drop(guard);
}

/// Releases the objects in the list, and the objects that these releases add to it.
#[inline]
fn release_pending() {
    while let Some(dead) = PENDING.with(Cell::get).and_then(NonNull::new) {
        // SAFETY: `release` wrote a link to the start of every object in the list.
        let rest = unsafe { dead.cast::<Link>().read() };
        PENDING.with(|pending| pending.set(Some(rest)));
        // SAFETY: as in `release`. The link does not overlap the type in the header.
        unsafe { ((*dead.as_ptr()).info.free)(dead) };
    }
}

/// Ends a release, also if a destructor of the user's types panics (in a closure or an `opaque` node): it releases the
/// objects in the list before the panic continues.
struct ReleaseGuard;

impl Drop for ReleaseGuard {
    fn drop(&mut self) {
        // The list is empty unless a destructor panicked.
        while PENDING.with(Cell::get).is_some_and(|head| !head.is_null()) {
            // The panic hook has reported a second panic, too, but only the first one can continue. The payload of a panic
            // may panic when it is dropped, so the third panic is forgotten.
            if let Err(second) = std::panic::catch_unwind(release_pending)
                && let Err(third) = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| drop(second)))
            {
                std::mem::forget(third);
            }
        }
        PENDING.with(|pending| pending.set(None));
    }
}
