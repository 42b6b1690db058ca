//! Text in double quotes, with escapes, and text as a word.

use std::fmt;

/// Which characters stand for themselves between the quotes.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Charset {
    /// All characters but control characters.
    Unicode,
    /// ASCII characters. The others are escaped as in Python, so that paths are the same text in every tool.
    Ascii,
    /// ASCII characters. The bytes of the others are escaped as in TVMScript of TVM 0.25.
    Bytes,
}

/// Writes `text` in double quotes, and escapes quotes, backslashes, control characters and the characters that `charset`
/// does not have.
pub(crate) fn write_quoted(f: &mut impl fmt::Write, text: &str, charset: Charset) -> fmt::Result {
    f.write_char('"')?;
    for c in text.chars() {
        match c {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\r' => f.write_str("\\r")?,
            '\t' => f.write_str("\\t")?,
            c if charset == Charset::Ascii && c > '\u{ffff}' => write!(f, "\\U{:08x}", c as u32)?,
            c if charset == Charset::Ascii && !c.is_ascii() => write!(f, "\\u{:04x}", c as u32)?,
            c if charset == Charset::Bytes && (c.is_control() || !c.is_ascii()) => {
                c.encode_utf8(&mut [0; 4]).bytes().try_for_each(|byte| write!(f, "\\x{byte:02X}"))?;
            }
            c if c.is_control() => write!(f, "\\x{:02x}", c as u32)?,
            c => f.write_char(c)?,
        }
    }
    f.write_char('"')
}

/// Writes `text` as a word, as the scripts of TVM 0.25 show the name of a variable: an underscore in place of each byte that is
/// not an ASCII letter, a digit or an underscore, and `v` for an empty text.
pub(crate) fn write_word(f: &mut impl fmt::Write, text: &str) -> fmt::Result {
    if text.is_empty() {
        return f.write_char('v');
    }
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    text.bytes().try_for_each(|byte| f.write_char(if is_word(byte) { byte.into() } else { '_' }))
}
