//! Results on standard output, as text or JSON, and errors on standard error.

use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use object_codegen::files::{WriteError, write_files};
use object_core::{Error, ErrorKind, Result};
use serde_json::Value;

use crate::closed_stdout;

/// The outcome of a command, which is the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Success, or equal graphs.
    Same,
    /// There is a difference.
    Different,
    /// There was an error.
    Failed,
    /// Runs do not tell whether there is a difference.
    Inconclusive,
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
            Verdict::Inconclusive => 3,
        })
    }
}

/// Standard output, in the form of `--json` or as text.
pub(crate) struct Output {
    json: bool,
}

impl Output {
    /// Output as JSON, or else as text.
    pub(crate) fn new(json: bool) -> Self {
        Output { json }
    }

    /// Whether the output is JSON.
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// Writes a result in one of the two forms, and a line end.
    ///
    /// # Errors
    /// Errors of writing, except a closed pipe: `objir ... | head` succeeds.
    pub(crate) fn show(&self, text: impl fmt::Display, json: impl FnOnce() -> Value) -> Result<()> {
        if self.json { self.show_text(json()) } else { self.show_text(text) }
    }

    /// Writes a result that has only one form, and a line end.
    ///
    /// # Errors
    /// Like [`show`](Self::show).
    #[allow(clippy::unused_self, reason = "a method like `show`, although the form does not matter")]
    pub(crate) fn show_text(&self, text: impl fmt::Display) -> Result<()> {
        if closed_stdout::was_closed() {
            return Err(Error::new(ErrorKind::Io, "<stdout>: it is closed, so the results cannot be written"));
        }
        let mut out = io::stdout().lock();
        let written = writeln!(out, "{text}");
        match written.and_then(|()| out.flush()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Error::from(error).context("<stdout>")),
            _ => Ok(()),
        }
    }
}

/// Prints a remark about a result on standard error. Ignores a failure to print.
pub(crate) fn print_remark(remark: impl fmt::Display) {
    let _ = writeln!(io::stderr(), "objir: {remark}");
}

/// Writes a file, as [`write_files`].
///
/// # Errors
/// Errors of writing, with the name of the file.
pub(crate) fn write_file(file: &Path, content: impl AsRef<[u8]>) -> Result<()> {
    write_files([(file, content)]).map_err(unwritten)
}

/// The error about a file that cannot be written.
pub(crate) fn unwritten(failed: WriteError) -> Error {
    Error::from(failed.error).context(failed.path.display())
}

/// The advice for errors of this kind.
pub(crate) fn advice(kind: ErrorKind) -> Option<&'static str> {
    (kind == ErrorKind::LimitExceeded).then_some("the options `--max-...` set the limits")
}

/// Prints an error on standard error. Ignores a failure to print: the exit code also reports the error.
pub(crate) fn print_error(error: &Error) {
    let advice = advice(error.kind()).map(|advice| format!(" ({advice})")).unwrap_or_default();
    let _ = writeln!(io::stderr(), "objir: {error}{advice}");
}
