//! [`brief`]: the beginning and the end of a text from the input, so that a message has a bounded length.

use std::fmt::{self, Write};

use super::inert::Inertly;

/// The number of characters of one text from the input that a message quotes.
const QUOTED: usize = 200;
/// The text in place of the characters that are left out.
const GAP: &str = "...";

/// The name or another text of one line for a message, without its middle if it is too long. The cost does not depend on
/// the length of the text. Line breaks are escaped, so that no name looks like another message.
pub(crate) fn brief(text: &str) -> Brief<'_> {
    Brief { text, max: QUOTED, keeps_lines: false }
}

/// The text, without its middle if it has more than `max` characters. The cost depends on `max`, and not on the length of
/// the text.
///
/// ```
/// assert_eq!(object_core::brief_to("0123456789a", 10).to_string(), "01234...9a");
/// ```
pub fn brief_to(text: &str, max: usize) -> Brief<'_> {
    Brief { text, max, keeps_lines: true }
}

/// Displays a text, without its middle if it is too long. See [`brief_to`].
#[derive(Clone, Copy, Debug)]
pub struct Brief<'t> {
    text: &'t str,
    max: usize,
    keeps_lines: bool,
}

impl<'t> Brief<'t> {
    /// The beginning and the end, if the text is too long.
    fn parts(self) -> Option<(&'t str, &'t str)> {
        let Brief { text, max, .. } = self;
        // A text that is too long has a character after the first `max` ones.
        text.char_indices().nth(max)?;
        let rest = max.saturating_sub(GAP.len());
        let tail = rest / 3;
        let (head, _) = text.char_indices().nth(rest - tail)?;
        let tail = text.char_indices().rev().nth(tail).map_or(0, |(at, c)| at + c.len_utf8());
        Some((&text[..head], &text[tail..]))
    }
}

impl fmt::Display for Brief<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (head, gap, tail) = self.parts().map_or((self.text, "", ""), |(head, tail)| (head, GAP, tail));
        if self.keeps_lines {
            return write!(f, "{head}{gap}{tail}");
        }
        write!(Inertly { out: f, keeps_lines: false }, "{head}{gap}{tail}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_loses_its_middle() {
        assert_eq!(brief_to("0123456789", 10).to_string(), "0123456789");
        assert_eq!(brief_to("0123456789a", 10).to_string(), "01234...9a");
        assert_eq!(brief_to("\u{e4}\u{e4}\u{e4}\u{e4}\u{e4}\u{e4}\u{e4}", 6).to_string(), "\u{e4}\u{e4}...\u{e4}");
        for (len, max) in (0..20).flat_map(|len| (0..20).map(move |max| (len, max))) {
            let text: String = ('a'..='z').cycle().take(len).collect();
            let shown = brief_to(&text, max).to_string();
            assert!(shown == text && len <= max || len > max && shown.len() <= max.max(GAP.len()), "{shown} {max}");
        }
        assert_eq!(brief("a\nobjir: b\u{1b}").to_string(), r"a\u{a}objir: b\u{1b}");
        assert_eq!(brief(&"x".repeat(1_000_000)).to_string().len(), QUOTED);
    }
}
