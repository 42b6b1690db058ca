//! [`JsonBuf`]: a buffer for JSON text, and [`Snippet`]: a short text for many nodes.

use crate::json::swar::{digits_of, end_of_unescaped};

/// The number of bytes of a snippet that one copy moves.
const HALF: usize = 32;

/// A short text for many nodes. The buffer copies a fixed number of bytes, which is faster than the length of the text.
pub(crate) struct Snippet {
    halves: [[u8; HALF]; 2],
    len: usize,
    /// The text, if the halves cannot hold it.
    long: Box<str>,
}

impl Snippet {
    pub(crate) fn new(text: &str) -> Self {
        let mut halves = [[0; HALF]; 2];
        for (i, byte) in text.bytes().take(2 * HALF).enumerate() {
            halves[i / HALF][i % HALF] = byte;
        }
        let is_long = text.len() > 2 * HALF;
        Snippet { halves, len: text.len(), long: if is_long { text.into() } else { Box::default() } }
    }
}

/// A buffer for JSON text.
#[derive(Default)]
pub(crate) struct JsonBuf {
    text: Vec<u8>,
}

impl JsonBuf {
    /// An empty buffer with memory for `count` bytes.
    pub(crate) fn with_capacity(count: usize) -> Self {
        JsonBuf { text: Vec::with_capacity(count) }
    }

    /// The text.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.text
    }

    /// The text, by value.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.text
    }

    /// Removes the text.
    pub(crate) fn clear(&mut self) {
        self.text.clear();
    }

    /// Appends a byte.
    #[inline(always)]
    pub(crate) fn push(&mut self, byte: u8) {
        self.text.push(byte);
    }

    /// Removes the last byte.
    pub(crate) fn pop(&mut self) {
        self.text.pop();
    }

    /// Appends bytes. Inlined, so that a short constant text is one store and no call.
    #[inline(always)]
    pub(crate) fn push_bytes(&mut self, bytes: &[u8]) {
        self.text.extend_from_slice(bytes);
    }

    /// Appends a snippet.
    #[inline(always)]
    pub(crate) fn push_snippet(&mut self, snippet: &Snippet) {
        let end = self.text.len() + snippet.len;
        if snippet.len > 2 * HALF {
            return self.push_bytes(snippet.long.as_bytes());
        }
        self.text.extend_from_slice(&snippet.halves[0]);
        if snippet.len > HALF {
            self.text.extend_from_slice(&snippet.halves[1]);
        }
        self.text.truncate(end);
    }

    /// Appends the index of a node and `byte`.
    #[inline(always)]
    pub(crate) fn push_index_and(&mut self, index: u32, byte: u8) {
        if index < 10_000_000 {
            let (digits, count) = digits_of(index);
            self.push_start(digits | u64::from(byte) << (8 * count), count + 1);
        } else {
            self.push_large(i64::from(index));
            self.push(byte);
        }
    }

    /// Appends the index of a node.
    #[inline(always)]
    pub(crate) fn push_index(&mut self, index: u32) {
        if index < 10_000_000 {
            let (digits, count) = digits_of(index);
            self.push_start(digits, count);
        } else {
            self.push_large(i64::from(index));
        }
    }

    /// Appends the first `count` bytes of a word, by one copy of the whole word.
    #[inline(always)]
    fn push_start(&mut self, word: u64, count: usize) {
        let end = self.text.len() + count;
        self.text.extend_from_slice(&word.to_le_bytes());
        self.text.truncate(end);
    }

    /// Appends an integer.
    #[inline(always)]
    pub(crate) fn push_int(&mut self, value: i64) {
        match u32::try_from(value) {
            Ok(value) => self.push_index(value),
            Err(_) => self.push_large(value),
        }
    }

    #[cold]
    fn push_large(&mut self, value: i64) {
        self.push_bytes(itoa::Buffer::new().format(value).as_bytes());
    }

    /// Appends a list.
    pub(crate) fn push_list<T>(&mut self, items: impl Iterator<Item = T>, push: impl Fn(&mut Self, T)) {
        self.push(b'[');
        for (i, item) in items.enumerate() {
            if i > 0 {
                self.push(b',');
            }
            push(self, item);
        }
        self.push(b']');
    }

    /// Appends a string with the escapes of TVM's writer, which escapes `/` and does not escape characters outside of ASCII.
    pub(crate) fn push_string(&mut self, string: &str) {
        self.push(b'"');
        let mut rest = string.as_bytes();
        while let Some((plain, byte, after)) = split_at_escape(rest) {
            self.push_bytes(plain);
            self.push_escape(byte);
            rest = after;
        }
        self.push_bytes(rest);
        self.push(b'"');
    }

    fn push_escape(&mut self, byte: u8) {
        let short = match byte {
            0x08 => b'b',
            0x0c => b'f',
            b'\n' => b'n',
            b'\r' => b'r',
            b'\t' => b't',
            0..0x20 | 0x7f => return self.push_bytes(format!("\\u{byte:04x}").as_bytes()),
            _ => byte,
        };
        self.push_bytes(&[b'\\', short]);
    }
}

/// The bytes before the first byte to escape, that byte, and the rest. `None` if there is no such byte.
fn split_at_escape(bytes: &[u8]) -> Option<(&[u8], u8, &[u8])> {
    let mut at = 0;
    while let Some(word) = bytes[at..].first_chunk::<8>() {
        match end_of_unescaped(u64::from_le_bytes(*word)) {
            Some(end) => {
                at += end;
                break;
            }
            None => at += 8,
        }
    }
    let is_escaped = |byte: &u8| matches!(byte, b'"' | b'\\' | b'/' | 0..0x20 | 0x7f);
    at += bytes[at..].iter().position(is_escaped)?;
    let (plain, rest) = bytes.split_at(at);
    rest.split_first().map(|(byte, after)| (plain, *byte, after))
}
