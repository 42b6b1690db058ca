//! The memory of objects, for accounts.

use crate::container::ENTRY_BYTES;
use crate::object::{AnyView, Body, ObjectView, TypeInfo};
use crate::value::Tensor;

impl AnyView<'_> {
    /// An upper bound of the bytes of the object that the value refers to, without the objects below it.
    pub(crate) fn bytes(self) -> usize {
        self.as_object().map_or(0, ObjectView::bytes)
    }
}

impl ObjectView<'_> {
    /// An upper bound of the bytes of the object, without the objects below it.
    pub(crate) fn bytes(self) -> usize {
        let info = self.type_info();
        let length = match info.body {
            Body::Str => self.as_str().map(str::len),
            Body::Bytes => self.as_bytes().map(<[u8]>::len),
            Body::Shape => self.as_shape().map(<[i64]>::len),
            Body::Array => self.array_capacity(),
            Body::Map => self.as_map().map(|map| map.len()),
            Body::Tensor => self.to_handle::<Tensor>().map(|tensor| 8 * tensor.shape.len() + tensor.data.len()),
            Body::Node | Body::Function | Body::Opaque => None,
        };
        bytes_of(info, length.unwrap_or_default())
    }
}

/// As [`bytes_of`], of the list that a file has for an array or a map: a map has two values for each entry.
pub(crate) fn list_bytes(info: &TypeInfo, values: usize) -> usize {
    bytes_of(info, if info.body == Body::Map { values / 2 } else { values })
}

/// An upper bound of the bytes of an object of the type `info` with `length` elements, entries or bytes.
pub(crate) fn bytes_of(info: &TypeInfo, length: usize) -> usize {
    let each = match info.body {
        Body::Shape => size_of::<i64>(),
        Body::Array => size_of::<AnyView<'_>>(),
        Body::Map => ENTRY_BYTES,
        _ => 1,
    };
    info.layout.size().saturating_add(length.saturating_mul(each))
}
