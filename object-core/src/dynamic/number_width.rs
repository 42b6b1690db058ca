//! [`NumberWidth`]: the widths of numbers in fields.

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
