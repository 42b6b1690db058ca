//! [`RuleText`]: a pattern or a replacement in the syntax of reprs, with `?name` for a hole, and how a text is read.

use crate::error::{Error, ErrorKind, Result};
use crate::limits::{Budget, Limit, Limits};
use crate::object::{Any, FieldInfo, JsonForm, ObjectBuilder, TypeInfo, object_by_field};
use crate::registry::Types;
use crate::repr::{Token, Tokens, literal, plain_in, unexpected};
use crate::table::Set;
use crate::text::brief::brief;
use crate::value::{Bytes, Str};

/// Texts that are nested deeper are errors. People write rules, and no rule that one can read is so deep.
const MAX_DEPTH: usize = 200;

/// A value with holes, as a text states it.
#[derive(Clone, Debug)]
pub(super) struct RuleText {
    /// Where it begins in the text, in bytes.
    pub(super) start: usize,
    pub(super) part: RulePart,
}

/// A value of a text, by its form.
#[derive(Clone, Debug)]
pub(super) enum RulePart {
    /// `?name`
    Hole(Str),
    /// `?name[?x := value, ...]`: the value of a hole with other values in place of variables.
    Substituted(Str, Vec<(Str, RuleText)>),
    /// A value without holes.
    Value(Any),
    /// `key(field=value, ...)`: the stated fields with their indices, and whether `...` follows, so that a pattern says nothing
    /// about the others.
    Object(&'static TypeInfo, Vec<(usize, RuleText)>, bool),
    /// `[item, ?rest...]`: the elements, and the hole for the rest of the array.
    Items(Vec<RuleText>, Option<Str>),
    /// `{key: value}`
    Entries(Vec<(Any, RuleText)>),
}

/// An error about a part of a text.
pub(super) struct TextError {
    start: usize,
    error: Error,
}

impl RuleText {
    /// `error` as the error of this part.
    pub(super) fn fault(&self, error: Error) -> TextError {
        TextError { start: self.start, error }
    }

    /// The parts directly in this one: fields, elements, the values of entries, and the values in place of variables.
    pub(super) fn parts(&self) -> Vec<&RuleText> {
        match &self.part {
            RulePart::Hole(_) | RulePart::Value(_) => Vec::new(),
            RulePart::Substituted(_, values) => values.iter().map(|(_, text)| text).collect(),
            RulePart::Object(_, fields, _) => fields.iter().map(|(_, text)| text).collect(),
            RulePart::Items(items, _) => items.iter().collect(),
            RulePart::Entries(entries) => entries.iter().map(|(_, text)| text).collect(),
        }
    }
}

impl TextError {
    /// An error about the part that begins at `start`.
    pub(super) fn new(start: usize, error: Error) -> Self {
        TextError { start, error }
    }

    /// The error with the line and column, and with the text, which names the rule.
    pub(super) fn in_text(self, text: &str) -> Error {
        let (line, column) = Tokens::new(text).line_and_column(self.start);
        self.error.context(format_args!("line {line}, column {column} of `{}`", brief(text.trim())))
    }
}

/// The pattern in a text.
pub(super) fn read_pattern(text: &str) -> Result<RuleText, TextError> {
    RuleReader::read(text, |reader| reader.value(None))
}

/// The pattern and the replacement in a text.
pub(super) fn read_rule(text: &str) -> Result<(RuleText, RuleText), TextError> {
    RuleReader::read(text, |reader| {
        let pattern = reader.value(None)?;
        match (reader.tokens.next()?, reader.tokens.next()?) {
            (Token::Sign('='), Token::Word(">")) => {}
            (Token::Sign('='), other) | (other, _) => return Err(unexpected("`=> ` and the replacement", &other)),
        }
        Ok((pattern, reader.value(None)?))
    })
}

/// Reads the texts of rules.
struct RuleReader<'t> {
    tokens: Tokens<'t>,
    types: Types,
    budget: Budget,
    depth: usize,
}

impl<'t> RuleReader<'t> {
    /// Reads all of `text`.
    fn read<T>(text: &'t str, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T, TextError> {
        let budget = Budget::new(&Limits::new(), Limit::Nodes);
        let mut reader = RuleReader { tokens: Tokens::new(text), types: Types::linked(), budget, depth: 0 };
        let value = read(&mut reader).and_then(|value| match reader.tokens.next()? {
            Token::End => Ok(value),
            other => Err(unexpected("the end", &other)),
        });
        value.map_err(|error| TextError { start: reader.tokens.start(), error })
    }

    /// Reads a value, which is in `field` if it is in one.
    fn value(&mut self, field: Option<&'static FieldInfo>) -> Result<RuleText> {
        let value = self.item(field)?;
        if let RulePart::Hole(name) = &value.part
            && name.ends_with("...")
        {
            return Err(malformed(format!("expected `?{name}` at the end of an array, of which it is the rest")));
        }
        Ok(value)
    }

