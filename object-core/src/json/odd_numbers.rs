//! The numbers that TVM reads in another way than the JSON parser: `NaN`, `Infinity` and `-Infinity`, which JSON does not
//! have, and `-0`, which is an integer for TVM. A filter turns these words into strings before the text reaches the parser,
//! and the scalars of the parser are numbers again.
//!
//! The strings begin with one NUL character. The filter adds a NUL character to each other string that begins with one, so
//! every string of the filtered text has one meaning.

use std::borrow::Cow;
use std::io::{self, Read};

use memchr::memmem;

/// A number in place of a word.
#[derive(Clone, Copy)]
pub(crate) enum Number {
    Int(i64),
    Float(f64),
}

/// The words, the strings that replace them, and the numbers.
const LITERALS: [(&[u8], &[u8], Number); 4] = [
    (b"NaN", b"\"\\u0000no JSON: NaN\"", Number::Float(f64::NAN)),
    (b"Infinity", b"\"\\u0000no JSON: Infinity\"", Number::Float(f64::INFINITY)),
    (b"-Infinity", b"\"\\u0000no JSON: -Infinity\"", Number::Float(f64::NEG_INFINITY)),
    (NEGATIVE_ZERO, b"\"\\u0000no JSON: -0\"", Number::Int(0)),
];
const NEGATIVE_ZERO: &[u8] = b"-0";
/// The start of a string that begins with a NUL character. JSON has one escape for it.
const QUOTED_NUL: &[u8] = b"\"\\u0000";

/// The number for a word of text that is not filtered.
pub(crate) fn word(word: &[u8]) -> Option<Number> {
    LITERALS.iter().find(|(literal, ..)| *literal == word).map(|(.., value)| *value)
}

/// The number for a string of filtered text, if the string stands for one.
pub(crate) fn number(text: &str) -> Option<Number> {
    word(text.strip_prefix("\0no JSON: ")?.as_bytes())
}

/// The text before the filter, for a string of filtered text. `None` if the string stands for a number.
pub(crate) fn unfiltered(text: &str) -> Option<&str> {
    match text.strip_prefix('\0') {
        None => Some(text),
        Some(rest) => rest.starts_with('\0').then_some(rest),
    }
}

/// The text with the words replaced.
pub(crate) fn filter(text: &[u8]) -> Cow<'_, [u8]> {
    let mut words = LITERALS[..2].iter().map(|(literal, ..)| *literal);
    let has_word = words.any(|word| memmem::find(text, word).is_some());
    if !has_word && memmem::find(text, QUOTED_NUL).is_none() && !has_negative_zero(text) {
        return Cow::Borrowed(text);
    }
    let mut filter = Filter::default();
    text.iter().for_each(|byte| filter.push(*byte));
    filter.flush();
    Cow::Owned(filter.out)
}

