//! [`Meter`]: the memory that the tensors of a run occupy, and its limit.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use object_core::prelude::*;

/// Counts the bytes of the live tensors of a run, and refuses more than a limit. Clones count together.
///
/// ```
/// use object_eval::Meter;
/// let meter = Meter::with_limit(100);
/// let charge = meter.reserve(60)?;
/// assert!(meter.reserve(60).is_err());
/// drop(charge);
/// assert!(meter.reserve(60).is_ok());
/// # Ok::<(), object_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Meter(Arc<Counter>);

#[derive(Debug)]
struct Counter {
    live: AtomicU64,
    limit: u64,
}

impl Meter {
    /// A meter that refuses more than `limit` bytes at once.
    #[must_use]
    pub fn with_limit(limit: u64) -> Self {
        Meter(Arc::new(Counter { live: AtomicU64::new(0), limit }))
    }

    /// A meter that refuses nothing but sizes that no machine has.
    #[must_use]
    pub fn unlimited() -> Self {
        Meter::with_limit(1 << 47)
    }

    /// The bytes that are in use.
    #[must_use]
    pub fn live(&self) -> u64 {
        self.0.live.load(Ordering::Relaxed)
    }

    /// Checks that `bytes` more do not exceed the limit, and reserves nothing.
    ///
    /// # Errors
    /// [`LimitExceeded`](ErrorKind::LimitExceeded).
    pub fn check(&self, bytes: u64) -> Result<(), Error> {
        match self.live().checked_add(bytes) {
            Some(total) if total <= self.0.limit => Ok(()),
            _ => Err(self.exceeded(bytes)),
        }
    }

    /// Counts `bytes` until the result is dropped.
    ///
    /// # Errors
    /// [`LimitExceeded`](ErrorKind::LimitExceeded).
    pub fn reserve(&self, bytes: u64) -> Result<Charge, Error> {
        let add = |live: u64| live.checked_add(bytes).filter(|total| *total <= self.0.limit);
        match self.0.live.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add) {
            Ok(_) => Ok(Charge { meter: self.clone(), bytes }),
            Err(_) => Err(self.exceeded(bytes)),
        }
    }

    #[cold]
    fn exceeded(&self, bytes: u64) -> Error {
        let (live, limit) = (self.live(), self.0.limit);
        let message =
            format!("a value of {bytes} bytes beside {live} bytes in use exceeds the memory budget of {limit} bytes");
        Error::new(ErrorKind::LimitExceeded, message)
    }
}

/// Bytes that a [`Meter`] counts.
#[derive(Debug)]
pub struct Charge {
    meter: Meter,
    bytes: u64,
}

impl Charge {
    /// The meter that counts the bytes.
    pub(super) fn meter(&self) -> &Meter {
        &self.meter
    }
}

impl Clone for Charge {
    fn clone(&self) -> Self {
        self.meter.0.live.fetch_add(self.bytes, Ordering::Relaxed);
        Charge { meter: self.meter.clone(), bytes: self.bytes }
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.meter.0.live.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}
