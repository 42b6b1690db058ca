//! Conversions of element types.

use object_core::prelude::*;
use object_ir::attrs::{AstypeAttrs, QuantizeAttrs, WrapParamAttrs};

use super::evaluation::Evaluation;
use crate::value::{ElementType, round_to};

pub(crate) fn astype(call: &Evaluation<'_>) -> Result<Any, Error> {
    converted(call, call.attrs::<AstypeAttrs>()?.dtype)
}

pub(crate) fn wrap_param(call: &Evaluation<'_>) -> Result<Any, Error> {
    converted(call, call.attrs::<WrapParamAttrs>()?.dtype)
}

/// The elements as elements of the type `dtype`.
fn converted(call: &Evaluation<'_>, dtype: DataType) -> Result<Any, Error> {
    let x = call.tensor(0)?;
    if x.dtype() == dtype { Ok(x.copied(call.meter())?.into()) } else { call.numbers(dtype, &x.numbers(call.meter())?) }
}

/// Applies `f` to each element of the data, with its scale and its zero point.
fn scaled(call: &Evaluation<'_>, f: impl Fn(f64, f64, f64) -> f64) -> Result<Any, Error> {
    let (data, attrs) = (call.tensor(0)?, call.attrs::<QuantizeAttrs>()?);
    let axis = call.axis(attrs.axis, data.rank())?;
    let (scale, zero) = (call.tensor(1)?.floats(call.meter())?, call.tensor(2)?.floats(call.meter())?);
    let size = data.dims()[axis];
    if [&scale, &zero].iter().any(|parameter| parameter.len() != 1 && parameter.len() != size) {
        return Err(call.invalid(format!("expected 1 or {size} scales and zero points")));
    }
    let (scale, zero): (Vec<f64>, Vec<f64>) = (scale.iter().copied().collect(), zero.iter().copied().collect());
    let of = |numbers: &[f64], index: usize| if numbers.len() == 1 { numbers[0] } else { numbers[index] };
    let mut numbers = data.floats(call.meter())?;
    for (at, number) in numbers.indexed_iter_mut() {
        *number = f(*number, of(&scale, at[axis]), of(&zero, at[axis]));
    }
    let (least, greatest) = ElementType::of(attrs.out_dtype)?.float_range();
    call.floats(attrs.out_dtype, &numbers.mapv_into(|number| number.clamp(least, greatest)))
}

pub(crate) fn quantize(call: &Evaluation<'_>) -> Result<Any, Error> {
    let is_float = ElementType::of(call.attrs::<QuantizeAttrs>()?.out_dtype)?.is_float();
    let element = call.tensor(0)?.element();
    scaled(call, |x, scale, zero| {
        // The quotient has the precision of the data before it is rounded to an integer.
        let quotient = round_to(element, x / scale);
        (if is_float { quotient } else { quotient.round_ties_even() }) + zero
    })
}

pub(crate) fn dequantize(call: &Evaluation<'_>) -> Result<Any, Error> {
    scaled(call, |x, scale, zero| (x - zero) * scale)
}
