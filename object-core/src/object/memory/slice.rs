//! Objects of variable length: a header, a fixed part and elements in one allocation.

use std::alloc::{Layout, dealloc, handle_alloc_error, realloc};
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

/// The fixed data of such objects. It may keep the number of the elements for which the object has room beside the ones that it
/// has.
pub(crate) trait SliceMeta: Copy + Send + Sync + 'static {
    /// This number.
    #[inline(always)]
    fn spare(&self) -> usize {
        0
    }
}

impl SliceMeta for () {}

/// Fixed data that keeps the number.
pub(crate) trait GrowingMeta: SliceMeta {
    /// The greatest number that it can keep.
    const MAX_SPARE: usize;

    /// Sets [`spare`](SliceMeta::spare) to `count`, which is at most [`MAX_SPARE`](Self::MAX_SPARE).
    fn set_spare(&mut self, count: usize);
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

impl<M: SliceMeta, T: SliceElement> SliceObject<M, T> {
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

    /// The fixed data, for changes in place.
    ///
    /// # Safety
    /// As for [`parts_mut`](Self::parts_mut); the elements may have another type.
    pub(crate) unsafe fn meta_mut<'a>(ptr: NonNull<Header>) -> &'a mut M {
        // SAFETY: by the contract.
        unsafe { &mut (*ptr.cast::<Fixed<M>>().as_ptr()).meta }
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
        // SAFETY: by the contract. The functions that make objects allocate them with the layout for their length and the
        // spare elements, so its size fits `isize`. Each element is read once.
        unsafe {
            let len = (*fixed).len;
            let capacity = len + (*fixed).meta.spare();
            let first = ptr.as_ptr().cast::<u8>().add(Self::OFFSET).cast::<T>();
            for index in 0..len {
                first.add(index).read().release(dead);
            }
            let size = (Self::OFFSET + capacity * size_of::<T>()).next_multiple_of(Self::ALIGN);
            let layout = Layout::from_size_align_unchecked(size, Self::ALIGN);
            debug_assert_eq!(Self::layout(capacity), layout);
            dealloc(ptr.as_ptr().cast(), layout);
        }
    }
}

/// The least number of elements for which an object has room after it has grown.
const LEAST_CAPACITY: usize = 4;

/// Changes of the number of elements. Only objects that grow have room for further elements, so all others have the smallest
/// size.
impl<M: GrowingMeta, T: SliceElement> SliceObject<M, T> {
    /// Adds an element at the end, in amortized constant time. The fixed data stays as it is, except for the spare elements.
    ///
    /// # Panics
    /// If the size does not fit `isize`.
    ///
    /// # Safety
    /// The object has this layout, `object` is its only handle, and its fixed data may stay as it is.
    pub(crate) unsafe fn push(object: &mut ObjectRef, item: T) {
        // SAFETY: by the contract. `reserve_one` makes room for one element after the last one.
        unsafe {
            Self::reserve_one(object);
            let fixed = object.as_ptr().cast::<Fixed<M>>().as_ptr();
            let (len, spare) = ((*fixed).len, (*fixed).meta.spare());
            Self::first(object.as_ptr()).add(len).write(item);
            (*fixed).len = len + 1;
            (*fixed).meta.set_spare(spare - 1);
        }
    }

    /// Removes the last element. The room for it stays.
    ///
    /// # Safety
    /// As for [`push`](Self::push).
    pub(crate) unsafe fn pop(object: &mut ObjectRef) -> Option<T> {
        // SAFETY: by the contract. The element is read once, because the object does not have it afterwards.
        unsafe {
            let len = (*object.as_ptr().cast::<Fixed<M>>().as_ptr()).len.checked_sub(1)?;
            let item = Self::first(object.as_ptr()).add(len).read();
            Self::leave(object, len);
            Some(item)
        }
    }

    /// Moves all elements out of the object. The room for them stays.
    ///
    /// # Safety
    /// As for [`push`](Self::push).
    pub(crate) unsafe fn take(object: &mut ObjectRef) -> Vec<T> {
        // SAFETY: by the contract. Each element is read once, because the object has none of them afterwards.
        unsafe {
            let len = (*object.as_ptr().cast::<Fixed<M>>().as_ptr()).len;
            let mut items: Vec<T> = Vec::with_capacity(len);
            items.as_mut_ptr().copy_from_nonoverlapping(Self::first(object.as_ptr()), len);
            Self::leave(object, 0);
            items.set_len(len);
            items
        }
    }

