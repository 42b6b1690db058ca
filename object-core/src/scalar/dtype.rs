//! [`DataType`]: the type of a scalar or of a vector of scalars, as DLPack's `DLDataType`.

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, ErrorKind};
use crate::text::did_you_mean::did_you_mean;

/// What the bits of a scalar mean, with the numbers of DLPack's `DLDataTypeCode` (dlpack.h, version 1.1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct TypeCode(
    /// The number.
    pub u8,
);

impl TypeCode {
    /// Signed integers.
    pub const INT: TypeCode = TypeCode(0);
    /// Unsigned integers.
    pub const UINT: TypeCode = TypeCode(1);
    /// IEEE floating point.
    pub const FLOAT: TypeCode = TypeCode(2);
    /// Opaque addresses; with no bits and no lanes, `void`.
    pub const HANDLE: TypeCode = TypeCode(3);
    /// Brain floating point.
    pub const BFLOAT: TypeCode = TypeCode(4);
    /// Truth values.
    pub const BOOL: TypeCode = TypeCode(6);
}

/// Scalar kinds that have one width, fixed by their name: (code, bits, name).
const FIXED: &[(u8, u8, &str)] = &[
    (7, 8, "float8_e3m4"),
    (8, 8, "float8_e4m3"),
    (9, 8, "float8_e4m3b11fnuz"),
    (10, 8, "float8_e4m3fn"),
    (11, 8, "float8_e4m3fnuz"),
    (12, 8, "float8_e5m2"),
    (13, 8, "float8_e5m2fnuz"),
    (14, 8, "float8_e8m0fnu"),
    (15, 6, "float6_e2m3fn"),
    (16, 6, "float6_e3m2fn"),
    (17, 4, "float4_e2m1fn"),
];

/// Scalar kinds whose width follows the name: (code, name, default width).
const SIZED: &[(u8, &str, u8)] =
    &[(0, "int", 32), (1, "uint", 32), (2, "float", 32), (3, "handle", 64), (4, "bfloat", 16), (6, "bool", 8)];

/// First code and name prefix of user-defined kinds: `custom[150]32`.
const CUSTOM_BEGIN: u8 = 129;

/// The type of a scalar (`float32`), of a fixed vector (`int8x4`) or of a scalable vector (`float32xvscalex4`).
///
/// It prints and parses in the grammar of TVM 0.25's `DLDataType` strings: `void` is the empty string.
///
/// ```
/// use object_core::DataType;
/// let ty: DataType = "float8_e4m3fn".parse()?;
/// assert_eq!((ty.bits, ty.to_string().as_str()), (8, "float8_e4m3fn"));
/// assert_eq!("float32x4".parse::<DataType>()?.lanes(), 4);
/// assert_eq!(DataType::void().to_string(), "");
/// # Ok::<(), object_core::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(C)]
pub struct DataType {
    /// What the bits mean.
    pub code: TypeCode,
    /// Width of one lane in bits.
    pub bits: u8,
    /// Number of lanes as DLPack stores it: a negative count, read as `i16`, is that many times the vector scale.
    pub raw_lanes: u16,
}

impl DataType {
    /// All of it in one number, the same on every platform.
    #[inline]
    pub(crate) const fn packed(self) -> u32 {
        self.code.0 as u32 | (self.bits as u32) << 8 | (self.raw_lanes as u32) << 16
    }

    /// A scalar type.
    #[must_use]
    pub const fn scalar(code: TypeCode, bits: u8) -> Self {
        DataType { code, bits, raw_lanes: 1 }
    }

    /// The type of no value: a handle without bits and lanes.
    #[must_use]
    pub const fn void() -> Self {
        DataType { code: TypeCode::HANDLE, bits: 0, raw_lanes: 0 }
    }

    /// A signed integer of `bits` bits.
    #[must_use]
    pub const fn int(bits: u8) -> Self {
        DataType::scalar(TypeCode::INT, bits)
    }

    /// An unsigned integer of `bits` bits.
    #[must_use]
    pub const fn uint(bits: u8) -> Self {
        DataType::scalar(TypeCode::UINT, bits)
    }

    /// An IEEE float of `bits` bits.
    #[must_use]
    pub const fn float(bits: u8) -> Self {
        DataType::scalar(TypeCode::FLOAT, bits)
    }

    /// A truth value, one byte wide in memory.
    #[must_use]
    pub const fn boolean() -> Self {
        DataType::scalar(TypeCode::BOOL, 8)
    }

    /// An opaque address.
    #[must_use]
    pub const fn handle() -> Self {
        DataType::scalar(TypeCode::HANDLE, 64)
    }

    /// The number of lanes: 1 for scalars, 0 for `void`, negative for a multiple of the vector scale.
    #[must_use]
    pub const fn lanes(self) -> i16 {
        self.raw_lanes.cast_signed()
    }

    /// Whether this is the type of no value.
    #[must_use]
    pub fn is_void(self) -> bool {
        self == DataType::void()
    }

    /// Bytes that `elements` values of this type take when packed one after the other, each lane rounded up to
    /// whole bytes. `None` where the size is not known before run time or does not fit.
    #[must_use]
    pub fn byte_size(self, elements: usize) -> Option<usize> {
        let lanes = usize::try_from(self.lanes()).ok()?;
        usize::from(self.bits).div_ceil(8).checked_mul(lanes)?.checked_mul(elements)
    }
}

