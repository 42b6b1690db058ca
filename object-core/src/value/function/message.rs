//! The form of functions in error messages.

use std::fmt;

use super::handle::Function;
use crate::error::{Error, ErrorKind};

/// Writes the name of a function, or, if it has none, the place of its declaration.
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

/// Writes a function as [`Label`] does, with the types of its arguments and of its result.
pub(crate) struct WithTypes<'a>(pub(crate) &'a Function);

impl fmt::Display for WithTypes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Label(self.0))?;
        self.0.signature().map_or(Ok(()), |signature| write!(f, "{signature}"))
    }
}

/// The error for two functions under one name. `subject` is in the plural and ends with its verb: "functions are".
pub(crate) fn duplicate(subject: &str, name: &str, old: &Function, new: &Function) -> Error {
    let ((old_file, old_line), (file, line)) = (old.location(), new.location());
    let message = format!(
        "two {subject} called `{name}`: one at {old_file}:{old_line}, one at {file}:{line}; rename or remove one of them"
    );
    Error::new(ErrorKind::DuplicateKey, message)
}
