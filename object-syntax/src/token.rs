//! [`Tokens`]: a text as tokens, by the literals of a language.

use std::ops::Range;

use object_core::repr::Repr;
use object_core::table::Table;
use object_core::{Str, repr};

use object_format::{is_name_part, is_name_start, is_word, stands_alone};

/// The number of a literal of a language.
pub(crate) type LiteralId = u16;

/// The literals of a language.
#[derive(Clone, Debug, Default)]
pub(crate) struct Literals {
    ids: Table<String, LiteralId>,
    texts: Vec<String>,
    /// Whether no name may be written as the literal.
    reserved: Vec<bool>,
    /// The number of bytes of the longest literal that is not a name.
    longest: usize,
}

impl Literals {
    /// The number of the literal `text`. A reserved literal is never a name.
    pub(crate) fn intern(&mut self, text: &str, is_reserved: bool) -> LiteralId {
        let next = LiteralId::try_from(self.texts.len()).unwrap_or(LiteralId::MAX);
        let id = *self.ids.entry(text.to_owned()).or_insert(next);
        if id == next {
            self.texts.push(text.to_owned());
            self.reserved.push(false);
            if !is_word(text) || text.contains('.') {
                self.longest = self.longest.max(text.len());
            }
        }
        self.reserved[usize::from(id)] |= is_reserved;
        id
    }

    /// The number of `text`, if it is a literal.
    pub(crate) fn get(&self, text: &str) -> Option<LiteralId> {
        self.ids.get(text).copied()
    }

    pub(crate) fn text(&self, id: LiteralId) -> &str {
        &self.texts[usize::from(id)]
    }

    pub(crate) fn is_reserved(&self, id: LiteralId) -> bool {
        self.reserved[usize::from(id)]
    }

    /// `name` as it stands in a text: in backquotes if it is not a plain name, or is a reserved literal.
    pub(crate) fn as_name(&self, name: &str) -> String {
        let is_reserved = self.get(name).is_some_and(|id| self.is_reserved(id));
        if is_word(name) && !name.contains('.') && !is_reserved {
            return name.to_owned();
        }
        let quoted = Repr::new(&Str::from(name)).to_string();
        let inside = quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default();
        let inside = inside.replace("\\\"", "\"").replace('`', "\\`");
        format!("`{inside}`")
    }

    /// All literals with their numbers.
    pub(crate) fn all(&self) -> impl Iterator<Item = (LiteralId, &str)> {
        (0..).zip(self.texts.iter().map(String::as_str))
    }

    /// Whether a literal begins with `start` and goes on.
    pub(crate) fn has_word_from(&self, start: &str) -> bool {
        self.texts.iter().any(|text| text.starts_with(start))
    }

    /// The longest literal at the start of `text` that is not a plain name.
    fn longest_sign(&self, text: &str) -> Option<(LiteralId, usize)> {
        let most = self.longest.min(text.len());
        (1..=most).rev().filter(|length| text.is_char_boundary(*length)).find_map(|length| {
            let (sign, after) = text.split_at(length);
            // A word with dots ends where a name would end.
            if sign.ends_with(is_name_part) && after.starts_with(is_name_part) {
                return None;
            }
            self.get(sign).map(|id| (id, length))
        })
    }
}

/// The class of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// A word: a name or a literal.
    Word,
    /// A name in backquotes, which is never a literal.
    Quoted,
    /// A literal of other signs.
    Sign,
    Int,
    Float,
    /// A text, or bytes, in quotes.
    Text,
    /// `%1`: the number of a shared object.
    Mark,
    /// Signs that are no literal.
    Unknown,
    /// The end of the text.
    End,
}

