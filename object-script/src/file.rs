//! Files of modules: JSON graphs and scripts, gzipped or not.

use std::cell::Cell;
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

/// The unpacked text of a stream of `size` bytes, or of an unknown number of them if `size` is 0. The first two bytes tell
/// whether the stream is gzipped. The limit of bytes bounds both the packed and the unpacked content, because an archive may
/// have any number of empty parts.
///
/// # Errors
/// Errors of reading and unpacking, and [`LimitExceeded`](object_core::ErrorKind::LimitExceeded).
pub fn unpacked(stream: impl Read, size: u64, limits: &Limits) -> Result<Vec<u8>> {
    // So the error of a file has its size.
    limits.check(Limit::Bytes, size)?;
    let mut stream = BufReader::with_capacity(1 << 16, stream);
    if stream.fill_buf()?.starts_with(&[0x1f, 0x8b]) {
        return unpack(stream, limits);
    }
    let mut text = Vec::new();
    // One more byte than the limit tells that there are more.
    let most = limits.max_bytes.saturating_add(1);
    text.reserve(usize::try_from(size.min(most)).unwrap_or_default());
    stream.take(most).read_to_end(&mut text)?;
    // How many bytes follow is unknown.
    limits.check(Limit::Bytes, if text.len() as u64 == most { most.saturating_mul(2) } else { 0 })?;
    Ok(text)
}

/// The bytes of an archive between two checks of its expansion.
const PART: u64 = 1 << 24;

/// The text in an archive.
fn unpack(stream: impl Read, limits: &Limits) -> Result<Vec<u8>> {
    let packed = Cell::new(0);
    let mut text = Vec::new();
    let mut unpacker = MultiGzDecoder::new(limits.bounded(Counted { stream, count: &packed }));
    loop {
        let part = unpacker.by_ref().take(PART).read_to_end(&mut text)?;
        let unpacked = text.len() as u64;
        if unpacked > limits.max_bytes {
            limits.check(Limit::Bytes, unpacked.saturating_mul(2))?;
        }
        if unpacked > limits.unpacked(packed.get()) {
            limits.check(Limit::Expansion, unpacked.div_ceil(packed.get().max(1)))?;
        }
        if (part as u64) < PART {
            return Ok(text);
        }
    }
}

/// A stream that counts its bytes.
struct Counted<'a, R> {
    stream: R,
    count: &'a Cell<u64>,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let count = self.stream.read(out)?;
        self.count.set(self.count.get() + count as u64);
        Ok(count)
    }
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
