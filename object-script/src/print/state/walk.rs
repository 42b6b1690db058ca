//! Walks over all objects of a graph.

use object_core::{Object, ObjectView, TypeInfo};
use object_ir::ir::{FloatImmNode, IntImmNode, OpNode, PointerTypeNode, PrimTypeNode};
use rustc_hash::FxHashSet;

/// Whether the object contains no variable, by its type or because it is empty: constants, plain types, texts, operators,
/// empty arrays and empty maps.
pub(crate) fn is_constant(object: ObjectView<'_>) -> bool {
    // No other type extends these.
    let is = |known: &'static TypeInfo| std::ptr::eq(object.type_info(), known);
    is(IntImmNode::TYPE_INFO)
        || is(PrimTypeNode::TYPE_INFO)
        || is(OpNode::TYPE_INFO)
        || is(FloatImmNode::TYPE_INFO)
        || is(PointerTypeNode::TYPE_INFO)
        || object.as_str().is_some()
        || object.as_array().is_some_and(|items| items.is_empty())
        || object.as_map().is_some_and(|map| map.is_empty())
}

/// Whether an object for which `is_wanted` holds is `root` or below it. The wanted objects are neither in nor below objects
/// for which [`is_constant`] holds.
pub(crate) fn any_object(root: ObjectView<'_>, mut is_wanted: impl FnMut(ObjectView<'_>) -> bool) -> bool {
    if is_constant(root) {
        return false;
    }
    let mut seen: FxHashSet<usize> = FxHashSet::default();
    let mut open = vec![root];
    while let Some(object) = open.pop() {
        if is_wanted(object) {
            return true;
        }
        if object.use_count() > 1 && !seen.insert(object.address()) {
            continue;
        }
        open.extend(object.object_children().filter(|child| !is_constant(*child)));
    }
    false
}
