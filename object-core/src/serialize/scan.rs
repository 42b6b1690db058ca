//! [`Scan`]: a position in JSON text, and the tokens that JSON graphs are made of.
//!
//! Every method gives `None` for text that is not what it reads, whether that is JSON or not; the position is then
//! anywhere. What needs more than a look at a few bytes is handed to `serde_json`: numbers with a fraction or an exponent
//! and strings with escapes.

use std::borrow::Cow;

use serde::de::DeserializeSeed;

use super::literals;
use super::scalar::{Scalar, ScalarSeed};

/// A position in JSON text.
pub(super) struct Scan<'t> {
    text: &'t [u8],
    at: usize,
}

/// Eight times the same byte.
const fn each(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// The highest bit of each byte that ends a run of plain characters in a string: a quote, a backslash, a control
/// character. Above the lowest of them there may be others that are none.
#[inline]
fn ends(word: u64) -> u64 {
    let zeros = |word: u64| word.wrapping_sub(each(1)) & !word;
    let control = word.wrapping_sub(each(0x20)) & !word;
    (zeros(word ^ each(b'"')) | zeros(word ^ each(b'\\')) | control) & each(0x80)
}

impl<'t> Scan<'t> {
    /// The start of `text`.
    pub(super) fn new(text: &'t [u8]) -> Self {
        Scan { text, at: 0 }
    }

    /// The text from here.
    pub(super) fn rest(&self) -> &'t [u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The eight bytes from `skip` bytes on.
    #[inline]
    pub(super) fn word(&self, skip: usize) -> Option<u64> {
        let bytes = self.text.get(self.at + skip..)?.first_chunk::<8>()?;
        Some(u64::from_le_bytes(*bytes))
    }

    /// Takes the next `count` bytes.
    #[inline]
    pub(super) fn skip(&mut self, count: usize) {
        self.at += count;
    }

    /// Takes `text` if it stands here.
    #[inline]
    pub(super) fn take<const N: usize>(&mut self, text: &[u8; N]) -> bool {
        let found = self.rest().starts_with(text);
        if found {
            self.at += N;
        }
        found
    }

    /// The next byte that is no white space, which stays.
    #[inline]
    pub(super) fn peek(&mut self) -> Option<u8> {
        loop {
            match self.text.get(self.at)? {
                b' ' | b'\n' | b'\t' | b'\r' => self.at += 1,
                byte => return Some(*byte),
            }
        }
    }

    /// The next byte that is no white space.
    #[inline]
    pub(super) fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    /// Takes the character `byte`.
    #[inline]
    pub(super) fn token(&mut self, byte: u8) -> Option<()> {
        (self.next()? == byte).then_some(())
    }

    /// Takes the key `name` with its colon.
    pub(super) fn key(&mut self, name: &str) -> Option<()> {
        (self.any_key()? == name.as_bytes()).then_some(())
    }

    /// A key, with its colon.
    pub(super) fn any_key(&mut self) -> Option<&'t [u8]> {
        self.token(b'"')?;
        let key = self.plain()?;
        self.token(b':')?;
        Some(key)
    }

    /// What stands before the next quote, if that is a string without escapes.
    #[inline]
    pub(super) fn plain(&mut self) -> Option<&'t [u8]> {
        let rest = self.rest();
        let mut len = 0;
        while let Some(word) = rest.get(len..).and_then(<[u8]>::first_chunk::<8>) {
            let ends = ends(u64::from_le_bytes(*word));
            if ends != 0 {
                len += ends.trailing_zeros() as usize / 8;
                break;
            }
            len += 8;
        }
        // Fewer than eight bytes are left, or it ends here.
        len += rest.get(len..)?.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20))?;
        if rest[len] != b'"' {
            return None;
        }
        self.at += len + 1;
        Some(&rest[..len])
    }

    /// The text of a string whose first quote was taken.
    #[inline]
    pub(super) fn string(&mut self) -> Option<Cow<'t, str>> {
        let start = self.at;
        if let Some(plain) = self.plain() {
            return std::str::from_utf8(plain).ok().map(Cow::Borrowed);
        }
        self.at = start;
        self.escaped_string()
    }

    #[cold]
    fn escaped_string(&mut self) -> Option<Cow<'t, str>> {
        let rest = self.rest();
        let mut len = 0;
        loop {
            len += memchr::memchr2(b'"', b'\\', rest.get(len..)?)?;
            if rest[len] == b'"' {
                break;
            }
            len += 2;
        }
        // The quote before it was taken.
        let quoted = self.text.get(self.at.checked_sub(1)?..=self.at + len)?;
        self.at += len + 1;
        serde_json::from_slice(quoted).ok().map(Cow::Owned)
    }

    /// The digits of a number, as many as a `u64` holds without a look.
    #[inline]
    fn digits(&mut self) -> Option<u64> {
        let rest = self.rest();
        let mut value = 0;
        let mut len = 0;
        while let Some(digit) = rest.get(len).map(|byte| byte.wrapping_sub(b'0')).filter(|digit| *digit < 10) {
            value = value * 10 + u64::from(digit);
            len += 1;
            if len > 18 {
                return None;
            }
        }
        // JSON has no zeros before other digits.
        if len == 0 || (len > 1 && rest[0] == b'0') {
            return None;
        }
        self.at += len;
        Some(value)
    }

    /// The index of a node.
    #[inline]
    pub(super) fn index(&mut self) -> Option<u32> {
        self.peek()?;
        u32::try_from(self.digits()?).ok()
    }

    /// An integer; what follows may still make it another number.
    #[inline]
    pub(super) fn int(&mut self) -> Option<i64> {
        if self.peek()? != b'-' {
            return self.digits()?.try_into().ok();
        }
        self.at += 1;
        // `-0` is no integer.
        match self.digits()? {
            0 => None,
            value => i64::try_from(value).ok().map(|value| -value),
        }
    }

    /// A value that is no list and no map.
    pub(super) fn scalar(&mut self) -> Option<Scalar<'t>> {
        match self.peek()? {
            b'"' => {
                self.at += 1;
                self.string().map(Scalar::Text)
            }
            b'n' => self.take(b"null").then_some(Scalar::Null),
            b't' => self.take(b"true").then_some(Scalar::Bool(true)),
            b'f' => self.take(b"false").then_some(Scalar::Bool(false)),
            b'0'..=b'9' | b'-' | b'N' | b'I' => self.number(),
            _ => None,
        }
    }

    fn number(&mut self) -> Option<Scalar<'t>> {
        let rest = self.rest();
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
        let len = rest.iter().position(|byte| !is_part(byte))?;
        let (number, _) = rest.split_at(len);
        self.at += len;
        if let Some(value) = literals::word(number) {
            return Some(Scalar::Float(value));
        }
        let mut deserializer = serde_json::Deserializer::from_slice(number);
        let scalar = ScalarSeed.deserialize(&mut deserializer).ok()?;
        deserializer.end().ok()?;
        Some(scalar)
    }
}
