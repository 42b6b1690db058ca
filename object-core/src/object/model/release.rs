//! The release of dead objects, without recursion.
//!
//! The release of an object that has only handles and plain values reads the list of its handles in the `Plan` of its
//! type. Any other type has a function that drops its data. If code of users can run in that function, the objects that
//! it drops go to the list of the running release, by a thread-local value.

use std::alloc::dealloc;
use std::cell::Cell;
use std::ptr::{NonNull, null_mut};

use crate::object::model::object_ref::{Header, ObjectRef};
use crate::steps::step;

/// The start of each object in a list of dead objects: the address of the next object; null at the end of the list.
pub(crate) type Link = *mut Header;

#[cfg(not(loom))]
thread_local! {
    /// The head of the list of the release that runs code of users on this thread; `None` while no release does. Handles
    /// that such code drops add their objects to the list instead of releasing them. The value has no destructor, so it is
    /// accessible until the thread ends, also while the destructors of other thread-local values run.
    static PENDING: Cell<Option<Link>> = const { Cell::new(None) };
}

// All threads of a loom model run on one thread of the operating system.
#[cfg(loom)]
loom::thread_local! {
    static PENDING: Cell<Option<Link>> = Cell::new(None);
}

/// Releases a dead object, and every object that only it kept alive, without recursion.
///
/// # Safety
/// The object at `ptr` is initialized, no handle refers to it, and this is the only call for it.
#[cold]
#[inline(never)]
pub(crate) unsafe fn release(ptr: NonNull<Header>) {
    let pending = PENDING.with(Cell::get);
    let mut dead = DeadObjects { head: pending.unwrap_or(null_mut()) };
    // SAFETY: by the contract.
    unsafe { dead.push(ptr) };
    match pending {
        Some(_) => PENDING.with(|pending| pending.set(Some(std::mem::replace(&mut dead.head, null_mut())))),
        None => dead.release(),
    }
}

/// A list of dead objects, linked through their headers. A drop releases them.
pub(crate) struct DeadObjects {
    /// Every object in the list is initialized, no handle refers to it, and its first bytes are a [`Link`].
    head: Link,
}

impl DeadObjects {
    /// Drops a handle. If it is the last one, the object goes to the list.
    #[inline(always)]
    pub(crate) fn add(&mut self, handle: ObjectRef) {
        if let Some(dead) = handle.give_up() {
            // SAFETY: the handle was the last one.
            unsafe { self.push(dead) };
        }
    }

    /// Adds an object.
    ///
    /// # Safety
    /// The object is initialized, no handle refers to it, and nothing else releases it.
    #[inline(always)]
    unsafe fn push(&mut self, dead: NonNull<Header>) {
        // SAFETY: by the contract.
        self.head = unsafe { link(dead, self.head) };
    }

    /// Runs `drop_data`, which may drop handles and run code of users: the objects that die in it go to the list.
    pub(crate) fn collect(&mut self, drop_data: impl FnOnce()) {
        let lent = Lent(self);
        PENDING.with(|pending| pending.set(Some(lent.0.head)));
        drop_data();
        drop(lent);
    }

    /// Releases the objects in the list, and the objects that die with them.
    fn release(&mut self) {
        while let Some(dead) = NonNull::new(self.head) {
            step();
            // SAFETY: the object is in the list, so it is initialized, begins with a link, and nothing else releases it. The
            // link does not overlap the type in the header.
            let (mut rest, info) = unsafe { (dead.cast::<Link>().read(), (*dead.as_ptr()).info) };
            let Some(fields) = info.plan.released_fields() else {
                self.head = rest;
                // SAFETY: as above, and `free` belongs to the exact type.
                unsafe { (info.free)(dead, self) };
                continue;
            };
            for field in fields {
                // SAFETY: the plan of the type lists the field, and nothing reads it afterwards.
                if let Some(child) = unsafe { field.take(dead) }.and_then(ObjectRef::give_up) {
                    // SAFETY: the handle was the last one.
                    rest = unsafe { link(child, rest) };
                }
            }
            self.head = rest;
            // SAFETY: by the contract of `TypeInfo::new`, the memory of an object with a node comes from the global allocator,
            // with this layout. All that a drop of the node does has happened.
            unsafe { dealloc(dead.as_ptr().cast(), info.layout) };
        }
    }
}

/// Writes the link to `next` into a dead object, and returns the start of the object.
///
/// # Safety
/// The object is initialized, and no handle refers to it.
#[inline(always)]
unsafe fn link(dead: NonNull<Header>, next: Link) -> Link {
    // SAFETY: no handle refers to the object, so nothing reads its count. The link fits before the type in the header, as an
    // assertion beside `Header` checks.
    unsafe { dead.cast::<Link>().write(next) };
    dead.as_ptr()
}

/// The list of a release while code of users runs.
struct Lent<'a>(&'a mut DeadObjects);

impl Drop for Lent<'_> {
    /// Takes the list back, also if the code of the user panics.
    fn drop(&mut self) {
        self.0.head = PENDING.with(Cell::take).unwrap_or(null_mut());
    }
}

impl Drop for DeadObjects {
    /// Ends a release in which a destructor of the user's types panicked (in a closure or an `opaque` node): it releases the
    /// objects in the list before the panic continues.
    #[inline]
    fn drop(&mut self) {
        if !self.head.is_null() {
            self.release_after_panic();
        }
    }
}

impl DeadObjects {
    #[cold]
    fn release_after_panic(&mut self) {
        while !self.head.is_null() {
            // The panic hook has reported a second panic, too, but only the first one can continue. The payload of a panic
            // may panic when it is dropped, so the third panic is forgotten.
            let release = std::panic::AssertUnwindSafe(|| self.release());
            if let Err(second) = std::panic::catch_unwind(release)
                && let Err(third) = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| drop(second)))
            {
                std::mem::forget(third);
            }
        }
    }
}
