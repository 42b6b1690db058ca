//! [`Source`]: a file or standard input, gzipped or not.

use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::PathBuf;

use flate2::read::MultiGzDecoder;
use object_core::limits::Limit;
use object_core::{Error, Limits};

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

    /// Reads the unpacked text. The first two bytes tell whether the source is gzipped. The limit of bytes bounds both the
    /// packed and the unpacked content, because an archive may have any number of empty parts.
    fn read_unnamed(&self, limits: &Limits) -> object_core::Result<Vec<u8>> {
        let (raw, size): (Box<dyn Read>, u64) = match self {
            Source::Stdin => (Box::new(io::stdin().lock()), 0),
            Source::File(path) => {
                let file = File::open(path)?;
                let size = file.metadata().map_or(0, |metadata| metadata.len());
                (Box::new(file), size)
            }
        };
        let mut raw = BufReader::with_capacity(1 << 16, raw);
        let mut text = Vec::new();
        // One more byte than the limit tells that there are more.
        let most = limits.max_bytes.saturating_add(1);
        if starts_with_magic(&mut raw)? {
            MultiGzDecoder::new(limits.bounded(raw)).take(most).read_to_end(&mut text)?;
        } else {
            text.reserve(usize::try_from(size.min(most)).unwrap_or_default());
            raw.take(most).read_to_end(&mut text)?;
        }
        limits.check(Limit::Bytes, text.len() as u64)?;
        Ok(text)
    }

    /// Adds the name of the source to an error.
    pub(crate) fn name_in(&self, error: Error) -> Error {
        error.context(self)
    }
}

/// Whether the content starts like a gzip file. Consumes nothing.
fn starts_with_magic(reader: &mut impl BufRead) -> io::Result<bool> {
    Ok(reader.fill_buf()?.starts_with(&[0x1f, 0x8b]))
}
