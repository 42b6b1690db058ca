//! Objects of variable length: a header, a fixed part, and elements in the same allocation.

use std::alloc::{Layout, dealloc};
use std::marker::PhantomData;
use std::ptr::NonNull;

use crate::object::memory::alloc::allocate;
use crate::object::model::keywords::{Body, SEqHashKind};
use crate::object::model::object_ref::{Header, ObjectRef, ObjectView};
use crate::object::model::type_info::TypeInfo;
use crate::object::model::type_spec::{TypeParts, TypeSpec};

/// The memory layout of objects with fixed data `M` followed by any number of elements `T`.
pub(crate) struct SliceObject<M, T>(PhantomData<(M, T)>);

#[repr(C)]
struct Fixed<M> {
    header: Header,
    len: usize,
    meta: M,
}

impl<M: Send + Sync + 'static, T: Send + Sync + 'static> SliceObject<M, T> {
    /// The layout for `len` elements and the offset of the first one.
    fn layout(len: usize) -> (Layout, usize) {
        let elements = Layout::array::<T>(len).expect("capacity overflow");
        let (layout, offset) = Layout::new::<Fixed<M>>().extend(elements).expect("capacity overflow");
        (layout.pad_to_align(), offset)
    }

    /// A new object that takes its elements from `items`.
    ///
    /// # Safety
    /// `info` is the table of a type whose objects all have this layout.
    pub(crate) unsafe fn of_items(
        info: &'static TypeInfo,
        meta: M,
        items: impl ExactSizeIterator<Item = T>,
    ) -> ObjectRef {
        let len = items.len();
        let (layout, offset) = Self::layout(len);
        let ptr = allocate(layout);
        // SAFETY: the memory has room for the fixed part and `len` elements. If `items` panics or gives too few, the
        // memory leaks uninitialized and is never read.
        unsafe {
            let first = ptr.as_ptr().cast::<u8>().add(offset).cast::<T>();
            let mut written = 0;
            for item in items.take(len) {
                first.add(written).write(item);
                written += 1;
            }
            assert!(written == len, "the iterator gave {written} items instead of the {len} it promised");
            ptr.cast::<Fixed<M>>().write(Fixed { header: Header::new(info), len, meta });
            ObjectRef::from_raw(ptr)
        }
    }

    /// A new object with a copy of `items` as its elements.
    ///
    /// # Safety
    /// As [`of_items`](Self::of_items).
    pub(crate) unsafe fn copy_of(info: &'static TypeInfo, meta: M, items: &[T]) -> ObjectRef
    where
        T: Copy,
    {
        let (layout, offset) = Self::layout(items.len());
        let ptr = allocate(layout);
        // SAFETY: the memory is new and has room for the fixed part and the elements.
        unsafe {
            let first = ptr.as_ptr().cast::<u8>().add(offset).cast::<T>();
            first.copy_from_nonoverlapping(items.as_ptr(), items.len());
            ptr.cast::<Fixed<M>>().write(Fixed { header: Header::new(info), len: items.len(), meta });
            ObjectRef::from_raw(ptr)
        }
    }

    /// The fixed data.
    ///
    /// # Safety
    /// The object has this layout.
    #[inline]
    pub(crate) unsafe fn meta(object: ObjectView<'_>) -> &M {
        // SAFETY: by the contract.
        unsafe { &(*object.as_ptr().cast::<Fixed<M>>().as_ptr()).meta }
    }

    /// The elements.
    ///
    /// # Safety
    /// The object has this layout.
    #[inline]
    pub(crate) unsafe fn items(object: ObjectView<'_>) -> &[T] {
        let offset = const {
            let align = align_of::<T>();
            size_of::<Fixed<M>>().next_multiple_of(align)
        };
        // SAFETY: by the contract; the elements begin where `layout` put them: at the first multiple of their
        // alignment after the fixed part.
        unsafe {
            let len = (*object.as_ptr().cast::<Fixed<M>>().as_ptr()).len;
            std::slice::from_raw_parts(object.at(offset as u32).cast::<T>(), len)
        }
    }

    /// The fixed data and the elements of an object that is changed in its place.
    ///
    /// # Safety
    /// The object has this layout, and nobody else reads it while the references are used.
    pub(crate) unsafe fn parts_mut<'a>(ptr: NonNull<Header>) -> (&'a mut M, &'a mut [T]) {
        let fixed = ptr.cast::<Fixed<M>>().as_ptr();
        // SAFETY: by the contract; the elements begin where `layout` put them, after the fixed part.
        unsafe {
            let len = (*fixed).len;
            let first = ptr.as_ptr().cast::<u8>().add(Self::layout(len).1).cast::<T>();
            (&mut (*fixed).meta, std::slice::from_raw_parts_mut(first, len))
        }
    }

    /// Drops the data of a dead object and frees its memory.
    ///
    /// # Safety
    /// The object has this layout and nobody owns it.
    pub(crate) unsafe fn free(ptr: NonNull<Header>) {
        let fixed = ptr.cast::<Fixed<M>>().as_ptr();
        // SAFETY: everything is initialized and not used again. The layout is the one it was allocated with.
        unsafe {
            let len = (*fixed).len;
            let (layout, offset) = Self::layout(len);
            let first = ptr.as_ptr().cast::<u8>().add(offset).cast::<T>();
            std::ptr::slice_from_raw_parts_mut(first, len).drop_in_place();
            (&raw mut (*fixed).meta).drop_in_place();
            dealloc(ptr.as_ptr().cast(), layout);
        }
    }
}

/// The table of a type of this crate whose objects have elements after their fixed part; `free` belongs to the layout.
pub(crate) const fn slice_info(
    type_key: &'static str,
    body: Body,
    doc: &'static str,
    free: unsafe fn(NonNull<Header>),
) -> TypeInfo {
    let parts = TypeParts {
        body,
        ancestors: &[],
        fields: &[],
        compared_fields: &[],
        layout: Layout::new::<Header>(),
        free,
        copy: None,
        canonical: None,
    };
    TypeInfo::new(TypeSpec::builtin(type_key, SEqHashKind::TreeNode, doc), parts)
}