impl fmt::Display for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_void() {
            return Ok(());
        }
        let DataType { code: TypeCode(code), bits, .. } = *self;
        if let Some((.., name)) = FIXED.iter().find(|(c, b, _)| (*c, *b) == (code, bits)) {
            f.write_str(name)?;
        } else if let Some((_, name, default)) = SIZED.iter().find(|(c, ..)| *c == code) {
            f.write_str(name)?;
            // `bool` and `handle` are written without their usual width.
            let short = matches!(self.code, TypeCode::BOOL | TypeCode::HANDLE) && bits == *default;
            if !short {
                write!(f, "{bits}")?;
            }
        } else {
            write!(f, "custom[{code}]{bits}")?;
        }
        match self.lanes() {
            1 => Ok(()),
            lanes if lanes < 0 => write!(f, "xvscalex{}", -i32::from(lanes)),
            _ => write!(f, "x{}", self.raw_lanes),
        }
    }
}

impl fmt::Debug for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_void() { f.write_str("void") } else { fmt::Display::fmt(self, f) }
    }
}

impl FromStr for DataType {
    type Err = Error;

    /// Reads the grammar that [`Display`](fmt::Display) writes; `void` is accepted for the empty string.
    ///
    /// # Errors
    /// [`Malformed`](ErrorKind::Malformed) for an unknown name, a width or a lane count out of range, and for
    /// anything left over behind them.
    fn from_str(text: &str) -> Result<Self, Error> {
        if text.is_empty() || text == "void" {
            return Ok(DataType::void());
        }
        let (code, bits, rest) = parse_scalar(text).ok_or_else(|| unknown(text))?;
        let raw_lanes = parse_lanes(rest).ok_or_else(|| {
            Error::new(
                ErrorKind::Malformed,
                format!("data type `{text}`: expected `xN` or `xvscalexN` after the scalar type, got `{rest}`"),
            )
        })?;
        Ok(DataType { code: TypeCode(code), bits, raw_lanes })
    }
}

/// The code and width at the start of `text`, and what follows them.
fn parse_scalar(text: &str) -> Option<(u8, u8, &str)> {
    // The longest name wins: `float8_e4m3fnuz` before `float8_e4m3fn` before `float8_e4m3`.
    let fixed = FIXED.iter().filter(|(.., name)| text.starts_with(name)).max_by_key(|(.., name)| name.len());
    if let Some((code, bits, name)) = fixed {
        return Some((*code, *bits, &text[name.len()..]));
    }
    if let Some(rest) = text.strip_prefix("custom[") {
        let (code, rest) = rest.split_once(']')?;
        let code = code.parse().ok().filter(|code| *code >= CUSTOM_BEGIN)?;
        let (bits, rest) = take_number(rest)?;
        return Some((code, bits?, rest));
    }
    let (code, name, default) = SIZED.iter().find(|(_, name, _)| text.starts_with(name))?;
    let (bits, rest) = take_number(&text[name.len()..])?;
    Some((*code, bits.unwrap_or(*default), rest))
}

/// The decimal number at the start of `text`, if there is one, and what follows. `None` if it does not fit.
fn take_number(text: &str) -> Option<(Option<u8>, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    if digits.is_empty() {
        return Some((None, rest));
    }
    digits.parse().ok().map(|number| (Some(number), rest))
}

/// The lane suffix, as stored.
fn parse_lanes(rest: &str) -> Option<u16> {
    if rest.is_empty() {
        return Some(1);
    }
    let rest = rest.strip_prefix('x')?;
    let (scale, digits) = match rest.strip_prefix("vscalex") {
        Some(digits) => (-1, digits),
        None => (1, rest),
    };
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let lanes: i16 = digits.parse().ok()?;
    Some((lanes * scale).cast_unsigned())
}

fn unknown(text: &str) -> Error {
    let names = FIXED.iter().map(|(.., name)| *name).chain(SIZED.iter().map(|(_, name, _)| *name));
    let word = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let hint = did_you_mean(word, names);
    Error::new(
        ErrorKind::Malformed,
        format!("`{text}` is not a data type such as `int64`, `float32x4` or `bool`{hint}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_what_it_parses() {
        let texts = [
            "int64",
            "uint8",
            "float32",
            "bool",
            "handle",
            "bfloat16",
            "float32x4",
            "boolx4",
            "int4",
            "int1",
            "float8_e4m3fn",
            "float8_e4m3fnuz",
            "float8_e4m3",
            "float8_e5m2x2",
            "float6_e2m3fn",
            "float4_e2m1fnx8",
            "float32xvscalex4",
            "custom[150]32",
            "",
            "uint16x65535",
            "handle32",
        ];
        for text in texts {
            match text.parse::<DataType>() {
                Ok(ty) => assert_eq!(ty.to_string(), text),
                Err(error) => assert_eq!(text, "uint16x65535", "{error}"),
            }
        }
    }

    #[test]
    fn rejects_what_is_no_data_type() {
        for text in ["flot32", "int64x", "int64y4", "float8_e9", "int300", "x4", "custom[3]8", "int8x4x4", "int-8"] {
            let error = text.parse::<DataType>().expect_err(text);
            assert_eq!(error.kind(), ErrorKind::Malformed);
            assert!(error.message().contains(text), "{error}");
        }
    }
}
