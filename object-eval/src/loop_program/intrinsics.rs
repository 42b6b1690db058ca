//! [`find`]: the intrinsics of loop programs by name.
//!
//! TVM 0.25 `src/tirx/op/op.cc` and `src/target/llvm/intrin_rule_llvm.cc`.

use super::arithmetic::Binary;

/// An intrinsic that computes a number from numbers.
#[derive(Clone, Copy, Debug)]
pub(super) enum Intrinsic {
    /// A function of a floating-point number.
    Function(fn(f64) -> f64),
    /// An operation of two numbers.
    Binary(Binary),
    /// A property of a floating-point number, and its value for integers.
    Test(fn(f64) -> bool, bool),
    /// The argument itself.
    Identity,
    /// The number of set bits.
    PopCount,
    /// The number of bits before the first set bit.
    LeadingZeros,
    /// The complement of the bits.
    Not,
    /// The absolute value.
    Abs,
    /// `a * b + c`, rounded once.
    MultiplyAdd,
    /// The bits of a value as a value of another type.
    Reinterpret,
    /// One of two values, of which only one is evaluated.
    Choice,
    /// An unsigned integer from its lower and upper 32 bits.
    LargeUint,
    /// A product of fixed-point numbers.
    MultiplyShift,
    /// Nothing: a hint for the compiler.
    Hint,
    /// A value that nothing may use.
    Undefined,
    /// The function ends, with a value.
    Return,
    /// The innermost loop ends.
    Break,
    /// The iteration of the innermost loop ends.
    Continue,
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

const INTRINSICS: &[(&str, Intrinsic)] = {
    use Intrinsic as I;
    &[
        ("exp", I::Function(f64::exp)),
        ("exp2", I::Function(f64::exp2)),
        ("exp10", I::Function(|x| 10.0_f64.powf(x))),
        ("erf", I::Function(libm::erf)),
        ("tanh", I::Function(f64::tanh)),
        ("sigmoid", I::Function(sigmoid)),
        ("sqrt", I::Function(f64::sqrt)),
        ("rsqrt", I::Function(|x| 1.0 / x.sqrt())),
        ("log", I::Function(f64::ln)),
        ("log2", I::Function(f64::log2)),
        ("log10", I::Function(f64::log10)),
        ("log1p", I::Function(f64::ln_1p)),
        ("tan", I::Function(f64::tan)),
        ("cos", I::Function(f64::cos)),
        ("cosh", I::Function(f64::cosh)),
        ("sin", I::Function(f64::sin)),
        ("sinh", I::Function(f64::sinh)),
        ("asin", I::Function(f64::asin)),
        ("acos", I::Function(f64::acos)),
        ("atan", I::Function(f64::atan)),
        ("acosh", I::Function(f64::acosh)),
        ("asinh", I::Function(f64::asinh)),
        ("atanh", I::Function(f64::atanh)),
        ("floor", I::Function(f64::floor)),
        ("ceil", I::Function(f64::ceil)),
        ("trunc", I::Function(f64::trunc)),
        ("round", I::Function(f64::round_ties_even)),
        ("nearbyint", I::Function(f64::round_ties_even)),
        ("fabs", I::Abs),
        ("abs", I::Abs),
        ("pow", I::Binary(Binary::Pow)),
        ("fmod", I::Binary(Binary::Mod)),
        ("atan2", I::Binary(Binary::Atan2)),
        ("hypot", I::Binary(Binary::Hypot)),
        ("copysign", I::Binary(Binary::CopySign)),
        ("ldexp", I::Binary(Binary::LdExp)),
        ("bitwise_and", I::Binary(Binary::And)),
        ("bitwise_or", I::Binary(Binary::Or)),
        ("bitwise_xor", I::Binary(Binary::Xor)),
        ("shift_left", I::Binary(Binary::Left)),
        ("shift_right", I::Binary(Binary::Right)),
        ("bitwise_not", I::Not),
        ("popcount", I::PopCount),
        ("clz", I::LeadingZeros),
        ("isnan", I::Test(f64::is_nan, false)),
        ("isinf", I::Test(f64::is_infinite, false)),
        ("isfinite", I::Test(f64::is_finite, true)),
        ("fma", I::MultiplyAdd),
        ("likely", I::Identity),
        ("tvm_thread_invariant", I::Identity),
        ("ignore_loop_partition", I::Identity),
        ("reinterpret", I::Reinterpret),
        ("if_then_else", I::Choice),
        ("large_uint_imm", I::LargeUint),
        ("q_multiply_shift", I::MultiplyShift),
        ("assume", I::Hint),
        ("prefetch", I::Hint),
        ("undef", I::Undefined),
        ("ret", I::Return),
        ("thread_return", I::Return),
        ("break_loop", I::Break),
        ("continue_loop", I::Continue),
    ]
};

/// The intrinsic with the name of an operator, such as `tirx.exp`.
pub(super) fn find(operator: &str) -> Option<Intrinsic> {
    let name = operator.strip_prefix("tirx.").or_else(|| operator.strip_prefix("tir."))?;
    INTRINSICS.iter().find(|(known, _)| *known == name).map(|(_, intrinsic)| *intrinsic)
}

/// The function of C's mathematical library with this name, such as `expf`, that a program calls as an external function.
pub(super) fn external(name: &str) -> Option<Intrinsic> {
    let of = |name: &str| {
        let found = INTRINSICS.iter().find(|(known, _)| *known == name).map(|(_, intrinsic)| *intrinsic);
        found.filter(|it| matches!(it, Intrinsic::Function(_) | Intrinsic::Binary(_) | Intrinsic::Abs))
    };
    of(name).or_else(|| of(name.strip_suffix('f')?))
}
