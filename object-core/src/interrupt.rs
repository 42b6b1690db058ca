//! Interruption of long work: a program [sets](set) a check, and operations [call](check) it after many steps.
//!
//! An interpreter such as Python handles signals between its own instructions, and where a library calls it. `Budget::spend`
//! calls the check for operations that count their steps.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, OnceLock};
use std::time::Instant;

use crate::error::Result;

/// The steps between two calls of [`check`] by code that counts steps: a power of two, because a count then passes a multiple
/// if higher bits change.
pub const STEPS: u64 = 1 << 16;

/// The milliseconds between two calls of the function of the program: it may wait for the lock of an interpreter.
const INTERVAL: u64 = 50;

static CHECK: OnceLock<fn() -> Result<()>> = OnceLock::new();
static START: LazyLock<Instant> = LazyLock::new(Instant::now);
static LAST: AtomicU64 = AtomicU64::new(0);

/// Sets the function that decides whether long work ends: its error is the error of the work. The first call counts.
pub fn set(check: fn() -> Result<()>) {
    let _ = CHECK.set(check);
}

/// Asks the function of [`set`] whether long work ends, at most 20 times in a second.
///
/// # Errors
/// The error of the function.
#[cold]
pub fn check() -> Result<()> {
    let Some(check) = CHECK.get() else { return Ok(()) };
    let now = u64::try_from(START.elapsed().as_millis()).unwrap_or(u64::MAX);
    if now.saturating_sub(LAST.load(Ordering::Relaxed)) < INTERVAL {
        return Ok(());
    }
    LAST.store(now, Ordering::Relaxed);
    check()
}

/// Whether a count passes a multiple of [`STEPS`] on the way from `before` to `after`.
#[inline]
#[must_use]
pub fn is_due(before: u64, after: u64) -> bool {
    (before ^ after) >= STEPS
}
