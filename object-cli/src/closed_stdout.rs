//! Whether the caller has closed standard output (`objir ... >&-`).
//!
//! Rust's run time opens `/dev/null` in place of a closed stream before `main`, so every write succeeds and the results
//! are lost. A constructor runs before the run time does.

use std::sync::atomic::{AtomicBool, Ordering};

static WAS_CLOSED: AtomicBool = AtomicBool::new(false);

#[cfg(unix)]
ctor::declarative::ctor! {
    /// Reads the flags of the stream, which fails for a closed one.
    #[ctor(unsafe)]
    fn look() {
        let is_open = rustix::io::fcntl_getfd(rustix::stdio::stdout()).is_ok();
        WAS_CLOSED.store(!is_open, Ordering::Relaxed);
    }
}

/// Whether standard output was closed when the program started. On other systems than Unix the answer is always `false`.
pub(crate) fn was_closed() -> bool {
    WAS_CLOSED.load(Ordering::Relaxed)
}
