//! [`Binary`]: operations of two numbers, as compiled code computes them.
//!
//! TVM 0.25 `src/target/llvm/codegen_llvm.cc`: integers wrap, `min` and `max` choose by one comparison, so a NaN on the left
//! loses.

/// An operation of two numbers of one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binary {
    Add,
    Sub,
    Mul,
    /// Rounds towards zero.
    Div,
    Mod,
    FloorDiv,
    FloorMod,
    Min,
    Max,
    And,
    Or,
    Xor,
    Left,
    Right,
    Pow,
    Atan2,
    Hypot,
    CopySign,
    LdExp,
    /// The next number of `float64` towards another one, and the next number of `float32`.
    NextAfter,
    NextAfterF32,
    Eq,
    Ne,
    Lt,
    Le,
}

impl Binary {
    /// Whether the result is a truth value.
    pub(super) fn is_comparison(self) -> bool {
        matches!(self, Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le)
    }

    /// Whether the operation has no result for a second operand of 0.
    pub(super) fn is_division(self) -> bool {
        matches!(self, Binary::Div | Binary::Mod | Binary::FloorDiv | Binary::FloorMod)
    }

    /// Whether the operation of integers exists.
    pub(super) fn has_ints(self) -> bool {
        use Binary as B;
        !matches!(self, B::Atan2 | B::Hypot | B::CopySign | B::LdExp | B::NextAfter | B::NextAfterF32)
    }

    /// Whether the operation of floating-point numbers exists.
    pub(super) fn has_floats(self) -> bool {
        use Binary as B;
        !matches!(self, B::And | B::Or | B::Xor | B::Left | B::Right)
    }

    /// Whether `float32` results need no wider type.
    pub(super) fn has_singles(self) -> bool {
        use Binary as B;
        matches!(self, B::Add | B::Sub | B::Mul | B::Div | B::Min | B::Max)
    }

    /// Whether results of operands of a type narrower than 64 bits can lie outside of the type.
    pub(super) fn may_leave_range(self) -> bool {
        use Binary as B;
        matches!(self, B::Add | B::Sub | B::Mul | B::Div | B::FloorDiv | B::Left | B::Pow)
    }
}

/// Calls a block with `$f` as the function of an operation, from a table. Each function gets a copy of the block, so that the
/// block is compiled for the function.
macro_rules! with_function {
    ($operation:expr, $f:ident => $body:expr; $($name:ident: $function:expr,)* _: $other:expr $(,)?) => {
        match $operation {
            $($crate::loop_program::arithmetic::Binary::$name => {
                let $f = $function;
                $body
            })*
            _ => {
                let $f = $other;
                $body
            }
        }
    };
}

/// Calls a block with `$f` as the function `(i64, i64) -> i64` of an operation. Divisors are not 0.
macro_rules! with_int_function {
    ($operation:expr, $f:ident => $body:expr) => {
        $crate::loop_program::arithmetic::with_function! { $operation, $f => $body;
            Add: |a: i64, b: i64| a.wrapping_add(b),
            Sub: |a: i64, b: i64| a.wrapping_sub(b),
            Mul: |a: i64, b: i64| a.wrapping_mul(b),
            Div: |a: i64, b: i64| a.wrapping_div(b),
            Mod: |a: i64, b: i64| a.wrapping_rem(b),
            FloorDiv: $crate::loop_program::arithmetic::floor_div,
            FloorMod: $crate::loop_program::arithmetic::floor_mod,
            Min: |a: i64, b: i64| a.min(b),
            Max: |a: i64, b: i64| a.max(b),
            And: |a: i64, b: i64| a & b,
            Or: |a: i64, b: i64| a | b,
            Xor: |a: i64, b: i64| a ^ b,
            Left: |a: i64, b: i64| a.wrapping_shl(b as u32),
            Right: |a: i64, b: i64| a.wrapping_shr(b as u32),
            Eq: |a: i64, b: i64| i64::from(a == b),
            Ne: |a: i64, b: i64| i64::from(a != b),
            Lt: |a: i64, b: i64| i64::from(a < b),
            Le: |a: i64, b: i64| i64::from(a <= b),
            _: |a: i64, b: i64| a.wrapping_pow(u32::try_from(b).unwrap_or(0)),
        }
    };
}

/// Calls a block with `$f` as the function `(f64, f64) -> f64` of an operation other than a comparison.
macro_rules! with_float_function {
    ($operation:expr, $f:ident => $body:expr) => {
        $crate::loop_program::arithmetic::with_function! { $operation, $f => $body;
            Add: |a: f64, b: f64| a + b,
            Sub: |a: f64, b: f64| a - b,
            Mul: |a: f64, b: f64| a * b,
            Div: |a: f64, b: f64| a / b,
            Mod: |a: f64, b: f64| a % b,
            Min: |a: f64, b: f64| if a < b { a } else { b },
            Max: |a: f64, b: f64| if a > b { a } else { b },
            Atan2: |a: f64, b: f64| a.atan2(b),
            Hypot: |a: f64, b: f64| a.hypot(b),
            CopySign: |a: f64, b: f64| a.copysign(b),
            LdExp: |a: f64, b: f64| a * b.exp2(),
            NextAfter: libm::nextafter,
            NextAfterF32: |a: f64, b: f64| f64::from(libm::nextafterf(a as f32, b as f32)),
            _: |a: f64, b: f64| a.powf(b),
        }
    };
}

