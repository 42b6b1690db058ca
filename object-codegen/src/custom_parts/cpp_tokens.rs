//! Tokens of C++, without comments and directives of the preprocessor. Any text has tokens.

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A name or a keyword.
    Word,
    /// One character of an operator or a bracket.
    Mark,
    /// A number, a text or a character.
    Literal,
}

/// A token of C++.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'t> {
    pub(super) kind: TokenKind,
    pub(super) text: &'t str,
    /// The number of line ends before the token.
    pub(super) line: u32,
    /// The number of characters before the token in its line.
    pub(super) column: u32,
}

impl Token<'_> {
    /// Whether the token is this mark or word.
    pub(super) fn is(&self, text: &str) -> bool {
        self.kind != TokenKind::Literal && self.text == text
    }
}

/// The tokens of `text`. A text or a comment without an end reaches to the end of `text`.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut scanner = Scanner { text, at: 0, line: 0, line_start: 0, tokens: Vec::new() };
    while scanner.at < text.len() {
        scanner.step();
    }
    scanner.tokens
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
    line: u32,
    line_start: usize,
    tokens: Vec<Token<'t>>,
}

impl<'t> Scanner<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Takes the next token, or the next piece that is not a token.
    fn step(&mut self) {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return };
        let is_line_start = self.text[self.line_start..self.at].trim().is_empty();
        if first.is_whitespace() {
            self.skip(first.len_utf8());
        } else if rest.starts_with("//") || (first == '#' && is_line_start) {
            self.skip(logical_line(rest));
        } else if let Some(comment) = rest.strip_prefix("/*") {
            self.skip(comment.find("*/").map_or(rest.len(), |end| end + 4));
        } else if let Some(length) = raw_string(rest) {
            self.take(TokenKind::Literal, length);
        } else if first == '"' || first == '\'' {
            self.take(TokenKind::Literal, quoted(rest, first));
        } else if first.is_ascii_digit() {
            self.take(TokenKind::Literal, number(rest));
        } else if first == '_' || first.is_alphabetic() {
            self.take(TokenKind::Word, word(rest));
        } else {
            self.take(TokenKind::Mark, first.len_utf8());
        }
    }

    fn take(&mut self, kind: TokenKind, length: usize) {
        let column = self.text[self.line_start..self.at].chars().count();
        self.tokens.push(Token {
            kind,
            text: &self.text[self.at..self.at + length],
            line: self.line,
            column: u32::try_from(column).unwrap_or(u32::MAX),
        });
        self.skip(length);
    }

    fn skip(&mut self, length: usize) {
        let piece = &self.text[self.at..self.at + length];
        if let Some(last) = piece.rfind('\n') {
            let ends = piece.matches('\n').count();
            self.line = self.line.saturating_add(u32::try_from(ends).unwrap_or(u32::MAX));
            self.line_start = self.at + last + 1;
        }
        self.at += length;
    }
}

/// The length of a line, which a backslash at its end continues.
fn logical_line(text: &str) -> usize {
    let mut length = 0;
    for line in text.split_inclusive('\n') {
        length += line.len();
        if !line.trim_end_matches(['\n', '\r']).ends_with('\\') {
            break;
        }
    }
    length
}

/// The length of a name.
fn word(text: &str) -> usize {
    text.find(|char: char| char != '_' && !char.is_alphanumeric()).unwrap_or(text.len())
}

/// The length of a number, with separators, exponents and suffixes.
fn number(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut length = 0;
    while let Some(byte) = bytes.get(length) {
        let is_sign = matches!(byte, b'+' | b'-') && matches!(bytes[length - 1], b'e' | b'E' | b'p' | b'P');
        // A quote separates digits, and begins a character everywhere else.
        let is_separator = *byte == b'\'' && bytes.get(length + 1).is_some_and(u8::is_ascii_alphanumeric);
        if !(byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_') || is_sign || is_separator) {
            break;
        }
        length += 1;
    }
    length
}

/// The length of a text or character in quotes. It ends at the line end if the quote is missing.
fn quoted(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, char) in text.char_indices().skip(1) {
        match char {
            '\n' if !is_escaped => return at,
            _ if is_escaped => is_escaped = char == '\r',
            '\\' => is_escaped = true,
            _ if char == quote => return at + quote.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

/// The length of a raw text such as `R"x(...)x"`, if `text` begins with one.
fn raw_string(text: &str) -> Option<usize> {
    let start = ["R\"", "u8R\"", "uR\"", "UR\"", "LR\""].into_iter().find(|start| text.starts_with(start))?;
    let after = &text[start.len()..];
    let open = after.find('(').filter(|open| *open <= 16)?;
    let end = format!("){}\"", &after[..open]);
    let body = &after[open + 1..];
    Some(body.find(&end).map_or(text.len(), |at| start.len() + open + 1 + at + end.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        tokens(text).into_iter().map(|token| token.text).collect()
    }

    #[test]
    fn comments_and_directives_are_not_tokens() {
        assert_eq!(words("a // b\n/* c\n */ d /**/ e // f \\\n g\nh"), ["a", "d", "e", "h"]);
        assert_eq!(words("#define f() { \\\n } }\n g # h"), ["g", "#", "h"]);
        assert_eq!(words("a /* b"), ["a"]);
    }

    #[test]
    fn literals_hide_brackets() {
        assert_eq!(
            words("\"{ \\\" }\" '{' '\\'' R\"x( )\" } )x\" 1'000.5e-3f"),
            ["\"{ \\\" }\"", "'{'", "'\\''", "R\"x( )\" } )x\"", "1'000.5e-3f"]
        );
        assert_eq!(words("\"open\n}"), ["\"open", "}"]);
        assert_eq!(words("R\"(never"), ["R\"(never"]);
    }

    #[test]
    fn tokens_have_places() {
        let found = tokens("/*\n*/ \u{e4} x\n  y");
        let places: Vec<_> = found.iter().map(|token| (token.text, token.line, token.column)).collect();
        assert_eq!(places, [("\u{e4}", 1, 3), ("x", 1, 5), ("y", 2, 2)]);
    }
}
