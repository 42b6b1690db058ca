//! [`Count`]: the reference count of an object. [`Mark`]: a number that one operation at a time may write into objects. All
//! memory orders of the object model are in this file.

#[cfg(loom)]
use loom::sync::atomic::{AtomicBool, AtomicU32, Ordering};
#[cfg(not(loom))]
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Past this count the process ends, as with `std::sync::Arc`: a count that wraps would free objects in use. So many
/// handles are 16 GiB of pointers, or a loop that forgets them.
const MAX: u32 = i32::MAX as u32;

/// The number of handles of an object.
pub(crate) struct Count(AtomicU32);

impl Count {
    /// The count of a new object.
    pub(crate) fn one() -> Self {
        Count(AtomicU32::new(1))
    }

    /// Counts a new handle. The caller owns or borrows another handle during the call.
    ///
    /// Relaxed: the operation that passes the new handle to another thread orders the accesses of that thread. The range
    /// above [`MAX`] is for threads that increment the count before the process has ended.
    #[inline]
    pub(crate) fn add(&self) {
        if self.0.fetch_add(1, Ordering::Relaxed) > MAX {
            std::process::abort();
        }
    }

    /// Removes a handle from the count. Returns whether it was the last one; then all accesses through other handles
    /// happened before the function returns, so the caller may free the object.
    ///
    /// A count of one needs no decrement, because no other thread has a handle to clone or to drop. A decrement is an atomic
    /// exchange, which takes longer than the rest of the release of a small object.
    ///
    /// Release: the accesses through this handle happen before the decrement. Acquire, for the last handle only: its load
    /// reads the end of the chain of decrements and is ordered after each of them. A fence would also be correct, but
    /// ThreadSanitizer does not support fences.
    #[inline]
    pub(crate) fn remove(&self) -> bool {
        if self.is_one() {
            return true;
        }
        let is_last = self.0.fetch_sub(1, Ordering::Release) == 1;
        if is_last {
            self.0.load(Ordering::Acquire);
        }
        is_last
    }

    /// Whether the count is one. A caller that has the only handle borrowed mutably may change the object in place, because
    /// no other thread can clone that handle.
    ///
    /// Acquire: if the count is one because other handles were dropped, the load reads the last of these decrements and is
    /// ordered after all reads through these handles.
    #[inline]
    pub(crate) fn is_one(&self) -> bool {
        self.0.load(Ordering::Acquire) == 1
    }

    /// The count at this moment, for display. It gives no guarantee about other threads.
    #[inline]
    pub(crate) fn get(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A number in the header of each object, without a meaning outside of the operation that has the [`MarkClaim`]. Operations
/// leave their marks behind.
pub(crate) struct Mark(AtomicU32);

impl Mark {
    /// The mark of a new object.
    pub(crate) fn new() -> Self {
        Mark(AtomicU32::new(0))
    }

    /// The number that an operation wrote last, or zero. An operation that has the claim, and has written the mark of this
    /// object, reads its own number; any other reader has to expect any number.
    ///
    /// Relaxed: a thread reads its own last write, unless another thread writes too, and no other thread has the claim.
    #[inline(always)]
    pub(crate) fn get(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }

    /// Writes the mark.
    #[inline(always)]
    pub(crate) fn set(&self, number: u32, _claim: &MarkClaim) {
        self.0.store(number, Ordering::Relaxed);
    }
}

#[cfg(not(loom))]
static IS_CLAIMED: AtomicBool = AtomicBool::new(false);

#[cfg(loom)]
loom::lazy_static! {
    static ref IS_CLAIMED: AtomicBool = AtomicBool::new(false);
}

/// The right to write marks. One operation of the process has it at a time, so no other operation overwrites its marks. The
/// end of the operation, or a panic in it, drops the claim.
#[derive(Debug)]
pub(crate) struct MarkClaim(());

impl MarkClaim {
    /// The claim, if no other operation has it.
    ///
    /// Acquire: the marks that earlier operations wrote are ordered before the marks of this one. The first load avoids a
    /// write to the shared cache line while another operation has the claim.
    pub(crate) fn take() -> Option<Self> {
        let is_free = !IS_CLAIMED.load(Ordering::Relaxed)
            && IS_CLAIMED.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed).is_ok();
        // Not `then_some`: it would make a claim in any case, and its drop would end the claim of another operation.
        is_free.then(|| MarkClaim(()))
    }
}

impl Drop for MarkClaim {
    fn drop(&mut self) {
        IS_CLAIMED.store(false, Ordering::Release);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn the_last_handle_is_told_apart() {
        let count = Count::one();
        count.add();
        assert!(!count.is_one() && count.get() == 2);
        assert!(!count.remove());
        assert!(count.is_one());
        assert!(count.remove(), "without a decrement");
        let count = Count(AtomicU32::new(2));
        assert!(!count.remove() && count.remove());
    }

    #[test]
    fn a_refused_claim_does_not_end_the_claim() {
        // Other tests of the process have the claim at times.
        let claim = std::iter::repeat_with(MarkClaim::take).flatten().next();
        assert!(claim.is_some());
        assert!((0..10).all(|_| MarkClaim::take().is_none()));
    }

    #[test]
    #[cfg_attr(miri, ignore = "it starts a process")]
    fn too_many_handles_end_the_process() {
        const CHILD: &str = "OBJECT_CORE_COUNT_OVERFLOW";
        let count = Count(AtomicU32::new(MAX));
        count.add();
        assert_eq!(count.get(), MAX + 1);
        if std::env::var_os(CHILD).is_some() {
            count.add();
            return;
        }
        let name = std::thread::current().name().expect("tests are named").to_owned();
        let program = std::env::current_exe().expect("the test is a program");
        let child = std::process::Command::new(program).args(["--exact", &name]).env(CHILD, "1").output();
        assert!(!child.expect("it starts").status.success());
    }
}
