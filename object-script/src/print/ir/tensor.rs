//! The elements of tensors.

use object_core::DataType;
use object_core::scalar::TypeCode;
use object_core::value::TensorNode;

use crate::print::doc::tree::{Doc, Node};
use crate::print::state::printer::Printer;

/// The largest number of elements that the readable text shows.
const MOST_ELEMENTS: usize = 8;

/// A scalar on the CPU as a number, if TVM has a constant of its data type.
pub(crate) fn scalar(p: &mut Printer<'_>, tensor: &TensorNode) -> Option<Doc> {
    let dtype = tensor.dtype;
    let is_common = [8, 16, 32, 64]
        .map(DataType::int)
        .into_iter()
        .chain([16, 32, 64].map(DataType::float))
        .any(|common| common == dtype);
    if !tensor.shape.is_empty() || tensor.device.device_type != 1 || !(is_common || dtype == DataType::boolean()) {
        return None;
    }
    element(p, dtype, &tensor.data)
}

/// A small tensor as lists of numbers inside of each other. `None` for a large one, and for data types without numbers.
pub(crate) fn nested(p: &mut Printer<'_>, tensor: &TensorNode) -> Option<Doc> {
    let count = tensor.shape.elements().filter(|count| (1..=MOST_ELEMENTS).contains(count))?;
    let size = tensor.data.len() / count;
    let mut docs = Vec::with_capacity(count);
    for bytes in tensor.data.chunks_exact(size.max(1)) {
        docs.push(element(p, tensor.dtype, bytes)?);
    }
    for &extent in tensor.shape.as_slice().iter().rev() {
        let extent = usize::try_from(extent).ok().filter(|extent| *extent > 0)?;
        docs = docs.chunks(extent).map(|row| p.list(row)).collect();
    }
    docs.first().copied().filter(|_| docs.len() == 1)
}

/// The shape and the data type of a tensor: `const<64x64 float32>`.
pub(crate) fn summary(p: &mut Printer<'_>, kind: &str, tensor: &TensorNode) -> Doc {
    let extents: Vec<String> = tensor.shape.iter().map(i64::to_string).collect();
    let space = if extents.is_empty() { "" } else { " " };
    p.name(&format!("{kind}<{}{space}{}>", extents.join("x"), tensor.dtype))
}

/// A tensor in the readable text.
pub(crate) fn readable(p: &mut Printer<'_>, tensor: &TensorNode) -> Doc {
    match nested(p, tensor) {
        Some(value) => value,
        None => summary(p, "tensor", tensor),
    }
}

/// An element. `None` for data types other than integers, truth values and floating-point numbers of 16 to 64 bits.
fn element(p: &mut Printer<'_>, dtype: DataType, bytes: &[u8]) -> Option<Doc> {
    let int = if dtype == DataType::boolean() {
        return Some(p.boolean(bytes.first()? != &0));
    } else if dtype == DataType::int(8) {
        i64::from(i8::from_le_bytes(bytes.try_into().ok()?))
    } else if dtype == DataType::int(16) {
        i64::from(i16::from_le_bytes(bytes.try_into().ok()?))
    } else if dtype == DataType::int(32) {
        i64::from(i32::from_le_bytes(bytes.try_into().ok()?))
    } else if dtype == DataType::int(64) {
        i64::from_le_bytes(bytes.try_into().ok()?)
    } else if dtype == DataType::uint(8) {
        i64::from(u8::from_le_bytes(bytes.try_into().ok()?))
    } else if dtype == DataType::uint(16) {
        i64::from(u16::from_le_bytes(bytes.try_into().ok()?))
    } else if dtype == DataType::uint(32) {
        i64::from(u32::from_le_bytes(bytes.try_into().ok()?))
    } else if dtype == DataType::uint(64) {
        let text = u64::from_le_bytes(bytes.try_into().ok()?).to_string();
        return Some(p.name(&text));
    } else {
        let float = if dtype == DataType::float(16) {
            half(u16::from_le_bytes(bytes.try_into().ok()?))
        } else if dtype == DataType::scalar(TypeCode::BFLOAT, 16) {
            f64::from(f32::from_bits(u32::from(u16::from_le_bytes(bytes.try_into().ok()?)) << 16))
        } else if dtype == DataType::float(32) {
            f64::from(f32::from_le_bytes(bytes.try_into().ok()?))
        } else if dtype == DataType::float(64) {
            f64::from_le_bytes(bytes.try_into().ok()?)
        } else {
            return None;
        };
        return Some(p.float_of(float, dtype.bits));
    };
    Some(p.tree.add(Node::Int(int)))
}

/// The value of a float16.
fn half(bits: u16) -> f64 {
    let (exponent, fraction) = (i32::from((bits >> 10) & 0x1f), f64::from(bits & 0x3ff));
    let magnitude = match exponent {
        0x1f if fraction == 0.0 => f64::INFINITY,
        0x1f => f64::NAN,
        0 => fraction * 2_f64.powi(-24),
        exponent => (fraction + 1024.0) * 2_f64.powi(exponent - 25),
    };
    if bits >> 15 == 1 { -magnitude } else { magnitude }
}

#[cfg(test)]
mod tests {
    use super::half;

    #[test]
    fn float16_has_its_value() {
        let cases = [
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x3555, 0.333_251_953_125),
            (0x0001, 2_f64.powi(-24)),
            (0x0400, 2_f64.powi(-14)),
        ];
        for (bits, value) in cases {
            assert_eq!(half(bits), value);
        }
        assert!(half(0x7c00).is_infinite() && half(0x7e00).is_nan());
    }
}
