//! Calls of a [`Function`]: they catch panics, and their errors name the function and the argument.

use std::any::Any as Payload;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::body::Failure;
use super::handle::Function;
use super::message::{Label, WithTypes};
use crate::error::{Error, ErrorKind, Result};
use crate::object::{Any, AnyView};

/// Calls add no further function names to a message of at least this many bytes. Each name copies the whole message:
/// without a limit, an error at the bottom of a deep recursion would cost the square of its depth.
const MESSAGE_LIMIT: usize = 1 << 14;

impl Function {
    /// Calls the function.
    ///
    /// # Errors
    /// * [`Call`](ErrorKind::Call) for a wrong number of arguments, and if the closure panics;
    /// * [`TypeMismatch`](ErrorKind::TypeMismatch) or [`OutOfRange`](ErrorKind::OutOfRange) for an argument of
    ///   the wrong type;
    /// * the error that the closure returns, with the name of the function before its message.
    pub fn call(&self, args: &[AnyView<'_>]) -> Result<Any> {
        // A panic may leave the closure's own data in any state, but no data of this crate.
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
                error.context(format_args!("function `{}`: argument #{index}{name}", WithTypes(self)))
            }
            Failure::Arity(taken) => {
                let plural = if taken == 1 { "" } else { "s" };
                let message = format!("function `{}` takes {taken} argument{plural}, got {given}", WithTypes(self));
                Error::new(ErrorKind::Call, message)
            }
        }
    }

    #[cold]
    fn panicked(&self, payload: Box<dyn Payload + Send>) -> Error {
        let text = match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
            (Some(text), _) => (*text).to_owned(),
            (None, Some(text)) => text.clone(),
            (None, None) => "(the panic has no message)".to_owned(),
        };
        // Dropping the payload may panic with a second payload, whose drop may panic as well: so the second one leaks.
        if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
            std::mem::forget(again);
        }
        Error::new(ErrorKind::Call, format!("function `{}` panicked: {text}", Label(self)))
    }
}
