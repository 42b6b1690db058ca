//! [`Parser`]: reads a value from its repr.

use super::label::path_key;
use crate::access_path::{AccessPath, AccessStep};
use crate::container::{ARRAY, MAP, entries_of, sequence_of};
use crate::error::{Error, ErrorKind, Result};
use crate::limits::{Budget, Limit, Limits};
use crate::object::{Any, Body, FieldInfo, JsonForm, ObjectBuilder, TypeInfo, object_by_field};
use crate::registry::Types;
use crate::repr::literal::{literal, plain_in};
use crate::repr::token::{Token, Tokens, malformed, unexpected};
use crate::table::Table;
use crate::text::brief::brief;
use crate::value::{Bytes, Str};

/// The state of reading one text.
pub(super) struct Parser<'t> {
    tokens: Tokens<'t>,
    types: &'t Types,
    limits: Limits,
    /// The values that the text may still have.
    budget: Budget,
    /// The values that are not complete, each inside the one before.
    open: Vec<OpenValue>,
    /// The values with numbers; `None` for values that are not complete.
    numbers: Table<u32, Option<Any>>,
    /// The position of an error in the text, if it is not the last token.
    place: Option<usize>,
}

/// A value that is not complete.
struct OpenValue {
    /// The start in the text.
    start: usize,
    number: Option<u32>,
    /// Whether the parser is at the start of the content.
    is_new: bool,
    /// The closing bracket.
    close: char,
    content: Content,
}

