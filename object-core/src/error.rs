//! [`Error`]: the one error type of the crate.

use std::error::Error as StdError;
use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

use crate::access_path::AccessPath;
use crate::text::brief::{brief, brief_to};
use crate::text::inert::inert;

/// The result of an operation that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The kind of an [`Error`]. Kinds are stable, so that programs can match on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A value of one type stands where another is expected.
    TypeMismatch,
    /// A type key without a registered type.
    UnknownType,
    /// Two types with the same type key, two singletons with the same key, or two equal keys of a map.
    DuplicateKey,
    /// A field name that the type does not have.
    UnknownField,
    /// A required field without a value.
    MissingField,
    /// A structural comparison or hash reached an object of a type that cannot be compared.
    NotComparable,
    /// A type without direct instances.
    NotConstructible,
    /// A key that no singleton of a closed type has.
    UnknownSingleton,
    /// A value that the target format cannot hold.
    NotSerializable,
    /// Text that is not well-formed (JSON, data types, base64, ...).
    Malformed,
    /// A reference to a node that does not exist.
    BadReference,
    /// Nodes that refer to each other in a circle.
    Cycle,
    /// A number outside of the range of its type.
    OutOfRange,
    /// A value that a word or the verifier of its declaration does not allow: see [`verify`](crate::verify).
    CheckFailed,
    /// An operation exceeded one of its [`Limits`](crate::limits::Limits).
    LimitExceeded,
    /// A function failed, or was called with the wrong arguments.
    Call,
    /// A name without a registered function or method.
    UnknownFunction,
    /// A type without an implementation of a trait that it must have.
    MissingImpl,
    /// Reading or writing failed outside of this crate.
    Io,
    /// A kind of another crate, by a name such as `"sql.UnknownTable"`. This crate never makes an error of this kind.
    Custom(&'static str),
}

/// The number of characters of a path that the text of an error shows. [`Error::path`] returns the whole path.
const SHOWN_PATH: usize = 1000;

/// An error: a [kind](ErrorKind), a message with the expected and the given value and a fix, and the path in the object
/// graph, if there is one.
///
/// `Display` shows the message and the path [inertly](crate::inert): a text from a file cannot act on a terminal.
/// `Debug` writes the text of `Display`, so that a program whose `main` returns an `Error` prints the message; after it, each
/// [source](Self::with_source) in a line.
///
/// ```no_run
/// fn main() -> object_core::Result<()> {
///     let _graph: object_core::Any = object_core::json::from_reader(std::fs::File::open("graph.json")?)?;
///     Ok(())
/// }
/// ```
///
/// Another crate makes errors of its own kinds, with the errors that caused them:
///
/// ```
/// use std::error::Error as _;
/// use object_core::{Error, ErrorKind};
///
/// const BAD_NUMBER: ErrorKind = ErrorKind::Custom("sql.BadNumber");
///
/// fn number(text: &str) -> Result<i64, Error> {
///     text.parse().map_err(|error| Error::new(BAD_NUMBER, format!("`{text}` is not a number")).with_source(error))
/// }
///
/// let error = number("1o").unwrap_err();
/// assert_eq!(error.kind(), BAD_NUMBER);
/// assert!(error.source().is_some_and(|source| source.is::<std::num::ParseIntError>()));
/// assert_eq!(format!("{error:?}"), "`1o` is not a number\ncaused by: invalid digit found in string");
/// ```
#[derive(Clone)]
pub struct Error {
    inner: Box<Inner>,
}

#[derive(Clone)]
struct Inner {
    kind: ErrorKind,
    message: String,
    path: Option<AccessPath>,
    source: Option<Arc<dyn StdError + Send + Sync>>,
}

// No reference to an error changes it.
impl UnwindSafe for Error {}
impl RefUnwindSafe for Error {}

