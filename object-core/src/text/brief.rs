//! [`brief`]: the beginning and the end of a text from the input, so that a message has a bounded length.

use std::fmt;

/// The number of characters of one text from the input that a message quotes.
const QUOTED: usize = 200;
/// The text in place of the characters that are left out.
const GAP: &str = "...";

/// The text, without its middle if it is too long for a message. The cost does not depend on the length of the text.
pub(crate) fn brief(text: &str) -> Brief<'_> {
    brief_to(text, QUOTED)
}

/// The text, without its middle if it has more than `max` characters.
pub(crate) fn brief_to(text: &str, max: usize) -> Brief<'_> {
    Brief { text, max }
}

/// Displays a text, without its middle if it is too long.
#[derive(Clone, Copy)]
pub(crate) struct Brief<'t> {
    text: &'t str,
    max: usize,
}

impl<'t> Brief<'t> {
    /// The beginning and the end, if the text is too long.
    fn parts(self) -> Option<(&'t str, &'t str)> {
        let Brief { text, max } = self;
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
        match self.parts() {
            None => f.write_str(self.text),
            Some((head, tail)) => write!(f, "{head}{GAP}{tail}"),
        }
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
        assert_eq!(brief(&"x".repeat(1_000_000)).to_string().len(), QUOTED);
    }
}
