//! [`use_sites`]: where other elements of an array use each element, to distinguish elements with the same content.

use std::ops::Range;

use crate::container::ArrayView;
use crate::object::{AnyView, ObjectView};
use crate::structural::report::diff::align_hash::AlignHashes;
use crate::table::AddressTable;

/// For each element of a part of an array, a number from the shapes of the later elements of the part that use its variables
/// and `dag` nodes. A variable belongs to the first element in which it occurs. Variables that are bound outside belong to no
/// element.
pub(crate) fn use_sites<'a>(
    array: ArrayView<'a>,
    range: Range<usize>,
    align_hashes: &mut AlignHashes<'a>,
    is_bound: impl Fn(ObjectView<'a>) -> bool,
) -> Vec<u64> {
    let mut uses = vec![0_u64; range.len()];
    // The first element in which an object occurs.
    let mut met: AddressTable<usize> = AddressTable::default();
    for (index, item) in range.filter_map(|index| array.get(index).and_then(AnyView::as_object)).enumerate() {
        let bindable = align_hashes.bindable(item);
        let shape = align_hashes.of(AnyView::Object(item));
        for object in bindable.iter().filter(|object| !is_bound(**object)) {
            let first = *met.entry(object.address()).or_insert(index);
            if first != index {
                uses[first] = uses[first].wrapping_add(shape);
            }
        }
    }
    uses
}
