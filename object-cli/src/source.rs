//! [`Source`]: a file or standard input, gzipped or not.

use std::ffi::OsString;
use std::path::PathBuf;
use std::{fmt, io};

use object_core::{Error, Limits};
use object_script::file;

/// A file or standard input, by its name on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// `-`.
    Stdin,
    /// Anything else.
    File(PathBuf),
}

impl From<OsString> for Source {
    fn from(name: OsString) -> Self {
        if name == "-" { Source::Stdin } else { Source::File(name.into()) }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Stdin => f.write_str("<stdin>"),
            Source::File(path) => path.display().fmt(f),
        }
    }
}

impl Source {
    /// Reads the whole unpacked text.
    ///
    /// # Errors
    /// Errors of reading and unpacking, and [`LimitExceeded`](object_core::ErrorKind::LimitExceeded), with the name of the
    /// source.
    pub(crate) fn read(&self, limits: &Limits) -> object_core::Result<Vec<u8>> {
        self.read_unnamed(limits).map_err(|error| self.name_in(error))
    }

    /// Reads the unpacked text.
    fn read_unnamed(&self, limits: &Limits) -> object_core::Result<Vec<u8>> {
        match self {
            Source::Stdin => file::unpacked(io::stdin().lock(), 0, limits),
            Source::File(path) => file::read(path, limits),
        }
    }

    /// The number of bytes of a file; 0 if it is unknown.
    pub(crate) fn size(&self) -> u64 {
        match self {
            Source::Stdin => 0,
            Source::File(path) => path.metadata().map_or(0, |metadata| metadata.len()),
        }
    }

    /// Adds the name of the source to an error.
    pub(crate) fn name_in(&self, error: Error) -> Error {
        error.context(self)
    }
}
