//! Comparison of values without child objects: plain values, leaves, and nodes whose fields are all plain values.

use crate::container::MapData;
use crate::object::{AnyView, Body, FieldPairs, ObjectView};
use crate::structural::engine::equal_classes::EqualClasses;
use crate::structural::engine::sharing::is_shared;
use crate::value::Tensor;

/// Comparisons and hashes remember shared leaves with at least this many bytes.
pub(crate) const LONG_LEAF: usize = 256;

/// Compares two objects without children. Long content of shared objects is compared once: `classes` has the equal ones.
#[inline(never)]
pub(crate) fn leaves<'a>(
    a: ObjectView<'a>,
    b: ObjectView<'a>,
    skip_tensor_content: bool,
    classes: &mut EqualClasses<'a>,
) -> bool {
    if a.ptr_eq(b) {
        return true;
    }
    let mut content = |bytes: usize, equal: &dyn Fn() -> bool| {
        if bytes < LONG_LEAF || !is_shared(a, b) {
            return equal();
        }
        if classes.contains(a, b) {
            return true;
        }
        let is_equal = equal();
        if is_equal {
            classes.insert(a, b);
        }
        is_equal
    };
    match a.type_info().body {
        Body::Str => {
            let (x, y) = (a.as_str().unwrap_or_default(), b.as_str().unwrap_or_default());
            content(x.len(), &|| x == y)
        }
        Body::Bytes => {
            let (x, y) = (a.as_bytes().unwrap_or_default(), b.as_bytes().unwrap_or_default());
            content(x.len(), &|| x == y)
        }
        Body::Shape => {
            let (x, y) = (a.as_shape().unwrap_or_default(), b.as_shape().unwrap_or_default());
            content(size_of_val(x), &|| x == y)
        }
        _ => {
            let (Some(x), Some(y)) = (a.to_handle::<Tensor>(), b.to_handle::<Tensor>()) else {
                return false;
            };
            let is_alike = x.dtype == y.dtype && x.shape == y.shape;
            is_alike && content(x.data.len(), &|| skip_tensor_content || x.data == y.data)
        }
    }
}

/// Whether both objects are maps without entries.
pub(crate) fn both_are_empty(a: ObjectView<'_>, b: ObjectView<'_>) -> bool {
    let is_empty = |object: ObjectView<'_>| object.as_map().is_some_and(MapData::is_empty);
    is_empty(a) && is_empty(b)
}

/// Whether two nodes whose fields are all plain values are equal.
#[inline(never)]
pub(crate) fn plain_fields<'a>(a: ObjectView<'a>, b: ObjectView<'a>) -> bool {
    FieldPairs::new(a, b).all(&mut (), |(), _, _, _| false, |(), _, a, b| same_plain(a, b))
}

/// Whether two values are equal, of which at least one is not an object.
#[inline]
pub(crate) fn same_plain(a: AnyView<'_>, b: AnyView<'_>) -> bool {
    a.plain_bits().is_some_and(|a| b.plain_bits() == Some(a))
}
