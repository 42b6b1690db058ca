//! [`Element`]: the types of tensor elements, and their conversions to numbers.

use std::fmt;

use half::{bf16, f16};
use object_core::prelude::*;
use object_core::scalar::TypeCode;

/// A type of tensor elements. Its values are stored as [`Bits`](Self::Bits), in as many bytes as the data type has.
pub trait Element: 'static {
    /// The representation in memory.
    type Bits: bytemuck::Pod + PartialEq + Send + Sync;
    /// The data type.
    const TYPE: ElementType;
    /// The value as a floating-point number, rounded to the nearest one.
    fn to_float(bits: Self::Bits) -> f64;
    /// The value as an integer, without its fraction. A value that is not finite gives 0 or the nearest integer.
    fn to_int(bits: Self::Bits) -> i128;
    /// The nearest value to `number`. Integers drop the fraction, and a truth value is whether the number is not 0.
    fn from_float(number: f64) -> Self::Bits;
    /// The value of `number`: modulo the range for integers, the nearest one for floating-point numbers.
    fn from_int(number: i128) -> Self::Bits;
}

macro_rules! integers {
    ($($type:ident $variant:ident),*) => {$(
        impl Element for $type {
            type Bits = $type;
            const TYPE: ElementType = ElementType::$variant;

            fn to_float(bits: $type) -> f64 {
                bits as f64
            }

            fn to_int(bits: $type) -> i128 {
                i128::from(bits)
            }

            fn from_float(number: f64) -> $type {
                number as i128 as $type
            }

            fn from_int(number: i128) -> $type {
                number as $type
            }
        }
    )*};
}

integers!(i8 I8, i16 I16, i32 I32, i64 I64, u8 U8, u16 U16, u32 U32, u64 U64);

impl Element for f32 {
    type Bits = f32;
    const TYPE: ElementType = ElementType::F32;

    fn to_float(bits: f32) -> f64 {
        f64::from(bits)
    }

    fn to_int(bits: f32) -> i128 {
        bits as i128
    }

    fn from_float(number: f64) -> f32 {
        number as f32
    }

    fn from_int(number: i128) -> f32 {
        number as f32
    }
}

impl Element for f64 {
    type Bits = f64;
    const TYPE: ElementType = ElementType::F64;

    fn to_float(bits: f64) -> f64 {
        bits
    }

    fn to_int(bits: f64) -> i128 {
        bits as i128
    }

    fn from_float(number: f64) -> f64 {
        number
    }

    fn from_int(number: i128) -> f64 {
        number as f64
    }
}

macro_rules! small_floats {
    ($($type:ident $variant:ident $bits:ty: $from:expr, $to:expr;)*) => {$(
        impl Element for $type {
            type Bits = $bits;
            const TYPE: ElementType = ElementType::$variant;

            fn to_float(bits: $bits) -> f64 {
                let to: fn($bits) -> f64 = $to;
                to(bits)
            }

            fn to_int(bits: $bits) -> i128 {
                Self::to_float(bits) as i128
            }

            fn from_float(number: f64) -> $bits {
                let from: fn(f64) -> $bits = $from;
                from(number)
            }

            fn from_int(number: i128) -> $bits {
                Self::from_float(number as f64)
            }
        }
    )*};
}

/// The element type `float8_e4m3fn`, stored as a byte.
#[derive(Debug)]
pub enum F8E4M3 {}

/// The element type `float8_e5m2`, stored as a byte.
#[derive(Debug)]
pub enum F8E5M2 {}

small_floats! {
    f16 F16 f16: f16::from_f64, f16::to_f64;
    bf16 BF16 bf16: bf16::from_f64, bf16::to_f64;
    F8E4M3 F8E4M3 u8:
        |number| float8::F8E4M3::from_f64(number).to_bits(), |bits| float8::F8E4M3::from_bits(bits).to_f64();
    F8E5M2 F8E5M2 u8:
        |number| float8::F8E5M2::from_f64(number).to_bits(), |bits| float8::F8E5M2::from_bits(bits).to_f64();
}

