//! [`Output`]: results and errors in the form that the options choose.
//!
//! As text, results are on standard output and errors on standard error. In the other forms, both are on standard output: in JSON,
//! `{"errors": [...]}` is a value of its own after the results, or the report of a command contains the errors.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use annotate_snippets::Renderer;
use object_codegen::files::{WriteError, write_files, write_with};
use object_core::{Error, ErrorKind, Result, brief_to, inert};
use serde_json::{Value, json};

use crate::finding::{Faults, Finding, InFile};
use crate::format::Format;
use crate::message::{advice, max_message, source_of};
use crate::{closed_stdout, github, sarif};

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
    pub(crate) fn exit_code(self) -> u8 {
        match self {
            Verdict::Same => 0,
            Verdict::Different => 1,
            Verdict::Failed => 2,
            Verdict::Inconclusive => 3,
        }
    }
}

/// The results and errors of a run, in the form that the options choose.
pub(crate) struct Output {
    format: Format,
    /// The findings for a log, which is one text.
    findings: Mutex<Vec<Finding>>,
}

impl Output {
    /// Output in a form.
    pub(crate) fn new(format: Format) -> Self {
        Output { format, findings: Mutex::default() }
    }

    /// Whether the output is JSON.
    pub(crate) fn is_json(&self) -> bool {
        self.format == Format::Json
    }

    /// Whether the output is text.
    pub(crate) fn is_text(&self) -> bool {
        self.format == Format::Text
    }

    /// Writes a result as text or as JSON, and a line end. The other forms have no results besides [findings](Self::find).
    ///
    /// # Errors
    /// Errors of writing, except a closed pipe: `objir ... | head` succeeds.
    pub(crate) fn show(&self, text: impl fmt::Display, json: impl FnOnce() -> Value) -> Result<()> {
        match self.format {
            Format::Text => self.show_text(text),
            Format::Json => self.show_text(json()),
            Format::Sarif | Format::Github => Ok(()),
        }
    }

    /// Writes the findings in the forms that consist of them.
    ///
    /// # Errors
    /// Like [`show`](Self::show).
    pub(crate) fn find(&self, findings: impl FnOnce() -> Vec<Finding>) -> Result<()> {
        match self.format {
            Format::Text | Format::Json => Ok(()),
            Format::Github => findings().iter().try_for_each(|it| self.show_text(github::command(it))),
            Format::Sarif => {
                self.findings.lock().unwrap_or_else(PoisonError::into_inner).extend(findings());
                Ok(())
            }
        }
    }

    /// Writes an error. Ignores a failure to write: the exit code also reports the error.
    pub(crate) fn fail(&self, error: &Error) {
        if self.is_json() {
            let errors: Vec<Value> = Finding::of_error(error).iter().map(Finding::to_json).collect();
            if let Err(unwritten) = self.show_text(json!({"errors": errors})) {
                print_error(&unwritten);
            }
        } else {
            self.fail_in_report(error);
        }
    }

    /// Writes an error that the JSON report of the command contains, in the other forms.
    pub(crate) fn fail_in_report(&self, error: &Error) {
        match self.format {
            Format::Text => print_error(error),
            Format::Json => {}
            Format::Sarif | Format::Github => {
                self.find(|| Finding::of_error(error)).unwrap_or_else(|unwritten| print_error(&unwritten));
            }
        }
    }

    /// Ends the output, which completes a log, and returns the verdict: [`Failed`](Verdict::Failed) if the log cannot be written.
    pub(crate) fn finish(&self, verdict: Verdict) -> Verdict {
        if self.format != Format::Sarif {
            return verdict;
        }
        let findings = self.findings.lock().unwrap_or_else(PoisonError::into_inner);
        match self.show_text(sarif::log(&findings, verdict != Verdict::Failed)) {
            Ok(()) => verdict,
            Err(unwritten) => {
                print_error(&unwritten);
                Verdict::Failed
            }
        }
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
    let remark = inert(&remark.to_string()).to_string();
    let _ = writeln!(io::stderr(), "objir: {}", brief_to(&remark, max_message()));
}

/// Writes a file, as [`write_files`].
///
/// # Errors
/// Errors of writing, with the name of the file.
pub(crate) fn write_file(file: &Path, content: impl AsRef<[u8]>) -> Result<()> {
    write_files([(file, content)]).map_err(unwritten)
}

/// Writes a file from what `write` writes.
///
/// # Errors
/// The errors of `write`, and of the file, with its name.
pub(crate) fn write_file_with(file: &Path, write: impl FnOnce(&mut dyn io::Write) -> Result<()>) -> Result<()> {
    write_with(file, write).map_err(|error| match error.kind() {
        ErrorKind::Io => InFile::named(file.display().to_string(), None, error),
        _ => error,
    })
}

/// The error about a file that cannot be written.
pub(crate) fn unwritten(failed: WriteError) -> Error {
    InFile::named(failed.path.display().to_string(), None, Error::from(failed.error))
}

/// Prints an error on standard error. Ignores a failure to print: the exit code also reports the error.
fn print_error(error: &Error) {
    let advice = advice(error).map(|advice| format!(" ({advice})")).unwrap_or_default();
    let text = error.to_string();
    let styled = source_of::<Faults>(error).and_then(|faults| faults.styled.as_ref());
    // The lines after the first one show the places.
    let (plain, styled) = match (text.split_once('\n'), styled) {
        (Some((first, _)), Some(styled)) => (first, format!("\n{styled}")),
        _ => (&*text, String::new()),
    };
    let _ = writeln!(io::stderr(), "objir: {}{styled}{advice}", brief_to(plain, max_message()));
}

/// Whether diagnostics on `stream` have colours: on a terminal, unless the environment sets `NO_COLOR`.
pub(crate) fn has_colours(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

/// The renderer of diagnostics on `stream`.
pub(crate) fn renderer(stream: &impl IsTerminal) -> Renderer {
    if has_colours(stream) { Renderer::styled() } else { Renderer::plain() }
}
