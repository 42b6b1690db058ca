//! [`Bytes`]: a shared sequence of bytes.

use crate::error::Result;
use crate::object::{
    Body, FieldContents, ObjectHandle, ObjectRef, ObjectView, SliceMeta, SliceObject, TypeInfo, builtin_handle,
    from_object_unchecked, slice_info,
};
use crate::value::slices::slice_traits;

/// Aligns the bytes to 16, the largest alignment of a scalar in a tensor.
#[repr(align(16))]
#[derive(Clone, Copy)]
struct Aligned;

impl SliceMeta for Aligned {}

type Layout = SliceObject<Aligned, u8>;

pub(crate) static BYTES: TypeInfo =
    // SAFETY: all objects with this body are made and read in this layout.
    unsafe { slice_info("ffi.Bytes", Body::Bytes, "Any bytes.", Layout::free) };

/// Immutable, reference-counted bytes, aligned to 16. They dereference to a slice, whose `==`, order and hash they have.
///
/// ```
/// use object_core::Bytes;
/// let bytes = Bytes::from([1, 2]);
/// assert!(bytes == [1, 2] && bytes < Bytes::from([1, 3]));
/// assert_eq!((bytes.len(), bytes[1]), (2, 2));
/// ```
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

    /// A new object of `len` bytes, which `fill` writes. They are 0 before. So the source of the bytes needs no second memory.
    ///
    /// # Errors
    /// The errors of `fill`.
    ///
    /// # Panics
    /// If the size of the object does not fit `isize`.
    pub(crate) fn try_filled(len: usize, fill: impl FnOnce(&mut [u8]) -> Result<()>) -> Result<Self> {
        // SAFETY: the table `BYTES` belongs to this layout. Nothing else has a handle of the object yet, so its bytes may change.
        // `Bytes` accepts objects with this table.
        unsafe {
            let object = Layout::of_items(&BYTES, Aligned, std::iter::repeat_n(0, len));
            fill(Layout::parts_mut(object.as_ptr()).1)?;
            Ok(from_object_unchecked(object))
        }
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

slice_traits!(Bytes, u8);

impl From<&str> for Bytes {
    fn from(text: &str) -> Self {
        Bytes::new(text.as_bytes())
    }
}

impl From<String> for Bytes {
    fn from(text: String) -> Self {
        Bytes::new(text.as_bytes())
    }
}
