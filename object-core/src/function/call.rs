//! Calling a [`Function`]: panics are caught, and errors say which function and which argument.

use std::any::Any as Payload;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::Function;
use crate::error::{Error, ErrorKind, Result};
use crate::object::{Any, AnyView};

/// The code of a function.
pub(super) type Packed = dyn Fn(&[AnyView<'_>]) -> Result<Any, Failure> + Send + Sync;

/// Why a call gave no result.
pub enum Failure {
    /// The function takes another number of arguments.
    Arity(usize),
    /// The argument with this index is not of the right type.
    Argument(usize, Error),
    /// The function itself says so.
    Returned(Error),
}

/// Length from which on a message is not made longer by the names of the functions that it passes through. Each copies
/// the whole message: without a bound, an error from the bottom of a deep recursion would cost the square of its depth.
const MESSAGE_LIMIT: usize = 1 << 14;

impl Function {
    /// Calls the function.
    ///
    /// # Errors
    /// [`Call`](ErrorKind::Call) for a wrong number of arguments and for a panic of the closure, and
    /// [`TypeMismatch`](ErrorKind::TypeMismatch) or [`OutOfRange`](ErrorKind::OutOfRange) for an argument of the wrong
    /// type; otherwise what the closure returns, with the name of the function before its message.
    pub fn call(&self, args: &[AnyView<'_>]) -> Result<Any> {
        // What the closure owns is its own business: afterwards we use nothing that the panic may have left half done.
        match catch_unwind(AssertUnwindSafe(|| (self.body)(args))) {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(failure)) => Err(self.failed(failure, args.len())),
            Err(payload) => Err(self.panicked(payload)),
        }
    }

    #[cold]
    fn failed(&self, failure: Failure, given: usize) -> Error {
        match failure {
            Failure::Returned(error) if error.message().len() >= MESSAGE_LIMIT => error,
            Failure::Returned(error) => error.context(format_args!("function `{}`", Label(self))),
            Failure::Argument(index, error) => {
                let name = self.arg_names.get(index).map(|name| format!(" `{name}`")).unwrap_or_default();
                error.context(format_args!("function `{}`: argument #{index}{name}", Full(self)))
            }
            Failure::Arity(taken) => {
                let plural = if taken == 1 { "" } else { "s" };
                let message = format!("function `{}` takes {taken} argument{plural}, got {given}", Full(self));
                Error::new(ErrorKind::Call, message)
            }
        }
    }

    #[cold]
    fn panicked(&self, payload: Box<dyn Payload + Send>) -> Error {
        let what = match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
            (Some(text), _) => (*text).to_owned(),
            (None, Some(text)) => text.clone(),
            (None, None) => "(the panic has no message)".to_owned(),
        };
        // What a panic carries may panic again when it is dropped; after that nobody knows what is left to drop.
        if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
            std::mem::forget(again);
        }
        Error::new(ErrorKind::Call, format!("function `{}` panicked: {what}", Label(self)))
    }
}

/// What messages call a function: its name, or where it was made.
pub(super) struct Label<'a>(pub(super) &'a Function);

impl fmt::Display for Label<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (file, line) = self.0.location();
        match self.0.name() {
            "" => write!(f, "<{file}:{line}>"),
            name => f.write_str(name),
        }
    }
}

/// The same with the types of arguments and result.
pub(super) struct Full<'a>(pub(super) &'a Function);

impl fmt::Display for Full<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Label(self.0))?;
        self.0.signature().map_or(Ok(()), |signature| write!(f, "{signature}"))
    }
}
