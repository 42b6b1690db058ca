//! Text in double quotes, with escapes.

use std::fmt;

/// Which characters stand for themselves between the quotes.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Charset {
    /// All characters but control characters.
    Unicode,
    /// ASCII characters. The others are escaped as in Python, so that paths are the same text in every tool.
    Ascii,
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
            c if c.is_control() => write!(f, "\\x{:02x}", c as u32)?,
            c => f.write_char(c)?,
        }
    }
    f.write_char('"')
}
