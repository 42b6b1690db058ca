//! The release of dead objects, without recursion.

use std::cell::Cell;
use std::ptr::NonNull;

use crate::object::model::object_ref::Header;

/// A link of the list of objects that wait for their release; null at its end.
pub(crate) type Link = *mut Header;

#[cfg(not(loom))]
thread_local! {
    /// The objects whose count reached zero while this thread was releasing another one: a list linked through
    /// their first bytes. `None` when the thread releases nothing. It needs no destructor, so it is there as long as
    /// the thread, also while the destructors of other thread-local values run.
    static PENDING: Cell<Option<Link>> = const { Cell::new(None) };
}

// Loom's threads share one real thread.
#[cfg(loom)]
loom::thread_local! {
    static PENDING: Cell<Option<Link>> = Cell::new(None);
}

/// Releases an object whose count is zero, and all that only it kept alive, without recursion: while one object is
/// torn down, the handles in it queue their objects here instead of releasing them on the stack.
#[cold]
#[inline(never)]
pub(crate) fn release(ptr: NonNull<Header>) {
    if let Some(head) = PENDING.with(Cell::get) {
        // SAFETY: nobody owns the object any more, so nobody reads its count; the link has room in its place.
        unsafe { ptr.cast::<Link>().write(head) };
        PENDING.with(|pending| pending.set(Some(ptr.as_ptr())));
        return;
    }
    let done = Done;
    PENDING.with(|pending| pending.set(Some(std::ptr::null_mut())));
    // SAFETY: the object is dead but still initialized. `free` belongs to its exact type and is called once, by the
    // last owner.
    unsafe { ((*ptr.as_ptr()).info.free)(ptr) };
    release_pending();
    drop(done);
}

/// Releases the objects in the list, and those that come into it meanwhile.
#[inline]
fn release_pending() {
    while let Some(dead) = PENDING.with(Cell::get).and_then(NonNull::new) {
        // SAFETY: `release` stored a link in every object of the list.
        let rest = unsafe { dead.cast::<Link>().read() };
        PENDING.with(|pending| pending.set(Some(rest)));
        // SAFETY: as in `release`; the link did not overwrite `info`.
        unsafe { ((*dead.as_ptr()).info.free)(dead) };
    }
}

/// Ends a release, also if a destructor of the user's panics, in a closure or an `opaque` node: the panic goes on, but
/// the objects that wait are released first.
struct Done;

impl Drop for Done {
    fn drop(&mut self) {
        // The list is empty unless a destructor panicked.
        while PENDING.with(Cell::get).is_some_and(|head| !head.is_null()) {
            // A second panic was reported like the first, but two cannot go on at once.
            if let Err(second) = std::panic::catch_unwind(release_pending)
                && let Err(third) = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| drop(second)))
            {
                std::mem::forget(third);
            }
        }
        PENDING.with(|pending| pending.set(None));
    }
}
