//! Counts the steps of operations, for tests of their cost. Only builds with debug assertions count: in all other
//! builds, `step` does nothing.
//!
//! A step is an access to an object (its type, its address, its identity, a new handle of it) or to an entry of a hash
//! table. Every operation reaches objects by these accesses only, so no operation on objects has to count its own steps.
//! Readers count the nodes and tokens of their text.

#[cfg(debug_assertions)]
use std::cell::Cell;

#[cfg(debug_assertions)]
thread_local! {
    // One variable, because each access takes several calls in a build without optimizations.
    static LEFT: Cell<u64> = const { Cell::new(u64::MAX) };
}

/// Counts a step of the current thread.
#[inline(always)]
pub(crate) fn step() {
    #[cfg(debug_assertions)]
    {
        LEFT.with(|left| match left.get() - 1 {
            0 => exceed(left),
            rest => left.set(rest),
        });
    }
}

#[cfg(debug_assertions)]
#[cold]
fn exceed(left: &Cell<u64>) {
    // Destructors also count steps. A second panic while the first one unwinds would abort the program.
    left.set(u64::MAX);
    // The caller of `count` expects this panic, so the hook for messages need not run.
    std::panic::resume_unwind(Box::new("the operation exceeds its limit of steps"));
}

/// The number of steps that `operation` takes in the current thread; `None` if it takes at least `limit` steps and
/// therefore panics. Zero in builds without debug assertions.
#[cfg(debug_assertions)]
pub fn count(limit: u64, operation: impl FnOnce()) -> Option<u64> {
    let limit = limit.max(1);
    LEFT.set(limit);
    let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(operation));
    let left = LEFT.replace(u64::MAX);
    match done {
        Ok(()) => Some(limit - left),
        // Only the end of the steps makes more of them.
        Err(_) if left > limit => None,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

/// As with debug assertions, but counts nothing.
#[cfg(not(debug_assertions))]
pub fn count(_limit: u64, operation: impl FnOnce()) -> Option<u64> {
    operation();
    Some(0)
}

/// Whether this build counts steps.
pub const COUNTS: bool = cfg!(debug_assertions);
