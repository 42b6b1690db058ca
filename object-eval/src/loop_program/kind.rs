//! [`Kind`]: the scalar types of loop programs, and the values that they have.

use object_core::prelude::*;
use object_core::scalar::TypeCode;

use crate::value::{ElementType, round_to};

/// A type of integers. Registers have their values as `i64`: sign-extended, or zero-extended, and the bits of 64-bit
/// unsigned integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct IntKind {
    pub(super) bits: u8,
    pub(super) is_signed: bool,
}

impl IntKind {
    /// Truth values.
    pub(super) const BOOL: IntKind = IntKind { bits: 1, is_signed: false };

    /// The number modulo the range of the type.
    #[inline]
    pub(super) fn wrap(self, value: i64) -> i64 {
        let unused = 64_u32.saturating_sub(self.bits.into());
        if self.is_signed { value << unused >> unused } else { ((value as u64) << unused >> unused) as i64 }
    }

    /// Whether values are the bits of 64-bit unsigned integers.
    pub(super) fn is_u64(self) -> bool {
        !self.is_signed && self.bits == 64
    }

    /// The nearest integer to a number towards zero, modulo the range of the type; of a truth value, whether the number is
    /// not 0.
    #[inline]
    pub(super) fn of_float(self, value: f64) -> i64 {
        if self == Self::BOOL {
            return i64::from(value != 0.0);
        }
        self.wrap(if self.is_u64() && value >= 0.0 { value as u64 as i64 } else { value as i64 })
    }

    /// A value as a floating-point number.
    #[inline]
    pub(super) fn to_float(self, value: i64) -> f64 {
        if self.is_u64() { value as u64 as f64 } else { value as f64 }
    }
}

/// A type of scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Int(IntKind),
    /// Floating-point numbers, which registers have as `f64`.
    Float(ElementType),
    /// Addresses of memory.
    Pointer,
}

impl Kind {
    /// The type of one lane of a data type.
    ///
    /// # Errors
    /// [`TypeMismatch`](ErrorKind::TypeMismatch) for a type that has no numbers.
    pub(super) fn of(dtype: DataType) -> Result<Kind, Error> {
        let scalar = DataType { raw_lanes: 1, ..dtype };
        match dtype.code {
            TypeCode::BOOL => Ok(Kind::Int(IntKind::BOOL)),
            TypeCode::INT | TypeCode::UINT if (1..=64).contains(&dtype.bits) => {
                Ok(Kind::Int(IntKind { bits: dtype.bits, is_signed: dtype.code == TypeCode::INT }))
            }
            TypeCode::HANDLE => Ok(Kind::Pointer),
            _ => {
                let message = |_| format!("loop programs do not compute with the type {scalar:?}");
                let element = ElementType::of(scalar).map_err(|it| Error::new(ErrorKind::TypeMismatch, message(it)))?;
                Ok(Kind::Float(element))
            }
        }
    }
}

/// The nearest value of a floating-point type.
#[inline]
pub(super) fn round(element: ElementType, value: f64) -> f64 {
    match element {
        ElementType::F64 => value,
        ElementType::F32 => f64::from(value as f32),
        ElementType::F16 => round_f16(value),
        ElementType::BF16 => round_bits(value, 45, -126, 127).unwrap_or_else(|| round_to(element, value)),
        _ => round_to(element, value),
    }
}

/// The nearest value of `float16`.
#[inline]
pub(super) fn round_f16(value: f64) -> f64 {
    round_bits(value, 42, -14, 14).unwrap_or_else(|| round_to(ElementType::F16, value))
}

/// The number without its last `dropped` bits, rounded to the nearest one, and to the even one between two. `None` if its
/// exponent is out of the range, except for 0, or is the greatest one, which rounding can exceed.
#[inline]
fn round_bits(value: f64, dropped: u32, least: i64, most: i64) -> Option<f64> {
    let bits = value.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i64 - 1023;
    if exponent < least || exponent >= most {
        return (value == 0.0).then_some(value);
    }
    let half = (1_u64 << (dropped - 1)) - 1 + (bits >> dropped & 1);
    Some(f64::from_bits(bits.wrapping_add(half) >> dropped << dropped))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_wrap_at_their_width() {
        let of = |bits, is_signed| IntKind { bits, is_signed };
        assert_eq!([127, 128, -129, 256].map(|it| of(8, true).wrap(it)), [127, -128, 127, 0]);
        assert_eq!([255, 256, -1].map(|it| of(8, false).wrap(it)), [255, 0, 255]);
        assert_eq!(of(4, true).wrap(8), -8);
        assert_eq!(of(64, false).wrap(-1), -1);
        assert_eq!(of(64, false).to_float(-1), 18_446_744_073_709_551_616.0);
        assert_eq!(of(32, true).of_float(-3.9), -3);
        assert_eq!(IntKind::BOOL.of_float(0.25), 1);
    }

    #[test]
    fn fast_rounding_agrees_with_the_conversions() {
        let mut random = fastrand::Rng::with_seed(3);
        let near = |random: &mut fastrand::Rng, exponent: i32| {
            let sign = if random.bool() { 1.0 } else { -1.0 };
            // Few bits, so that many numbers lie between two others.
            sign * (1.0 + f64::from(random.u32(..1 << 13)) / f64::from(1 << 13)) * 2.0_f64.powi(exponent)
        };
        for exponent in (-30..20).chain([-140, -127, -126, 126, 127, 128, 300]) {
            for _ in 0..200 {
                let value = near(&mut random, exponent);
                for element in [ElementType::F16, ElementType::BF16] {
                    let expected = round_to(element, value);
                    assert_eq!(round(element, value).to_bits(), expected.to_bits(), "{element} {value}");
                }
            }
        }
        for value in [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, 65519.9, 65520.0] {
            assert_eq!(round_f16(value).to_bits(), round_to(ElementType::F16, value).to_bits(), "{value}");
        }
        assert!(round_f16(f64::NAN).is_nan());
    }
}