/// Calls a block with `$f` as the function `(f32, f32) -> f32` of an operation that has one.
macro_rules! with_single_function {
    ($operation:expr, $f:ident => $body:expr) => {
        $crate::loop_program::arithmetic::with_function! { $operation, $f => $body;
            Add: |a: f32, b: f32| a + b,
            Sub: |a: f32, b: f32| a - b,
            Mul: |a: f32, b: f32| a * b,
            Div: |a: f32, b: f32| a / b,
            Min: |a: f32, b: f32| if a < b { a } else { b },
            _: |a: f32, b: f32| if a > b { a } else { b },
        }
    };
}

/// Calls a block with `$f` as the function `(f64, f64) -> bool` of a comparison.
macro_rules! with_comparison {
    ($operation:expr, $f:ident => $body:expr) => {
        $crate::loop_program::arithmetic::with_function! { $operation, $f => $body;
            Eq: |a: f64, b: f64| a == b,
            Ne: |a: f64, b: f64| a != b,
            Lt: |a: f64, b: f64| a < b,
            _: |a: f64, b: f64| a <= b,
        }
    };
}

pub(super) use with_comparison;
pub(super) use with_float_function;
pub(super) use with_function;
pub(super) use with_int_function;
pub(super) use with_single_function;

/// The quotient, rounded down.
#[inline]
pub(super) fn floor_div(a: i64, b: i64) -> i64 {
    let quotient = a.wrapping_div(b);
    if a.wrapping_rem(b) != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient }
}

/// The remainder of [`floor_div`], which has the sign of the divisor.
#[inline]
pub(super) fn floor_mod(a: i64, b: i64) -> i64 {
    let rest = a.wrapping_rem(b);
    if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest }
}

/// The result for integers. `None` for a division by 0.
#[inline]
pub(super) fn of_ints(operation: Binary, a: i64, b: i64) -> Option<i64> {
    if b == 0 && operation.is_division() {
        return None;
    }
    Some(with_int_function!(operation, f => f(a, b)))
}

/// The result for the bits of 64-bit unsigned integers. `None` for a division by 0.
pub(super) fn of_u64s(operation: Binary, a: i64, b: i64) -> Option<i64> {
    use Binary as B;
    let (x, y) = (a as u64, b as u64);
    Some(match operation {
        B::Div | B::FloorDiv => x.checked_div(y)? as i64,
        B::Mod | B::FloorMod => x.checked_rem(y)? as i64,
        B::Min => x.min(y) as i64,
        B::Max => x.max(y) as i64,
        B::Lt => i64::from(x < y),
        B::Le => i64::from(x <= y),
        B::Right => x.wrapping_shr(y as u32) as i64,
        _ => return of_ints(operation, a, b),
    })
}

/// The result for floating-point numbers, before it is rounded to their type.
#[inline]
pub(super) fn of_floats(operation: Binary, a: f64, b: f64) -> f64 {
    with_float_function!(operation, f => f(a, b))
}

/// Whether a comparison holds; none holds for a NaN, except `!=`.
#[inline]
pub(super) fn compares(operation: Binary, a: f64, b: f64) -> bool {
    with_comparison!(operation, f => f(a, b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divisions_round_as_their_names_say() {
        for (a, b) in [(7, 2), (-7, 2), (7, -2), (-7, -2), (6, 3), (-6, 3), (i64::MIN, -1)] {
            let exact = (i128::from(a), i128::from(b));
            let floor = exact.0.div_euclid(exact.1) - i128::from(exact.1 < 0 && exact.0.rem_euclid(exact.1) != 0);
            assert_eq!(of_ints(Binary::FloorDiv, a, b), Some(floor as i64), "{a} {b}");
            assert_eq!(of_ints(Binary::FloorMod, a, b), Some((exact.0 - floor * exact.1) as i64), "{a} {b}");
            assert_eq!(of_ints(Binary::Div, a, b), Some(a.wrapping_div(b)));
            assert_eq!(of_ints(Binary::Mod, a, b), Some(a.wrapping_rem(b)));
        }
        let divisions = [Binary::Div, Binary::Mod, Binary::FloorDiv, Binary::FloorMod];
        assert!(divisions.iter().all(|it| of_ints(*it, 1, 0).is_none() && of_u64s(*it, 1, 0).is_none()));
    }

    #[test]
    fn unsigned_integers_of_64_bits_have_no_sign() {
        assert_eq!(of_u64s(Binary::Lt, 1, -1), Some(1));
        assert_eq!(of_u64s(Binary::Max, 1, -1), Some(-1));
        assert_eq!(of_u64s(Binary::FloorDiv, -1, 2), Some(i64::MAX));
        assert_eq!(of_u64s(Binary::Right, -1, 63), Some(1));
        assert_eq!(of_u64s(Binary::Mul, -1, 2), Some(-2));
    }

    #[test]
    fn minimum_and_maximum_choose_by_one_comparison() {
        assert_eq!(of_floats(Binary::Max, f64::NAN, 1.0), 1.0);
        assert!(of_floats(Binary::Max, 1.0, f64::NAN).is_nan());
        assert_eq!(of_floats(Binary::Min, f64::NAN, 1.0), 1.0);
        assert!(compares(Binary::Ne, f64::NAN, f64::NAN) && !compares(Binary::Eq, f64::NAN, f64::NAN));
    }
}
