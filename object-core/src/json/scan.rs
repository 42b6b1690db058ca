//! [`Scan`]: a position in JSON text, and the tokens that JSON graphs are made of.
//!
//! Every method returns `None` if the text does not start with its token; the position is then unspecified. `serde_json`
//! reads numbers with a fraction or an exponent and strings with escapes.

use std::borrow::Cow;

use serde::de::DeserializeSeed;

use super::odd_numbers;
use crate::json::json_scalar::{JsonScalar, JsonScalarSeed};
use crate::json::source::Source;
use crate::json::swar::{count_digits, end_of_plain, number_of};

/// A position in JSON text.
#[derive(Clone, Copy)]
pub(crate) struct Scan<'t> {
    /// The text from here.
    rest: &'t [u8],
}

impl<'t> Scan<'t> {
    /// The start of `text`.
    pub(crate) fn new(text: &'t [u8]) -> Self {
        Scan { rest: text }
    }

    /// The text from here.
    #[inline(always)]
    pub(crate) fn rest(&self) -> &'t [u8] {
        self.rest
    }

    /// Takes the next `count` bytes, or the rest if it is shorter.
    #[inline(always)]
    pub(crate) fn skip(&mut self, count: usize) {
        self.rest = self.rest.get(count..).unwrap_or_default();
    }

    /// Takes `text` if it stands here.
    #[inline(always)]
    pub(crate) fn take<const N: usize>(&mut self, text: &[u8; N]) -> bool {
        match self.rest.split_first_chunk::<N>() {
            Some((first, rest)) if first == text => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    /// The next byte that is not white space, without taking it.
    #[inline(always)]
    pub(crate) fn peek(&mut self) -> Option<u8> {
        let byte = *self.rest.first()?;
        if byte > b' ' {
            return Some(byte);
        }
        *self = self.after_space();
        self.rest.first().copied()
    }

    /// Takes the next byte that is not white space.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.rest = self.rest.get(1..)?;
        Some(byte)
    }

    /// The position after white space.
    #[cold]
    fn after_space(self) -> Self {
        let is_space = |byte: &u8| matches!(byte, b' ' | b'\n' | b'\t' | b'\r');
        let count = self.rest.iter().take_while(|byte| is_space(byte)).count();
        Scan { rest: self.rest.get(count..).unwrap_or_default() }
    }

    /// Takes the character `byte`.
    #[inline(always)]
    pub(crate) fn token(&mut self, byte: u8) -> Option<()> {
        (self.next()? == byte).then_some(())
    }

    /// Takes the key `name` with its colon.
    #[inline(always)]
    pub(crate) fn key(&mut self, name: &str) -> Option<()> {
        (self.any_key()? == name.as_bytes()).then_some(())
    }

    /// Takes a key with its colon.
    #[inline(always)]
    pub(crate) fn any_key(&mut self) -> Option<&'t [u8]> {
        let (key, after) = self.key_and_rest()?;
        *self = after;
        Some(key)
    }

    /// A key, and the position after its colon.
    #[cold]
    fn key_and_rest(mut self) -> Option<(&'t [u8], Self)> {
        self.token(b'"')?;
        let key = self.plain()?;
        self.token(b':')?;
        Some((key, self))
    }

    /// Takes the text up to the next quote and the quote, if the text has no escapes.
    #[inline(always)]
    pub(crate) fn plain(&mut self) -> Option<&'t [u8]> {
        let text = self.rest;
        let mut rest = text;
        while let Some((word, after)) = rest.split_first_chunk::<8>() {
            if let Some(end) = end_of_plain(u64::from_le_bytes(*word)) {
                return self.plain_of(text.len() - rest.len() + end);
            }
            rest = after;
        }
        let end = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20))?;
        self.plain_of(text.len() - rest.len() + end)
    }

    /// Takes the next `len` bytes and the quote after them.
    #[inline(always)]
    fn plain_of(&mut self, len: usize) -> Option<&'t [u8]> {
        let (plain, rest) = self.rest.split_at_checked(len)?;
        let (quote, rest) = rest.split_first()?;
        self.rest = rest;
        (*quote == b'"').then_some(plain)
    }

    /// The text of a string, and the position after it.
    #[inline(always)]
    pub(crate) fn string(mut self) -> Option<(Cow<'t, str>, Self)> {
        let start = self;
        self.token(b'"')?;
        match self.plain() {
            Some(plain) => Some((Cow::Borrowed(std::str::from_utf8(plain).ok()?), self)),
            None => start.escaped_string(),
        }
    }

    #[cold]
    fn escaped_string(mut self) -> Option<(Cow<'t, str>, Self)> {
        self.peek()?;
        let mut len = 1;
        loop {
            len += memchr::memchr2(b'"', b'\\', self.rest.get(len..)?)?;
            if self.rest[len] == b'"' {
                break;
            }
            len += 2;
        }
        let (quoted, rest) = self.rest.split_at_checked(len + 1)?;
        self.rest = rest;
        let text: String = serde_json::from_slice(quoted).ok()?;
        // The general reader filters such a text.
        if text.starts_with('\0') { None } else { Some((Cow::Owned(text), self)) }
    }

    /// Takes digits. Returns their number.
    #[inline(always)]
    fn digits(&mut self) -> Option<u64> {
        let Some((word, _)) = self.rest.split_first_chunk::<8>() else {
            let (value, after) = self.last_digits()?;
            *self = after;
            return Some(value);
        };
        let word = u64::from_le_bytes(*word);
        let count = count_digits(word);
        // JSON does not allow zeros before other digits.
        if count == 0 || (count > 1 && word as u8 == b'0') {
            return None;
        }
        self.skip(count as usize);
        let value = number_of(word, count);
        if count < 8 {
            return Some(value);
        }
        let (value, after) = self.more_digits(value)?;
        *self = after;
        Some(value)
    }

    /// As [`digits`](Self::digits), fewer than eight bytes before the end of the text.
    #[cold]
    fn last_digits(self) -> Option<(u64, Self)> {
        let is_single = matches!(self.rest, [b'0'..=b'9', next, ..] if !next.is_ascii_digit());
        if is_single || matches!(self.rest.first()?, b'1'..=b'9') { self.more_digits(0) } else { None }
    }

    /// The number with the digits of `value` and the next digits.
    #[cold]
    fn more_digits(mut self, mut value: u64) -> Option<(u64, Self)> {
        while let Some((digit @ b'0'..=b'9', rest)) = self.rest.split_first() {
            value = value.checked_mul(10)?.checked_add(u64::from(digit - b'0'))?;
            self.rest = rest;
        }
        Some((value, self))
    }

    /// Takes the index of a node.
    #[inline(always)]
    pub(crate) fn index(&mut self) -> Option<u32> {
        self.peek()?;
        u32::try_from(self.digits()?).ok()
    }

    /// Takes an integer. The caller checks that no fraction or exponent follows.
    #[inline(always)]
    pub(crate) fn int(&mut self) -> Option<i64> {
        if self.peek()? != b'-' {
            return self.digits()?.try_into().ok();
        }
        self.skip(1);
        // The lowest `i64` is left to the general reader.
        i64::try_from(self.digits()?).ok().map(|value| -value)
    }

    /// Takes a value other than a list or a map.
    #[inline(always)]
    pub(crate) fn scalar(&mut self) -> Option<JsonScalar<'t>> {
        let (scalar, after) = self.scalar_and_rest()?;
        *self = after;
        Some(scalar)
    }

    /// A value other than a list or a map, and the position after it.
    ///
    /// The compiler keeps a position in memory if a function that is not inlined takes its address, and each step of the
    /// reader depends on the position of the step before. So functions that are not inlined take and return it by value.
    fn scalar_and_rest(mut self) -> Option<(JsonScalar<'t>, Self)> {
        let scalar = match self.peek()? {
            b'"' => {
                let (text, after) = self.string()?;
                return Some((JsonScalar::Text(text), after));
            }
            b'n' => self.take(b"null").then_some(JsonScalar::Null),
            b't' => self.take(b"true").then_some(JsonScalar::Bool(true)),
            b'f' => self.take(b"false").then_some(JsonScalar::Bool(false)),
            b'0'..=b'9' | b'-' | b'N' | b'I' => self.number(),
            _ => None,
        };
        Some((scalar?, self))
    }

    fn number(&mut self) -> Option<JsonScalar<'t>> {
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
        let (number, rest) = self.rest.split_at_checked(self.rest.iter().position(|byte| !is_part(byte))?)?;
        self.rest = rest;
        if let Some(value) = odd_numbers::word(number) {
            return Some(value.into());
        }
        let mut deserializer = serde_json::Deserializer::from_slice(number);
        let scalar = JsonScalarSeed(Source::JsonText).deserialize(&mut deserializer).ok()?;
        deserializer.end().ok()?;
        Some(scalar)
    }
}

