//! [`FileVersion`]: the version of TVM that wrote a file.

use std::fmt;

use memchr::memmem;
use object_core::binary::BinaryParts;
use object_core::{Error, Result};

use crate::tvm::version::TvmVersion;

/// The key of the version in the metadata of a file.
const KEY: &[u8] = b"\"tvm_version\"";
/// The text before the type key of a node, as TVM and this crate write it.
const TYPE: &[u8] = b"{\"type\":\"";
/// The longest version and the longest type key that count, in bytes.
const LONGEST: usize = 128;

/// The version of TVM that wrote a file, and the version whose types read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileVersion {
    /// The version whose types read the file.
    pub version: TvmVersion,
    /// The full version number in the metadata of the file, if it is there.
    pub stated: Option<String>,
    /// Whether the text determines the version: by its metadata, or by a type that only one version has.
    pub(super) is_certain: bool,
}

impl FileVersion {
    /// Recognizes the version of a JSON graph: by `tvm_version` in its metadata, or else by the first type keys that only one version
    /// has. A text that several versions may have written is of TVM 0.25, or else of the latest one.
    ///
    /// The search reads neither nodes nor metadata as JSON, so it also has a result for a text that is not a graph.
    ///
    /// # Errors
    /// As [`TvmVersion::types`].
    pub fn of(text: &[u8]) -> Result<Self> {
        Self::of_parts(stated_version(text), type_keys(text))
    }

    /// As [`of`](Self::of), for a binary graph.
    ///
    /// # Errors
    /// As [`TvmVersion::types`].
    pub(super) fn of_binary(parts: &BinaryParts) -> Result<Self> {
        let metadata = parts.metadata.as_ref().map_or("", |metadata| metadata.as_str());
        Self::of_parts(stated_version(metadata.as_bytes()), parts.type_keys())
    }

    /// The version of a file with this version in its metadata, and with these types.
    fn of_parts<'k>(stated: Option<&str>, type_keys: impl Iterator<Item = &'k str>) -> Result<Self> {
        if let Some(stated) = stated
            && let Some(version) = TvmVersion::nearest(stated)
        {
            return Ok(FileVersion { version, stated: Some(stated.to_owned()), is_certain: true });
        }
        let mut left = TvmVersion::ALL.to_vec();
        for key in type_keys.filter(|key| key.contains('.') && !key.starts_with("ffi.")) {
            let mut have = Vec::new();
            for version in &left {
                if version.types()?.has(key)? {
                    have.push(*version);
                }
            }
            match have[..] {
                // No version that is left has the type.
                [] => {}
                [version] => return Ok(FileVersion { version, stated: None, is_certain: true }),
                _ => left = have,
            }
        }
        // Most files without metadata are of TVM 0.25; later versions state themselves.
        let version = if left.contains(&TvmVersion::V0_25) { TvmVersion::V0_25 } else { left[left.len() - 1] };
        Ok(FileVersion { version, stated: None, is_certain: false })
    }

    /// Whether the types are the types of the version that the file states, or the file states none.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.stated.as_deref().is_none_or(|stated| self.version.includes(stated))
    }

    /// Adds to an error of reading the file that the types are of another version.
    pub(super) fn explain(&self, error: Error) -> Error {
        if self.is_exact() {
            return error;
        }
        let nearest = self.version;
        error.context(format_args!(
            "it is of {self}, whose types this program lacks, so the types of TVM {nearest} read it"
        ))
    }
}

/// `TVM 0.27.0.post1`.
impl fmt::Display for FileVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TVM {}", self.stated.as_deref().unwrap_or(self.version.name()))
    }
}

/// The last text after the key of the version. A string of JSON cannot contain the key, because its quotes are escaped
/// there.
fn stated_version(text: &[u8]) -> Option<&str> {
    let at = memmem::rfind(text, KEY)? + KEY.len();
    let value = text[at..].trim_ascii_start().strip_prefix(b":")?.trim_ascii_start().strip_prefix(b"\"")?;
    quoted(value)
}

/// The type keys of the nodes.
fn type_keys(text: &[u8]) -> impl Iterator<Item = &str> {
    memmem::find_iter(text, TYPE).filter_map(|at| quoted(&text[at + TYPE.len()..]))
}

/// The text up to the next quote.
fn quoted(text: &[u8]) -> Option<&str> {
    let text = &text[..text.len().min(LONGEST)];
    std::str::from_utf8(&text[..memchr::memchr(b'"', text)?]).ok()
}
