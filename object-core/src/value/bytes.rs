//! [`Bytes`]: a shared sequence of bytes.

use std::ptr::NonNull;

use crate::error::Result;
use crate::object::{
    Body, CheckedContent, DeadObjects, FieldContents, Header, ObjectHandle, ObjectRef, ObjectView, SliceMeta,
    SliceObject, TypeInfo, builtin_handle, from_object_unchecked, slice_info,
};
use crate::value::slices::slice_traits;

/// The alignment of the bytes, the largest one of a scalar in a tensor.
const ALIGN: usize = 16;

/// The fixed data of the objects, which also aligns the bytes after it.
#[repr(align(16))]
#[derive(Clone, Copy)]
struct Source {
    /// The memory of the bytes, if another value owns it. Then the object has no elements, and it owns the box.
    foreign: Option<&'static Foreign>,
}

const _: () = assert!(align_of::<Source>() == ALIGN);

impl Source {
    /// The bytes are the elements of the object.
    const OWN: Source = Source { foreign: None };
}

impl SliceMeta for Source {}

/// Bytes in the memory of another value, and this value.
struct Foreign {
    bytes: &'static [u8],
    _owner: Box<dyn Send + Sync>,
}

type Layout = SliceObject<Source, u8>;

/// Frees the object, and the value that owns the bytes.
///
/// # Safety
/// As for [`SliceObject::free`].
unsafe fn free(ptr: NonNull<Header>, dead: &mut DeadObjects) {
    // SAFETY: by the contract, the object has this layout, and nothing refers to it. It owns the box that `from_owner` has leaked,
    // whose bytes only handles of the object lend.
    unsafe {
        let foreign = Layout::meta_mut(ptr).foreign;
        Layout::free(ptr, dead);
        if let Some(foreign) = foreign {
            drop(Box::from_raw(std::ptr::from_ref(foreign).cast_mut()));
        }
    }
}

pub(crate) static BYTES: TypeInfo =
    // SAFETY: all objects with this body are made and read in this layout.
    unsafe { slice_info("ffi.Bytes", Body::Bytes, "Any bytes.", free) }
        .with_content(|object| CheckedContent::Count(object.as_bytes().map_or(0, <[u8]>::len)));

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
        unsafe { from_object_unchecked(Layout::copy_of(&BYTES, Source::OWN, bytes)) }
    }

    /// The bytes of `owner`, without a copy: a mapped file, the memory of another library. `owner` is dropped with the last handle.
    ///
    /// Bytes at an address that is not a multiple of 16 are copied, because all `Bytes` are aligned.
    ///
    /// ```
    /// use object_core::Bytes;
    /// let text = vec![b'a'; 100];
    /// assert_eq!(Bytes::from_owner(text).len(), 100);
    /// ```
    ///
    /// # Panics
    /// As [`new`](Self::new), for bytes that are copied.
    #[must_use]
    pub fn from_owner(owner: impl AsRef<[u8]> + Send + Sync + 'static) -> Self {
        let owner = Box::new(owner);
        let bytes = (*owner).as_ref();
        if !bytes.as_ptr().addr().is_multiple_of(ALIGN) {
            return Bytes::new(bytes);
        }
        // SAFETY: `owner` is in a box, so it does not move, and nothing changes or drops it before `free` does.
        let bytes = unsafe { std::slice::from_raw_parts(bytes.as_ptr(), bytes.len()) };
        let foreign = Box::leak(Box::new(Foreign { bytes, _owner: owner }));
        // SAFETY: as in `new`.
        unsafe { from_object_unchecked(Layout::copy_of(&BYTES, Source { foreign: Some(foreign) }, &[])) }
    }

    /// The bytes from `start` to `end`, which share the memory with these; a copy if `start` is not a multiple of 16. `None` if they are
    /// not in bounds.
    ///
    /// ```
    /// use object_core::Bytes;
    /// let bytes = Bytes::from((0..40).collect::<Vec<u8>>());
    /// assert_eq!(bytes.slice(16, 18).as_deref(), Some(&[16, 17][..]));
    /// assert!(bytes.slice(16, 41).is_none());
    /// ```
    #[must_use]
    pub fn slice(&self, start: usize, end: usize) -> Option<Self> {
        self.get(start..end)?;
        Some(Bytes::from_owner(Part { of: self.clone(), start, end }))
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
            let object = Layout::of_items(&BYTES, Source::OWN, std::iter::repeat_n(0, len));
            fill(Layout::parts_mut(object.as_ptr()).1)?;
            Ok(from_object_unchecked(object))
        }
    }

    /// The bytes.
    #[must_use]
    pub fn as_slice(&self) -> &[u8] {
        // SAFETY: the handle accepts only objects of the type `BYTES`, which have this layout.
        unsafe { bytes_in(self.0.view()) }
    }
}

/// The bytes of an object.
///
/// # Safety
/// The object has the layout of `BYTES`.
#[inline]
unsafe fn bytes_in(object: ObjectView<'_>) -> &[u8] {
    // SAFETY: by the contract. Foreign bytes live as long as the object.
    unsafe {
        match Layout::meta(object).foreign {
            None => Layout::items(object),
            Some(foreign) => foreign.bytes,
        }
    }
}

/// A part of other bytes.
struct Part {
    of: Bytes,
    start: usize,
    end: usize,
}

impl AsRef<[u8]> for Part {
    fn as_ref(&self) -> &[u8] {
        &self.of[self.start..self.end]
    }
}

impl<'a> ObjectView<'a> {
    /// The bytes, if the object is a [`Bytes`].
    #[must_use]
    pub fn as_bytes(self) -> Option<&'a [u8]> {
        // SAFETY: `Bytes` accepts only objects of the type `BYTES`, which have this layout.
        Bytes::accepts_object(self).then(|| unsafe { bytes_in(self) })
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

#[cfg(all(test, not(loom)))]
mod tests {
    use std::sync::Arc;

    use super::*;

    /// An owner whose bytes begin `offset` bytes after an aligned address.
    struct Owner {
        memory: Arc<[u128; 4]>,
        offset: usize,
    }

    impl AsRef<[u8]> for Owner {
        fn as_ref(&self) -> &[u8] {
            // SAFETY: the memory of the numbers.
            let bytes: &[u8] = unsafe { std::slice::from_raw_parts(self.memory.as_ptr().cast(), 64) };
            &bytes[self.offset..]
        }
    }

    #[test]
    fn an_owner_lives_as_long_as_its_bytes() {
        let memory = Arc::new([1, 2, 3, 4]);
        let bytes = Bytes::from_owner(Owner { memory: memory.clone(), offset: 16 });
        assert_eq!(bytes.as_ptr().addr(), memory.as_ptr().addr() + 16, "the bytes are not copied");
        let part = bytes.slice(16, 48).expect("it is in bounds");
        assert_eq!((part.len(), part[0], bytes.slice(0, 49).is_none()), (32, 3, true));
        drop(bytes);
        assert_eq!(Arc::strong_count(&memory), 2, "the part keeps the owner");
        assert!(part == Bytes::new(&part));
        drop(part);
        assert_eq!(Arc::strong_count(&memory), 1);
    }

    #[test]
    fn bytes_without_alignment_are_copied() {
        let memory = Arc::new([1, 2, 3, 4]);
        let bytes = Bytes::from_owner(Owner { memory: memory.clone(), offset: 1 });
        assert_eq!((Arc::strong_count(&memory), bytes.len()), (1, 63));
        assert!(bytes.as_ptr().addr().is_multiple_of(ALIGN));
    }
}
