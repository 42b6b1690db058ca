//! [`Shape`]: the extents of a tensor.

use crate::object::{
    Body, CheckedContent, FieldContents, ObjectHandle, ObjectRef, ObjectView, SliceObject, TypeInfo, builtin_handle,
    from_object_unchecked, slice_info,
};
use crate::value::slices::slice_traits;

type Layout = SliceObject<(), i64>;

pub(crate) static SHAPE: TypeInfo =
    // SAFETY: all objects with this body are made and read in this layout.
    unsafe { slice_info("ffi.Shape", Body::Shape, "A list of extents.", Layout::free) }
            .with_content(|object| CheckedContent::Count(object.as_shape().map_or(0, <[i64]>::len)));

/// The extents of a tensor, the outermost first: immutable and reference-counted. They dereference to a slice, whose `==`,
/// order and hash they have.
///
/// ```
/// use object_core::Shape;
/// let shape: Shape = "2x3".split('x').flat_map(str::parse).collect();
/// assert!(shape == [2, 3] && shape.elements() == Some(6));
/// assert_eq!(shape.iter().max(), Some(&3));
/// ```
#[derive(Clone)]
#[repr(transparent)]
pub struct Shape(ObjectRef);

builtin_handle!(Shape, SHAPE, FieldContents::Plain);

impl Shape {
    /// Copies `extents` to a new object.
    ///
    /// # Panics
    /// If the size of the object does not fit `isize`.
    #[must_use]
    pub fn new(extents: &[i64]) -> Self {
        // SAFETY: the table `SHAPE` belongs to this layout, and `Shape` accepts objects with this table.
        unsafe { from_object_unchecked(Layout::copy_of(&SHAPE, (), extents)) }
    }

    /// The extents.
    #[must_use]
    pub fn as_slice(&self) -> &[i64] {
        // SAFETY: the handle accepts only objects of the type `SHAPE`, which have this layout.
        unsafe { Layout::items(self.0.view()) }
    }

    /// The number of elements of a tensor with this shape: the product of the extents. `None` if an extent is negative,
    /// or if the product does not fit `usize`.
    #[must_use]
    pub fn elements(&self) -> Option<usize> {
        self.iter().try_fold(1usize, |product, extent| product.checked_mul(usize::try_from(*extent).ok()?))
    }
}

impl<'a> ObjectView<'a> {
    /// The extents, if the object is a [`Shape`].
    #[must_use]
    pub fn as_shape(self) -> Option<&'a [i64]> {
        // SAFETY: `Shape` accepts only objects of the type `SHAPE`, which have this layout.
        Shape::accepts_object(self).then(|| unsafe { Layout::items(self) })
    }
}

slice_traits!(Shape, i64);
