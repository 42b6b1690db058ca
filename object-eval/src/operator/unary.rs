//! Element-wise operators with one operand.

use object_core::prelude::*;

use super::arrays::mapped;
use super::evaluation::Evaluation;
use super::exponential;
use super::vectors::map;
use crate::value::{ElementType, Numbers};

/// Applies `f` to the elements as floating-point numbers.
fn float(call: &Evaluation<'_>, f: impl Fn(f64) -> f64) -> Result<Any, Error> {
    map(call, call.tensor(0)?, f)
}

/// Applies `of_float` or `of_int` to the elements, by their type.
fn number(call: &Evaluation<'_>, of_float: impl Fn(f64) -> f64, of_int: fn(i128) -> i128) -> Result<Any, Error> {
    let x = call.tensor(0)?;
    if x.element().is_float() {
        map(call, x, of_float)
    } else {
        call.integers(x.dtype(), &x.ints(call.meter())?.mapv_into(of_int))
    }
}

/// Whether `f` holds for each element; for an integer, the result is `of_int`.
fn test(call: &Evaluation<'_>, f: fn(f64) -> bool, of_int: bool) -> Result<Any, Error> {
    match call.tensor(0)?.numbers(call.meter())? {
        Numbers::Float(numbers) => call.truths(&mapped(call, &numbers, |it| f(*it))?),
        Numbers::Int(numbers) => call.truths(&mapped(call, &numbers, |_| of_int)?),
    }
}

macro_rules! functions {
    ($kind:ident: $($name:ident($($f:expr),*);)*) => {$(
        pub(crate) fn $name(call: &Evaluation<'_>) -> Result<Any, Error> {
            $kind(call, $($f),*)
        }
    )*};
}

functions! { float:
    acos(f64::acos);
    acosh(f64::acosh);
    asin(f64::asin);
    asinh(f64::asinh);
    atan(f64::atan);
    atanh(f64::atanh);
    cos(f64::cos);
    cosh(f64::cosh);
    exp(exponential::exp);
    log(f64::ln);
    rsqrt(|x| 1.0 / x.sqrt());
    sigmoid(|x| 1.0 / (1.0 + exponential::exp(-x)));
    sin(f64::sin);
    sinh(f64::sinh);
    sqrt(f64::sqrt);
    tan(f64::tan);
    tanh(f64::tanh);
    erf(libm::erf);
    gelu(|x| 0.5 * x * (1.0 + libm::erf(x / std::f64::consts::SQRT_2)));
    gelu_tanh(|x| 0.5 * x * (1.0 + (SQRT_2_OVER_PI * (x + 0.044_715 * x.powi(3))).tanh()));
    selu(|x| SELU_SCALE * if x > 0.0 { x } else { SELU_ALPHA * (x.exp() - 1.0) });
    silu(|x| x / (1.0 + exponential::exp(-x)));
}

const SQRT_2_OVER_PI: f64 = 0.797_884_560_802_865_4;
const SELU_ALPHA: f64 = 1.673_263_242_354_377_2;
const SELU_SCALE: f64 = 1.050_700_987_355_480_5;

functions! { number:
    abs(f64::abs, |x| x.abs());
    ceil(f64::ceil, |x| x);
    floor(f64::floor, |x| x);
    trunc(f64::trunc, |x| x);
    round(f64::round_ties_even, |x| x);
    negative(|x| -x, |x| -x);
    sign(|x| if x > 0.0 { 1.0 } else if x < 0.0 { -1.0 } else { 0.0 }, |x| x.signum());
    square(|x| x * x, |x| x.wrapping_mul(x));
    relu(|x| if x > 0.0 { x } else { 0.0 }, |x| x.max(0));
    logical_not(|x| f64::from(u8::from(x == 0.0)), |x| i128::from(x == 0));
}

functions! { test:
    isfinite(f64::is_finite, true);
    isinf(f64::is_infinite, false);
    isnan(f64::is_nan, false);
}

pub(crate) fn bitwise_not(call: &Evaluation<'_>) -> Result<Any, Error> {
    let x = call.tensor(0)?;
    let is_bool = x.element() == ElementType::Bool;
    call.integers(x.dtype(), &x.ints(call.meter())?.mapv_into(|x| if is_bool { 1 - x } else { !x }))
}

pub(crate) fn clip(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (x, least, greatest) = (call.tensor(0)?, call.scalar(1)?, call.scalar(2)?);
    match x.numbers(call.meter())? {
        Numbers::Float(numbers) => {
            let (least, greatest) = (least.float(), greatest.float());
            call.floats(
                x.dtype(),
                &numbers.mapv_into(|x| {
                    let below = if x < greatest { x } else { greatest };
                    if below > least { below } else { least }
                }),
            )
        }
        Numbers::Int(numbers) => {
            // A bound that integers of 64 bits do not have is none.
            let (least, greatest) = (least.int().into(), greatest.int().into());
            call.integers(x.dtype(), &numbers.mapv_into(|x| x.min(greatest).max(least)))
        }
    }
}
