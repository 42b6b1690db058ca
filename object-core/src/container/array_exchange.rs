//! Changes of the elements of a sequence in place.

use std::ptr::NonNull;

use crate::container::array::Objects;
use crate::container::array_meta::ArrayMeta;
use crate::container::elements::{ElementBound, are_interchangeable};
use crate::object::{Any, FieldType, Header, ObjectRef, ObjectView, SliceElement, SliceObject};

/// Swaps elements of a sequence with the values in `changes`, each of which has the index of its element, and returns
/// whether the sequence is changed. It is unchanged if the layout of the sequence cannot hold a new element, or if
/// `accepts` returns `false` for the new bound of the elements. The function calls `accepts` only if a handle or a rule that
/// accepted the sequence may reject the changed one.
///
/// # Panics
/// If an index is out of bounds.
///
/// # Safety
/// The object is a sequence, and until the function returns, nothing else reads it or holds a reference to its
/// elements.
pub(crate) unsafe fn exchange_items(
    array: NonNull<Header>,
    changes: &mut [(usize, Any)],
    accepts: impl FnOnce(ElementBound) -> bool,
) -> bool {
    // SAFETY: by the contract. The bound decides the layout.
    unsafe {
        if !Objects::meta(ObjectView::from_raw(array)).are_objects() {
            return exchange(array, changes, std::mem::swap::<Any>, accepts);
        }
        let swap = |item: &mut ObjectRef, new: &mut Any| {
            if let Any::Object(new) = new {
                std::mem::swap(item, new);
            }
        };
        changes.iter().all(|(_, new)| matches!(new, Any::Object(_))) && exchange(array, changes, swap, accepts)
    }
}

/// As [`exchange_items`], for the layout with elements `T`. `swap` swaps an element with a value of `changes`.
///
/// # Safety
/// As for [`exchange_items`], and the sequence has this layout.
unsafe fn exchange<T: FieldType + SliceElement>(
    array: NonNull<Header>,
    changes: &mut [(usize, Any)],
    swap: impl Fn(&mut T, &mut Any),
    accepts: impl FnOnce(ElementBound) -> bool,
) -> bool {
    // SAFETY: by the contract.
    let (meta, items) = unsafe { SliceObject::<ArrayMeta, T>::parts_mut(array) };
    let same_bound = changes.iter().all(|(index, new)| are_interchangeable(items[*index].view(), new.view()));
    changes.iter_mut().for_each(|(index, new)| swap(&mut items[*index], new));
    if same_bound {
        return true;
    }
    let new = ElementBound::of(items.iter().map(T::view));
    if meta.are_objects() == new.are_objects() && accepts(new) {
        meta.set_bound(new);
        return true;
    }
    changes.iter_mut().for_each(|(index, new)| swap(&mut items[*index], new));
    false
}
