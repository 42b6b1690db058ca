//! [`RuleText`]: a pattern or a replacement in the syntax of reprs, with `?name` for a hole, and how a text is read.

use crate::error::{Error, ErrorKind, Result};
use crate::object::{Any, FieldInfo, JsonForm, ObjectBuilder, TypeInfo, object_by_field};
use crate::registry::Types;
use crate::repr::{Token, Tokens, plain_in, unexpected};
use crate::text::brief::brief;
use crate::value::{Bytes, Str};

/// Texts that are nested deeper are errors. People write rules, and no rule that one can read is so deep.
const MAX_DEPTH: usize = 200;

/// A value with holes, as a text states it.
#[derive(Clone, Debug)]
pub(super) enum RuleText {
    /// `?name`
    Hole(Str),
    /// A value without holes.
    Value(Any),
    /// `key(field=value, ...)`: the stated fields with their indices, and whether `...` follows, so that a pattern says nothing
    /// about the others.
    Object(&'static TypeInfo, Vec<(usize, RuleText)>, bool),
    /// `[item, ?rest...]`: the elements, and the hole for the rest of the array.
    Items(Vec<RuleText>, Option<Str>),
}

/// Reads the texts of rules.
pub(super) struct RuleReader<'t> {
    tokens: Tokens<'t>,
    types: Types,
    depth: usize,
}

impl<'t> RuleReader<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        RuleReader { tokens: Tokens::new(text), types: Types::linked(), depth: 0 }
    }

    /// `error` with the line and column of the last token.
    pub(super) fn located(&self, error: Error) -> Error {
        let (line, column) = self.tokens.line_and_column(self.tokens.start());
        error.context(format_args!("line {line}, column {column}"))
    }

    /// Reads the arrow between the pattern and the replacement.
    pub(super) fn arrow(&mut self) -> Result<()> {
        match (self.tokens.next()?, self.tokens.next()?) {
            (Token::Sign('='), Token::Word(">")) => Ok(()),
            (Token::Sign('='), other) | (other, _) => Err(unexpected("`=> ` and the replacement", &other)),
        }
    }

    /// Reads the end of the text.
    pub(super) fn end(&mut self) -> Result<()> {
        match self.tokens.next()? {
            Token::End => Ok(()),
            other => Err(unexpected("the end", &other)),
        }
    }

    /// Reads a value, which is in `field` if it is in one.
    pub(super) fn value(&mut self, field: Option<&'static FieldInfo>) -> Result<RuleText> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let message = format!("expected a text with at most {MAX_DEPTH} levels of brackets, got a deeper one");
            return Err(Error::new(ErrorKind::LimitExceeded, message));
        }
        let value = match self.tokens.next()? {
            Token::Word(word) => self.word(word, field)?,
            Token::Text(text) => RuleText::Value(Str::new(&text).into()),
            Token::Bytes(bytes) => RuleText::Value(Bytes::from(bytes).into()),
            Token::Sign('[') => self.items()?,
            other => return Err(unexpected("a value or a hole such as `?x`", &other)),
        };
        self.depth -= 1;
        Ok(value)
    }

    fn word(&mut self, word: &str, field: Option<&'static FieldInfo>) -> Result<RuleText> {
        if let Some(name) = word.strip_prefix('?') {
            return hole(name).map(RuleText::Hole);
        }
        if !self.tokens.take('(') {
            return plain_in(field, word).map(RuleText::Value);
        }
        let info = self.types.get(word)?;
        match info.json {
            JsonForm::Field(index) => self.by_field(info, index),
            _ => self.object(info),
        }
    }

    /// Reads the only value of an object that one field determines, such as a singleton.
    fn by_field(&mut self, info: &'static TypeInfo, index: usize) -> Result<RuleText> {
        let RuleText::Value(value) = self.value(info.fields.get(index))? else {
            let message =
                format!("expected a `{}` without holes, because one field stands for all of it", info.type_key);
            return Err(Error::new(ErrorKind::Malformed, message));
        };
        self.sign(')')?;
        object_by_field(info, index, value).map(RuleText::Value)
    }

    fn object(&mut self, info: &'static TypeInfo) -> Result<RuleText> {
        let builder = ObjectBuilder::new(info)?;
        let mut fields: Vec<(usize, RuleText)> = Vec::new();
        loop {
            if self.tokens.take(')') {
                return Ok(RuleText::Object(info, fields, false));
            }
            if !fields.is_empty() {
                self.sign(',')?;
            }
            let name = match self.tokens.next()? {
                Token::Word(name) => name,
                Token::Cut => return self.sign(')').map(|()| RuleText::Object(info, fields, true)),
                other => return Err(unexpected("the name of a field", &other)),
            };
            let index = builder.index_of(name)?;
            if fields.iter().any(|(other, _)| *other == index) {
                return Err(Error::new(ErrorKind::DuplicateKey, format!("the field `{}` stands twice", brief(name))));
            }
            self.sign('=')?;
            fields.push((index, self.value(info.fields.get(index))?));
        }
    }

    fn items(&mut self) -> Result<RuleText> {
        let mut items = Vec::new();
        loop {
            if self.tokens.take(']') {
                return Ok(RuleText::Items(items, None));
            }
            if !items.is_empty() {
                self.sign(',')?;
            }
            match self.value(None)? {
                RuleText::Hole(name) if name.ends_with("...") => {
                    self.sign(']')?;
                    return Ok(RuleText::Items(items, Some(hole(name.trim_end_matches('.'))?)));
                }
                item => items.push(item),
            }
        }
    }

    fn sign(&mut self, sign: char) -> Result<()> {
        match self.tokens.next()? {
            Token::Sign(next) if next == sign => Ok(()),
            other => Err(unexpected(&format!("`{sign}`"), &other)),
        }
    }
}

/// The hole with this name.
fn hole(name: &str) -> Result<Str> {
    let letters = name.trim_end_matches("...");
    if letters.is_empty() || !letters.chars().all(|c| c.is_alphanumeric() || c == '_') {
        let message =
            format!("expected the name of a hole after `?`, got `{}`; write letters, digits and `_`", brief(name));
        return Err(Error::new(ErrorKind::Malformed, message));
    }
    Ok(Str::from(name))
}
