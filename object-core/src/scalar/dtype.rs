//! [`DataType`]: the type of a scalar or of a vector of scalars, as DLPack's `DLDataType`.

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, ErrorKind};
use crate::text::brief::brief;
use crate::text::did_you_mean::nearest;

/// The interpretation of the bits of a scalar, with the numbers of DLPack's `DLDataTypeCode` (dlpack.h, version 1.1).
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
    /// IEEE floating-point numbers.
    pub const FLOAT: TypeCode = TypeCode(2);
    /// Opaque addresses. With no bits and no lanes, it is `void`.
    pub const HANDLE: TypeCode = TypeCode(3);
    /// Brain floating-point numbers (bfloat16).
    pub const BFLOAT: TypeCode = TypeCode(4);
    /// Booleans.
    pub const BOOL: TypeCode = TypeCode(6);
}

/// The scalar kinds whose name determines the width: (code, bits, name).
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

/// The scalar kinds whose width follows the name: (code, name, width without a number).
const SIZED: &[(u8, &str, u8)] =
    &[(0, "int", 32), (1, "uint", 32), (2, "float", 32), (3, "handle", 64), (4, "bfloat", 16), (6, "bool", 8)];

/// The first code of user-defined kinds, which are written as `custom[150]32`.
const CUSTOM_BEGIN: u8 = 129;

/// The type of a scalar (`float32`), of a fixed vector (`int8x4`) or of a scalable vector (`float32xvscalex4`).
///
/// `Display` and `FromStr` use the grammar of TVM 0.25's `DLDataType` strings, in which `void` is the empty string.
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
    /// The interpretation of the bits.
    pub code: TypeCode,
    /// The width of one lane, in bits.
    pub bits: u8,
    /// The number of lanes as DLPack stores it. As an `i16`, a negative number is the multiple of the vector scale.
    pub raw_lanes: u16,
}

impl DataType {
    /// The three parts in one number, which is the same on every platform.
    #[inline]
    pub(crate) const fn packed(self) -> u32 {
        self.code.0 as u32 | (self.bits as u32) << 8 | (self.raw_lanes as u32) << 16
    }

    /// A scalar type.
    #[must_use]
    pub const fn scalar(code: TypeCode, bits: u8) -> Self {
        DataType { code, bits, raw_lanes: 1 }
    }

    /// The type without values: a handle without bits and lanes.
    #[must_use]
    pub const fn void() -> Self {
        DataType { code: TypeCode::HANDLE, bits: 0, raw_lanes: 0 }
    }

    /// A signed integer with `bits` bits.
    #[must_use]
    pub const fn int(bits: u8) -> Self {
        DataType::scalar(TypeCode::INT, bits)
    }

    /// An unsigned integer with `bits` bits.
    #[must_use]
    pub const fn uint(bits: u8) -> Self {
        DataType::scalar(TypeCode::UINT, bits)
    }

    /// An IEEE floating-point number with `bits` bits.
    #[must_use]
    pub const fn float(bits: u8) -> Self {
        DataType::scalar(TypeCode::FLOAT, bits)
    }

    /// A boolean, which takes one byte.
    #[must_use]
    pub const fn boolean() -> Self {
        DataType::scalar(TypeCode::BOOL, 8)
    }

    /// An opaque address with 64 bits.
    #[must_use]
    pub const fn handle() -> Self {
        DataType::scalar(TypeCode::HANDLE, 64)
    }

    /// The number of lanes: 1 for a scalar, 0 for `void`. A negative number `-n` means `n` times the vector scale.
    #[must_use]
    pub const fn lanes(self) -> i16 {
        self.raw_lanes.cast_signed()
    }

    /// Whether this is [`void`](Self::void).
    #[must_use]
    pub fn is_void(self) -> bool {
        self == DataType::void()
    }

    /// The size of `elements` consecutive values of this type, in bytes. Each lane takes a whole number of bytes. `None` for
    /// a scalable vector, whose size is unknown before run time, and if the size does not fit `usize`.
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
            // The usual width of `bool` and `handle` is not written.
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

