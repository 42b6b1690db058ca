//! The header of a `.npy` file: a dictionary in Python's syntax with the type, the order and the shape of the elements.

use std::fmt::Display;
use std::io::Read;

use object_core::prelude::*;
use object_core::scalar::TypeCode;
use object_python_syntax::with_expression;
use ruff_python_ast::{Expr, Number};
use ruff_text_size::Ranged;

use super::value::ElementType;

/// The facts in a header.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NpyHeader {
    /// The type of an element.
    element: NpyElement,
    /// The extents.
    pub(super) shape: Vec<i64>,
    /// Whether the first index changes fastest in the order of the elements.
    pub(super) is_fortran: bool,
}

/// The type of an element in a header.
#[derive(Debug, PartialEq, Eq)]
enum NpyElement {
    Number(DataType),
    /// Bytes without a meaning. Types that NumPy does not have, such as those of `ml_dtypes`, are written so.
    Bytes(u8),
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
    /// [`Malformed`](ErrorKind::Malformed) for other content, for big-endian numbers and for records.
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

    /// The type of the elements: the one in the header, or `stated` for elements that the header has the size of.
    ///
    /// # Errors
    /// [`TypeMismatch`](ErrorKind::TypeMismatch) if the header has only a size, and `stated` has another size.
    pub(super) fn dtype(&self, stated: Option<DataType>) -> Result<DataType, Error> {
        let size = match self.element {
            NpyElement::Number(dtype) => return Ok(dtype),
            NpyElement::Bytes(size) => size,
        };
        let given = match stated {
            Some(dtype) if dtype.byte_size(1) == Some(size.into()) => return Ok(dtype),
            Some(dtype) => format!("got {dtype}"),
            None => "none is known".to_owned(),
        };
        let message = format!(
            "the file has elements of {size} bytes and not their type, as NumPy saves bfloat16, float8 and int4; expected a \
             parameter with a type of this size, {given}"
        );
        Err(Error::new(ErrorKind::TypeMismatch, message))
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
        let element = match descr {
            Expr::StringLiteral(descr) => element_of(descr.value.to_str()),
            _ => None,
        };
        let element =
            element.ok_or_else(|| malformed(format!("expected little-endian numbers, got {}", shown(descr))))?;
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
            Expr::BooleanLiteral(order) => Ok(NpyHeader { element, shape, is_fortran: order.value }),
            other => Err(malformed(format!("expected `fortran_order` as True or False, got {}", shown(other)))),
        }
    }
}

/// The type with this name in NumPy, such as `float32` for `<f4`. `None` for types that are no little-endian numbers.
fn element_of(name: &str) -> Option<NpyElement> {
    let (order, rest) = name.split_at_checked(1)?;
    let (kind, size) = rest.split_at_checked(1)?;
    let size = size.parse::<u8>().ok()?;
    let bits = size.checked_mul(8)?;
    let dtype = match (kind, size) {
        ("V", 1..) => return Some(NpyElement::Bytes(size)),
        // The name that `ml_dtypes` gives this type alone.
        ("f", 1) => ElementType::F8E5M2.dtype(),
        ("i", _) => DataType::int(bits),
        ("u", _) => DataType::uint(bits),
        ("f", _) => DataType::float(bits),
        ("b", _) => DataType::scalar(TypeCode::BOOL, bits),
        _ => return None,
    };
    ["<", "|", "="].contains(&order).then_some(NpyElement::Number(dtype))
}