    /// Makes room for an element after the last one. A full object gets room for twice as many elements, so a sequence of calls takes
    /// time linear in the number of all elements.
    ///
    /// # Panics
    /// If the size does not fit `isize`.
    ///
    /// # Safety
    /// As for [`push`](Self::push).
    unsafe fn reserve_one(object: &mut ObjectRef) {
        // SAFETY: by the contract.
        let (len, spare) = unsafe {
            let fixed = object.as_ptr().cast::<Fixed<M>>().as_ptr();
            ((*fixed).len, (*fixed).meta.spare())
        };
        if spare == 0 {
            // SAFETY: by the contract, and the memory has room for exactly these elements.
            unsafe { Self::resize(object, len, len.clamp(LEAST_CAPACITY.min(M::MAX_SPARE), M::MAX_SPARE)) };
        }
    }

    /// Makes the elements from the index `len` on spare.
    ///
    /// # Safety
    /// As for [`push`](Self::push), and the elements from this index on have been moved out of the object.
    unsafe fn leave(object: &mut ObjectRef, len: usize) {
        let fixed = object.as_ptr().cast::<Fixed<M>>().as_ptr();
        // SAFETY: by the contract.
        unsafe {
            let capacity = (*fixed).len + (*fixed).meta.spare();
            (*fixed).len = len;
            if capacity - len <= M::MAX_SPARE {
                (*fixed).meta.set_spare(capacity - len);
            } else {
                Self::resize(object, capacity, 0);
            }
        }
    }

    /// Changes the size of the object from room for `capacity` elements to room for its elements and `spare` further ones.
    ///
    /// # Panics
    /// If the size does not fit `isize`.
    ///
    /// # Safety
    /// As for [`push`](Self::push), and the memory has the layout for `capacity` elements, whatever the spare elements in the fixed
    /// data are. `spare` is at most `M::MAX_SPARE`.
    unsafe fn resize(object: &mut ObjectRef, capacity: usize, spare: usize) {
        let old = object.as_ptr().cast::<Fixed<M>>().as_ptr();
        // SAFETY: by the contract, the object is alive. Nothing else knows its address, so it may move. `realloc` keeps the bytes
        // of the fixed part and of all elements.
        unsafe {
            let layout = Self::layout((*old).len.checked_add(spare).expect("capacity overflow"));
            let memory = realloc(old.cast(), Self::layout(capacity), layout.size());
            let Some(memory) = NonNull::new(memory.cast::<Header>()) else { handle_alloc_error(layout) };
            (*memory.cast::<Fixed<M>>().as_ptr()).meta.set_spare(spare);
            // The old handle is not dropped: its count belongs to the new one.
            std::ptr::write(object, ObjectRef::from_raw(memory));
        }
    }

    /// The place of the first element.
    ///
    /// # Safety
    /// The object has this layout.
    unsafe fn first(ptr: NonNull<Header>) -> *mut T {
        // SAFETY: by the contract, the elements begin at this offset.
        unsafe { ptr.as_ptr().cast::<u8>().add(Self::OFFSET).cast::<T>() }
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

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// Fixed data that can count three spare elements.
    #[derive(Clone, Copy)]
    struct Small(u8);

    impl SliceMeta for Small {
        fn spare(&self) -> usize {
            usize::from(self.0)
        }
    }

    impl GrowingMeta for Small {
        const MAX_SPARE: usize = 3;

        fn set_spare(&mut self, count: usize) {
            assert!(count <= Self::MAX_SPARE);
            self.0 = u8::try_from(count).expect("the count is small");
        }
    }

    type SmallObject = SliceObject<Small, ObjectRef>;

    // SAFETY: only the test below has such objects, and it reads them in this layout.
    static SMALL: TypeInfo = unsafe { slice_info("test.Small", Body::Array, "", SmallObject::free) };

    #[test]
    fn an_object_shrinks_if_it_cannot_count_its_room() {
        // SAFETY: the object has this layout, and one handle.
        unsafe {
            let item = SmallObject::of_items(&SMALL, Small(0), std::iter::empty());
            let mut object = SmallObject::of_items(&SMALL, Small(0), std::iter::empty());
            for count in 1..=20 {
                SmallObject::push(&mut object, item.clone());
                assert_eq!(SmallObject::items(object.view()).len(), count);
            }
            let some = SmallObject::pop(&mut object);
            assert!(some.is_some_and(|some| some.ptr_eq(&item)));
            assert_eq!(SmallObject::take(&mut object).len(), 19);
            assert_eq!(SmallObject::meta(object.view()).spare(), 0);
            SmallObject::push(&mut object, item.clone());
            drop(object);
            assert_eq!(item.use_count(), 1, "each handle is dropped once");
        }
    }
}
