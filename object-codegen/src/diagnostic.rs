//! [`Diagnostic`]: a fault of an input file, with its place.

use std::fmt;

use object_core::dynamic::SourcePlace;

/// Whether a fault prevents the generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Nothing is generated.
    Error,
    /// The output is generated, and the author should look at the place.
    Warning,
}

/// A fault of an input file, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Whether the fault prevents the generation.
    pub severity: Severity,
    /// The place.
    pub place: SourcePlace,
    /// The mistake, and the text to write instead.
    pub message: String,
}

impl Diagnostic {
    /// An error at `place`.
    #[must_use]
    pub fn error(place: SourcePlace, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Error, place, message: message.into() }
    }

    /// A warning at `place`.
    #[must_use]
    pub fn warning(place: SourcePlace, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, place, message: message.into() }
    }
}

/// `FILE:LINE:COLUMN: error: MESSAGE`, as compilers write it.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        write!(f, "{}: {word}: {}", self.place, self.message)
    }
}
