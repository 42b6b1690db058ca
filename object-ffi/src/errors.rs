//! Errors in both directions: the class of an exception and the kind of an [`Error`].

use std::ffi::c_int;
use std::fmt;
use std::ptr;

use object_core::error::{Error, ErrorKind, Result};

use crate::abi::{ByteArray, ErrorCell, Header};
use crate::handle::Handle;
use crate::runtime::runtime;

/// The classes of exceptions that tvm-ffi knows by name.
const CLASSES: [&str; 9] = [
    "RuntimeError",
    "ValueError",
    "TypeError",
    "AttributeError",
    "KeyError",
    "IndexError",
    "AssertionError",
    "MemoryError",
    "KeyboardInterrupt",
];

/// An error that tvm-ffi raised: the [source](std::error::Error::source) of the [`Error`] that a caller in Rust gets. If the
/// caller returns that `Error` to tvm-ffi, tvm-ffi gets this error back, with its class, message and backtrace.
pub struct PeerError(Handle);

impl PeerError {
    fn cell(&self) -> &ErrorCell {
        // SAFETY: the handle is an error object, whose cell follows the header; nobody changes the kind and the message.
        unsafe { &*self.0.as_ptr().cast::<u8>().add(size_of::<Header>()).cast::<ErrorCell>() }
    }

    /// The class of the exception, such as `KeyError`.
    #[must_use]
    pub fn class(&self) -> String {
        // SAFETY: the cell owns the bytes.
        unsafe { self.cell().kind.to_text() }
    }

    /// The message.
    #[must_use]
    pub fn message(&self) -> String {
        // SAFETY: the cell owns the bytes.
        unsafe { self.cell().message.to_text() }
    }
}

impl fmt::Debug for PeerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for PeerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.class(), self.message())
    }
}

impl std::error::Error for PeerError {}

/// The kind of an error of the class `class`: `Custom` with the name of the class, if tvm-ffi knows the class.
fn kind_of(class: &str) -> ErrorKind {
    CLASSES.iter().find(|known| **known == class).map_or(ErrorKind::Call, |known| ErrorKind::Custom(known))
}

/// The class of the exception for an error of this kind.
fn class_of(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Custom(name) => name,
        ErrorKind::TypeMismatch | ErrorKind::MissingField | ErrorKind::NotComparable | ErrorKind::NotConstructible => {
            "TypeError"
        }
        ErrorKind::UnknownField => "AttributeError",
        ErrorKind::UnknownType | ErrorKind::UnknownSingleton | ErrorKind::UnknownFunction => "KeyError",
        ErrorKind::Call | ErrorKind::Io | ErrorKind::LimitExceeded => "RuntimeError",
        _ => "ValueError",
    }
}

/// The kind of the error of [`check_signals`]: a handler of signals of Python has raised an exception, which Python raises again
/// where it gets this error.
pub const INTERRUPTED: ErrorKind = ErrorKind::Custom("EnvErrorAlreadySet");

/// Lets Python handle signals that came since the last call, such as Ctrl-C. Long work calls this function often, in the main
/// thread of Python; in other threads it does nothing.
///
/// # Errors
/// [`INTERRUPTED`] if a handler raised an exception. The work ends and returns this error.
pub fn check_signals() -> Result<()> {
    // SAFETY: the function takes the lock of Python itself.
    match unsafe { (runtime().env_check_signals)() } {
        0 => Ok(()),
        _ => Err(Error::new(INTERRUPTED, "a signal ended the work")),
    }
}

/// Turns the status of a function of tvm-ffi into a result.
///
/// # Errors
/// The error that tvm-ffi raised, if the status is not zero.
pub(crate) fn check(status: c_int) -> Result<()> {
    if status == 0 { Ok(()) } else { Err(raised()) }
}

/// The error that tvm-ffi raised in this thread.
#[cold]
fn raised() -> Error {
    let mut object = ptr::null_mut();
    // SAFETY: the function writes an owned error object, or null.
    let handle = unsafe {
        (runtime().error_move_from_raised)(&raw mut object);
        Handle::from_raw(object)
    };
    match handle.map(PeerError) {
        Some(error) => Error::new(kind_of(&error.class()), error.message()).with_source(error),
        None => Error::new(ErrorKind::Call, "a function of tvm-ffi failed without an error"),
    }
}

/// Raises an error in tvm-ffi. Returns the status for the caller.
#[cold]
pub(crate) fn raise(error: &Error) -> c_int {
    let source = std::error::Error::source(error).and_then(|source| source.downcast_ref::<PeerError>());
    match source.map(|error| error.0.clone()).or_else(|| create(error)) {
        // SAFETY: the handle is an error object; tvm-ffi takes a reference of its own.
        Some(handle) => unsafe { (runtime().error_set_raised)(handle.as_ptr()) },
        // Without memory for an error object, the caller gets no message.
        None => return -1,
    }
    -1
}

/// An error object with the class for the kind, and the message with the path.
fn create(error: &Error) -> Option<Handle> {
    let (class, message) = (class_of(error.kind()), error.to_string());
    let (class, message, backtrace) = (ByteArray::of(class), ByteArray::of(&message), ByteArray::of(""));
    let mut object = ptr::null_mut();
    // SAFETY: the function copies the texts, and writes an owned error object.
    unsafe {
        (runtime().error_create)(&raw const class, &raw const message, &raw const backtrace, &raw mut object);
        Handle::from_raw(object)
    }
}