/// The element type `int4`, stored as a byte with the sign of the number.
#[derive(Debug)]
pub enum I4 {}

/// The element type `uint4`, stored as a byte.
#[derive(Debug)]
pub enum U4 {}

macro_rules! nibbles {
    ($($type:ident $bits:ty: $wrap:expr;)*) => {$(
        impl Element for $type {
            type Bits = $bits;
            const TYPE: ElementType = ElementType::$type;

            fn to_float(bits: $bits) -> f64 {
                f64::from(bits)
            }

            fn to_int(bits: $bits) -> i128 {
                i128::from(bits)
            }

            fn from_float(number: f64) -> $bits {
                Self::from_int(number as i128)
            }

            fn from_int(number: i128) -> $bits {
                let wrap: fn($bits) -> $bits = $wrap;
                wrap(number as $bits)
            }
        }
    )*};
}

nibbles! {
    I4 i8: |number| number << 4 >> 4;
    U4 u8: |number| number & 0xf;
}

/// The element type `bool`, stored as a byte that is 0 or 1.
#[derive(Debug)]
pub enum Bool {}

impl Element for Bool {
    type Bits = u8;
    const TYPE: ElementType = ElementType::Bool;

    fn to_float(bits: u8) -> f64 {
        f64::from(u8::from(bits != 0))
    }

    fn to_int(bits: u8) -> i128 {
        i128::from(bits != 0)
    }

    fn from_float(number: f64) -> u8 {
        u8::from(number != 0.0)
    }

    fn from_int(number: i128) -> u8 {
        u8::from(number != 0)
    }
}

/// The types of tensor elements, as values: one for each [`Element`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each variant has the name of its `Element`")]
pub enum ElementType {
    Bool,
    I4,
    I8,
    I16,
    I32,
    I64,
    U4,
    U8,
    U16,
    U32,
    U64,
    F16,
    BF16,
    F32,
    F64,
    F8E4M3,
    F8E5M2,
}

/// Calls a block with `$T` as the [`Element`] of an [`ElementType`].
macro_rules! with_element {
    ($type:expr, $T:ident => $body:expr) => {{
        use $crate::value::ElementType as Type;
        macro_rules! arm {
            ($element:ty) => {{
                type $T = $element;
                $body
            }};
        }
        match $type {
            Type::Bool => arm!($crate::value::Bool),
            Type::I4 => arm!($crate::value::I4),
            Type::U4 => arm!($crate::value::U4),
            Type::I8 => arm!(i8),
            Type::I16 => arm!(i16),
            Type::I32 => arm!(i32),
            Type::I64 => arm!(i64),
            Type::U8 => arm!(u8),
            Type::U16 => arm!(u16),
            Type::U32 => arm!(u32),
            Type::U64 => arm!(u64),
            Type::F16 => arm!(half::f16),
            Type::BF16 => arm!(half::bf16),
            Type::F32 => arm!(f32),
            Type::F64 => arm!(f64),
            Type::F8E4M3 => arm!($crate::value::F8E4M3),
            Type::F8E5M2 => arm!($crate::value::F8E5M2),
        }
    }};
}

pub(crate) use with_element;

/// The codes of `float8_e4m3fn` and `float8_e5m2` in DLPack (dlpack.h, version 1.1).
const FLOAT8_E4M3FN: TypeCode = TypeCode(10);
const FLOAT8_E5M2: TypeCode = TypeCode(12);

/// All types.
const ALL: [ElementType; 17] = {
    use ElementType as E;
    [
        E::Bool,
        E::I4,
        E::I8,
        E::I16,
        E::I32,
        E::I64,
        E::U4,
        E::U8,
        E::U16,
        E::U32,
        E::U64,
        E::F16,
        E::BF16,
        E::F32,
        E::F64,
        E::F8E4M3,
        E::F8E5M2,
    ]
};