/// A short text that one or two comparisons of 16 bytes recognize.
pub(crate) struct Pattern {
    len: usize,
    words: [u128; 2],
    masks: [u128; 2],
}

impl Pattern {
    /// The length of the longest text.
    const MAX: usize = 32;

    /// The pattern of the JSON string `name` and the text `after` it, without the first quote if `is_open`. The pattern
    /// matches nothing if the text is too long or `name` needs escapes.
    pub(crate) fn new(is_open: bool, name: &str, after: &str) -> Self {
        let text = format!("{}{name}\"{after}", if is_open { "" } else { "\"" });
        let (mut words, mut masks) = ([[0; 16]; 2], [[0; 16]; 2]);
        for (i, byte) in text.bytes().take(Self::MAX).enumerate() {
            (words[i / 16][i % 16], masks[i / 16][i % 16]) = (byte, 0xff);
        }
        let is_plain = !name.bytes().any(|byte| matches!(byte, b'"' | b'\\' | 0..0x20));
        Pattern {
            len: if is_plain && text.len() <= Self::MAX { text.len() } else { 0 },
            words: words.map(u128::from_le_bytes),
            masks: masks.map(u128::from_le_bytes),
        }
    }

    /// Takes the text if it stands at `scan` and at least [`MAX`](Self::MAX) bytes remain.
    #[inline(always)]
    pub(crate) fn take(&self, scan: &mut Scan<'_>) -> bool {
        let Some((bytes, _)) = scan.rest.split_first_chunk::<{ Self::MAX }>() else { return false };
        let ([first, second], _) = bytes.as_chunks::<16>() else { return false };
        let differs = |bytes: &[u8; 16], i: usize| (u128::from_le_bytes(*bytes) ^ self.words[i]) & self.masks[i] != 0;
        if self.len == 0 || differs(first, 0) || (self.len > 16 && differs(second, 1)) {
            return false;
        }
        scan.skip(self.len);
        true
    }
}
