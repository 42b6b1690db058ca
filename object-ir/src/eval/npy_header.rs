//! The header of a `.npy` file: a dictionary in Python's syntax with the type, the order and the shape of the elements.

use std::fmt::Display;

use object_core::prelude::*;
use object_core::scalar::TypeCode;
use object_python_syntax::with_expression;
use ruff_python_ast::{Expr, Number};
use ruff_text_size::Ranged;

/// The facts in a header.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NpyHeader {
    /// The type of an element.
    pub(super) dtype: DataType,
    /// The extents.
    pub(super) shape: Vec<i64>,
}

/// The most bytes of a header. The longest one describes records, which are an error in any case.
const MAX_BYTES: usize = 1 << 16;

/// The error of content that is not an array of NumPy.
pub(super) fn malformed(error: impl Display) -> Error {
    Error::new(ErrorKind::Malformed, format!("not an array of NumPy: {error}"))
}

impl NpyHeader {
    /// Reads the header at the start of a file. Returns it with the bytes after it.
    ///
    /// # Errors
    /// [`Malformed`](ErrorKind::Malformed) for other content, for big-endian numbers, for records, and for arrays in Fortran's
    /// order.
    pub(super) fn read(file: &[u8]) -> Result<(Self, &[u8]), Error> {
        let rest = file.strip_prefix(b"\x93NUMPY").ok_or_else(|| malformed("the magic number is missing"))?;
        let short = || malformed("the header is not complete");
        // Since version 2, the length of the text has four bytes.
        let (length, text) = match rest {
            [1, _, a, b, text @ ..] => (usize::from(u16::from_le_bytes([*a, *b])), text),
            [2 | 3, _, a, b, c, d, text @ ..] => (u32::from_le_bytes([*a, *b, *c, *d]) as usize, text),
            [0 | 4.., ..] => return Err(malformed(format!("expected a version from 1 to 3, got {}", rest[0]))),
            _ => return Err(short()),
        };
        if length > MAX_BYTES {
            let message = format!("its header has {length} bytes, and a shape takes at most {MAX_BYTES}");
            return Err(malformed(message));
        }
        let (text, data) = text.split_at_checked(length).ok_or_else(short)?;
        let text = std::str::from_utf8(text).map_err(malformed)?;
        let header = with_expression(text.trim(), |expr| NpyHeader::of(text.trim(), expr)).map_err(malformed)??;
        Ok((header, data))
    }

    /// The header that `expr` is, which `text` contains.
    fn of(text: &str, expr: &Expr) -> Result<Self, Error> {
        let value = |name: &str| {
            let Expr::Dict(dict) = expr else { return Err(malformed("its header is not a dictionary")) };
            let is_named = |key: &Expr| matches!(key, Expr::StringLiteral(key) if key.value.to_str() == name);
            let item = dict.items.iter().find(|item| item.key.as_ref().is_some_and(is_named));
            item.map(|item| &item.value).ok_or_else(|| malformed(format!("its header has no `{name}`")))
        };
        let shown = |expr: &Expr| &text[expr.range()];
        let descr = value("descr")?;
        let dtype = match descr {
            Expr::StringLiteral(descr) => dtype_of(descr.value.to_str()),
            _ => None,
        };
        let dtype = dtype.ok_or_else(|| malformed(format!("expected little-endian numbers, got {}", shown(descr))))?;
        let Expr::Tuple(shape) = value("shape")? else { return Err(malformed("its shape is not a tuple")) };
        let extent = |expr: &Expr| match expr {
            Expr::NumberLiteral(number) => match &number.value {
                Number::Int(size) => size.as_i64(),
                _ => None,
            },
            _ => None,
        };
        let extent = |expr: &Expr| {
            extent(expr).ok_or_else(|| malformed(format!("expected an extent below 2^63, got {}", shown(expr))))
        };
        let shape: Vec<i64> = shape.elts.iter().map(extent).collect::<Result<_, _>>()?;
        match value("fortran_order")? {
            Expr::BooleanLiteral(order) if order.value && shape.len() > 1 => {
                Err(malformed("its elements are in Fortran's order; save `numpy.ascontiguousarray` of it"))
            }
            Expr::BooleanLiteral(_) => Ok(NpyHeader { dtype, shape }),
            other => Err(malformed(format!("expected `fortran_order` as True or False, got {}", shown(other)))),
        }
    }
}

/// The data type with this name in NumPy, such as `float32` for `<f4`. `None` for types that are no little-endian numbers.
fn dtype_of(name: &str) -> Option<DataType> {
    let (order, rest) = name.split_at_checked(1)?;
    let (kind, size) = rest.split_at_checked(1)?;
    let bits = size.parse::<u8>().ok()?.checked_mul(8)?;
    let code = match kind {
        "i" => TypeCode::INT,
        "u" => TypeCode::UINT,
        "f" => TypeCode::FLOAT,
        "b" => TypeCode::BOOL,
        _ => return None,
    };
    ["<", "|", "="].contains(&order).then(|| DataType::scalar(code, bits))
}
