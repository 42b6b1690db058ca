//! Files of modules: JSON graphs and scripts, gzipped or not.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use object_core::Result;
use object_core::limits::{Limit, Limits};

/// The ends of the names of scripts.
const SUFFIXES: [&str; 3] = [".py", ".py.txt", ".py.gz"];

/// The texts with which scripts begin, and JSON does not.
const BEGINNINGS: [&str; 10] = ["#", "@", "metadata", "from ", "import ", "\"\"\"", "def ", "I.", "R.", "T."];

/// Whether a file is a script, by its name or its first characters.
#[must_use]
pub fn is_script(name: &str, text: &[u8]) -> bool {
    let start = text.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(text.len());
    let begins = |beginning: &&str| text[start..].starts_with(beginning.as_bytes());
    SUFFIXES.iter().any(|suffix| name.ends_with(suffix)) || BEGINNINGS.iter().any(begins)
}

/// The unpacked text of a file.
///
/// # Errors
/// As [`unpacked`], and the errors of opening the file.
pub fn read(path: &Path, limits: &Limits) -> Result<Vec<u8>> {
    let file = File::open(path)?;
    let size = file.metadata().map_or(0, |metadata| metadata.len());
    unpacked(file, size, limits)
}

/// The unpacked text of a stream of about `size` bytes. The first two bytes tell whether the stream is gzipped. The limit of
/// bytes bounds both the packed and the unpacked content, because an archive may have any number of empty parts.
///
/// # Errors
/// Errors of reading and unpacking, and [`LimitExceeded`](object_core::ErrorKind::LimitExceeded).
pub fn unpacked(stream: impl Read, size: u64, limits: &Limits) -> Result<Vec<u8>> {
    let mut stream = BufReader::with_capacity(1 << 16, stream);
    let mut text = Vec::new();
    // One more byte than the limit tells that there are more.
    let most = limits.max_bytes.saturating_add(1);
    if stream.fill_buf()?.starts_with(&[0x1f, 0x8b]) {
        MultiGzDecoder::new(limits.bounded(stream)).take(most).read_to_end(&mut text)?;
    } else {
        text.reserve(usize::try_from(size.min(most)).unwrap_or_default());
        stream.take(most).read_to_end(&mut text)?;
    }
    limits.check(Limit::Bytes, text.len() as u64)?;
    Ok(text)
}

/// The content of the file `path` with this text: packed if the name ends in `.gz`.
///
/// # Errors
/// Errors of the packer.
pub fn packed(path: &Path, text: String) -> Result<Vec<u8>> {
    if path.extension().is_none_or(|extension| extension != "gz") {
        return Ok(text.into_bytes());
    }
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(text.as_bytes())?;
    Ok(packed.finish()?)
}