/// Whether `-0` stands in the text, and not as a part of another number.
fn has_negative_zero(text: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    memmem::find_iter(text, NEGATIVE_ZERO).any(|at| {
        let (before, after) = (at.checked_sub(1).map(|at| text[at]), text.get(at + NEGATIVE_ZERO.len()));
        !before.as_ref().is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

/// The text before the filter.
pub(crate) fn unfilter(text: &str) -> Cow<'_, str> {
    if memmem::find(text.as_bytes(), QUOTED_NUL).is_none() {
        return Cow::Borrowed(text);
    }
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    // Each round takes the text up to a string, and the string.
    while let Some(quote) = rest.find('"') {
        let (before, string) = rest.split_at(quote);
        let (string, after) = string.split_at(string_len(string));
        out.push_str(before);
        let literal = LITERALS.iter().find(|(_, replaced, _)| *replaced == string.as_bytes());
        match (literal, string.strip_prefix("\"\\u0000")) {
            (Some((literal, ..)), _) => out.push_str(&String::from_utf8_lossy(literal)),
            (None, Some(more)) => out.extend(["\"", more]),
            (None, None) => out.push_str(string),
        }
        rest = after;
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The length of the string at the start of `text`, with its quotes.
fn string_len(text: &str) -> usize {
    let mut is_escaped = true;
    let end = text.bytes().position(|byte| {
        let ends = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        ends
    });
    end.map_or(text.len(), |end| end + 1)
}

/// The state of the filter.
#[derive(Default)]
struct Filter {
    /// Filtered text.
    out: Vec<u8>,
    /// Letters, signs and the zero of `-0` outside of strings since the last other character.
    word: Vec<u8>,
    in_string: bool,
    escaped: bool,
    /// The number of bytes of [`QUOTED_NUL`] at the start of the string so far; `None` after another byte.
    quoted_nul: Option<usize>,
}

impl Filter {
    fn push(&mut self, byte: u8) {
        if self.in_string {
            self.out.push(byte);
            self.quoted_nul = self.quoted_nul.filter(|at| QUOTED_NUL.get(*at) == Some(&byte)).map(|at| at + 1);
            if self.quoted_nul == Some(QUOTED_NUL.len()) {
                self.out.extend_from_slice(&QUOTED_NUL[1..]);
            }
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            }
        } else if byte.is_ascii_alphabetic() || byte == b'-' || (byte == b'0' && self.word == b"-") {
            // All words are shorter.
            if self.word.len() > 16 {
                self.flush();
            }
            self.word.push(byte);
        } else {
            // The zero of `-0.5` belongs to another number.
            if matches!(byte, b'0'..=b'9' | b'.') {
                self.out.append(&mut self.word);
            }
            self.flush();
            self.in_string = byte == b'"';
            self.quoted_nul = self.in_string.then_some(1);
            self.out.push(byte);
        }
    }

    fn flush(&mut self) {
        match LITERALS.iter().find(|(literal, ..)| *literal == self.word) {
            Some((_, string, _)) => self.out.extend_from_slice(string),
            None => self.out.extend_from_slice(&self.word),
        }
        self.word.clear();
    }
}

/// A reader that filters the text of another reader.
pub(crate) struct FilterReader<R> {
    inner: R,
    filter: Filter,
    /// The number of bytes of the filtered text that the caller has taken.
    given: usize,
    buffer: Vec<u8>,
}

impl<R: Read> FilterReader<R> {
    pub(crate) fn new(inner: R) -> Self {
        FilterReader { inner, filter: Filter::default(), given: 0, buffer: vec![0; 1 << 16] }
    }
}

impl<R: Read> Read for FilterReader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.given == self.filter.out.len() {
            self.filter.out.clear();
            self.given = 0;
            let read = self.inner.read(&mut self.buffer)?;
            self.buffer[..read].iter().for_each(|byte| self.filter.push(*byte));
            if read == 0 {
                self.filter.flush();
                if self.filter.out.is_empty() {
                    return Ok(0);
                }
            }
        }
        let ready = &self.filter.out[self.given..];
        let count = ready.len().min(out.len());
        out[..count].copy_from_slice(&ready[..count]);
        self.given += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_strings_stay() {
        let text = br#"{"a NaN \" Infinity -0":NaN,"b":[-Infinity,Infinity,-1e-5,true,-0,-0.5,-0e1,1e-0,-0]}"#;
        let filtered = filter(text);
        let expected = br#"{"a NaN \" Infinity -0":"\u0000no JSON: NaN","b":["\u0000no JSON: -Infinity","\u0000no JSON: Infinity",-1e-5,true,"\u0000no JSON: -0",-0.5,-0e1,1e-0,"\u0000no JSON: -0"]}"#;
        assert_eq!(String::from_utf8_lossy(&filtered), String::from_utf8_lossy(expected));
        assert_eq!(unfilter(&String::from_utf8_lossy(expected)).as_bytes(), text);
        for (text, has_it) in [("[-0]", true), ("-0", true), ("[-0.5,-0e1,1e-0,-01]", false), ("x-0", false)] {
            assert_eq!(has_negative_zero(text.as_bytes()), has_it, "{text}");
        }
        let mut read = Vec::new();
        FilterReader::new(&text[..]).read_to_end(&mut read).expect("reading from memory");
        assert_eq!(read, expected);
    }

    #[test]
    fn strings_that_look_like_those_of_the_filter_stay() {
        let text = r#"["\u0000no JSON: NaN","\u0000","\u000","a\u0000","\\u0000","\"\u0000no JSON: NaN\"",NaN,"\u0000\u0000"]"#;
        let filtered = String::from_utf8(filter(text.as_bytes()).into_owned()).expect("the filter adds ASCII");
        assert_eq!(unfilter(&filtered), text);
        let strings: Vec<String> = serde_json::from_str(&filtered.replace("\"\\u000\",", "")).expect("it is JSON");
        let numbers: Vec<usize> = (0..strings.len()).filter(|at| number(&strings[*at]).is_some()).collect();
        assert_eq!(numbers, [5]);
        let texts: Vec<&str> = strings.iter().filter_map(|text| unfiltered(text)).collect();
        assert_eq!(texts, ["\0no JSON: NaN", "\0", "a\0", "\\u0000", "\"\0no JSON: NaN\"", "\0\0"]);
        let mut read = Vec::new();
        FilterReader::new(text.as_bytes()).read_to_end(&mut read).expect("reading from memory");
        assert_eq!(String::from_utf8_lossy(&read), filtered);
    }
}
