//! Floating point numbers in the text form of TVM's JSON writer: `%.1f` for small integral values, `%.17g` otherwise.

/// Integral values below this in magnitude are written with one decimal place.
const EXACT_INTEGERS: f64 = 9_007_199_254_740_992.0;

/// Appends `value` to `out`.
pub(crate) fn push_float(out: &mut Vec<u8>, value: f64) {
    if value.is_nan() {
        out.extend_from_slice(b"NaN");
    } else if value.is_infinite() {
        out.extend_from_slice(if value > 0.0 { b"Infinity" } else { b"-Infinity" });
    } else if value.fract() == 0.0 && value.abs() < EXACT_INTEGERS {
        out.extend_from_slice(format!("{value:.1}").as_bytes());
    } else {
        push_general(out, value);
    }
}

/// A finite number in the format `%.17g` of C: 17 significant digits, without zeros at the end, in scientific notation where
/// the exponent is below -4 or at least 17. TVM writes numbers in this format in its texts.
///
/// ```
/// use object_core::json::general_float;
/// assert_eq!(general_float(0.1), "0.10000000000000001");
/// assert_eq!(general_float(1e-5), "1.0000000000000001e-05");
/// ```
#[must_use]
pub fn general_float(value: f64) -> String {
    let mut text = Vec::new();
    push_general(&mut text, value);
    String::from_utf8(text).unwrap_or_default()
}

/// Appends `value` in the format `%.17g` of C: 17 significant digits, without trailing zeros, in scientific notation
/// where the exponent is below -4 or at least 17.
fn push_general(out: &mut Vec<u8>, value: f64) {
    let scientific = format!("{value:.16e}");
    let Some((digits, exponent)) = scientific.split_once('e') else {
        return;
    };
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let text = if (-4..17).contains(&exponent) {
        let places = usize::try_from(16 - exponent).unwrap_or_default();
        trim_zeros(&format!("{value:.places$}")).to_owned()
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{}e{sign}{:02}", trim_zeros(digits), exponent.unsigned_abs())
    };
    out.extend_from_slice(text.as_bytes());
}

/// The number without zeros at the end of its decimal places.
fn trim_zeros(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}

#[cfg(test)]
mod tests {
    use super::push_float;

    #[test]
    fn writes_as_tvm_does() {
        let cases = [
            (1.0, "1.0"),
            (-0.0, "-0.0"),
            (0.1, "0.10000000000000001"),
            (9_007_199_254_740_992.0, "9007199254740992"),
            (1e16, "10000000000000000"),
            (1e20, "1e+20"),
            (1e23, "9.9999999999999992e+22"),
            (9_223_372_036_854_775_808.0, "9.2233720368547758e+18"),
            (5e-324, "4.9406564584124654e-324"),
            (1e-5, "1.0000000000000001e-05"),
            (0.0001, "0.0001"),
            (123_456.789, "123456.789"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-Infinity"),
        ];
        for (value, text) in cases {
            let mut out = Vec::new();
            push_float(&mut out, value);
            assert_eq!(String::from_utf8_lossy(&out), text);
        }
    }
}