impl ElementType {
    /// The element type of a data type.
    ///
    /// # Errors
    /// [`TypeMismatch`](ErrorKind::TypeMismatch) for vectors, `void`, handles, and floating-point numbers that this crate
    /// does not compute with.
    pub fn of(dtype: DataType) -> Result<Self, Error> {
        // The search takes longest for the most common type.
        if dtype == DataType::float(32) {
            return Ok(ElementType::F32);
        }
        // Truth values of one bit are the older form of `bool`.
        if dtype == DataType::uint(1) {
            return Ok(ElementType::Bool);
        }
        ALL.into_iter().find(|element| element.dtype() == dtype).ok_or_else(|| {
            let known: Vec<_> = ALL.iter().map(ElementType::to_string).collect();
            let message = format!("expected a tensor of one of the types {}, got {dtype:?}", known.join(", "));
            Error::new(ErrorKind::TypeMismatch, message)
        })
    }

    /// The data type.
    #[must_use]
    pub const fn dtype(self) -> DataType {
        use ElementType as E;
        match self {
            E::Bool => DataType::boolean(),
            E::I4 => DataType::int(4),
            E::U4 => DataType::uint(4),
            E::I8 => DataType::int(8),
            E::I16 => DataType::int(16),
            E::I32 => DataType::int(32),
            E::I64 => DataType::int(64),
            E::U8 => DataType::uint(8),
            E::U16 => DataType::uint(16),
            E::U32 => DataType::uint(32),
            E::U64 => DataType::uint(64),
            E::F16 => DataType::float(16),
            E::BF16 => DataType::scalar(TypeCode::BFLOAT, 16),
            E::F32 => DataType::float(32),
            E::F64 => DataType::float(64),
            E::F8E4M3 => DataType::scalar(FLOAT8_E4M3FN, 8),
            E::F8E5M2 => DataType::scalar(FLOAT8_E5M2, 8),
        }
    }

    /// The size of an element in bytes.
    #[must_use]
    pub fn size(self) -> usize {
        with_element!(self, T => size_of::<<T as Element>::Bits>())
    }

    /// Whether the elements are floating-point numbers.
    #[must_use]
    pub fn is_float(self) -> bool {
        use ElementType as E;
        matches!(self, E::F16 | E::BF16 | E::F32 | E::F64 | E::F8E4M3 | E::F8E5M2)
    }

    /// The least and the greatest integer; of a floating-point type, the range of `i64`.
    #[must_use]
    pub fn int_range(self) -> (i128, i128) {
        use ElementType as E;
        match self {
            E::Bool => (0, 1),
            E::I4 => (-8, 7),
            E::U4 => (0, 15),
            E::I8 => (i8::MIN.into(), i8::MAX.into()),
            E::I16 => (i16::MIN.into(), i16::MAX.into()),
            E::I32 => (i32::MIN.into(), i32::MAX.into()),
            E::U8 => (0, u8::MAX.into()),
            E::U16 => (0, u16::MAX.into()),
            E::U32 => (0, u32::MAX.into()),
            E::U64 => (0, u64::MAX.into()),
            _ => (i64::MIN.into(), i64::MAX.into()),
        }
    }

    /// The least finite and the greatest finite floating-point number; of an integer type, its range.
    #[must_use]
    pub fn float_range(self) -> (f64, f64) {
        use ElementType as E;
        match self {
            E::F16 => (f16::MIN.to_f64(), f16::MAX.to_f64()),
            E::BF16 => (bf16::MIN.to_f64(), bf16::MAX.to_f64()),
            E::F32 => (f32::MIN.into(), f32::MAX.into()),
            E::F64 => (f64::MIN, f64::MAX),
            E::F8E4M3 => (-448.0, 448.0),
            E::F8E5M2 => (-57344.0, 57344.0),
            other => {
                let (least, greatest) = other.int_range();
                (least as f64, greatest as f64)
            }
        }
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.dtype().fmt(f)
    }
}
