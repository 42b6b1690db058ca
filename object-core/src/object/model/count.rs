//! [`Count`]: how many handles own an object. All memory orders of the object model are in this file.

#[cfg(loom)]
use loom::sync::atomic::{AtomicU32, Ordering};
#[cfg(not(loom))]
use std::sync::atomic::{AtomicU32, Ordering};

/// Past this count the process ends, as with `std::sync::Arc`: a count that wraps would free objects in use. So many
/// handles are 16 GiB of pointers, or a loop that forgets them.
const MAX: u32 = i32::MAX as u32;

/// How many handles own an object.
pub(crate) struct Count(AtomicU32);

impl Count {
    /// The count of a new object.
    pub(crate) fn one() -> Self {
        Count(AtomicU32::new(1))
    }

    /// Counts one handle more. The caller has one, or borrows from one, for as long as this takes.
    ///
    /// Relaxed: a new handle is made from one at hand, and whatever hands it to another thread orders what that thread
    /// sees. The half of the range above [`MAX`] is for threads that come here before the process has ended.
    #[inline]
    pub(crate) fn add(&self) {
        if self.0.fetch_add(1, Ordering::Relaxed) > MAX {
            std::process::abort();
        }
    }

    /// Counts one handle less. `true`: it was the last one, and everything that was done through the others happened
    /// before this returns, so the object may be torn down.
    ///
    /// Release: what this handle's owner read or wrote comes before the decrement. Acquire, for the last one alone: its
    /// load reads from the end of the chain of decrements and is ordered after each of them. A fence would do as well,
    /// but the ThreadSanitizer does not know fences.
    #[inline]
    pub(crate) fn remove(&self) -> bool {
        let is_last = self.0.fetch_sub(1, Ordering::Release) == 1;
        if is_last {
            self.0.load(Ordering::Acquire);
        }
        is_last
    }

    /// Whether the caller's handle is the only one, so that the object may be changed in place. The caller has it
    /// borrowed mutably, so nobody can make another one from it.
    ///
    /// Acquire: if the count is one because other handles are gone, this reads the decrement of the last of them and is
    /// ordered after all their owners' reads.
    #[inline]
    pub(crate) fn is_one(&self) -> bool {
        self.0.load(Ordering::Acquire) == 1
    }

    /// The count at this moment: a number to look at, from which nothing follows.
    pub(crate) fn get(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
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
        assert!(count.remove());
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
