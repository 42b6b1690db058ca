//! [`Tokens`]: splits a repr into tokens.

use std::fmt;

use crate::error::{Error, ErrorKind, Result};
use crate::steps::step;
use crate::text::brief::brief;
use crate::text::line_index::LineIndex;

/// A token of a repr.
#[derive(Debug, PartialEq)]
pub(crate) enum Token<'t> {
    /// A number, a name, or a plain value without quotes or brackets around it.
    Word(&'t str),
    /// A text in quotes, without the escapes.
    Text(String),
    Bytes(Vec<u8>),
    /// `%` and a number.
    Mark(&'t str),
    /// A bracket, `,`, `:` or `=`.
    Sign(char),
    /// `...`
    Cut,
    End,
}

impl fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Word(word) => write!(f, "`{}`", brief(word)),
            Token::Text(_) => f.write_str("a text"),
            Token::Bytes(_) => f.write_str("bytes"),
            Token::Mark(_) => f.write_str("a number of an object"),
            Token::Sign(sign) => write!(f, "`{sign}`"),
            Token::Cut => f.write_str("`...`"),
            Token::End => f.write_str("the end"),
        }
    }
}

/// A position in the text of a repr.
pub(crate) struct Tokens<'t> {
    text: &'t str,
    at: usize,
    /// The start of the last token.
    start: usize,
}

impl<'t> Tokens<'t> {
    /// The start of `text`.
    pub(crate) fn new(text: &'t str) -> Self {
        Tokens { text, at: 0, start: 0 }
    }

    /// The start of the last token, in bytes.
    pub(crate) fn start(&self) -> usize {
        self.start
    }

    /// The line and column of a position in the text.
    pub(crate) fn line_and_column(&self, at: usize) -> (usize, usize) {
        LineIndex::new(self.text).line_column(at)
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Takes `sign` if it is the next token. Returns whether it is.
    pub(crate) fn take(&mut self, sign: char) -> bool {
        let after = self.rest().trim_start();
        let is_next = after.starts_with(sign);
        if is_next {
            self.start = self.text.len() - after.len();
            self.at = self.start + sign.len_utf8();
        }
        is_next
    }

    /// Reads `sign`, which is the next token.
    ///
    /// # Errors
    /// [`Malformed`](ErrorKind::Malformed) for another token.
    pub(crate) fn sign(&mut self, sign: char) -> Result<()> {
        match self.next()? {
            Token::Sign(next) if next == sign => Ok(()),
            other => Err(unexpected(&format!("`{sign}`"), &other)),
        }
    }

    /// Makes the token at `start` the last one, for the position of an error.
    pub(super) fn point_at(&mut self, start: usize) {
        self.start = start;
    }

    /// The next token.
    ///
    /// # Errors
    /// [`Malformed`](ErrorKind::Malformed) for characters that start no token, and for faults between quotes.
    pub(crate) fn next(&mut self) -> Result<Token<'t>> {
        step();
        self.start = self.text.len() - self.rest().trim_start().len();
        self.at = self.start;
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return Ok(Token::End) };
        let (token, len) = match first {
            '(' | ')' | '[' | ']' | '{' | '}' | ',' | ':' | '=' => (Token::Sign(first), 1),
            '"' => return self.quoted(1, false).map(Token::Text),
            'b' if rest.starts_with("b\"") => {
                let text = self.quoted(2, true)?;
                // Escapes stand for characters up to 255.
                return Ok(Token::Bytes(text.chars().map(|c| c as u8).collect()));
            }
            _ if rest.starts_with("...") => (Token::Cut, 3),
            '%' => {
                let digits = prefix(&rest[1..], |c| c.is_ascii_digit());
                (Token::Mark(digits), 1 + digits.len())
            }
            _ => {
                let len = word(rest);
                if len == 0 {
                    return Err(malformed(format!("no value has the character {first:?} in it outside of quotes")));
                }
                (Token::Word(&rest[..len]), len)
            }
        };
        self.at += len;
        Ok(token)
    }

    /// The text from `skip` bytes after the position to the next quote, with its escapes replaced. In bytes, each character
    /// is a byte.
    fn quoted(&mut self, skip: usize, are_bytes: bool) -> Result<String> {
        let rest = &self.rest()[skip..];
        let mut text = String::new();
        let mut at = 0;
        while let Some(c) = rest[at..].chars().next() {
            at += c.len_utf8();
            match c {
                '"' => {
                    self.at += skip + at;
                    return Ok(text);
                }
                '\\' => {
                    let Some((c, len)) = escape(&rest[at..]) else {
                        let given = rest[at..].chars().next().map_or(String::new(), |c| format!(", got {c:?}"));
                        let message = "after a backslash, expected one of `\\`, `\"`, `'`, `n`, `r`, `t`, or `x` with two \
                                       hexadecimal digits";
                        return Err(malformed(format!("{message}{given}")));
                    };
                    text.push(c);
                    at += len;
                }
                c if are_bytes && !c.is_ascii() => {
                    return Err(malformed(format!("bytes are written in ASCII, with `\\x` for all others; got {c:?}")));
                }
                c => text.push(c),
            }
        }
        Err(malformed("the quote that begins here is not closed".to_owned()))
    }
}

/// The character for the escape after a backslash, and the length of the escape.
fn escape(rest: &str) -> Option<(char, usize)> {
    let c = match rest.chars().next()? {
        c @ ('\\' | '"' | '\'') => c,
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'x' => {
            let digits = rest.get(1..3).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
            return Some((char::from(u8::from_str_radix(digits, 16).ok()?), 3));
        }
        _ => return None,
    };
    Some((c, 1))
}

/// The length of the word at the start of `rest`.
fn word(rest: &str) -> usize {
    // Two forms of plain values contain brackets.
    let begin = ["custom[", "device_type("].into_iter().find(|begin| rest.starts_with(begin));
    let mut len = begin.map_or(0, |begin| {
        let number = prefix(&rest[begin.len()..], is_digit_or_minus).len();
        let is_closed = rest[begin.len() + number..].starts_with([']', ')']);
        if number > 0 && is_closed { begin.len() + number + 1 } else { 0 }
    });
    loop {
        let is_part = |c: char| !c.is_whitespace() && !c.is_control() && !"()[]{},:=\"%".contains(c);
        len += prefix(&rest[len..], is_part).len();
        // The colon of a device stands before a number, the colon of a map entry before a space.
        match rest[len..].strip_prefix(':') {
            Some(after) if len > 0 && after.starts_with(is_digit_or_minus) => len += 1,
            _ => return len,
        }
    }
}

fn is_digit_or_minus(c: char) -> bool {
    c.is_ascii_digit() || c == '-'
}

/// The longest start of `text` whose characters are all `is_part`.
fn prefix(text: &str, is_part: impl Fn(char) -> bool) -> &str {
    &text[..text.find(|c| !is_part(c)).unwrap_or(text.len())]
}

pub(super) fn malformed(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Malformed, message)
}

/// The error for `given` where `expected` should stand.
pub(crate) fn unexpected(expected: &str, given: &Token<'_>) -> Error {
    if *given == Token::Cut {
        let message = "the text was cut here (`...`), so what follows is not known; write the value without limits: \
                       `Repr::new(&value).max_values(usize::MAX)`";
        return malformed(message);
    }
    malformed(format!("expected {expected}, got {given}"))
}
