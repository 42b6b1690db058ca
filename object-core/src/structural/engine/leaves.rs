//! Comparison of values without child objects: plain values, leaves, and nodes whose fields are all plain values.

use crate::container::MapData;
use crate::object::{AnyView, Body, FieldPairs, ObjectView};
use crate::structural::engine::comparison::Comparison;
use crate::structural::engine::sharing::is_shared;
use crate::value::Tensor;

/// Comparisons and hashes remember shared leaves with at least this many bytes.
pub(crate) const LONG_LEAF: usize = 256;

impl<'a> Comparison<'a> {
    /// Compares two objects without children.
    #[inline(never)]
    pub(crate) fn leaves(&mut self, a: ObjectView<'a>, b: ObjectView<'a>) -> bool {
        if a.ptr_eq(b) {
            return true;
        }
        match a.type_info().body {
            Body::Str => {
                let (x, y) = (a.as_str().unwrap_or_default(), b.as_str().unwrap_or_default());
                self.compare_long_content(a, b, x.len(), || x == y)
            }
            Body::Bytes => {
                let (x, y) = (a.as_bytes().unwrap_or_default(), b.as_bytes().unwrap_or_default());
                self.compare_long_content(a, b, x.len(), || x == y)
            }
            Body::Shape => {
                let (x, y) = (a.as_shape().unwrap_or_default(), b.as_shape().unwrap_or_default());
                self.compare_long_content(a, b, size_of_val(x), || x == y)
            }
            _ => {
                let (Some(x), Some(y)) = (a.to_handle::<Tensor>(), b.to_handle::<Tensor>()) else {
                    return false;
                };
                if x.dtype != y.dtype || x.shape != y.shape {
                    return false;
                }
                let skip = self.options.skip_tensor_content;
                self.compare_long_content(a, b, x.data.len(), || skip || x.data == y.data)
            }
        }
    }

    /// Compares the content, of `bytes` bytes, of two objects. Long content of shared ones is compared once.
    #[inline]
    fn compare_long_content(
        &mut self,
        a: ObjectView<'a>,
        b: ObjectView<'a>,
        bytes: usize,
        equal: impl FnOnce() -> bool,
    ) -> bool {
        if bytes < LONG_LEAF || !is_shared(a, b) {
            return equal();
        }
        if self.equal_classes.contains(a, b) {
            return true;
        }
        let equal = equal();
        if equal {
            self.equal_classes.insert(a, b);
        }
        equal
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
