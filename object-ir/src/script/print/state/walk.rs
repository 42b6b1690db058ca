//! Walks over all objects of a graph.

use object_core::{AnyView, ObjectView};
use rustc_hash::FxHashSet;

/// Whether an object for which `is_wanted` holds is `root` or below it.
pub(crate) fn any_object(root: ObjectView<'_>, mut is_wanted: impl FnMut(ObjectView<'_>) -> bool) -> bool {
    let mut seen: FxHashSet<usize> = FxHashSet::default();
    let mut open = vec![root];
    while let Some(object) = open.pop() {
        if is_wanted(object) {
            return true;
        }
        if object.use_count() > 1 && !seen.insert(object.address()) {
            continue;
        }
        children(object, |child| open.push(child));
    }
    false
}

/// Calls `visit` for each object that a field, an element, a key or a value of `object` is, in order.
pub(crate) fn children<'a>(object: ObjectView<'a>, mut visit: impl FnMut(ObjectView<'a>)) {
    let mut visit = |value: AnyView<'a>| value.as_object().into_iter().for_each(&mut visit);
    if let Some(array) = object.as_array() {
        array.iter().for_each(visit);
    } else if let Some(map) = object.as_map() {
        for (key, value) in map.iter() {
            visit(key);
            visit(value);
        }
    } else {
        object.fields().for_each(|(_, value)| visit(value));
    }
}