    /// Parses the output of [`Display`](fmt::Display). It also accepts `void` instead of the empty string.
    ///
    /// # Errors
    /// [`Malformed`](ErrorKind::Malformed) for an unknown name, for a width or a number of lanes out of range, and for text
    /// after them.
    fn from_str(text: &str) -> Result<Self, Error> {
        if text.is_empty() || text == "void" {
            return Ok(DataType::void());
        }
        let (code, bits, rest) = parse_scalar(text).ok_or_else(|| unknown(text))?;
        let raw_lanes = parse_lanes(rest).ok_or_else(|| {
            Error::new(
                ErrorKind::Malformed,
                format!(
                    "data type `{}`: expected `xN` or `xvscalexN` after the scalar type, got `{}`",
                    brief(text),
                    brief(rest)
                ),
            )
        })?;
        Ok(DataType { code: TypeCode(code), bits, raw_lanes })
    }
}

/// The code and the width at the start of `text`, and the rest of the text.
fn parse_scalar(text: &str) -> Option<(u8, u8, &str)> {
    // The longest matching name counts: `float8_e4m3fnuz`, then `float8_e4m3fn`, then `float8_e4m3`.
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

/// The decimal number at the start of `text`, if there is one, and the rest of the text. `None` if the number does not fit.
fn take_number(text: &str) -> Option<(Option<u8>, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    if digits.is_empty() {
        return Some((None, rest));
    }
    digits.parse().ok().map(|number| (Some(number), rest))
}

/// The value of [`DataType::raw_lanes`] for a lane suffix.
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
    let hint = nearest_data_type(text).map_or_else(String::new, |near| format!(", did you mean `{near}`?"));
    Error::new(
        ErrorKind::Malformed,
        format!("`{}` is not a data type such as `int64`, `float32x4` or `bool`{hint}", brief(text)),
    )
}

/// The data type with the width and the lanes of `text` whose name is near: `float32x4` for `flot32x4`.
fn nearest_data_type(text: &str) -> Option<DataType> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let lanes_at = text.rfind('x').filter(|at| is_number(&text[at + 1..])).unwrap_or(text.len());
    let (scalar, lanes) = text.split_at(lanes_at);
    let width = scalar.find(|c: char| c.is_ascii_digit()).map_or("", |at| &scalar[at..]);
    let sized = SIZED.iter().map(|(_, name, default)| match width.parse::<u8>() {
        Err(_) if !width.is_empty() => format!("{name}{default}"),
        _ => format!("{name}{width}"),
    });
    let names: Vec<String> = FIXED.iter().map(|(.., name)| (*name).to_owned()).chain(sized).collect();
    let near = nearest(scalar, names.iter().map(String::as_str))?;
    format!("{near}{lanes}").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn display_writes_the_parsed_text() {
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
    fn other_text_is_an_error() {
        for text in ["flot32", "int64x", "int64y4", "float8_e9", "int300", "x4", "custom[3]8", "int8x4x4", "int-8"] {
            let error = text.parse::<DataType>().expect_err(text);
            assert_eq!(error.kind(), ErrorKind::Malformed);
            assert!(error.message().contains(text), "{error}");
        }
    }

    #[test]
    fn an_unknown_name_has_the_nearest_data_type_as_hint() {
        let cases = [
            ("flot32", Some("float32")),
            ("flot", Some("float32")),
            ("flot32x4", Some("float32x4")),
            ("unit8", Some("uint8")),
            ("Bool", Some("bool")),
            ("bloat16", Some("bfloat16")),
            ("flat320", Some("float32")),
            ("floaat8_e4m3fn", Some("float8_e4m3fn")),
            ("tensor", None),
            ("x4", None),
            ("", None),
        ];
        for (text, near) in cases {
            assert_eq!(nearest_data_type(text).map(|ty| ty.to_string()).as_deref(), near, "{text}");
        }
    }
}