/// The content of a value so far.
enum Content {
    Items(&'static TypeInfo, Vec<Any>),
    /// Entries, and the key of the next value.
    Entries(&'static TypeInfo, Vec<(Any, Any)>, Option<Any>),
    /// Fields, and the index of the next field.
    Fields(ObjectBuilder, Option<usize>),
    /// The value of the field that stands for the object.
    Field(&'static TypeInfo, usize, Option<Any>),
}

/// A complete value, and its start in the text.
type Complete = (Any, usize);

impl<'t> Parser<'t> {
    /// The state before the first token.
    pub(super) fn new(text: &'t str, types: &'t Types, limits: Limits) -> Self {
        Parser {
            tokens: Tokens::new(text),
            types,
            limits,
            budget: Budget::new(&limits, Limit::Nodes),
            open: Vec::new(),
            numbers: Table::default(),
            place: None,
        }
    }

    /// The value, or an error with line, column and path.
    pub(super) fn parse(mut self) -> Result<Any> {
        self.run().map_err(|error| {
            let (line, column) = self.tokens.line_and_column(self.place.unwrap_or(self.tokens.start()));
            error.context(format_args!("line {line}, column {column}")).at(self.path())
        })
    }

    fn run(&mut self) -> Result<Any> {
        loop {
            // The next token starts a value.
            let mut complete = self.begin()?;
            loop {
                if let Some((value, start)) = complete {
                    let Some(open) = self.open.last_mut() else {
                        return match self.tokens.next()? {
                            Token::End => Ok(value),
                            other => Err(unexpected("the end", &other)),
                        };
                    };
                    if let Err(error) = open.put(value) {
                        self.place = Some(start);
                        return Err(error);
                    }
                }
                if self.has_next()? {
                    break;
                }
                complete = self.close()?;
            }
        }
    }

    /// Reads the start of a value with other values in it, or all of any other value.
    fn begin(&mut self) -> Result<Option<Complete>> {
        let mut token = self.tokens.next()?;
        self.budget.spend(1)?;
        let start = self.tokens.start();
        let mut number = None;
        if let Token::Mark(digits) = token {
            let new =
                digits.parse().map_err(|_| malformed(format!("no object has the number `%{}`", brief(digits))))?;
            if !self.tokens.take('=') {
                return self.known(new).map(|value| Some((value, start)));
            }
            if self.numbers.insert(new, None).is_some() {
                let message = format!("the number `%{new}` is given twice; after the first time it stands alone");
                return Err(Error::new(ErrorKind::DuplicateKey, message));
            }
            number = Some(new);
            token = self.tokens.next()?;
        }
        let (close, content) = match token {
            Token::Sign('[') => (']', Content::Items(&ARRAY, Vec::new())),
            Token::Sign('{') => ('}', Content::Entries(&MAP, Vec::new(), None)),
            Token::Text(text) => return Ok(Some((self.numbered(Str::new(&text).into(), number), start))),
            Token::Bytes(bytes) => return Ok(Some((self.numbered(Bytes::from(bytes).into(), number), start))),
            Token::Word(word) => match self.word(word)? {
                Word::Plain(value) => return Ok(Some((self.numbered(value, number), start))),
                Word::Open(close, content) => (close, content),
            },
            other => return Err(unexpected("a value", &other)),
        };
        self.limits.check(Limit::Depth, self.open.len() as u64 + 1)?;
        self.open.push(OpenValue { start, number, is_new: true, close, content });
        Ok(None)
    }

    /// The value with the given number.
    fn known(&self, number: u32) -> Result<Any> {
        match self.numbers.get(&number) {
            Some(Some(value)) => Ok(value.clone()),
            Some(None) => Err(Error::new(ErrorKind::Cycle, format!("the object `%{number}` would be in itself"))),
            None => {
                let message = format!(
                    "no object before this has the number `%{number}`; the first time, `%{number} = ` and the object \
                     are written"
                );
                Err(Error::new(ErrorKind::BadReference, message))
            }
        }
    }

    /// Keeps the complete `value` under its number, if it has one.
    fn numbered(&mut self, value: Any, number: Option<u32>) -> Any {
        if let Some(number) = number {
            self.numbers.insert(number, Some(value.clone()));
        }
        value
    }

    /// The value that starts with `word`.
    fn word(&mut self, word: &str) -> Result<Word> {
        let start = self.tokens.start();
        if let Some(value) = literal(&mut self.tokens, word, &mut self.budget)? {
            return Ok(Word::Plain(value));
        }
        let found = if self.tokens.take('[') {
            self.container(word, ']')
        } else if self.tokens.take('{') {
            self.container(word, '}')
        } else if !self.tokens.take('(') {
            plain_in(self.field(), word).map(Word::Plain)
        } else {
            self.object(word)
        };
        found.inspect_err(|_| self.place = Some(start))
    }

    /// The field whose value is next.
    fn field(&self) -> Option<&'static FieldInfo> {
        match &self.open.last()?.content {
            Content::Fields(builder, index) => builder.type_info().fields().get((*index)?),
            Content::Field(info, index, _) => info.fields().get(*index),
            Content::Items(..) | Content::Entries(..) => None,
        }
    }

    /// The start of an array or map of the type `type_key`.
    fn container(&self, type_key: &str, close: char) -> Result<Word> {
        let info = self.types.get(type_key)?;
        match (info.body, close) {
            (Body::Array, ']') => Ok(Word::Open(close, Content::Items(info, Vec::new()))),
            (Body::Map, '}') => Ok(Word::Open(close, Content::Entries(info, Vec::new(), None))),
            _ => Err(malformed(format!("no `{type_key}` is written with a `{close}` at its end"))),
        }
    }

    /// The start of an object of the type `type_key`.
    fn object(&self, type_key: &str) -> Result<Word> {
        let info = self.types.get(type_key)?;
        let content = match (info.body, info.json) {
            (Body::Opaque | Body::Function, _) => {
                let message = format!("a `{type_key}` exists in memory only: its text form does not say what is in it");
                return Err(Error::new(ErrorKind::NotConstructible, message));
            }
            (Body::Node, JsonForm::Field(index)) => Content::Field(info, index, None),
            _ => Content::Fields(ObjectBuilder::new(info)?, None),
        };
        Ok(Word::Open(')', content))
    }

    /// Reads the text before the next value inside the innermost open value. Returns false if the open value ends.
    fn has_next(&mut self) -> Result<bool> {
        let Some(OpenValue { is_new, close, content, .. }) = self.open.last_mut() else { return Ok(true) };
        let (is_new, close) = (std::mem::replace(is_new, false), *close);
        if let Content::Entries(_, _, Some(_)) = content {
            return self.tokens.sign(':').map(|()| true);
        }
        if self.tokens.take(close) {
            return Ok(false);
        }
        match content {
            Content::Field(_, _, Some(_)) => return self.tokens.sign(close).map(|()| false),
            _ if is_new => {}
            _ => match self.tokens.next()? {
                Token::Sign(',') => {}
                other => return Err(unexpected(&format!("`,` or `{close}`"), &other)),
            },
        }
        let Content::Fields(builder, current) = content else { return Ok(true) };
        let name = match self.tokens.next()? {
            Token::Word(name) => name,
            other => return Err(unexpected("the name of a field", &other)),
        };
        let index = builder.index_of(name)?;
        if builder.vacant(index).is_none() {
            return Err(Error::new(ErrorKind::DuplicateKey, format!("the field `{name}` stands twice")));
        }
        *current = Some(index);
        self.tokens.sign('=').map(|()| true)
    }

    /// Completes the innermost open value.
    fn close(&mut self) -> Result<Option<Complete>> {
        let Some(OpenValue { start, number, content, .. }) = self.open.pop() else { return Ok(None) };
        let value = content.finish().inspect_err(|_| self.place = Some(start))?;
        Ok(Some((self.numbered(value, number), start)))
    }

    /// The path of the parser in the value.
    fn path(&self) -> AccessPath {
        AccessPath::from_steps(self.open.iter().filter_map(|open| match &open.content {
            Content::Items(_, items) => Some(AccessStep::ArrayItem(items.len())),
            Content::Entries(_, _, key) => key.as_ref().map(|key| AccessStep::MapItem(path_key(key.view()))),
            Content::Fields(builder, current) => current.map(|index| attr(builder.type_info(), index)),
            Content::Field(info, index, _) => Some(attr(info, *index)),
        }))
    }
}

fn attr(info: &TypeInfo, index: usize) -> AccessStep {
    AccessStep::Attr(info.fields()[index].name.to_owned())
}

/// A value that starts with a word.
enum Word {
    Plain(Any),
    /// A value with other values in it, and its closing bracket.
    Open(char, Content),
}

impl OpenValue {
    /// Adds a value.
    fn put(&mut self, value: Any) -> Result<()> {
        match &mut self.content {
            Content::Items(_, items) => items.push(value),
            Content::Entries(_, entries, key) => match key.take() {
                None => *key = Some(value),
                Some(key) => entries.push((key, value)),
            },
            Content::Fields(builder, current) => {
                if let Some(index) = *current {
                    builder.set_index(index, value)?;
                }
                *current = None;
            }
            Content::Field(_, _, only) => *only = Some(value),
        }
        Ok(())
    }
}

impl Content {
    /// Makes the value.
    fn finish(self) -> Result<Any> {
        match self {
            Content::Items(info, items) => Ok(Any::Object(sequence_of(info, items))),
            Content::Entries(info, entries, _) => {
                let count = entries.len();
                let map = entries_of(info, entries);
                if map.view().as_map().is_some_and(|map| map.len() < count) {
                    return Err(Error::new(ErrorKind::DuplicateKey, "two entries of the map have one key"));
                }
                Ok(Any::Object(map))
            }
            Content::Fields(builder, _) => builder.build().map(Any::Object),
            Content::Field(info, index, Some(value)) => object_by_field(info, index, value),
            Content::Field(info, index, None) => {
                let name = info.fields()[index].name;
                let message = format!("expected the value of `{name}`, which stands for the whole `{}`", info.type_key);
                Err(Error::new(ErrorKind::MissingField, message))
            }
        }
    }
}
