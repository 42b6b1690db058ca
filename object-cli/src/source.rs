//! [`Source`]: a file or standard input, gzipped or not.

use std::ffi::OsString;
use std::fmt;
use std::fs::{File, Metadata};
use std::io::{self, BufWriter, Read, Write};
use std::ops::Deref;
use std::path::{Path, PathBuf};

use object_core::json::TensorStore;
use object_core::{Bytes, Error, ErrorKind, Limits, binary};
use object_script::file;

use crate::finding::InFile;

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

/// The first bytes of a packed text.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The bytes of a text that takes a file instead of memory.
const LARGE: u64 = 1 << 20;

/// The content of a source.
pub(crate) struct Content {
    pub(crate) bytes: Bytes,
    /// The bytes of memory that it takes: none for a mapped file.
    pub(crate) memory: u64,
}

impl Deref for Content {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Content {
    /// The content as text.
    ///
    /// # Errors
    /// [`Malformed`](ErrorKind::Malformed) for other bytes than UTF-8.
    pub(crate) fn into_text(self) -> object_core::Result<String> {
        let text = std::str::from_utf8(&self).map(str::to_owned);
        text.map_err(|_| Error::new(ErrorKind::Malformed, "it is not UTF-8"))
    }
}

/// The bytes of a file with a binary graph, without reading them; `None` for other files.
#[allow(unsafe_code, reason = "only the operating system knows whether a file changes")]
fn mapped(path: &Path) -> object_core::Result<Option<Bytes>> {
    let mut file = File::open(path)?;
    let mut start = [0; binary::START];
    if !file.metadata()?.is_file() || file.read_exact(&mut start).is_err() || !binary::is_binary(&start) {
        return Ok(None);
    }
    // SAFETY: the manual of the command says that files with binary graphs must not change while it reads them, and the command writes
    // files by renaming.
    unsafe { Bytes::map_file(&file) }.map(Some)
}

/// A copy of what `write` writes in a file of `folder`, which has no name, so nobody else changes it.
#[allow(unsafe_code, reason = "only the operating system knows whether a file changes")]
fn in_file(folder: &Path, write: impl FnOnce(&mut dyn Write) -> object_core::Result<()>) -> object_core::Result<Bytes> {
    let mut file = tempfile::tempfile_in(folder)?;
    let mut out = BufWriter::new(&mut file);
    write(&mut out)?;
    out.flush()?;
    drop(out);
    // SAFETY: the file has no name, and nothing writes to this handle any more.
    unsafe { Bytes::map_file(&file) }
}

/// The bytes of a text that is not packed, within the limits, in a file of `folder`. `None` for other files, and after an error.
fn copy_in(folder: &Path, path: &Path, limits: &Limits) -> Option<Bytes> {
    let mut file = File::open(path).ok()?;
    let (mut start, size) = ([0; binary::START], file.metadata().ok().filter(Metadata::is_file)?.len());
    file.read_exact(&mut start).ok()?;
    if start.starts_with(&GZIP) || binary::is_binary(&start) || size < LARGE || size > limits.max_bytes {
        return None;
    }
    in_file(folder, |out| {
        out.write_all(&start)?;
        io::copy(&mut file.take(size), out)?;
        Ok(())
    })
    .ok()
}

/// Keeps the data of tensors in files of a folder.
pub(crate) struct TensorFiles {
    pub(crate) folder: PathBuf,
}

impl TensorStore for TensorFiles {
    fn store(
        &self,
        _len: usize,
        write: &mut dyn FnMut(&mut dyn Write) -> object_core::Result<()>,
    ) -> object_core::Result<Bytes> {
        in_file(&self.folder, write)
    }
}

impl Source {
    /// Reads the whole unpacked text.
    ///
    /// # Errors
    /// Errors of reading and unpacking, and [`LimitExceeded`](object_core::ErrorKind::LimitExceeded), with the name of the
    /// source.
    pub(crate) fn read(&self, limits: &Limits) -> object_core::Result<Content> {
        self.read_unnamed(limits).map_err(|error| self.name_in(error))
    }

    /// Reads the unpacked text, or maps a file with a binary graph.
    fn read_unnamed(&self, limits: &Limits) -> object_core::Result<Content> {
        let text = match self {
            Source::Stdin => file::unpacked(io::stdin().lock(), 0, limits)?,
            Source::File(path) => match mapped(path)? {
                Some(bytes) => return Ok(Content { bytes, memory: 0 }),
                None => file::read(path, limits)?,
            },
        };
        let memory = text.len() as u64;
        Ok(Content { bytes: Bytes::from_owner(text), memory })
    }

    /// As [`read`](Self::read), with a text that is not packed in a file of `folder` instead of in memory. An error of this file has no
    /// effect: then the text is in memory.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub(crate) fn read_through_file(&self, limits: &Limits, folder: &Path) -> object_core::Result<Content> {
        if let Source::File(path) = self
            && let Some(bytes) = copy_in(folder, path, limits)
        {
            return Ok(Content { bytes, memory: 0 });
        }
        self.read(limits)
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
        InFile::named(self.to_string(), None, error)
    }
}
