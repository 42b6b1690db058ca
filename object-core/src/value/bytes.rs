//! [`Bytes`]: a shared sequence of bytes.

use std::fmt;
use std::ops::Deref;

use crate::object::{
    Body, FieldContents, ObjectHandle, ObjectRef, ObjectView, SliceObject, TypeInfo, builtin_handle,
    from_object_unchecked, slice_info,
};

/// Aligns the bytes to 16, the largest alignment of a scalar in a tensor.
#[repr(align(16))]
struct Aligned;

type Layout = SliceObject<Aligned, u8>;

pub(crate) static BYTES: TypeInfo =
    // SAFETY: all objects with this body are made and read in this layout.
    unsafe { slice_info("ffi.Bytes", Body::Bytes, "Any bytes.", Layout::free) };

/// Immutable, reference-counted bytes, aligned to 16. `==` compares the content.
#[derive(Clone)]
#[repr(transparent)]
pub struct Bytes(ObjectRef);

builtin_handle!(Bytes, BYTES, FieldContents::Plain);

impl Bytes {
    /// Copies `bytes` to a new object.
    ///
    /// # Panics
    /// If the size of the object does not fit `isize`.
    #[must_use]
    pub fn new(bytes: &[u8]) -> Self {
        // SAFETY: the table `BYTES` belongs to this layout, and `Bytes` accepts objects with this table.
        unsafe { from_object_unchecked(Layout::copy_of(&BYTES, Aligned, bytes)) }
    }

    /// The bytes.
    #[must_use]
    pub fn as_slice(&self) -> &[u8] {
        // SAFETY: the handle accepts only objects of the type `BYTES`, which have this layout.
        unsafe { Layout::items(self.0.view()) }
    }
}

impl<'a> ObjectView<'a> {
    /// The bytes, if the object is a [`Bytes`].
    #[must_use]
    pub fn as_bytes(self) -> Option<&'a [u8]> {
        // SAFETY: `Bytes` accepts only objects of the type `BYTES`, which have this layout.
        Bytes::accepts_object(self).then(|| unsafe { Layout::items(self) })
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.as_slice()
    }
}

impl From<&[u8]> for Bytes {
    fn from(bytes: &[u8]) -> Self {
        Bytes::new(bytes)
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Self {
        Bytes::new(&bytes)
    }
}

impl PartialEq for Bytes {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl Eq for Bytes {}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}
