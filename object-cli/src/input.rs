//! Sources of graphs: files and standard input, gzipped or not.

use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::PathBuf;

use flate2::bufread::MultiGzDecoder;
use object_core::Error;
use object_core::json::{Graph, JsonReader};
use object_core::registry::Types;

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
    /// Reads the graph in the source with these types, as a stream.
    ///
    /// # Errors
    /// Errors of reading, unpacking and loading, with the name of the source.
    pub(crate) fn load(&self, types: &Types) -> object_core::Result<Graph> {
        let load = || JsonReader::new().types(types).read_from(self.open()?);
        load().map_err(|error| self.name_in(error))
    }

    /// Reads the whole unpacked text.
    ///
    /// # Errors
    /// Errors of reading and unpacking, with the name of the source.
    pub(crate) fn read(&self) -> object_core::Result<Vec<u8>> {
        let read = || -> io::Result<Vec<u8>> {
            let mut text = Vec::new();
            self.open()?.read_to_end(&mut text)?;
            Ok(text)
        };
        read().map_err(|error| self.name_in(error.into()))
    }

    /// Adds the name of the source to an error.
    pub(crate) fn name_in(&self, error: Error) -> Error {
        error.context(self)
    }

    /// Opens the unpacked content. The first two bytes tell whether the source is gzipped.
    fn open(&self) -> io::Result<Box<dyn Read>> {
        let raw: Box<dyn Read> = match self {
            Source::Stdin => Box::new(io::stdin().lock()),
            Source::File(path) => Box::new(File::open(path)?),
        };
        let mut raw = BufReader::with_capacity(1 << 16, raw);
        if starts_with_magic(&mut raw)? { Ok(Box::new(MultiGzDecoder::new(raw))) } else { Ok(Box::new(raw)) }
    }
}

/// Whether the content starts like a gzip file. Consumes nothing.
fn starts_with_magic(reader: &mut impl BufRead) -> io::Result<bool> {
    Ok(reader.fill_buf()?.starts_with(&[0x1f, 0x8b]))
}
