//! [`TensorStore`]: a place for the data of large tensors.

use std::io::Write;

use crate::error::Result;
use crate::value::Bytes;

/// A place for the data of large tensors outside of memory, such as files: see [`JsonReader::tensors`](super::JsonReader::tensors).
pub trait TensorStore {
    /// The `len` bytes that `write` writes, in a few parts after each other.
    ///
    /// # Errors
    /// The errors of `write`, and errors of the place. Then the reader keeps the data in memory.
    fn store(&self, len: usize, write: &mut dyn FnMut(&mut dyn Write) -> Result<()>) -> Result<Bytes>;
}
