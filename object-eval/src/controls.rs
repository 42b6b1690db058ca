//! [`Controls`]: the limits of a run, and its cancellation from another thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use object_core::interrupt;
use object_core::prelude::*;

use super::value::Meter;

/// The limits that a run observes, shared by all parts of it. Clones share their counts.
#[derive(Clone, Debug)]
pub struct Controls {
    steps: Arc<AtomicU64>,
    max_steps: u64,
    meter: Meter,
    is_cancelled: Arc<AtomicBool>,
}

impl Controls {
    /// Controls with these limits, which a run has not used yet.
    #[must_use]
    pub(crate) fn new(max_steps: u64, meter: Meter, is_cancelled: Arc<AtomicBool>) -> Self {
        Controls { steps: Arc::default(), max_steps, meter, is_cancelled }
    }

    /// The count of the memory.
    #[must_use]
    pub fn meter(&self) -> &Meter {
        &self.meter
    }

    /// The steps that the run has taken.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps.load(Ordering::Relaxed)
    }

    /// Counts `count` steps. Code that runs for long calls this function often, with the number of operations since the
    /// last call.
    ///
    /// # Errors
    /// [`LimitExceeded`](ErrorKind::LimitExceeded) if the step budget is used up, and [`Call`](ErrorKind::Call) if another
    /// thread has cancelled the run. The error of an [interruption](interrupt).
    #[inline]
    pub fn step(&self, count: u64) -> Result<(), Error> {
        let before = self.steps.fetch_add(count, Ordering::Relaxed);
        let taken = before.saturating_add(count);
        if taken > self.max_steps || self.is_cancelled.load(Ordering::Relaxed) {
            return Err(self.stopped());
        }
        if interrupt::is_due(before, taken) { interrupt::check() } else { Ok(()) }
    }

    #[cold]
    fn stopped(&self) -> Error {
        if self.is_cancelled.load(Ordering::Relaxed) {
            return Error::new(ErrorKind::Call, "the run was cancelled");
        }
        let message =
            format!("the run takes more than {} steps; raise the step budget if that is expected", self.max_steps);
        Error::new(ErrorKind::LimitExceeded, message)
    }
}
