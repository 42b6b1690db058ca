//! Bounds the memory that a schema takes, before the JSON parser and the loader take it.

use crate::error::Result;
use crate::limits::{Limit, Limits};

/// The number of nodes of a graph that take about as much memory as a JSON value of a schema with the part of a type that
/// the loader makes of it.
const NODES_PER_VALUE: u64 = 16;

/// Checks that `text` has few enough bytes and JSON values.
///
/// # Errors
/// [`LimitExceeded`](crate::ErrorKind::LimitExceeded).
pub(super) fn check_text(text: &[u8], limits: &Limits) -> Result<()> {
    limits.check(Limit::Bytes, text.len() as u64)?;
    check_values(count_values(text), limits)
}

/// Checks a number of JSON values.
///
/// # Errors
/// [`LimitExceeded`](crate::ErrorKind::LimitExceeded).
pub(super) fn check_values(count: u64, limits: &Limits) -> Result<()> {
    limits.check(Limit::Nodes, count.saturating_mul(NODES_PER_VALUE))
}

/// The number of JSON values in `text`, at most: one, and one after each comma and each opening bracket outside of strings.
fn count_values(text: &[u8]) -> u64 {
    let (mut count, mut at) = (1, 0);
    while let Some(byte) = text.get(at) {
        at += 1;
        match byte {
            b'"' => at += string_len(&text[at..]),
            b',' | b'[' | b'{' => count += 1,
            _ => {}
        }
    }
    count
}

/// The number of bytes from the first byte of a string to the byte after its last quote.
fn string_len(text: &[u8]) -> usize {
    let mut at = 0;
    while let Some(found) = text.get(at..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest)) {
        at += found + 1;
        if text[at - 1] == b'"' {
            return at;
        }
        // The character after a backslash does not end the string.
        at += 1;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::count_values;

    #[test]
    fn strings_count_once() {
        for (text, count) in
            [("", 1), ("1", 1), ("[1,2]", 3), (r#"{"a,[{":"\",,","b":[]}"#, 4), (r#"",,,"#, 1), (r#"["\"#, 2)]
        {
            assert_eq!(count_values(text.as_bytes()), count, "{text}");
        }
    }
}
