//! Where results go: text or JSON on standard output, complaints on standard error.

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

use object_core::Result;
use serde_json::Value;

/// What a command found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// All is well, or equal.
    Same,
    /// Something differs.
    Different,
    /// There is no answer.
    Failed,
}

impl Verdict {
    /// `Same` if `same`, else `Different`.
    pub(crate) fn of(same: bool) -> Self {
        if same { Verdict::Same } else { Verdict::Different }
    }

    /// The exit code.
    pub(crate) fn exit_code(self) -> ExitCode {
        ExitCode::from(match self {
            Verdict::Same => 0,
            Verdict::Different => 1,
            Verdict::Failed => 2,
        })
    }
}

/// Standard output, in the form that was asked for.
pub(crate) struct Output {
    json: bool,
}

impl Output {
    /// JSON or text.
    pub(crate) fn new(json: bool) -> Self {
        Output { json }
    }

    /// Whether JSON was asked for.
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// Writes a result, in one of the two forms, and a line end.
    ///
    /// # Errors
    /// When standard output cannot be written. That its reader has gone away is none: `objir ... | head` is fine.
    pub(crate) fn show(&self, text: impl fmt::Display, json: impl FnOnce() -> Value) -> Result<()> {
        if self.json { self.show_text(json()) } else { self.show_text(text) }
    }

    /// Writes a result that has one form only, and a line end.
    ///
    /// # Errors
    /// As [`show`](Self::show).
    #[allow(clippy::unused_self, reason = "there is one output, and this is a way to use it")]
    pub(crate) fn show_text(&self, text: impl fmt::Display) -> Result<()> {
        let mut out = io::stdout().lock();
        let written = writeln!(out, "{text}");
        match written.and_then(|()| out.flush()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(object_core::Error::from(error).context("<stdout>"))
            }
            _ => Ok(()),
        }
    }
}

/// Says on standard error what failed. If even that cannot be written, the exit code has to do.
pub(crate) fn complain(error: &object_core::Error) {
    let _ = writeln!(io::stderr(), "objir: {error}");
}
