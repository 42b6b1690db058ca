//! The header of a `.npy` file: a dictionary in Python's syntax with the type, the order and the shape of the elements.

use std::fmt::Display;
use std::io::Read;

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
    /// Reads the header at the start of a file.
    ///
    /// # Errors
    /// [`Malformed`](ErrorKind::Malformed) for other content, for big-endian numbers, for records, and for arrays in Fortran's
    /// order.
    pub(super) fn read(file: &mut impl Read) -> Result<Self, Error> {
        let short = |_| malformed("the header is not complete");
        let mut magic = [0; 6];
        if file.read_exact(&mut magic).is_err() || &magic != b"\x93NUMPY" {
            return Err(malformed("the magic number is missing"));
        }
        let mut version = [0; 2];
        file.read_exact(&mut version).map_err(short)?;
        let [version, _] = version;
        // Since version 2, the length of the text has four bytes.
        let mut length = [0; 4];
        let bytes = match version {
            1 => 2,
            2 | 3 => 4,
            _ => return Err(malformed(format!("expected a version from 1 to 3, got {version}"))),
        };
        file.read_exact(&mut length[..bytes]).map_err(short)?;
        let length = u32::from_le_bytes(length) as usize;
        if length > MAX_BYTES {
            let message = format!("its header has {length} bytes, and a shape takes at most {MAX_BYTES}");
            return Err(malformed(message));
        }
        let mut text = vec![0; length];
        file.read_exact(&mut text).map_err(short)?;
        let text = std::str::from_utf8(&text).map_err(malformed)?.trim();
        with_expression(text, |expr| NpyHeader::of(text, expr)).map_err(malformed)?
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
