//! Walks over graphs that take no machine stack.

use object_core::{AnyView, ObjectView};
use rustc_hash::FxHashSet;

/// Whether an object of a graph has the property.
pub(super) fn any_object(object: ObjectView<'_>, property: &mut impl FnMut(ObjectView<'_>) -> bool) -> bool {
    let mut stack = vec![object];
    let mut seen = FxHashSet::default();
    while let Some(object) = stack.pop() {
        if !seen.insert(object.address()) {
            continue;
        }
        if property(object) {
            return true;
        }
        children(object, &mut |child| stack.push(child));
    }
    false
}

/// Calls `visit` with the objects in the fields and elements of an object.
pub(super) fn children<'o>(object: ObjectView<'o>, visit: &mut impl FnMut(ObjectView<'o>)) {
    if let Some(items) = object.as_array() {
        items.iter().filter_map(AnyView::as_object).for_each(visit);
        return;
    }
    object.fields().filter_map(|(_, value)| value.as_object()).for_each(visit);
}
