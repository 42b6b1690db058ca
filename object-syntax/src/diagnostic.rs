//! [`Diagnostic`]: a mistake in a text, with its place; [`Errors`], all mistakes of a text.

use std::fmt;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use object_core::{Error, ErrorKind, brief_to};

/// The most mistakes that one reading reports.
pub(crate) const MAX_ERRORS: usize = 100;

/// The number of characters of the longest message, which may quote a name from the text.
const MAX_MESSAGE: usize = 1000;

/// A mistake in a text, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// [`Malformed`](ErrorKind::Malformed) for text that is not of the language, [`BadReference`](ErrorKind::BadReference) for
    /// a name that nothing binds, or the kind of the error of a value.
    pub kind: ErrorKind,
    /// The bytes of the text.
    pub range: Range<usize>,
    /// The expected and the given text.
    pub message: String,
    /// A change that mends the text, if one is likely.
    pub hint: Option<String>,
    /// The text that mends the mistake if it stands in place of the range, if one is likely.
    pub replacement: Option<String>,
}

impl Diagnostic {
    pub(crate) fn new(kind: ErrorKind, range: Range<usize>, message: impl Into<String>) -> Self {
        let message = message.into();
        let message = match message.len() <= MAX_MESSAGE {
            true => message,
            false => brief_to(&message, MAX_MESSAGE).to_string(),
        };
        Diagnostic { kind, range, message, hint: None, replacement: None }
    }

    /// With the hint that the user probably means the text `replacement`.
    pub(crate) fn or_replace_with(self, replacement: Option<String>) -> Self {
        let hint = replacement.as_ref().map(|near| match near.contains('`') {
            true => format!("did you mean {near}?"),
            false => format!("did you mean `{near}`?"),
        });
        Diagnostic { hint, replacement, ..self }
    }

    /// The line and the column of the start in `source`, counted from 1; the column counts characters.
    #[must_use]
    pub fn line_column(&self, source: &str) -> (usize, usize) {
        let before = source.get(..self.range.start).unwrap_or(source);
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        (before.matches('\n').count() + 1, before[line..].chars().count() + 1)
    }
}

/// All mistakes of a text, in the order of the text. It displays as the lines of the text with the places underlined.
#[derive(Clone, Debug)]
pub struct Errors {
    diagnostics: Vec<Diagnostic>,
    source: String,
    name: String,
}

impl Errors {
    pub(crate) fn new(mut diagnostics: Vec<Diagnostic>, source: &str, name: &str) -> Self {
        diagnostics.sort_by_key(|it| (it.range.start, it.range.end));
        diagnostics.dedup();
        diagnostics.truncate(MAX_ERRORS);
        Errors { diagnostics, source: source.to_owned(), name: name.to_owned() }
    }

    /// The mistakes.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }
}

impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let renderer = Renderer::plain();
        for (index, it) in self.diagnostics.iter().enumerate() {
            let annotation = AnnotationKind::Primary.span(it.range.clone());
            let snippet = Snippet::source(self.source.as_str()).path(self.name.as_str()).annotation(annotation);
            let group = Level::ERROR.primary_title(it.message.as_str()).element(snippet);
            let mut report: Vec<Group<'_>> = vec![group];
            report.extend(it.hint.as_deref().map(|hint| Group::with_title(Level::HELP.secondary_title(hint))));
            let separator = if index > 0 { "\n" } else { "" };
            write!(f, "{separator}{}", renderer.render(&report))?;
        }
        Ok(())
    }
}

impl std::error::Error for Errors {}

impl From<Errors> for Error {
    fn from(errors: Errors) -> Self {
        let kind = errors.diagnostics.first().map_or(ErrorKind::Malformed, |it| it.kind);
        Error::new(kind, errors.to_string())
    }
}
