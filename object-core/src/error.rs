//! [`Error`]: the one error type of the crate.

use std::fmt;

use crate::access_path::AccessPath;

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
    /// An operation exceeded one of its [`Limits`](crate::limits::Limits).
    LimitExceeded,
    /// A function failed, or was called with the wrong arguments.
    Call,
    /// A name without a registered function or method.
    UnknownFunction,
    /// Reading or writing failed outside of this crate.
    Io,
}

/// An error: a [kind](ErrorKind), a message with the expected and the given value and a fix, and the path in the object
/// graph, if there is one.
#[derive(Clone, Debug)]
pub struct Error {
    inner: Box<Inner>,
}

#[derive(Clone, Debug)]
struct Inner {
    kind: ErrorKind,
    message: String,
    path: Option<AccessPath>,
}

impl Error {
    /// An error without a path.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error { inner: Box::new(Inner { kind, message: message.into(), path: None }) }
    }

    /// A value of type `given` where one of type `expected` is needed.
    #[must_use]
    pub fn type_mismatch(expected: &str, given: &str) -> Self {
        let hint =
            if expected == given { ", another type with the same key: one of them comes from a schema" } else { "" };
        Error::new(ErrorKind::TypeMismatch, format!("expected `{expected}`, got `{given}`{hint}"))
    }

    /// The same error at `path`.
    #[must_use]
    pub fn at(mut self, path: AccessPath) -> Self {
        self.inner.path = Some(path);
        self
    }

    /// The same error with `context` before its message.
    #[must_use]
    pub fn context(mut self, context: impl fmt::Display) -> Self {
        self.inner.message = format!("{context}: {}", self.inner.message);
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
        f.write_str(&self.inner.message)?;
        match &self.inner.path {
            Some(path) => write!(f, " (at {path})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        Error::new(ErrorKind::Io, error.to_string())
    }
}
