//! `==` and `Hash` of [`Any`] and [`AnyView`]: the equality of map keys.

use std::hash::{Hash, Hasher};

use crate::object::{Any, AnyView};

/// Plain values are equal by kind and bits, where all floats that are not a number are one value. Text and bytes are equal
/// by content, and other objects, arrays and maps included, only to themselves.
/// [`structural_equal`](crate::structural_equal) compares values by structure.
///
/// ```
/// use object_core::{Any, Array};
/// assert_eq!(Any::from("a"), Any::from("a"));
/// assert_ne!(Any::from(1), Any::from(1.0));
/// let array = Array::from([1, 2]);
/// assert_eq!(Any::from(&array), Any::from(&array));
/// assert_ne!(Any::from(&array), Any::from(Array::from([1, 2])));
/// ```
impl PartialEq for AnyView<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (*self, *other) {
            (AnyView::Object(a), AnyView::Object(b)) => {
                a == b
                    || matches!((a.as_str(), b.as_str()), (Some(a), Some(b)) if a == b)
                    || matches!((a.as_bytes(), b.as_bytes()), (Some(a), Some(b)) if a == b)
            }
            (a, b) => a.plain_bits() == b.plain_bits(),
        }
    }
}

impl Eq for AnyView<'_> {}

impl Hash for AnyView<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            AnyView::Object(object) => match (object.as_str(), object.as_bytes()) {
                (Some(text), _) => text.hash(state),
                (_, Some(bytes)) => bytes.hash(state),
                _ => object.hash(state),
            },
            plain => state.write_u64(plain.plain_bits().map_or(0, |plain| plain.bits)),
        }
    }
}

/// As [`AnyView`].
impl PartialEq for Any {
    fn eq(&self, other: &Self) -> bool {
        self.view() == other.view()
    }
}

impl Eq for Any {}

impl Hash for Any {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.view().hash(state);
    }
}
