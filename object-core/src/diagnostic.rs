//! [`Diagnostic`]: a mistake in a text, with its place; [`Errors`], all mistakes of a text.

use std::fmt;
use std::ops::Range;

use crate::error::{Error, ErrorKind};
use crate::text::brief::brief_to;
use crate::text::line_index::LineIndex;

/// The most mistakes of one text that a reader reports.
pub const MAX_ERRORS: usize = 100;

/// The number of characters of the longest message, which may quote a name from the text.
const MAX_MESSAGE: usize = 1000;

/// A mistake in a text, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// [`Malformed`](ErrorKind::Malformed) for text that is not of the language, [`BadReference`](ErrorKind::BadReference) for
    /// a name that nothing binds, [`LimitExceeded`](ErrorKind::LimitExceeded) where the memory ends, or the kind of the error of a
    /// value.
    pub kind: ErrorKind,
    /// The bytes of the text that the mistake is about.
    pub range: Range<usize>,
    /// The expected and the given text or value.
    pub message: String,
    /// A change that mends the text, if one is likely.
    pub hint: Option<String>,
    /// The text that mends the mistake if it stands in place of the range, if one is likely.
    pub replacement: Option<String>,
}

impl Diagnostic {
    /// A mistake without a hint. A long message loses its middle.
    #[must_use]
    pub fn new(kind: ErrorKind, range: Range<usize>, message: impl Into<String>) -> Self {
        let message = message.into();
        let message = match message.len() <= MAX_MESSAGE {
            true => message,
            false => brief_to(&message, MAX_MESSAGE).to_string(),
        };
        Diagnostic { kind, range, message, hint: None, replacement: None }
    }

    /// The error of an operation, without its path, at a place of the text.
    #[must_use]
    pub fn of_error(error: &Error, range: Range<usize>) -> Self {
        Diagnostic::new(error.kind(), range, error.message())
    }

    /// The line and the column of the start in `source`, counted from 1; the column counts characters.
    #[must_use]
    pub fn line_column(&self, source: &str) -> (usize, usize) {
        LineIndex::new(source).line_column(self.range.start)
    }
}

/// All mistakes of a text, in the order of the text.
///
/// It displays as one line for each mistake: line, column, message and hint. A crate that draws texts with underlined places can
/// [give it](Self::shown_by) another display.
///
/// ```
/// use object_core::ErrorKind;
/// use object_core::diagnostic::{Diagnostic, Errors};
///
/// let source = "let x = 1 in\ny + z";
/// let [y, z] = [13, 17].map(|at| Diagnostic::new(ErrorKind::BadReference, at..at + 1, "nothing binds this name"));
/// let errors = Errors::new(vec![z.clone(), y, z], source);
/// assert_eq!(errors.to_string(), "2:1: nothing binds this name\n2:5: nothing binds this name");
///
/// let shown = errors.shown_by(|all, source, name| format!("{name}: {}", &source[all[0].range.clone()]), source, "sum.txt");
/// assert_eq!(shown.to_string(), "sum.txt: y");
/// ```
#[derive(Clone)]
pub struct Errors {
    diagnostics: Vec<Diagnostic>,
    places: Vec<(usize, usize)>,
    shown: Option<Shown>,
}

/// A text with its name, and the function that shows mistakes in it.
#[derive(Clone)]
struct Shown {
    source: String,
    name: String,
    show: ShowErrors,
}

/// Shows mistakes in a text with a name.
pub type ShowErrors = fn(diagnostics: &[Diagnostic], source: &str, name: &str) -> String;

impl Errors {
    /// The mistakes of `source`, given in any order: the first [`MAX_ERRORS`], without equal ones.
    #[must_use]
    pub fn new(mut diagnostics: Vec<Diagnostic>, source: &str) -> Self {
        diagnostics.sort_by_key(|it| (it.range.start, it.range.end));
        diagnostics.dedup();
        diagnostics.truncate(MAX_ERRORS);
        let lines = LineIndex::new(source);
        let places = diagnostics.iter().map(|it| lines.line_column(it.range.start)).collect();
        Errors { diagnostics, places, shown: None }
    }

    /// These mistakes, which display as the text that `show` returns for the text `source` with this name.
    #[must_use]
    pub fn shown_by(self, show: ShowErrors, source: &str, name: &str) -> Self {
        Errors { shown: Some(Shown { source: source.to_owned(), name: name.to_owned(), show }), ..self }
    }

    /// [`LimitExceeded`](ErrorKind::LimitExceeded) if a limit ends the reading, otherwise the kind of the first mistake.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        let limit = self.diagnostics.iter().find(|it| it.kind == ErrorKind::LimitExceeded);
        limit.or(self.diagnostics.first()).map_or(ErrorKind::Malformed, |it| it.kind)
    }

    /// The line and the column of the first mistake, as [`Diagnostic::line_column`] counts them.
    #[must_use]
    pub fn first_place(&self) -> Option<(usize, usize)> {
        self.places.first().copied()
    }

    /// The line and the column of each mistake, as [`Diagnostic::line_column`] counts them.
    #[must_use]
    pub fn places(&self) -> &[(usize, usize)] {
        &self.places
    }

    /// The mistakes.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }
}

/// Equal if the mistakes and their places are, however they display.
impl PartialEq for Errors {
    fn eq(&self, other: &Self) -> bool {
        (&self.diagnostics, &self.places) == (&other.diagnostics, &other.places)
    }
}

impl Eq for Errors {}

impl fmt::Debug for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Errors").field("diagnostics", &self.diagnostics).field("places", &self.places).finish()
    }
}

impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Shown { source, name, show }) = &self.shown {
            return f.write_str(&show(&self.diagnostics, source, name));
        }
        for (index, (it, (line, column))) in self.diagnostics.iter().zip(&self.places).enumerate() {
            let separator = if index > 0 { "\n" } else { "" };
            write!(f, "{separator}{line}:{column}: {}", it.message)?;
            if let Some(hint) = &it.hint {
                write!(f, "; {hint}")?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for Errors {}

impl From<Errors> for Error {
    fn from(errors: Errors) -> Self {
        Error::new(errors.kind(), errors.to_string())
    }
}
