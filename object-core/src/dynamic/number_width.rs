//! [`NumberWidth`]: the widths of numbers in fields.

use crate::object::{AnyView, FieldInfo};

/// The width of a number in a field of type `int` or `float`. A field without one has 64 bits, and an integer has a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NumberWidth {
    /// `int8`: an `i8`.
    Int8,
    /// `int16`: an `i16`.
    Int16,
    /// `int32`: an `i32`.
    Int32,
    /// `uint8`: a `u8`.
    UInt8,
    /// `uint16`: a `u16`.
    UInt16,
    /// `uint32`: a `u32`.
    UInt32,
    /// `uint64`: a `u64`.
    UInt64,
    /// `float32`: an `f32`.
    Float32,
}

/// The words of schemas for widths.
pub(super) const WIDTHS: [(&str, NumberWidth); 8] = [
    ("int8", NumberWidth::Int8),
    ("int16", NumberWidth::Int16),
    ("int32", NumberWidth::Int32),
    ("uint8", NumberWidth::UInt8),
    ("uint16", NumberWidth::UInt16),
    ("uint32", NumberWidth::UInt32),
    ("uint64", NumberWidth::UInt64),
    ("float32", NumberWidth::Float32),
];

impl NumberWidth {
    /// The width of a linked field; `None` for 64 bits, and for fields that hold no number.
    pub(super) fn of(field: &FieldInfo) -> Option<Self> {
        macro_rules! table {
            ($($ty:ty => $width:ident),*) => {$(
                if field.is_of::<$ty>() || field.is_of::<Option<$ty>>() {
                    return Some(NumberWidth::$width);
                }
            )*};
        }
        table!(i8 => Int8, i16 => Int16, i32 => Int32, u8 => UInt8, u16 => UInt16, u32 => UInt32, f32 => Float32);
        None
    }

    /// Whether a number with this width has the value.
    pub(super) fn holds(self, value: AnyView<'_>) -> bool {
        let (min, max) = match (self, value) {
            (NumberWidth::Float32, AnyView::Float(value)) => {
                return value.is_nan() || f64::from(value as f32) == value;
            }
            (NumberWidth::Int8, _) => (i8::MIN.into(), i8::MAX.into()),
            (NumberWidth::Int16, _) => (i16::MIN.into(), i16::MAX.into()),
            (NumberWidth::Int32, _) => (i32::MIN.into(), i32::MAX.into()),
            (NumberWidth::UInt8, _) => (0, u8::MAX.into()),
            (NumberWidth::UInt16, _) => (0, u16::MAX.into()),
            (NumberWidth::UInt32, _) => (0, u32::MAX.into()),
            // A graph has no integers beyond 63 bits.
            (NumberWidth::UInt64, _) => (0, i64::MAX),
            (NumberWidth::Float32, _) => return true,
        };
        !matches!(value, AnyView::Int(value) if !(min..=max).contains(&value))
    }

    /// The word in schemas, such as `int32`.
    #[must_use]
    pub fn word(self) -> &'static str {
        // The table has every variant, which its test checks.
        WIDTHS.iter().find(|(_, width)| *width == self).map_or("", |(word, _)| word)
    }

    /// The width of this word.
    #[must_use]
    pub fn find(word: &str) -> Option<Self> {
        WIDTHS.iter().find(|(known, _)| *known == word).map(|(_, width)| *width)
    }
}

#[cfg(test)]
mod tests {
    use super::{NumberWidth, WIDTHS};
    use crate::object::AnyView;

    /// Each width has a word, and its bounds are the bounds of the type that it is named after.
    #[test]
    fn widths_have_words_and_bounds() {
        for (word, width) in WIDTHS {
            assert_eq!((width.word(), NumberWidth::find(word)), (word, Some(width)));
        }
        assert_eq!(NumberWidth::find("int64"), None);
        assert!(NumberWidth::Int8.holds(AnyView::Int(-128)) && !NumberWidth::Int8.holds(AnyView::Int(128)));
        assert!(NumberWidth::UInt32.holds(AnyView::Int(0)) && !NumberWidth::UInt32.holds(AnyView::Int(-1)));
        assert!(NumberWidth::Float32.holds(AnyView::Float(0.5)) && !NumberWidth::Float32.holds(AnyView::Float(0.1)));
        assert!(NumberWidth::Int8.holds(AnyView::None));
    }
}
