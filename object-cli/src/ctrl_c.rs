//! [`CtrlC`]: whether the user asks for the end of a search.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use object_core::{Error, ErrorKind, Result};
use signal_hook::SigId;
use signal_hook::consts::{SIGINT, SIGTERM};

/// Notes Ctrl-C, and a request of the system to end, while the value lives.
pub(crate) struct CtrlC {
    came: Arc<AtomicBool>,
    ids: Vec<SigId>,
}

impl CtrlC {
    /// Begins to take notes.
    ///
    /// # Errors
    /// [`Io`](ErrorKind::Io) if the system does not report signals.
    pub(crate) fn new() -> Result<Self> {
        let mut noted = CtrlC { came: Arc::default(), ids: Vec::new() };
        for signal in [SIGINT, SIGTERM] {
            noted.ids.push(signal_hook::flag::register(signal, noted.came.clone())?);
        }
        Ok(noted)
    }

    /// Whether a signal came.
    pub(crate) fn came(&self) -> bool {
        self.came.load(Ordering::Relaxed)
    }

    /// # Errors
    /// [`Call`](ErrorKind::Call) after a signal.
    pub(crate) fn check(&self) -> Result<()> {
        if self.came() { Err(Error::new(ErrorKind::Call, "Ctrl-C ended the runs of the command")) } else { Ok(()) }
    }
}

impl Drop for CtrlC {
    fn drop(&mut self) {
        for id in self.ids.drain(..) {
            signal_hook::low_level::unregister(id);
        }
    }
}
