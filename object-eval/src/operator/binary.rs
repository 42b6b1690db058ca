//! Element-wise operators with two operands.

use ndarray::ArrayD;
use object_core::prelude::*;

use super::arrays::{Pair, array, mapped, pair, zip};
use super::evaluation::Evaluation;
use super::vectors;
use crate::scalar::Scalar;
use crate::value::{ElementType, Numbers, Tensor, Value, round_to};

/// The operand at `index`: a scalar is an array of one element.
fn operand(call: &Evaluation<'_>, index: usize) -> Result<Numbers, Error> {
    if let Value::Tensor(tensor) = Value::of(call.value(index)) {
        return tensor.numbers(call.meter());
    }
    Ok(match call.scalar(index)? {
        Scalar::Float(value) => Numbers::Float(array(call, &[1], [value])?),
        scalar => Numbers::Int(array(call, &[1], [scalar.int().into()])?),
    })
}

/// A tensor among the operands; `None` if both are scalars.
fn tensor_of<'a>(call: &Evaluation<'a>) -> Option<&'a Tensor> {
    [0, 1].into_iter().find_map(|index| match Value::of(call.value(index)) {
        Value::Tensor(tensor) => Some(tensor),
        _ => None,
    })
}

/// The result of the element type `dtype`; a scalar if both operands are.
fn result(call: &Evaluation<'_>, dtype: DataType, numbers: &Numbers) -> Result<Any, Error> {
    if tensor_of(call).is_some() {
        return call.numbers(dtype, numbers);
    }
    let is_bool = dtype == DataType::boolean();
    Ok(match numbers {
        Numbers::Float(numbers) => Any::Float(numbers.iter().copied().next().unwrap_or_default()),
        Numbers::Int(numbers) => {
            let number = numbers.iter().copied().next().unwrap_or_default() as i64;
            if is_bool { Any::Bool(number != 0) } else { Any::Int(number) }
        }
    })
}

/// An operator whose result has the type of the operands. Each function gets the element type first.
fn arithmetic(
    call: &Evaluation<'_>,
    of_float: impl Fn(ElementType, f64, f64) -> f64,
    of_int: fn(ElementType, i128, i128) -> Option<i128>,
) -> Result<Any, Error> {
    if let (Value::Tensor(a), Value::Tensor(b)) = (Value::of(call.value(0)), Value::of(call.value(1)))
        && vectors::is_float32(a)
        && vectors::is_float32(b)
    {
        return vectors::zip(call, a, b, |a, b| of_float(ElementType::F32, a, b));
    }
    converted_arithmetic(call, &of_float, of_int)
}

/// [`arithmetic`] for operands whose elements are converted to numbers of 64 bits. It is one function for all operators,
/// because a copy for each of them takes 20 KB of code, and a call for each pair costs less than its conversions.
fn converted_arithmetic(
    call: &Evaluation<'_>,
    of_float: &dyn Fn(ElementType, f64, f64) -> f64,
    of_int: fn(ElementType, i128, i128) -> Option<i128>,
) -> Result<Any, Error> {
    let element = tensor_of(call).map_or(ElementType::F64, Tensor::element);
    let numbers = match pair(call, operand(call, 0)?, operand(call, 1)?)? {
        Pair::Float(a, b) => Numbers::Float(zip(call, &a, &b, |a, b| of_float(element, *a, *b))?),
        Pair::Int(a, b) => {
            let results: ArrayD<Option<i128>> = zip(call, &a, &b, |a, b| of_int(element, *a, *b))?;
            if results.iter().any(Option::is_none) {
                return Err(call.invalid("a divisor among the integers is 0, or a shift is negative"));
            }
            Numbers::Int(mapped(call, &results, |it| it.unwrap_or_default())?)
        }
    };
    let dtype = match numbers {
        Numbers::Int(_) if tensor_of(call).is_none() => DataType::int(64),
        _ => element.dtype(),
    };
    result(call, dtype, &numbers)
}

/// An operator whose result is whether a relation holds.
fn comparison(call: &Evaluation<'_>, f: fn(Option<std::cmp::Ordering>) -> bool) -> Result<Any, Error> {
    let truths = match pair(call, operand(call, 0)?, operand(call, 1)?)? {
        Pair::Float(a, b) => zip(call, &a, &b, |a, b| f(a.partial_cmp(b)))?,
        Pair::Int(a, b) => zip(call, &a, &b, |a, b| f(Some(a.cmp(b))))?,
    };
    result(call, DataType::boolean(), &Numbers::Int(mapped(call, &truths, |it| i128::from(*it))?))
}

macro_rules! operators {
    ($kind:ident: $($name:ident($($f:expr),*);)*) => {$(
        pub(crate) fn $name(call: &Evaluation<'_>) -> Result<Any, Error> {
            $kind(call, $($f),*)
        }
    )*};
}

