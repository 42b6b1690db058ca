//! Objects of variable length: a header, a fixed part and elements in one allocation.

use std::alloc::{Layout, dealloc};
use std::marker::PhantomData;
use std::ptr::NonNull;

use crate::object::memory::alloc::{Allocation, allocate};
use crate::object::model::any::Any;
use crate::object::model::keywords::{Body, SEqHashKind};
use crate::object::model::object_ref::{Header, ObjectRef, ObjectView};
use crate::object::model::release::DeadObjects;
use crate::object::model::type_info::TypeInfo;
use crate::object::model::type_spec::{TypeParts, TypeSpec};

/// The operations on objects of one memory layout: a header, fixed data `M` and any number of elements `T`.
pub(crate) struct SliceObject<M, T>(PhantomData<(M, T)>);

#[repr(C)]
struct Fixed<M> {
    header: Header,
    len: usize,
    meta: M,
}

/// The elements of such objects. Their release runs no code of users.
pub(crate) trait SliceElement: Send + Sync + 'static {
    /// Drops the element. If it is the last handle of an object, the object goes to the list.
    fn release(self, dead: &mut DeadObjects);
}

impl SliceElement for u8 {
    #[inline(always)]
    fn release(self, _dead: &mut DeadObjects) {}
}

impl SliceElement for i64 {
    #[inline(always)]
    fn release(self, _dead: &mut DeadObjects) {}
}

impl SliceElement for ObjectRef {
    #[inline(always)]
    fn release(self, dead: &mut DeadObjects) {
        dead.add(self);
    }
}

impl SliceElement for Any {
    #[inline(always)]
    fn release(self, dead: &mut DeadObjects) {
        if let Any::Object(object) = self {
            dead.add(object);
        }
    }
}

/// The first elements of an object without a header. Dropping it drops them and frees the memory.
struct Written<T> {
    first: *mut T,
    count: usize,
    _memory: Allocation,
}

impl<T> Drop for Written<T> {
    fn drop(&mut self) {
        // SAFETY: these elements are initialized, and nothing uses them afterwards. The memory is freed after this function.
        unsafe { std::ptr::slice_from_raw_parts_mut(self.first, self.count).drop_in_place() };
    }
}

