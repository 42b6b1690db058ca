//! Constants of Python: strings and floating-point numbers.

use object_core::json::general_float;

/// Which characters [`escape`] leaves as they are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Whitespace {
    /// Tabs and ends of lines become escape sequences.
    Escaped,
    /// Tabs and ends of lines stay, as in a string between triple quotes.
    Kept,
}

/// Appends `text` as the inside of a string constant. Each byte outside of ASCII becomes an escape sequence of its own
/// (TVM 0.25 src/support/str_escape.h), so Python reads such a character back as several characters.
pub(crate) fn escape(out: &mut String, text: &str, whitespace: Whitespace) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    let is_plain = |byte: u8| match byte {
        b'"' | b'\\' => false,
        b'\t' | b'\r' | b'\n' => whitespace == Whitespace::Kept,
        byte => matches!(byte, b' '..=b'~'),
    };
    let mut rest = text.as_bytes();
    loop {
        // The plain bytes are ASCII, so this is the same text.
        let plain = rest.iter().position(|byte| !is_plain(*byte)).unwrap_or(rest.len());
        out.push_str(str::from_utf8(&rest[..plain]).unwrap_or_default());
        let Some((&byte, after)) = rest[plain..].split_first() else { break };
        rest = after;
        let short = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\t' => "\\t",
            b'\r' => "\\r",
            b'\n' => "\\n",
            _ => {
                out.push_str("\\x");
                out.push(char::from(HEX[usize::from(byte >> 4)]));
                out.push(char::from(HEX[usize::from(byte & 15)]));
                continue;
            }
        };
        out.push_str(short);
    }
}

/// Appends `text` as a string constant that shows all characters other than control characters as they are.
pub(crate) fn quote_readable(out: &mut String, text: &str) {
    out.push('"');
    for char in text.chars() {
        if char == '"' || char == '\\' {
            out.push('\\');
            out.push(char);
        } else if char.is_control() {
            escape(out, char.encode_utf8(&mut [0; 4]), Whitespace::Escaped);
        } else {
            out.push(char);
        }
    }
    out.push('"');
}

/// The shortest number that has the value in its data type: of 32 bits or fewer, or of 64.
pub(crate) fn shortest_float(value: f64, bits: u8) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "the value has 32 bits or fewer")]
    if bits <= 32 { format!("{:?}", value as f32) } else { format!("{value:?}") }.to_lowercase()
}

/// Appends `text` as a string constant.
pub(crate) fn quote(out: &mut String, text: &str) {
    out.push('"');
    escape(out, text, Whitespace::Escaped);
    out.push('"');
}

/// A floating-point constant: integral values with one decimal place, others with 17 significant digits, and infinity and
/// NaN as strings.
pub(crate) fn float(value: f64) -> String {
    if value.is_nan() {
        return if value.is_sign_negative() { "\"-nan\"" } else { "\"nan\"" }.to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "\"inf\"" } else { "\"-inf\"" }.to_owned();
    }
    if value.fract() == 0.0 { format!("{value:.1}") } else { general_float(value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_escaped_byte_by_byte() {
        let mut text = String::new();
        quote(&mut text, "a\"b\\c\té\n");
        assert_eq!(text, r#""a\"b\\c\t\xC3\xA9\n""#);
    }

    #[test]
    fn floats_have_a_point_or_an_exponent() {
        let cases = [
            (1.0, "1.0"),
            (-0.0, "-0.0"),
            (1e20, "100000000000000000000.0"),
            (f64::from(0.1_f32), "0.10000000149011612"),
            (0.1, "0.10000000000000001"),
            (1e-5, "1.0000000000000001e-05"),
            (f64::INFINITY, "\"inf\""),
            (f64::NEG_INFINITY, "\"-inf\""),
        ];
        for (value, expected) in cases {
            assert_eq!(float(value), expected);
        }
        assert_eq!(float(f64::NAN), "\"nan\"");
    }

    #[test]
    fn readable_constants_are_short() {
        let mut text = String::new();
        quote_readable(&mut text, "a\"b\\c\té\n");
        assert_eq!(text, "\"a\\\"b\\\\c\\té\\n\"");
        let cases = [(f64::from(0.1_f32), 32, "0.1"), (0.1, 64, "0.1"), (1e20, 64, "1e20"), (1.0, 16, "1.0")];
        for (value, bits, expected) in cases {
            assert_eq!(shortest_float(value, bits), expected);
        }
        assert_eq!(shortest_float(f64::NAN, 32), "nan");
        assert_eq!(shortest_float(f64::NEG_INFINITY, 64), "-inf");
    }
}
