//! Elements in memory, as numbers of registers.

use half::{bf16, f16};

use crate::value::{Element, ElementType, F8E4M3, F8E5M2};

/// The bytes of an element.
macro_rules! of_bytes {
    ($type:ident, $bytes:expr) => {{
        let mut buffer = [0; size_of::<$type>()];
        buffer.copy_from_slice($bytes);
        $type::from_ne_bytes(buffer)
    }};
}

/// An integer in memory.
#[inline]
pub(super) fn load_int(element: ElementType, bytes: &[u8]) -> i64 {
    use ElementType as E;
    match element {
        E::I64 | E::U64 => of_bytes!(i64, bytes),
        E::I32 => of_bytes!(i32, bytes).into(),
        E::U32 => of_bytes!(u32, bytes).into(),
        E::I16 => of_bytes!(i16, bytes).into(),
        E::U16 => of_bytes!(u16, bytes).into(),
        E::I8 | E::I4 => of_bytes!(i8, bytes).into(),
        E::U8 | E::U4 => bytes[0].into(),
        _ => i64::from(bytes[0] != 0),
    }
}

/// Writes an integer into memory.
#[inline]
pub(super) fn store_int(element: ElementType, bytes: &mut [u8], value: i64) {
    use ElementType as E;
    match element {
        E::I64 | E::U64 => bytes.copy_from_slice(&value.to_ne_bytes()),
        E::I32 | E::U32 => bytes.copy_from_slice(&(value as u32).to_ne_bytes()),
        E::I16 | E::U16 => bytes.copy_from_slice(&(value as u16).to_ne_bytes()),
        E::I8 | E::U8 | E::I4 | E::U4 => bytes[0] = value as u8,
        _ => bytes[0] = u8::from(value != 0),
    }
}

/// A floating-point number in memory.
#[inline]
pub(super) fn load_float(element: ElementType, bytes: &[u8]) -> f64 {
    use ElementType as E;
    match element {
        E::F32 => of_bytes!(f32, bytes).into(),
        E::F64 => of_bytes!(f64, bytes),
        E::F16 => f16_to_f64(of_bytes!(u16, bytes)),
        E::BF16 => f64::from(f32::from_bits(u32::from(of_bytes!(u16, bytes)) << 16)),
        E::F8E4M3 => F8E4M3::to_float(bytes[0]),
        _ => F8E5M2::to_float(bytes[0]),
    }
}

/// Writes a floating-point number, which the type has, into memory.
#[inline]
pub(super) fn store_float(element: ElementType, bytes: &mut [u8], value: f64) {
    use ElementType as E;
    match element {
        E::F32 => bytes.copy_from_slice(&(value as f32).to_ne_bytes()),
        E::F64 => bytes.copy_from_slice(&value.to_ne_bytes()),
        E::F16 => bytes.copy_from_slice(&f16_of_f64(value).to_ne_bytes()),
        E::BF16 => bytes.copy_from_slice(&bf16::from_f64(value).to_bits().to_ne_bytes()),
        E::F8E4M3 => bytes[0] = F8E4M3::from_float(value),
        _ => bytes[0] = F8E5M2::from_float(value),
    }
}

/// The value of the bits of a `float16`. It has no branches, so a loop over it becomes vector instructions.
#[inline(always)]
pub(super) fn f16_to_f64(bits: u16) -> f64 {
    let magnitude = u64::from(bits & 0x7fff);
    // The bits of the exponent mean a power of 2 that is less by 1008. The product is exact, also without a leading one.
    let finite = f64::from_bits(magnitude << 42) * f64::from_bits((1008 + 1023) << 52);
    let special = (0x7ff << 52) | (magnitude << 42) | (u64::from(magnitude > 0x7c00) << 51);
    let magnitude = if magnitude < 0x7c00 { finite.to_bits() } else { special };
    f64::from_bits(u64::from(bits & 0x8000) << 48 | magnitude)
}

/// The bits of a `float16` that has the value.
#[inline]
fn f16_of_f64(value: f64) -> u16 {
    let bits = value.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i64 - 1023;
    if !(-14..=14).contains(&exponent) || bits << 22 != 0 {
        return f16::from_f64(value).to_bits();
    }
    let magnitude = ((bits & !(1 << 63)) - (1008 << 52)) >> 42;
    (bits >> 48 & 0x8000) as u16 | magnitude as u16
}

/// The bits of a floating-point number.
pub(super) fn float_bits(element: ElementType, value: f64) -> i64 {
    let mut bytes = [0; 8];
    let bytes = &mut bytes[..element.size()];
    store_float(element, bytes, value);
    load_int(bits_of(element), bytes)
}

/// The floating-point number with these bits.
pub(super) fn from_bits(element: ElementType, bits: i64) -> f64 {
    let mut bytes = [0; 8];
    let bytes = &mut bytes[..element.size()];
    store_int(bits_of(element), bytes, bits);
    load_float(element, bytes)
}

/// The unsigned integers of the size of a type.
fn bits_of(element: ElementType) -> ElementType {
    match element.size() {
        1 => ElementType::U8,
        2 => ElementType::U16,
        4 => ElementType::U32,
        _ => ElementType::U64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_floats_of_all_bits_convert_as_their_crate_converts_them() {
        for bits in 0..=u16::MAX {
            let expected = f16::from_bits(bits).to_f64();
            let value = f16_to_f64(bits);
            assert!(value.to_bits() == expected.to_bits() || value.is_nan() && expected.is_nan(), "{bits:#x}");
            assert!(value.is_nan() || f16_of_f64(value) == bits, "{bits:#x}");
        }
        for value in [1.0 + 2.0_f64.powi(-20), 1e-9, 70000.0, 65504.0, 6e-8] {
            assert_eq!(f16_of_f64(value), f16::from_f64(value).to_bits(), "{value}");
        }
    }

    #[test]
    fn elements_come_back_as_they_were_written() {
        use ElementType as E;
        let ints = [E::Bool, E::I8, E::I16, E::I32, E::I64, E::U8, E::U16, E::U32, E::U64];
        for element in ints {
            let mut bytes = [0; 8];
            let bytes = &mut bytes[..element.size()];
            for value in [0, 1] {
                store_int(element, bytes, value);
                assert_eq!(load_int(element, bytes), value, "{element}");
            }
            store_int(element, bytes, -1);
            let (least, most) = element.int_range();
            let expected = if least < 0 || element == E::U64 { -1 } else { most as i64 };
            assert_eq!(load_int(element, bytes), expected, "{element}");
        }
        for element in [E::F16, E::BF16, E::F32, E::F64, E::F8E4M3, E::F8E5M2] {
            for value in [0.0, -1.5, 0.25] {
                assert_eq!(from_bits(element, float_bits(element, value)), value, "{element}");
            }
        }
    }
}
