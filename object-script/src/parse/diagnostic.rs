//! [`Diagnostic`]: an error of a script, with its place in the text; [`Errors`], all errors of a text.

use std::fmt;
use std::ops::Range;

use object_core::{Error, ErrorKind, brief_to, nearest};
use object_python_syntax::{SyntaxFault, line_column};
use ruff_text_size::TextRange;

/// The number of characters of the longest message, which may quote a name from the text.
const MAX_MESSAGE: usize = 1000;

/// The words with which statements begin.
const STATEMENTS: [&str; 12] =
    ["return", "with", "for", "while", "if", "elif", "else", "def", "class", "pass", "from", "import"];

/// An error of a script, with its place in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// [`Malformed`](ErrorKind::Malformed), or [`LimitExceeded`](ErrorKind::LimitExceeded) where the memory ends.
    pub kind: ErrorKind,
    /// The bytes of the text that the error is about.
    pub range: Range<usize>,
    /// The expected and the given value.
    pub message: String,
    /// A change that mends the text, if one is likely.
    pub hint: Option<String>,
}

impl Diagnostic {
    pub(crate) fn new(range: TextRange, message: impl Into<String>) -> Self {
        Diagnostic::at(range.start().into()..range.end().into(), message.into())
    }

    pub(crate) fn at(range: Range<usize>, message: String) -> Self {
        let is_short = message.len() <= MAX_MESSAGE;
        Diagnostic {
            kind: ErrorKind::Malformed,
            range,
            message: if is_short { message } else { brief_to(&message, MAX_MESSAGE).to_string() },
            hint: None,
        }
    }

    /// The error of a limit at a place.
    pub(crate) fn of_limit(range: Range<usize>, error: &Error) -> Self {
        Diagnostic { kind: error.kind(), ..Diagnostic::at(range, error.message().to_owned()) }
    }

    /// The line and the column of the start in `source`, counted from 1; the column counts characters.
    #[must_use]
    pub fn line_column(&self, source: &str) -> (usize, usize) {
        line_column(source, self.range.start)
    }
}

impl Diagnostic {
    /// The errors of the syntax of `source`.
    pub(crate) fn of_faults(faults: Vec<SyntaxFault>, source: &str) -> Vec<Self> {
        let mut last_line = None;
        let diagnostic = |SyntaxFault { range, message }: SyntaxFault| {
            let line = source.get(..range.start).map(|before| before.rfind('\n').map_or(0, |end| end + 1));
            // Further errors of a line follow from the first one.
            let hint = if line == last_line { None } else { line.and_then(|start| statement_hint(&source[start..])) };
            last_line = line;
            Diagnostic { hint, ..Diagnostic::at(range, message) }
        };
        faults.into_iter().map(diagnostic).collect()
    }
}

/// The statement that a line probably begins with: its first word is none, is near to one, and stands before another word.
fn statement_hint(line: &str) -> Option<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let line = line.trim_start_matches([' ', '\t']);
    let (word, rest) = line.split_at(line.find(|c| !is_word(c))?);
    let operand = rest.trim_start_matches([' ', '\t']);
    let has_operand = operand.len() < rest.len() && operand.starts_with(|c| is_word(c) || c == '"' || c == '\'');
    if !has_operand || STATEMENTS.contains(&word) {
        return None;
    }
    Some(format!("did you mean `{}`?", nearest(word, STATEMENTS)?))
}

/// All errors of a script, in the order of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Errors {
    diagnostics: Vec<Diagnostic>,
    places: Vec<(usize, usize)>,
}

impl Errors {
    pub(crate) fn new(mut diagnostics: Vec<Diagnostic>, source: &str) -> Self {
        diagnostics.sort_by_key(|it| (it.range.start, it.range.end));
        diagnostics.dedup();
        let places = diagnostics.iter().map(|it| it.line_column(source)).collect();
        Errors { diagnostics, places }
    }

    /// [`LimitExceeded`](ErrorKind::LimitExceeded) if the memory ends, otherwise [`Malformed`](ErrorKind::Malformed).
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        let limit = self.diagnostics.iter().find(|it| it.kind == ErrorKind::LimitExceeded);
        limit.map_or(ErrorKind::Malformed, |it| it.kind)
    }

    /// The line and the column of the first error, as [`Diagnostic::line_column`] counts them.
    #[must_use]
    pub fn first_place(&self) -> Option<(usize, usize)> {
        self.places.first().copied()
    }

    /// The line and the column of each error, as [`Diagnostic::line_column`] counts them.
    #[must_use]
    pub fn places(&self) -> &[(usize, usize)] {
        &self.places
    }

    /// The errors.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }
}

/// One line for each error: line, column, message and hint.
impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (it, (line, column))) in self.diagnostics.iter().zip(&self.places).enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{line}:{column}: {}", it.message)?;
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