/// A token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) class: Class,
    pub(crate) literal: Option<LiteralId>,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Token {
    pub(crate) fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// A text as tokens; the last one is [`Class::End`].
pub(crate) struct Tokens {
    pub(crate) all: Vec<Token>,
    /// The comments.
    pub(crate) comments: Vec<Range<usize>>,
}

/// Whether a value can end with the token, so that a `-` after it is an operator.
pub(crate) fn ends_value(class: Class, text: &str, is_reserved: bool) -> bool {
    match class {
        Class::Word => !is_reserved,
        Class::Quoted | Class::Int | Class::Float | Class::Text | Class::Mark => true,
        Class::Sign => matches!(text, ")" | "]" | "}"),
        Class::Unknown | Class::End => false,
    }
}

impl Tokens {
    /// The tokens of `text`. `comment` begins a comment up to the end of its line.
    pub(crate) fn of(text: &str, literals: &Literals, comment: &str) -> Self {
        let mut tokens = Tokens { all: Vec::new(), comments: Vec::new() };
        let mut at = 0;
        let mut value_before = false;
        while at < text.len() {
            let rest = &text[at..];
            let space = rest.len() - rest.trim_start().len();
            if space > 0 {
                at += space;
                continue;
            }
            if !comment.is_empty() && rest.starts_with(comment) {
                let end = rest.find('\n').unwrap_or(rest.len());
                tokens.comments.push(at..at + rest[..end].trim_end().len());
                at += end;
                continue;
            }
            let (class, literal, length) = next(rest, literals, value_before);
            let is_reserved = literal.is_some_and(|id| literals.is_reserved(id));
            value_before = ends_value(class, &rest[..length], is_reserved);
            tokens.all.push(Token { class, literal, start: at, end: at + length });
            at += length;
        }
        tokens.all.push(Token { class: Class::End, literal: None, start: text.len(), end: text.len() });
        tokens
    }
}

/// The first token of `text`, which is not empty and begins with no space.
fn next(text: &str, literals: &Literals, value_before: bool) -> (Class, Option<LiteralId>, usize) {
    let first = text.chars().next().unwrap_or(' ');
    if let Some(after) = text.strip_prefix("b\"") {
        return (Class::Text, None, 2 + quoted_length(after, '"'));
    }
    if let Some(after) = text.strip_prefix('"') {
        return (Class::Text, None, 1 + quoted_length(after, '"'));
    }
    if let Some(after) = text.strip_prefix('`') {
        return (Class::Quoted, None, 1 + quoted_length(after, '`'));
    }
    let sign_length = usize::from(first == '-' && !value_before);
    let is_value = |word: &str| sign_length > 0 && literals.get(word).is_some_and(|id| literals.is_reserved(id));
    if let Some(length) = number_length(&text[sign_length..], is_value) {
        let number = &text[..sign_length + length];
        let is_int = number[sign_length..].bytes().all(|byte| byte.is_ascii_digit());
        return (if is_int { Class::Int } else { Class::Float }, None, number.len());
    }
    if let Some((id, length)) = literals.longest_sign(text) {
        let class = if first == '_' || is_name_start(first) { Class::Word } else { Class::Sign };
        return (class, Some(id), length);
    }
    if is_name_start(first) {
        let length = text.find(|c| !is_name_part(c)).unwrap_or(text.len());
        return (Class::Word, literals.get(&text[..length]), length);
    }
    if let Some(digits) = text.strip_prefix('%') {
        let length = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        if length > 0 {
            return (Class::Mark, None, 1 + length);
        }
    }
    let ends = |c: char| c.is_whitespace() || is_name_part(c) || stands_alone(c) || matches!(c, '"' | '`');
    let length = text[first.len_utf8()..].find(ends).map_or(text.len(), |length| first.len_utf8() + length);
    // Signs that are no literal end where one begins.
    let known = (first.len_utf8()..length)
        .find(|at| text.is_char_boundary(*at) && literals.longest_sign(&text[*at..]).is_some());
    (Class::Unknown, None, if stands_alone(first) { first.len_utf8() } else { known.unwrap_or(length) })
}

/// The bytes up to and with the closing quote; all bytes of the line if there is none.
fn quoted_length(text: &str, quote: char) -> usize {
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => drop(chars.next()),
            '\n' => return at,
            c if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

/// The length of the number at the start of `text`. The words for infinity and NaN count after a sign where they are values.
fn number_length(text: &str, is_value: impl Fn(&str) -> bool) -> Option<usize> {
    let word = |word: &str| {
        (is_value(word) && text.starts_with(word) && !text[word.len()..].starts_with(is_name_part))
            .then_some(word.len())
    };
    if let Some(length) = word("inf").or_else(|| word("NaN")) {
        return Some(length);
    }
    let bytes = text.as_bytes();
    let digits = |at: usize| bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let whole = digits(0);
    if whole == 0 {
        return None;
    }
    let mut end = whole;
    if bytes.get(end) == Some(&b'.') && digits(end + 1) > 0 {
        end += 1 + digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = if end + 1 + sign <= bytes.len() { digits(end + 1 + sign) } else { 0 };
        if exponent > 0 {
            end += 1 + sign + exponent;
        }
    }
    Some(end)
}

/// A name without its backquotes.
pub(crate) fn unquoted(text: &str) -> Result<String, String> {
    let Some(inside) = text.strip_prefix('`') else { return Ok(text.to_owned()) };
    let message = "a name in backquotes has no closing backquote on its line".to_owned();
    let inside = inside.strip_suffix('`').ok_or(message)?;
    // A name in backquotes has the escapes of a text in quotes.
    let quoted = format!("\"{}\"", inside.replace('"', "\\\"").replace("\\`", "`"));
    match repr::parse(&quoted).and_then(|value| value.cast::<Str>()) {
        Ok(name) => Ok(name.to_string()),
        Err(error) => Err(error.message().to_owned()),
    }
}