impl<M: Copy + Send + Sync + 'static, T: SliceElement> SliceObject<M, T> {
    /// The layout for `len` elements.
    ///
    /// # Panics
    /// If the size does not fit `isize`.
    fn layout(len: usize) -> Layout {
        let size = size_of::<T>().checked_mul(len).and_then(|bytes| bytes.checked_add(Self::OFFSET + Self::ALIGN - 1));
        let size = size.expect("capacity overflow") & !(Self::ALIGN - 1);
        Layout::from_size_align(size, Self::ALIGN).expect("capacity overflow")
    }

    /// The alignment of the whole object.
    const ALIGN: usize =
        if align_of::<Fixed<M>>() > align_of::<T>() { align_of::<Fixed<M>>() } else { align_of::<T>() };

    /// The offset of the first element in bytes.
    const OFFSET: usize = size_of::<Fixed<M>>().next_multiple_of(align_of::<T>());

    /// Makes an object with the elements that `items` yields.
    ///
    /// # Panics
    /// If `items` yields fewer elements than its length says, or if the size does not fit `isize`.
    ///
    /// # Safety
    /// `info` is the table of a type whose objects have this layout when their fixed data is `meta`.
    pub(crate) unsafe fn of_items(
        info: &'static TypeInfo,
        meta: M,
        items: impl ExactSizeIterator<Item = T>,
    ) -> ObjectRef {
        // SAFETY: by the contract.
        unsafe { Self::of_described_items(info, items, |_| meta) }
    }

    /// As [`of_items`](Self::of_items), with the fixed data that `meta` computes from the elements.
    ///
    /// # Panics
    /// As [`of_items`](Self::of_items).
    ///
    /// # Safety
    /// As for [`of_items`](Self::of_items).
    pub(crate) unsafe fn of_described_items(
        info: &'static TypeInfo,
        items: impl ExactSizeIterator<Item = T>,
        meta: impl FnOnce(&[T]) -> M,
    ) -> ObjectRef {
        let len = items.len();
        let layout = Self::layout(len);
        // SAFETY: the layout includes a header, so its size is not zero; it has room for the fixed part and `len` elements.
        // The elements and the memory belong to the object at the end.
        unsafe {
            let memory = Allocation::new(layout);
            let ptr = memory.as_ptr();
            let first = ptr.as_ptr().cast::<u8>().add(Self::OFFSET).cast::<T>();
            // Dropped if `items` or `meta` panics, which can be code of users, or if `items` yields too few elements.
            let mut written = Written { first, count: 0, _memory: memory };
            for item in items.take(len) {
                first.add(written.count).write(item);
                written.count += 1;
            }
            assert!(written.count == len, "the iterator yielded {} items, but its length is {len}", written.count);
            let meta = meta(std::slice::from_raw_parts(first, len));
            ptr.cast::<Fixed<M>>().write(Fixed { header: Header::new(info), len, meta });
            std::mem::forget(written);
            ObjectRef::from_raw(ptr)
        }
    }

    /// Makes an object with a copy of `items` as its elements.
    ///
    /// # Panics
    /// If the size does not fit `isize`.
    ///
    /// # Safety
    /// As for [`of_items`](Self::of_items).
    pub(crate) unsafe fn copy_of(info: &'static TypeInfo, meta: M, items: &[T]) -> ObjectRef
    where
        T: Copy,
    {
        // SAFETY: by the contract. The elements are `Copy`, so the old ones stay.
        unsafe { Self::of_moved(info, meta, items.as_ptr(), items.len()) }
    }

    /// Makes an object with the `len` elements that begin at `items`, which move.
    ///
    /// # Panics
    /// If the size does not fit `isize`.
    ///
    /// # Safety
    /// As for [`of_items`](Self::of_items). The elements are initialized, and nothing uses or drops them afterwards, unless
    /// they are `Copy`.
    pub(crate) unsafe fn of_moved(info: &'static TypeInfo, meta: M, items: *const T, len: usize) -> ObjectRef {
        let layout = Self::layout(len);
        // SAFETY: the layout includes a header, so its size is not zero; the new memory has room for the fixed part and
        // the elements, and does not overlap them.
        unsafe {
            let ptr = allocate(layout);
            let first = ptr.as_ptr().cast::<u8>().add(Self::OFFSET).cast::<T>();
            first.copy_from_nonoverlapping(items, len);
            ptr.cast::<Fixed<M>>().write(Fixed { header: Header::new(info), len, meta });
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
        // SAFETY: by the contract.
        unsafe {
            let len = (*object.as_ptr().cast::<Fixed<M>>().as_ptr()).len;
            std::slice::from_raw_parts(object.at(Self::OFFSET as u32).cast::<T>(), len)
        }
    }

    /// The fixed data and the elements of an object, for changes in place.
    ///
    /// # Safety
    /// The object has this layout, and no other reference to its data is used while the results are in use.
    pub(crate) unsafe fn parts_mut<'a>(ptr: NonNull<Header>) -> (&'a mut M, &'a mut [T]) {
        let fixed = ptr.cast::<Fixed<M>>().as_ptr();
        // SAFETY: by the contract. The elements begin at the offset that `layout` computes, so they do not overlap the
        // fixed data.
        unsafe {
            let len = (*fixed).len;
            let first = ptr.as_ptr().cast::<u8>().add(Self::OFFSET).cast::<T>();
            (&mut (*fixed).meta, std::slice::from_raw_parts_mut(first, len))
        }
    }

    /// Drops the data of a dead object and frees its memory.
    ///
    /// # Safety
    /// The object has this layout and is initialized, and no handle refers to it.
    pub(crate) unsafe fn free(ptr: NonNull<Header>, dead: &mut DeadObjects) {
        let fixed = ptr.cast::<Fixed<M>>().as_ptr();
        // SAFETY: by the contract. The functions that make objects allocate them with the layout for their length, so its
        // size fits `isize`. Each element is read once.
        unsafe {
            let len = (*fixed).len;
            let first = ptr.as_ptr().cast::<u8>().add(Self::OFFSET).cast::<T>();
            for index in 0..len {
                first.add(index).read().release(dead);
            }
            let size = (Self::OFFSET + len * size_of::<T>()).next_multiple_of(Self::ALIGN);
            let layout = Layout::from_size_align_unchecked(size, Self::ALIGN);
            debug_assert_eq!(Self::layout(len), layout);
            dealloc(ptr.as_ptr().cast(), layout);
        }
    }
}

/// The table of a type of this crate whose objects have elements after their fixed part.
///
/// # Safety
/// `free` frees the objects of this type, and all code that reads objects with this body reads them in the layout that
/// they are made with.
#[track_caller]
pub(crate) const unsafe fn slice_info(
    type_key: &'static str,
    body: Body,
    doc: &'static str,
    free: unsafe fn(NonNull<Header>, &mut DeadObjects),
) -> TypeInfo {
    let parts = TypeParts {
        body,
        is_base: false,
        ancestors: &[],
        fields: &[],
        skipped: &[],
        compared_fields: &[],
        layout: Layout::new::<Header>(),
        free,
        has_destructor: false,
        copy: None,
    };
    // SAFETY: there are no fields and no ancestors, so only `free` and `body` describe the memory, by the contract.
    unsafe { TypeInfo::new(TypeSpec::builtin(type_key, SEqHashKind::TreeNode, doc), parts) }
}
