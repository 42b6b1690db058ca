//! Arrays: an `Array` of object-core becomes an array object of tvm-ffi with the same identity at each read.

use std::ptr;

use object_core::error::Result;
use object_core::{ObjectRef, ObjectView};

use crate::abi::{Deleter, RawAny, SeqCell, index};
use crate::exchange::to_peer::to_value;
use crate::handle::Handle;
use crate::identity;
use crate::proxy::{self, Content, ContentKind, Proxy};
use crate::value::Value;

/// The content of an array object, which tvm-ffi reads as `TVMFFISeqCell`.
#[repr(C)]
pub(crate) struct Elements {
    /// A copy of `original` with references of its own. C++ changes an array in place while nobody else has a reference.
    cell: SeqCell,
    /// The capacity of the vector that `cell` owns.
    vector_capacity: usize,
    original: Vec<Value>,
    object: ObjectRef,
}

// SAFETY: the elements are owned values, which each thread may read and release. C++ changes them only while it has the one
// reference to the array.
unsafe impl Send for Elements {}
// SAFETY: as above.
unsafe impl Sync for Elements {}

impl Elements {
    fn new(object: ObjectView<'_>, original: Vec<Value>) -> Self {
        let mut copy =
            std::mem::ManuallyDrop::new(original.iter().map(|item| item.clone().into_raw()).collect::<Vec<_>>());
        let size = i64::try_from(copy.len()).unwrap_or(i64::MAX);
        let cell = SeqCell { data: copy.as_mut_ptr(), size, capacity: size, data_deleter: None };
        Elements { cell, vector_capacity: copy.capacity(), original, object: object.to_object() }
    }

    /// Whether the elements are the elements of `object`: nobody has changed the array in place.
    fn is_unchanged(&self) -> bool {
        let len = usize::try_from(self.cell.size).unwrap_or(0);
        len == self.original.len()
            && self.original.iter().enumerate().all(|(i, item)| {
                // SAFETY: the cell has `size` elements, and `i` is less. Every payload is initialized.
                unsafe { is_same(&item.raw(), &*self.cell.data.add(i)) }
            })
    }
}

/// # Safety
/// All bytes of both payloads are initialized.
unsafe fn is_same(a: &RawAny, b: &RawAny) -> bool {
    // SAFETY: by the contract.
    (a.type_index, a.small_len) == (b.type_index, b.small_len) && unsafe { a.payload.int == b.payload.int }
}

impl Drop for Elements {
    fn drop(&mut self) {
        let len = usize::try_from(self.cell.size).unwrap_or(0);
        // SAFETY: the vector came from `new`. Its first `size` elements are owned values, also after C++ has changed them.
        unsafe {
            for i in 0..len {
                drop(Value::from_raw(self.cell.data.add(i).read()));
            }
            drop(Vec::from_raw_parts(self.cell.data, 0, self.vector_capacity));
        }
        self.cell.data = ptr::null_mut();
    }
}

impl Content for Elements {
    const KIND: ContentKind = ContentKind::Elements;

    fn deleter() -> Deleter {
        static DELETER: Deleter = proxy::delete::<Elements>;
        DELETER
    }

    fn address(&self) -> Option<usize> {
        Some(self.object.view().address())
    }
}

const _: () = assert!(std::mem::offset_of!(Elements, cell) == 0 && size_of::<Proxy<Elements>>() > size_of::<SeqCell>());

/// The array object of tvm-ffi for an array.
///
/// # Errors
/// As [`to_value`], for the elements.
pub(crate) fn to_array(object: ObjectView<'_>) -> Result<Handle> {
    if let Some(found) = identity::find(object) {
        if object_of_array(&RawAny::pointer(index::ARRAY, found.as_ptr())).is_some() {
            return Ok(found);
        }
        identity::forget(object.address(), found.as_ptr());
    }
    identity::find_or_make(object, || {
        let items = object.as_array().into_iter().flat_map(|array| array.iter());
        let items = items.map(to_value).collect::<Result<Vec<_>>>()?;
        Ok(proxy::make(index::ARRAY, Elements::new(object, items)))
    })
}

/// The array of object-core for an array object, if this library made the object and nobody has changed it.
pub(crate) fn object_of_array(raw: &RawAny) -> Option<ObjectRef> {
    proxy::content_of::<Elements>(raw)
        .filter(|elements| elements.is_unchanged())
        .map(|elements| elements.object.clone())
}
