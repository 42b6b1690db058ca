//! [`FieldChecks`]: the words of a field about the values that it allows, among the values of its type.

use std::fmt;

/// Integers from `start` to `end`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IntRange {
    /// The least integer; [`i64::MIN`] without a bound.
    pub start: i64,
    /// The greatest integer; [`i64::MAX`] without a bound.
    pub end: i64,
}

impl IntRange {
    /// Whether the range has the integer.
    #[must_use]
    pub const fn contains(self, value: i64) -> bool {
        self.start <= value && value <= self.end
    }

    /// Whether the range has all integers of `other`.
    #[must_use]
    pub const fn contains_all(self, other: IntRange) -> bool {
        self.start <= other.start && other.end <= self.end
    }
}

/// Writes the range as Rust does, without the bounds that it lacks.
impl fmt::Display for IntRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.start != i64::MIN {
            write!(f, "{}", self.start)?;
        }
        match self.end {
            i64::MAX => f.write_str(".."),
            end => write!(f, "..={end}"),
        }
    }
}

/// Floating-point numbers from `start` to `end`. No range has NaN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FloatRange {
    /// The least number; negative infinity without a bound.
    pub start: f64,
    /// The bound above; infinity without one.
    pub end: f64,
    /// Whether the range has `end` itself.
    pub includes_end: bool,
}

impl FloatRange {
    /// Whether the range has the number.
    #[must_use]
    pub const fn contains(self, value: f64) -> bool {
        self.start <= value && (value < self.end || (self.includes_end && value == self.end))
    }

    /// Whether the range has all numbers of `other`.
    #[must_use]
    pub fn contains_all(self, other: FloatRange) -> bool {
        let ends_after = other.end < self.end || (other.end == self.end && (self.includes_end || !other.includes_end));
        self.start <= other.start && ends_after
    }
}

/// Writes the range as Rust does, without the bounds that it lacks.
impl fmt::Display for FloatRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.start != f64::NEG_INFINITY {
            write!(f, "{:?}", self.start)?;
        }
        match (self.end, self.includes_end) {
            (f64::INFINITY, _) => f.write_str(".."),
            (end, true) => write!(f, "..={end:?}"),
            (end, false) => write!(f, "..{end:?}"),
        }
    }
}

/// The numbers that the word `range` allows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NumberRange {
    /// For a field of integers.
    Int(IntRange),
    /// For a field of floating-point numbers.
    Float(FloatRange),
}

impl fmt::Display for NumberRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NumberRange::Int(range) => range.fmt(f),
            NumberRange::Float(range) => range.fmt(f),
        }
    }
}

/// A value that the word `one_of` allows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Choice<'a> {
    /// An integer.
    Int(i64),
    /// A floating-point number.
    Float(f64),
    /// A text.
    Text(&'a str),
}

impl fmt::Display for Choice<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Choice::Int(value) => write!(f, "{value}"),
            Choice::Float(value) => write!(f, "{value:?}"),
            Choice::Text(text) => write!(f, "{text:?}"),
        }
    }
}

/// The words of a field about the values that it allows. `None` in an optional field breaks none of them.
///
/// Schemas (`dynamic/field_decl.rs`) name each of the words, so the compiler reports a new one there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FieldChecks {
    /// The allowed numbers.
    pub range: Option<NumberRange>,
    /// The allowed lengths: the elements of an `Array` or `Shape`, the entries of a `Map`, the characters of a `Str`, and the
    /// bytes of a `Bytes`.
    pub len: Option<IntRange>,
    /// The allowed values; empty without the word.
    pub one_of: &'static [Choice<'static>],
}

impl FieldChecks {
    /// A field without the words.
    pub const NONE: FieldChecks = FieldChecks { range: None, len: None, one_of: &[] };
}

// No bound and no choice is NaN: the derive and schemas read them from literals.
impl Eq for FieldChecks {}

/// The content of an object of this crate that a check looks at.
#[derive(Clone, Copy)]
pub(crate) enum CheckedContent<'a> {
    /// The text of a `Str`.
    Text(&'a str),
    /// The number of elements, entries or bytes.
    Count(usize),
}

impl CheckedContent<'_> {
    /// The length that the words `len` and `same_len` mean.
    pub(crate) fn len(self) -> i64 {
        let len = match self {
            CheckedContent::Text(text) => text.chars().count(),
            CheckedContent::Count(count) => count,
        };
        i64::try_from(len).unwrap_or(i64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_say_what_they_have() {
        let all = IntRange { start: i64::MIN, end: i64::MAX };
        let few = IntRange { start: 0, end: 3 };
        assert_eq!([all.to_string(), few.to_string()], ["..", "0..=3"]);
        assert!(all.contains_all(few) && !few.contains_all(all) && few.contains(3) && !few.contains(4));
        let open = FloatRange { start: 0.0, end: 1.0, includes_end: false };
        let closed = FloatRange { includes_end: true, ..open };
        let above = FloatRange { start: 0.5, end: f64::INFINITY, includes_end: true };
        assert_eq!([open.to_string(), closed.to_string(), above.to_string()], ["0.0..1.0", "0.0..=1.0", "0.5.."]);
        assert!(closed.contains_all(open) && !open.contains_all(closed) && !closed.contains_all(above));
        assert!(closed.contains(1.0) && !open.contains(1.0) && !closed.contains(f64::NAN));
        assert!(above.contains(f64::INFINITY) && !above.contains(f64::NAN));
    }
}
