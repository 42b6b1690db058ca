//! Constants: `R.const(value, dtype)` (TVM 0.25 `const` in python/tvm/relax/expr.py).

use object_core::DataType;
use object_core::scalar::TypeCode;
use object_core::value::Tensor;
use object_ir::ir::{Constant, RelaxExpr};

use crate::parse::relax::values::with_leaf_info;
use crate::parse::state::call::{Argument, Call};
use crate::parse::state::parser::{Eval, Parser};
use crate::parse::value::Value;

/// `R.const(value, dtype)`.
pub(crate) fn constant(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let value = call.required(p, "value")?.clone();
    let dtype = match call.optional("dtype").cloned() {
        Some(dtype) => Some(dtype.dtype(p)?),
        None => None,
    };
    call.finish(p)?;
    Ok(Value::object(of(p, &value, dtype)?))
}

/// The constant of numbers: a number, or nested lists of numbers.
///
/// # Errors
/// Reports another value, and a data type without constants.
pub(crate) fn of(p: &mut Parser<'_>, argument: &Argument, dtype: Option<DataType>) -> Eval<RelaxExpr> {
    let (mut shape, mut numbers) = (Vec::new(), Vec::new());
    if !collect(&argument.value, 0, &mut shape, &mut numbers) {
        return Err(argument.expected(p, "a number, or nested lists of numbers"));
    }
    let dtype = dtype.unwrap_or_else(|| match numbers.first() {
        Some(Number::Bool(_)) => DataType::boolean(),
        Some(Number::Int(_) | Number::LargeUint(_)) => DataType::int(32),
        _ => DataType::float(32),
    });
    let mut bytes = Vec::new();
    for number in numbers {
        if !write(&mut bytes, number, dtype) {
            let message = format!("a constant of type `{dtype}` cannot be written as a number");
            return Err(p.error(argument.range, message));
        }
    }
    let tensor = Tensor::new(dtype, shape, bytes).map_err(|error| p.object_error(argument.range, &error))?;
    Ok(with_leaf_info(Constant::new(tensor).into()))
}

#[derive(Clone, Copy)]
enum Number {
    Bool(bool),
    Int(i64),
    LargeUint(u64),
    Float(f64),
}

/// Adds the numbers of nested lists, and the lengths of the lists by depth. Returns whether all lists of one depth have
/// one length.
fn collect(value: &Value, depth: usize, shape: &mut Vec<i64>, numbers: &mut Vec<Number>) -> bool {
    let number = match value {
        Value::Bool(value) => Number::Bool(*value),
        Value::Int(value) => Number::Int(*value),
        Value::LargeUint(value) => Number::LargeUint(*value),
        Value::Float(value) => Number::Float(*value),
        // The printer writes these numbers as strings.
        Value::Str(text) => match text.as_str() {
            "inf" => Number::Float(f64::INFINITY),
            "-inf" => Number::Float(f64::NEG_INFINITY),
            "nan" => Number::Float(f64::NAN),
            "-nan" => Number::Float(-f64::NAN),
            _ => return false,
        },
        Value::List(items) | Value::Tuple(items) if depth < 64 => {
            let length = i64::try_from(items.len()).unwrap_or(i64::MAX);
            if shape.len() == depth && numbers.is_empty() {
                shape.push(length);
            }
            let is_regular = shape.get(depth) == Some(&length);
            return is_regular && items.iter().all(|item| collect(item, depth + 1, shape, numbers));
        }
        _ => return false,
    };
    numbers.push(number);
    depth == shape.len()
}

/// Appends the bytes of a number. Returns whether the type has such a constant.
#[expect(clippy::cast_possible_truncation, reason = "a constant of a narrow type has the low bits, as in numpy")]
fn write(bytes: &mut Vec<u8>, number: Number, dtype: DataType) -> bool {
    let (int, float) = match number {
        Number::Bool(value) => (i64::from(value), f64::from(u8::from(value))),
        Number::Int(value) => (value, value as f64),
        Number::LargeUint(value) => (value as i64, value as f64),
        Number::Float(value) => (value as i64, value),
    };
    if dtype.lanes() != 1 {
        return false;
    }
    match (dtype.code, dtype.bits) {
        _ if dtype == DataType::boolean() => bytes.push(u8::from(float != 0.0)),
        _ if object_ir::tir::fold::is_integer(dtype) => match dtype.bits {
            8 => bytes.push(int as u8),
            16 => bytes.extend((int as u16).to_le_bytes()),
            32 => bytes.extend((int as u32).to_le_bytes()),
            64 => bytes.extend(int.to_le_bytes()),
            _ => return false,
        },
        _ if dtype == DataType::float(16) => bytes.extend(half(float).to_le_bytes()),
        _ if dtype == DataType::float(32) => bytes.extend((float as f32).to_le_bytes()),
        _ if dtype == DataType::float(64) => bytes.extend(float.to_le_bytes()),
        _ if dtype == DataType::scalar(TypeCode::BFLOAT, 16) => bytes.extend(bfloat(float as f32).to_le_bytes()),
        _ => return false,
    }
    true
}

/// The bits of the bfloat16 nearest to `value`.
fn bfloat(value: f32) -> u16 {
    let bits = value.to_bits();
    if value.is_nan() {
        return (bits >> 16) as u16 | 0x40;
    }
    let round = 0x7fff + ((bits >> 16) & 1);
    (bits.wrapping_add(round) >> 16) as u16
}

/// The bits of the float16 nearest to `value`; of two equally near ones, the one that is even.
fn half(value: f64) -> u16 {
    let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
    let magnitude = value.abs();
    if magnitude.is_nan() {
        return sign | 0x7e00;
    }
    // The smallest number that rounds to infinity.
    if magnitude >= 65520.0 {
        return sign | 0x7c00;
    }
    // The exponent of the last place: 2^-24 for subnormal numbers.
    let exponent = if magnitude < 2_f64.powi(-14) { -24 } else { (magnitude.log2().floor() as i32).max(-14) - 10 };
    let scaled = (magnitude / 2_f64.powi(exponent)).round_ties_even() as u32;
    let (scaled, exponent) = if scaled >= 2048 { (scaled / 2, exponent + 1) } else { (scaled, exponent) };
    if scaled < 1024 {
        return sign | scaled as u16;
    }
    sign | (((exponent + 25) as u16) << 10) | (scaled as u16 & 0x3ff)
}

#[cfg(test)]
mod tests {
    use super::{bfloat, half};

    #[test]
    fn narrow_floats_round_to_the_nearest() {
        let cases = [
            (1.0, 0x3c00),
            (-2.0, 0xc000),
            (1.0 / 3.0, 0x3555),
            (2_f64.powi(-24), 0x0001),
            (2_f64.powi(-14), 0x0400),
            (65504.0, 0x7bff),
            (65519.0, 0x7bff),
            (65520.0, 0x7c00),
            (f64::INFINITY, 0x7c00),
            (f64::NAN, 0x7e00),
            (-0.0, 0x8000),
        ];
        for (value, bits) in cases {
            assert_eq!(half(value), bits, "{value}");
        }
        assert_eq!(bfloat(1.0), 0x3f80);
        assert_eq!(bfloat(f32::INFINITY), 0x7f80);
    }
}
