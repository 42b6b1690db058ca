//! Programs that `objir build` runs.

use std::process::{Command, Output};

use object_core::{Error, ErrorKind, Result};

/// The output of a program that succeeds. `advice` is for a program that does not run.
///
/// # Errors
/// [`Io`](ErrorKind::Io) if the program does not run or fails, with its messages.
pub(super) fn succeed(command: &mut Command, advice: &str) -> Result<Output> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command
        .output()
        .map_err(|error| Error::new(ErrorKind::Io, format!("`{name}` does not run: {error}; {advice}")))?;
    if output.status.success() {
        return Ok(output);
    }
    let messages = String::from_utf8_lossy(&output.stderr);
    Err(Error::new(ErrorKind::Io, format!("`{name}` failed: {}", messages.trim())))
}