impl Error {
    /// An error without a path.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error { inner: Box::new(Inner { kind, message: message.into(), path: None, source: None }) }
    }

    /// A value of type `given` where one of type `expected` is needed.
    #[must_use]
    pub fn type_mismatch(expected: &str, given: &str) -> Self {
        let hint =
            if expected == given { ", another type with the same key: one of them comes from a schema" } else { "" };
        Error::new(ErrorKind::TypeMismatch, format!("expected `{}`, got `{}`{hint}", brief(expected), brief(given)))
    }

    /// A number or a name that no variant of the enum `name` has. `variants` are the names and the numbers of all variants.
    pub(crate) fn unknown_variant(
        name: &str,
        variants: impl IntoIterator<Item = (impl fmt::Display, i64)>,
        given: impl fmt::Display,
    ) -> Self {
        let variants = variants.into_iter().map(|(variant, number)| format!("{number} `{variant}`"));
        let variants = variants.collect::<Vec<_>>().join(", ");
        let message = format!("expected a variant of `{}`, got {given}; the variants are {variants}", brief(name));
        Error::new(ErrorKind::OutOfRange, message)
    }

    /// The same error at `path`.
    #[must_use]
    pub fn at(mut self, path: AccessPath) -> Self {
        self.inner.path = Some(path);
        self
    }

    /// The same error without a path.
    #[must_use]
    pub(crate) fn without_path(mut self) -> Self {
        self.inner.path = None;
        self
    }

    /// The same error with the error that caused it. [`source`](std::error::Error::source) returns it.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.inner.source = Some(source.into().into());
        self
    }

    /// The same error with `context` before its message.
    #[must_use]
    pub fn context(mut self, context: impl fmt::Display) -> Self {
        self.inner.message = format!("{context}: {}", self.inner.message);
        self
    }

    /// The same error with a message of at most `max` characters: a longer message loses its middle.
    #[must_use]
    pub(crate) fn shorten(mut self, max: usize) -> Self {
        if self.inner.message.len() > max {
            self.inner.message = brief_to(&self.inner.message, max).to_string();
        }
        self
    }

    /// The kind.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.inner.kind
    }

    /// The message, without the path.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.inner.message
    }

    /// The path in the graph, if the error has one.
    #[must_use]
    pub fn path(&self) -> Option<&AccessPath> {
        self.inner.path.as_ref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", inert(&self.inner.message))?;
        match &self.inner.path {
            Some(path) => write!(f, " (at {})", inert(&brief_to(&path.to_string(), SHOWN_PATH).to_string())),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)?;
        let mut next = self.source();
        while let Some(source) = next {
            write!(f, "\ncaused by: {source}")?;
            next = source.source();
        }
        Ok(())
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.inner.source.as_deref().map(|source| source as _)
    }
}

impl From<std::io::Error> for Error {
    /// The [`Error`] that a reader of this crate has put into `error`, if there is one; else an error of the kind
    /// [`Io`](ErrorKind::Io).
    fn from(error: std::io::Error) -> Self {
        error.downcast().unwrap_or_else(|error| Error::new(ErrorKind::Io, error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access_path::AccessStep;

    #[test]
    fn debug_is_the_readable_message() {
        let error = Error::new(ErrorKind::Call, "it failed").at(AccessPath::from_steps([AccessStep::ArrayItem(1)]));
        assert_eq!(format!("{error:?}"), "it failed (at <root>[1])");
        assert_eq!(format!("{error:#?}"), error.to_string());
    }

    #[test]
    fn an_error_has_sources() {
        let cause = Error::new(ErrorKind::Custom("test.Cause"), "the cause").with_source("the first cause");
        let error = Error::new(ErrorKind::Custom("test.Effect"), "it failed").with_source(cause);
        let error = error.context("here").at(AccessPath::from_steps([AccessStep::ArrayItem(1)]));
        let cause = error.source().and_then(|source| source.downcast_ref::<Error>());
        assert_eq!(cause.map(Error::kind), Some(ErrorKind::Custom("test.Cause")));
        assert_eq!(error.to_string(), "here: it failed (at <root>[1])");
        assert_eq!(format!("{error:?}"), format!("{error}\ncaused by: the cause\ncaused by: the first cause"));
        assert!(Error::new(ErrorKind::Call, "it failed").source().is_none());
    }

    #[test]
    fn a_long_path_is_cut_in_the_text_alone() {
        let path = AccessPath::from_steps((0..10_000).map(AccessStep::ArrayItem));
        let error = Error::new(ErrorKind::Call, "it failed").at(path.clone());
        assert_eq!(error.path(), Some(&path));
        let text = error.to_string();
        assert!(text.len() < SHOWN_PATH + 100 && text.ends_with("[9999])"), "{text}");
    }

    #[test]
    fn an_error_survives_its_way_through_a_stream() {
        let error = Error::from(std::io::Error::other(Error::new(ErrorKind::LimitExceeded, "it is too long")));
        assert_eq!((error.kind(), error.message()), (ErrorKind::LimitExceeded, "it is too long"));
        let error = Error::from(std::io::Error::other("it is gone"));
        assert_eq!((error.kind(), error.message()), (ErrorKind::Io, "it is gone"));
    }
}
