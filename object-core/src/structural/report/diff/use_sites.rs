//! [`use_sites`]: where other elements of an array use each element, to distinguish elements with the same content.

use crate::container::ArrayView;
use crate::hashing::finish;
use crate::object::{ObjectView, SEqHashKind};
use crate::structural::report::diff::align_hash::{AlignHashes, children};
use crate::table::Table;

/// The maximum number of visited objects per element, more than a binding of a compiler IR has. The limit keeps the
/// cost for arrays within arrays linear.
const OBJECTS_PER_ELEMENT: usize = 256;

/// For each element of an array, a number from the shapes of the later elements that use its variables and `dag` nodes.
/// A variable belongs to the first element in which it occurs. Variables that are bound outside belong to no element.
pub(crate) fn use_sites<'a>(
    array: ArrayView<'a>,
    align_hashes: &mut AlignHashes<'a>,
    is_bound: impl Fn(ObjectView<'_>) -> bool,
) -> Vec<u64> {
    let mut uses = vec![0_u64; array.len()];
    // The first element in which an object occurs.
    let mut met: Table<usize, usize> = Table::default();
    let mut left = array.len().saturating_mul(OBJECTS_PER_ELEMENT);
    for (index, item) in array.iter().enumerate() {
        let shape = finish(align_hashes.of(item));
        let mut stack = vec![item];
        while let Some(value) = stack.pop() {
            let Some(object) = value.as_object() else { continue };
            let first = *met.entry(object.address()).or_insert_with(|| {
                stack.extend(children(object, &mut align_hashes.computed));
                index
            });
            let is_bindable = matches!(object.type_info().kind, SEqHashKind::FreeVar | SEqHashKind::DagNode);
            if is_bindable && first != index && !is_bound(object) {
                uses[first] = uses[first].wrapping_add(shape);
            }
            left = left.saturating_sub(1);
            if left == 0 {
                return uses;
            }
        }
    }
    uses
}
