//! Enums as field types: enums of numbers, and enums with one value in each variant.

use crate::error::{Error, Result};
use crate::object::{Accepted, AnyView, TypeSchema, mismatch};

/// The variants of an enum: the name and the number of each.
pub type Variants<const N: usize> = [(&'static str, i64); N];

/// The index in `variants` of the variant of the enum `name` that has the number `value`. Each entry of `variants` is the
/// name and the number of a variant.
///
/// # Errors
/// [`TypeMismatch`](crate::ErrorKind::TypeMismatch) if the value is not an integer, and
/// [`OutOfRange`](crate::ErrorKind::OutOfRange), with a list of the variants, if no variant has the number.
pub fn variant_index(name: &str, variants: &[(&str, i64)], value: AnyView<'_>) -> Result<usize> {
    let AnyView::Int(value) = value else {
        return Err(Error::type_mismatch(name, value.type_key()));
    };
    let index = variants.iter().position(|(_, number)| *number == value);
    index.ok_or_else(|| Error::unknown_variant(name, variants.iter().copied(), value))
}

/// The numbers of an enum with these variants, as a range.
#[must_use]
pub const fn numbers(variants: &[(&str, i64)]) -> Accepted {
    let (mut min, mut max) = (i64::MAX, i64::MIN);
    let mut i = 0;
    while i < variants.len() {
        let number = variants[i].1;
        min = if number < min { number } else { min };
        max = if number > max { number } else { max };
        i += 1;
    }
    Accepted::Int(min, max)
}

/// The error for a value that has none of the types of an enum.
#[must_use]
pub fn no_variant(schema: &TypeSchema, given: AnyView<'_>) -> Error {
    mismatch(&schema.to_string(), given)
}

/// The type of an enum with one value in each variant, as schemas write it.
#[must_use]
pub fn variant_schema<const N: usize>(types: [TypeSchema; N]) -> TypeSchema {
    TypeSchema::of("Variant", types.into())
}
