//! [`Bytes`] : shared bytes.

use std::fmt;
use std::ops::Deref;

use crate::object::{
    Body, FieldContents, ObjectHandle, ObjectRef, ObjectView, SliceObject, TypeInfo, builtin_handle,
    from_object_unchecked, slice_info,
};

/// Aligned as strictly as any scalar that a tensor may hold here.
#[repr(align(16))]
struct Aligned;

type Layout = SliceObject<Aligned, u8>;

pub(crate) static BYTES: TypeInfo = slice_info("ffi.Bytes", Body::Bytes, "Any bytes.", Layout::free);

/// Immutable bytes, shared by counting. They compare, order and hash by content.
#[derive(Clone)]
#[repr(transparent)]
pub struct Bytes(ObjectRef);

builtin_handle!(Bytes, BYTES, FieldContents::Plain);

impl Bytes {
    /// A copy of `bytes`.
    #[must_use]
    pub fn new(bytes: &[u8]) -> Self {
        // SAFETY: all objects with this table have this layout.
        unsafe { from_object_unchecked(Layout::copy_of(&BYTES, Aligned, bytes)) }
    }

    /// The bytes.
    #[must_use]
    pub fn as_slice(&self) -> &[u8] {
        // SAFETY: the handle accepts only objects of this layout.
        unsafe { Layout::items(self.0.view()) }
    }
}

impl<'a> ObjectView<'a> {
    /// The bytes, if the object holds bytes.
    #[must_use]
    pub fn as_bytes(self) -> Option<&'a [u8]> {
        // SAFETY: just checked.
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
