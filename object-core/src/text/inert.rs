//! [`inert`]: text whose characters only stand for themselves, in messages and in comments of generated code.

use std::fmt::{self, Write};

/// Whether the character acts on the program that shows a text: a control character (C0, DEL, C1), a line break, or a
/// character that changes the direction of the text after it, by which a text can look like another one ("Trojan
/// Source", CVE-2021-42574; the characters are `Bidi_Control` of Unicode 16).
fn acts(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text with `\u{...}`, as in Rust, in place of each character that acts on a terminal or an editor: control
/// characters, line breaks, and characters that change the direction of text. Line feeds and tabs stay.
///
/// ```
/// use object_core::inert;
///
/// assert_eq!(inert("a name\n").to_string(), "a name\n");
/// assert_eq!(inert("\u{1b}[2J\r\u{202e}").to_string(), r"\u{1b}[2J\u{d}\u{202e}");
/// ```
pub fn inert(text: &str) -> Inert<'_> {
    Inert { text }
}

/// Displays a text without characters that act. See [`inert`].
#[derive(Clone, Copy, Debug)]
pub struct Inert<'t> {
    text: &'t str,
}

impl fmt::Display for Inert<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Inertly { out: f, keeps_lines: true }.write_str(self.text)
    }
}

/// Writes texts as [`inert`] shows them.
pub(crate) struct Inertly<W> {
    pub(crate) out: W,
    /// Whether line feeds and tabs stay.
    pub(crate) keeps_lines: bool,
}

impl<W: Write> Write for Inertly<W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut rest = text;
        while let Some(at) = rest.find(|c| acts(c) && !(self.keeps_lines && matches!(c, '\n' | '\t'))) {
            let (plain, tail) = rest.split_at(at);
            self.out.write_str(plain)?;
            let mut tail = tail.chars();
            tail.next().map_or(Ok(()), |c| write!(self.out, "{}", c.escape_unicode()))?;
            rest = tail.as_str();
        }
        self.out.write_str(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_character_of_the_result_acts() {
        let all: String = ('\0'..=char::MAX).collect();
        let shown = inert(&all).to_string();
        assert!(!shown.chars().any(|c| acts(c) && !matches!(c, '\n' | '\t')));
        assert_eq!(inert("\0\u{7f}\u{85}\u{2029}").to_string(), r"\u{0}\u{7f}\u{85}\u{2029}");
        let plain = "a \"b\" \\n \u{e4}\u{3b1}\u{1f600}\n\t";
        assert_eq!(inert(plain).to_string(), plain);
        assert_eq!(inert(&shown).to_string(), shown);
    }
}
