//! [`FunctionBody`]: the code of a function, and [`Failure`]: the reason why a call has no result.

use crate::error::{Error, Result};
use crate::object::{Any, AnyView};

/// The code of a function.
pub(crate) type FunctionBody = dyn Fn(&[AnyView<'_>]) -> Result<Any, Failure> + Send + Sync;

/// The reason why a call has no result.
pub enum Failure {
    /// The function takes this number of arguments, and the caller gave another number.
    Arity(usize),
    /// The argument with this index has a wrong type.
    Argument(usize, Error),
    /// The function returned this error.
    Returned(Error),
}