    /// As [`value`](Self::value), or a hole with `...` after its name.
    fn item(&mut self, field: Option<&'static FieldInfo>) -> Result<RuleText> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let message = format!("expected a text with at most {MAX_DEPTH} levels of brackets, got a deeper one");
            return Err(Error::new(ErrorKind::LimitExceeded, message));
        }
        let token = self.tokens.next()?;
        let start = self.tokens.start();
        let part = match token {
            Token::Word(word) => self.word(word, field)?,
            Token::Text(text) => RulePart::Value(Str::new(&text).into()),
            Token::Bytes(bytes) => RulePart::Value(Bytes::from(bytes).into()),
            Token::Sign('[') => self.items()?,
            Token::Sign('{') => self.entries()?,
            other => return Err(unexpected("a value or a hole such as `?x`", &other)),
        };
        self.depth -= 1;
        Ok(RuleText { start, part })
    }

    fn word(&mut self, word: &str, field: Option<&'static FieldInfo>) -> Result<RulePart> {
        if let Some(name) = word.strip_prefix('?') {
            let name = hole(name)?;
            return if self.tokens.take('[') { self.substituted(name) } else { Ok(RulePart::Hole(name)) };
        }
        if let Some(value) = literal(&mut self.tokens, word, &mut self.budget)? {
            return Ok(RulePart::Value(value));
        }
        if !self.tokens.take('(') {
            return plain_in(field, word).map(RulePart::Value);
        }
        let info = self.types.get(word)?;
        match info.json {
            JsonForm::Field(index) => self.by_field(info, index),
            _ => self.object(info),
        }
    }

    /// Reads the values in place of variables, after the bracket.
    fn substituted(&mut self, name: Str) -> Result<RulePart> {
        let mut values: Vec<(Str, RuleText)> = Vec::new();
        loop {
            let var = match self.tokens.next()? {
                Token::Word(word) if word.starts_with('?') => hole(&word[1..])?,
                other => return Err(unexpected("a variable such as `?x`", &other)),
            };
            if values.iter().any(|(other, _)| *other == var) {
                return Err(Error::new(ErrorKind::DuplicateKey, format!("the variable `?{var}` stands twice")));
            }
            self.tokens.sign(':')?;
            self.tokens.sign('=')?;
            values.push((var, self.value(None)?));
            if self.tokens.take(']') {
                return Ok(RulePart::Substituted(name, values));
            }
            self.tokens.sign(',')?;
        }
    }

    /// Reads the only value of an object that one field determines, such as a singleton.
    fn by_field(&mut self, info: &'static TypeInfo, index: usize) -> Result<RulePart> {
        let RulePart::Value(value) = self.value(info.fields.get(index))?.part else {
            let message =
                format!("expected a `{}` without holes, because one field stands for all of it", info.type_key);
            return Err(malformed(message));
        };
        self.tokens.sign(')')?;
        object_by_field(info, index, value).map(RulePart::Value)
    }

    fn object(&mut self, info: &'static TypeInfo) -> Result<RulePart> {
        let builder = ObjectBuilder::new(info)?;
        let mut fields: Vec<(usize, RuleText)> = Vec::new();
        loop {
            if self.tokens.take(')') {
                return Ok(RulePart::Object(info, fields, false));
            }
            if !fields.is_empty() {
                self.tokens.sign(',')?;
            }
            let name = match self.tokens.next()? {
                Token::Word(name) => name,
                Token::Cut => return self.tokens.sign(')').map(|()| RulePart::Object(info, fields, true)),
                other => return Err(unexpected("the name of a field", &other)),
            };
            let index = builder.index_of(name)?;
            if fields.iter().any(|(other, _)| *other == index) {
                return Err(Error::new(ErrorKind::DuplicateKey, format!("the field `{}` stands twice", brief(name))));
            }
            self.tokens.sign('=')?;
            fields.push((index, self.value(info.fields.get(index))?));
        }
    }

    fn items(&mut self) -> Result<RulePart> {
        let mut items = Vec::new();
        loop {
            if self.tokens.take(']') {
                return Ok(RulePart::Items(items, None));
            }
            if !items.is_empty() {
                self.tokens.sign(',')?;
            }
            let item = self.item(None)?;
            match &item.part {
                RulePart::Hole(name) if name.ends_with("...") => {
                    self.tokens.sign(']')?;
                    return Ok(RulePart::Items(items, Some(Str::from(name.trim_end_matches('.')))));
                }
                _ => items.push(item),
            }
        }
    }

    fn entries(&mut self) -> Result<RulePart> {
        let mut entries: Vec<(Any, RuleText)> = Vec::new();
        let mut keys = Set::default();
        loop {
            if self.tokens.take('}') {
                return Ok(RulePart::Entries(entries));
            }
            if !entries.is_empty() {
                self.tokens.sign(',')?;
            }
            let RulePart::Value(key) = self.value(None)?.part else {
                return Err(malformed("expected a key without holes, such as a number or a text"));
            };
            if !keys.insert(key.clone()) {
                return Err(Error::new(ErrorKind::DuplicateKey, "two entries of the map have one key"));
            }
            self.tokens.sign(':')?;
            entries.push((key, self.value(None)?));
        }
    }
}

/// The hole with this name.
fn hole(name: &str) -> Result<Str> {
    let letters = name.strip_suffix("...").unwrap_or(name);
    if letters.is_empty() || !letters.chars().all(|c| c.is_alphanumeric() || c == '_') {
        let message =
            format!("expected the name of a hole after `?`, got `{}`; write letters, digits and `_`", brief(name));
        return Err(malformed(message));
    }
    Ok(Str::from(name))
}

pub(super) fn malformed(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Malformed, message)
}
