//! [`PlainBits`]: kind and bits of a plain value. Equality, order and hashes of plain values, as keys of maps and as nodes
//! of JSON, are functions of it.

use crate::object::model::any::AnyView;

/// A value that is not an object, as a kind and at most 64 bits. Plain values are the same exactly if these are. All floats
/// that are not a number are one value, because JSON has one word for all of them. Memory and the repr keep their bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PlainBits {
    /// The number of the kind, in the order of the kinds.
    pub(crate) kind: u8,
    /// The value among the values of its kind. Structural hashes depend on these bits.
    pub(crate) bits: u64,
}

/// The numbers of the kinds.
const NONE: u8 = 0;
const BOOL: u8 = 1;
const INT: u8 = 2;
const FLOAT: u8 = 3;
const DATA_TYPE: u8 = 4;
const DEVICE: u8 = 5;

impl PlainBits {
    /// How many kinds of plain values there are.
    pub(crate) const KINDS: usize = 6;

    /// `None`.
    pub(crate) const NONE: PlainBits = PlainBits { kind: NONE, bits: 0 };

    /// A key that sorts plain values: by kind; integers, data types and devices by value, floats by their bits.
    pub(crate) fn sort_key(self) -> (u8, u64) {
        let bits = match self.kind {
            INT => self.bits ^ 1 << 63,
            // First the code, then the width, then the lanes.
            DATA_TYPE => (self.bits & 0xff) << 24 | (self.bits & 0xff00) << 8 | self.bits >> 16,
            // First the type, then the number, both signed.
            DEVICE => self.bits.rotate_left(32) ^ 0x8000_0000_8000_0000,
            _ => self.bits,
        };
        (self.kind, bits)
    }
}

impl AnyView<'_> {
    /// Kind and bits of the value, unless it is an object.
    #[inline]
    pub(crate) fn plain_bits(self) -> Option<PlainBits> {
        let (kind, bits) = match self {
            AnyView::None => (NONE, 0),
            AnyView::Bool(value) => (BOOL, u64::from(value)),
            AnyView::Int(value) => (INT, value.cast_unsigned()),
            AnyView::Float(value) => (FLOAT, if value.is_nan() { f64::NAN.to_bits() } else { value.to_bits() }),
            AnyView::DataType(value) => (DATA_TYPE, u64::from(value.packed())),
            AnyView::Device(value) => {
                let (kind, id) = (value.device_type.cast_unsigned(), value.device_id.cast_unsigned());
                (DEVICE, u64::from(kind) | u64::from(id) << 32)
            }
            AnyView::Object(_) => return None,
        };
        Some(PlainBits { kind, bits })
    }

    /// The value, unless it is an object: a plain value borrows nothing.
    pub(crate) fn as_plain<'a>(self) -> Option<AnyView<'a>> {
        Some(match self {
            AnyView::None => AnyView::None,
            AnyView::Bool(value) => AnyView::Bool(value),
            AnyView::Int(value) => AnyView::Int(value),
            AnyView::Float(value) => AnyView::Float(value),
            AnyView::DataType(value) => AnyView::DataType(value),
            AnyView::Device(value) => AnyView::Device(value),
            AnyView::Object(_) => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar::{DataType, Device, TypeCode};

    #[test]
    fn sort_keys_follow_the_order_of_the_values() {
        fn check<T: Ord>(values: &[T], plain: impl Fn(&T) -> AnyView<'static>) {
            let key = |value: &T| plain(value).plain_bits().map(PlainBits::sort_key);
            for (a, b) in values.iter().flat_map(|a| values.iter().map(move |b| (a, b))) {
                assert_eq!(a.cmp(b), key(a).cmp(&key(b)));
            }
        }
        check(&[i64::MIN, -1, 0, 1, i64::MAX], |value| AnyView::Int(*value));
        let numbers = [i32::MIN, -1, 0, 1, i32::MAX];
        let devices = numbers.iter().flat_map(|a| numbers.iter().map(|b| Device { device_type: *a, device_id: *b }));
        check(&devices.collect::<Vec<_>>(), |value| AnyView::Device(*value));
        let numbers = [0, 1, 2, 254, 255];
        let types = numbers.iter().flat_map(|a| numbers.iter().map(|b| (*a, *b))).flat_map(|(code, bits)| {
            [0, 1, 255, 256, u16::MAX].map(|raw_lanes| DataType { code: TypeCode(code), bits, raw_lanes })
        });
        check(&types.collect::<Vec<_>>(), |value| AnyView::DataType(*value));
    }
}