/// The width of the elements in bits.
fn bits(element: ElementType) -> u32 {
    u32::try_from(element.size() * 8).unwrap_or(64)
}

fn int_power(a: i128, b: i128) -> i128 {
    match u32::try_from(b) {
        Ok(power) => a.wrapping_pow(power),
        Err(_) => i128::from(a == 1),
    }
}

fn float_of(holds: bool) -> f64 {
    f64::from(u8::from(holds))
}

operators! { arithmetic:
    add(|_, a, b| a + b, |_, a, b| Some(a + b));
    subtract(|_, a, b| a - b, |_, a, b| Some(a - b));
    // The products of numbers of 64 bits fit 128 bits.
    multiply(|_, a, b| a * b, |_, a, b| Some(a.wrapping_mul(b)));
    divide(|_, a, b| a / b, |_, a, b| a.checked_div(b));
    // A quotient is rounded before the next step, because `floor` is not continuous.
    floor_divide(|e, a, b| round_to(e, a / b).floor(), |_, a, b| {
        Some(a.checked_div(b)? - i128::from(a.checked_rem(b)? != 0 && (a < 0) != (b < 0)))
    });
    mod_(|_, a, b| a % b, |_, a, b| a.checked_rem(b));
    floor_mod(|e, a, b| a - round_to(e, round_to(e, a / b).floor() * b), |_, a, b| {
        let rest = a.checked_rem(b)?;
        Some(if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest })
    });
    power(|_, a, b| a.powf(b), |_, a, b| Some(int_power(a, b)));
    atan2(|_, a, b| a.atan2(b), |_, a, b| Some((a as f64).atan2(b as f64) as i128));
    // Without the larger exponent, the exponentials could overflow.
    log_add_exp(|_, a, b| {
        let (less, more) = if a < b { (a, b) } else { (b, a) };
        if more.is_infinite() { more } else { more + (less - more).exp().ln_1p() }
    }, |_, a, b| Some(((a as f64).exp() + (b as f64).exp()).ln() as i128));
    // As in TVM 0.25, a comparison chooses: of a pair with NaN, the second element.
    maximum(|_, a, b| if a > b { a } else { b }, |_, a, b| Some(a.max(b)));
    minimum(|_, a, b| if a < b { a } else { b }, |_, a, b| Some(a.min(b)));
    logical_and(|_, a, b| float_of(a != 0.0 && b != 0.0), |_, a, b| Some(i128::from(a != 0 && b != 0)));
    logical_or(|_, a, b| float_of(a != 0.0 || b != 0.0), |_, a, b| Some(i128::from(a != 0 || b != 0)));
    logical_xor(|_, a, b| float_of((a != 0.0) != (b != 0.0)), |_, a, b| Some(i128::from((a != 0) != (b != 0))));
    bitwise_and(|_, a, _| a, |_, a, b| Some(a & b));
    bitwise_or(|_, a, _| a, |_, a, b| Some(a | b));
    bitwise_xor(|_, a, _| a, |_, a, b| Some(a ^ b));
    left_shift(|_, a, _| a, |e, a, b| {
        let shift = u32::try_from(b).ok()?;
        Some(if shift < bits(e) { a << shift } else { 0 })
    });
    right_shift(|_, a, _| a, |e, a, b| {
        let shift = u32::try_from(b).ok()?;
        Some(a >> shift.min(bits(e)))
    });
}

operators! { comparison:
    equal(|order| order.is_some_and(|order| order.is_eq()));
    not_equal(|order| order.is_none_or(|order| order.is_ne()));
    less(|order| order.is_some_and(|order| order.is_lt()));
    less_equal(|order| order.is_some_and(|order| order.is_le()));
    greater(|order| order.is_some_and(|order| order.is_gt()));
    greater_equal(|order| order.is_some_and(|order| order.is_ge()));
}

pub(crate) fn ewise_fma(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (x, y, z) = (call.tensor(0)?, call.tensor(1)?, call.tensor(2)?);
    match (pair(call, x.numbers(call.meter())?, y.numbers(call.meter())?)?, z.numbers(call.meter())?) {
        (Pair::Int(x, y), Numbers::Int(z)) => {
            let products = zip(call, &x, &y, |x, y| x.wrapping_mul(*y))?;
            call.integers(call.tensor(0)?.dtype(), &zip(call, &products, &z, |a, b| a + b)?)
        }
        _ => {
            let products = zip(call, &x.floats(call.meter())?, &y.floats(call.meter())?, |x, y| x * y)?;
            call.floats(x.dtype(), &zip(call, &products, &z.floats(call.meter())?, |a, b| a + b)?)
        }
    }
}
