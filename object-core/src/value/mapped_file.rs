//! Mapped files as [`Bytes`].

use std::fs::File;

use super::Bytes;
use crate::error::Result;

impl Bytes {
    /// The content of a file, which the system reads page by page when a program uses it.
    ///
    /// # Errors
    /// [`Io`](crate::ErrorKind::Io) for a file that cannot be mapped, such as a pipe.
    ///
    /// # Safety
    /// Nobody writes into the file or shortens it while the bytes, or values that share them, are in use. A program that replaces a file by
    /// renaming another one leaves the mapped one as it is.
    pub unsafe fn map_file(file: &File) -> Result<Self> {
        // SAFETY: by the contract, the mapped memory does not change.
        Ok(Bytes::from_owner(unsafe { memmap2::Mmap::map(file) }?))
    }
}
