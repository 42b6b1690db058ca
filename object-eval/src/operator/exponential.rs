//! The exponential function, for loops that become vector instructions.

use std::f64::consts::LOG2_E;

/// The logarithm of 2 as the sum of a number with 32 significant bits and the rest. So the products of the first one with
/// the exponents of powers of 2 are exact.
const LN_2_HIGH: f64 = 0.693_147_180_369_123_8;
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// The numbers below and above have the exponentials 0 and infinity.
const LEAST: f64 = -746.0;
const GREATEST: f64 = 710.0;

/// A number whose sum with a small number has the nearest integer to it in its last bits.
const ROUNDING: f64 = 6_755_399_441_055_744.0;

/// The factors of the Taylor series after `1 + x`, from the last one on.
const FACTORS: [f64; 12] = [
    1.0 / 6_227_020_800.0,
    1.0 / 479_001_600.0,
    1.0 / 39_916_800.0,
    1.0 / 3_628_800.0,
    1.0 / 362_880.0,
    1.0 / 40_320.0,
    1.0 / 5_040.0,
    1.0 / 720.0,
    1.0 / 120.0,
    1.0 / 24.0,
    1.0 / 6.0,
    1.0 / 2.0,
];

/// The power of 2 with this exponent, from -1022 to 1023.
#[inline(always)]
fn power_of_2(exponent: i64) -> f64 {
    f64::from_bits((exponent + 1023).cast_unsigned() << 52)
}

/// The exponential of `x`, with an error of about one unit in the last place. It has no branches and no table, so a loop
/// over it becomes vector instructions, which calls of [`f64::exp`] do not.
#[inline(always)]
pub(super) fn exp(x: f64) -> f64 {
    // NaN passes both comparisons.
    let x = if x < LEAST { LEAST } else { x };
    let x = if x > GREATEST { GREATEST } else { x };
    // x = n * ln 2 + rest
    let shifted = x * LOG2_E + ROUNDING;
    let n = shifted - ROUNDING;
    let rest = (x - n * LN_2_HIGH) - n * LN_2_LOW;
    let series = FACTORS.iter().fold(0.0, |sum, factor| sum * rest + factor);
    let series = 1.0 + (rest + rest * rest * series);
    // 2^n as two factors, because n may be less than the least exponent.
    let n = shifted.to_bits().cast_signed() - ROUNDING.to_bits().cast_signed();
    let half = n >> 1;
    series * power_of_2(half) * power_of_2(n - half)
}

#[cfg(test)]
mod tests {
    use super::exp;

    #[test]
    fn exponentials_are_those_of_the_standard_library() {
        for step in -7_500_000..=7_200_000 {
            let x = f64::from(step) * 1e-4 + 1e-9;
            let (given, expected) = (exp(x), x.exp());
            // The least numbers have few significant bits.
            let tolerance = expected * 4.5e-16 + f64::from_bits(1);
            assert!(given == expected || (given - expected).abs() <= tolerance, "{x}: {given:e} and {expected:e}");
        }
        assert!(exp(f64::NAN).is_nan());
        assert_eq!((exp(f64::INFINITY), exp(f64::NEG_INFINITY), exp(0.0)), (f64::INFINITY, 0.0, 1.0));
    }
}
