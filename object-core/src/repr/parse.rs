//! [`parse`]: makes a value of its text form.

use super::label::path_key;
use crate::access_path::{AccessPath, AccessStep};
use crate::container::{ARRAY, MAP, entries_of, sequence_of};
use crate::error::{Error, ErrorKind, Result};
use crate::object::{Any, Body, JsonForm, ObjectBuilder, TypeInfo, object_by_field};
use crate::registry::Types;
use crate::repr::token::{Token, Tokens, malformed};
use crate::scalar::{DataType, Device};
use crate::table::Table;
use crate::value::{Bytes, Shape, Str, Tensor};

/// The value that `text` is the form of, as [`Repr`](super::Repr) writes it, with the types of the registry.
///
/// What stands behind a number (`%0 = ...`) is one object wherever the number stands. Fields that have a default may be
/// left out, and white space is free. To write a value in full, lift the limit of
/// [`max_values`](super::Repr::max_values) and ask for [`tensor_data`](super::Repr::tensor_data).
///
/// ```
/// use object_core::{Any, Array, repr};
/// let value = repr::parse(r#"[%0 = {"a": 1, "b": Shape[2, 3]}, %0, float32]"#)?;
/// assert_eq!(value.to_string(), r#"[%0 = {"a": 1, "b": Shape[2, 3]}, %0, float32]"#);
/// let error = repr::parse("[1,\n {2: ...}]").unwrap_err();
/// assert!(error.to_string().starts_with("line 2, column 6: the text was cut here"), "{error}");
/// # Ok::<(), object_core::Error>(())
/// ```
///
/// # Errors
/// With line, column and path: [`Malformed`](ErrorKind::Malformed) for what is no form of a value, or a form that was cut
/// (`...`); [`NotConstructible`](ErrorKind::NotConstructible) for functions, opaque and abstract types, and tensors without
/// their data; [`BadReference`](ErrorKind::BadReference) and [`Cycle`](ErrorKind::Cycle) for numbers that no object has, or
/// one that is not complete; [`DuplicateKey`](ErrorKind::DuplicateKey) for numbers, fields and keys that stand twice;
/// [`OutOfRange`](ErrorKind::OutOfRange) for numbers that do not fit; and what
/// [`registry::type_info`](crate::registry::type_info) and [`ObjectBuilder`] say of types, fields and values.
pub fn parse(text: &str) -> Result<Any> {
    parse_with(text, &Types::linked())
}

/// [`parse`] with the given types.
///
/// # Errors
/// As there.
pub fn parse_with(text: &str, types: &Types) -> Result<Any> {
    let tokens = Tokens::new(text);
    let mut parser = Parser { tokens, types, frames: Vec::new(), numbers: Table::default(), place: None };
    parser.run().map_err(|error| {
        let (line, column) = parser.tokens.line_and_column(parser.place.unwrap_or(parser.tokens.start()));
        error.context(format_args!("line {line}, column {column}")).at(parser.path())
    })
}

struct Parser<'t> {
    tokens: Tokens<'t>,
    types: &'t Types,
    /// The values that are not complete, each in the one before.
    frames: Vec<ParseFrame>,
    /// The values that have numbers; `None` while they are not complete.
    numbers: Table<u32, Option<Any>>,
    /// Where in the text an error is, if not at the last token.
    place: Option<usize>,
}

/// A value that is not complete.
struct ParseFrame {
    /// Where it begins.
    start: usize,
    number: Option<u32>,
    /// Whether nothing in it was read yet.
    is_new: bool,
    /// What ends it.
    close: char,
    parts: Parts,
}

/// What a value is made of so far.
enum Parts {
    Items(&'static TypeInfo, Vec<Any>),
    /// Entries, and the key whose value comes next.
    Entries(&'static TypeInfo, Vec<(Any, Any)>, Option<Any>),
    /// Fields, and the one whose value comes next.
    Fields(ObjectBuilder, Option<usize>),
    /// The value of the field that stands for the object.
    Field(&'static TypeInfo, usize, Option<Any>),
}

/// A complete value, and where it begins.
type Complete = (Any, usize);

impl<'t> Parser<'t> {
    fn run(&mut self) -> Result<Any> {
        loop {
            // A value begins here.
            let mut complete = self.begin()?;
            loop {
                if let Some((value, start)) = complete {
                    let Some(frame) = self.frames.last_mut() else {
                        return match self.tokens.next()? {
                            Token::End => Ok(value),
                            other => Err(unexpected("the end", &other)),
                        };
                    };
                    if let Err(error) = frame.put(value) {
                        self.place = Some(start);
                        return Err(error);
                    }
                }
                if self.goes_on()? {
                    break;
                }
                complete = self.close()?;
            }
        }
    }

    /// Reads the beginning of a value, and all of it if no other value is in it.
    fn begin(&mut self) -> Result<Option<Complete>> {
        let mut token = self.tokens.next()?;
        let start = self.tokens.start();
        let mut number = None;
        if let Token::Mark(digits) = token {
            let new = digits.parse().map_err(|_| malformed(format!("no object has the number `%{digits}`")))?;
            if !self.tokens.take('=') {
                return self.known(new).map(|value| Some((value, start)));
            }
            if self.numbers.insert(new, None).is_some() {
                let message = format!("the number `%{new}` is given twice; behind the first time it stands alone");
                return Err(Error::new(ErrorKind::DuplicateKey, message));
            }
            number = Some(new);
            token = self.tokens.next()?;
        }
        let (close, parts) = match token {
            Token::Sign('[') => (']', Parts::Items(&ARRAY, Vec::new())),
            Token::Sign('{') => ('}', Parts::Entries(&MAP, Vec::new(), None)),
            Token::Text(text) => return Ok(Some((self.numbered(Str::new(&text).into(), number), start))),
            Token::Bytes(bytes) => return Ok(Some((self.numbered(Bytes::from(bytes).into(), number), start))),
            Token::Word(word) => match self.word(word)? {
                Word::Plain(value) => return Ok(Some((self.numbered(value, number), start))),
                Word::Open(close, parts) => (close, parts),
            },
            other => return Err(unexpected("a value", &other)),
        };
        self.frames.push(ParseFrame { start, number, is_new: true, close, parts });
        Ok(None)
    }

    /// The value that has a number.
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

    /// `value`, which is complete and may have a number.
    fn numbered(&mut self, value: Any, number: Option<u32>) -> Any {
        if let Some(number) = number {
            self.numbers.insert(number, Some(value.clone()));
        }
        value
    }

    /// The value that begins with `word`.
    fn word(&mut self, word: &str) -> Result<Word> {
        let start = self.tokens.start();
        let found = if self.tokens.take('[') {
            if word == "Shape" {
                return self.extents().map(|extents| Word::Plain(Shape::from(extents).into()));
            }
            self.container(word, ']')
        } else if self.tokens.take('{') {
            self.container(word, '}')
        } else if !self.tokens.take('(') {
            plain(word).map(Word::Plain)
        } else if word == "NaN" {
            return self.nan().map(Word::Plain);
        } else if word == "Tensor" {
            return self.tensor().map(|tensor| Word::Plain(tensor.into()));
        } else {
            self.object(word)
        };
        found.inspect_err(|_| self.place = Some(start))
    }

    /// An array or map of the type `type_key`, whose elements come next.
    fn container(&self, type_key: &str, close: char) -> Result<Word> {
        let info = self.types.get(type_key)?;
        match (info.body, close) {
            (Body::Array, ']') => Ok(Word::Open(close, Parts::Items(info, Vec::new()))),
            (Body::Map, '}') => Ok(Word::Open(close, Parts::Entries(info, Vec::new(), None))),
            _ => Err(malformed(format!("no `{type_key}` is written with a `{close}` at its end"))),
        }
    }

    /// An object of the type `type_key`, whose fields come next.
    fn object(&self, type_key: &str) -> Result<Word> {
        let info = self.types.get(type_key)?;
        let parts = match (info.body, info.json) {
            (Body::Opaque | Body::Function, _) => {
                let message = format!("a `{type_key}` exists in memory only: its text form does not say what is in it");
                return Err(Error::new(ErrorKind::NotConstructible, message));
            }
            (Body::Node, JsonForm::Field(index)) => Parts::Field(info, index, None),
            _ => Parts::Fields(ObjectBuilder::new(info)?, None),
        };
        Ok(Word::Open(')', parts))
    }

    /// Reads the bits of what is no number, whose bracket is open.
    fn nan(&mut self) -> Result<Any> {
        let bits = match self.tokens.next()? {
            Token::Word(word) => word.strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok()),
            _ => None,
        };
        match bits.map(f64::from_bits) {
            Some(value) if value.is_nan() => self.sign(')').map(|()| Any::Float(value)),
            _ => Err(malformed("expected the bits of a 64-bit NaN, such as `0x7ff8000000000001`")),
        }
    }

    /// Reads the extents of a shape, whose bracket is open.
    fn extents(&mut self) -> Result<Vec<i64>> {
        let mut extents = Vec::new();
        if self.tokens.take(']') {
            return Ok(extents);
        }
        loop {
            let extent = match self.tokens.next()? {
                Token::Word(word) => number(word)?,
                other => return Err(unexpected("an extent", &other)),
            };
            extents.push(extent.cast()?);
            match self.tokens.next()? {
                Token::Sign(',') => {}
                Token::Sign(']') => return Ok(extents),
                other => return Err(unexpected("`,` or `]`", &other)),
            }
        }
    }

    /// Reads the rest of a tensor, whose bracket is open.
    fn tensor(&mut self) -> Result<Tensor> {
        let start = self.tokens.start();
        let dtype: DataType = match self.tokens.next()? {
            Token::Word(word) => word.parse()?,
            other => return Err(unexpected("a data type", &other)),
        };
        self.sign(',')?;
        self.sign('[')?;
        let extents = self.extents()?;
        if self.tokens.take(')') {
            let message = "the data of the tensor is not here; `Repr::tensor_data` writes it";
            return Err(Error::new(ErrorKind::NotConstructible, message));
        }
        self.sign(',')?;
        let data = match self.tokens.next()? {
            Token::Bytes(data) => data,
            other => return Err(unexpected("bytes", &other)),
        };
        self.sign(')')?;
        Tensor::new(dtype, extents, data).inspect_err(|_| self.place = Some(start))
    }

    fn sign(&mut self, sign: char) -> Result<()> {
        match self.tokens.next()? {
            Token::Sign(next) if next == sign => Ok(()),
            other => Err(unexpected(&format!("`{sign}`"), &other)),
        }
    }

    /// Reads what stands before the next value of the last frame. `false`: it ends here.
    fn goes_on(&mut self) -> Result<bool> {
        let Some(ParseFrame { is_new, close, parts, .. }) = self.frames.last_mut() else { return Ok(true) };
        let (is_new, close) = (std::mem::replace(is_new, false), *close);
        if let Parts::Entries(_, _, Some(_)) = parts {
            return self.sign(':').map(|()| true);
        }
        if self.tokens.take(close) {
            return Ok(false);
        }
        match parts {
            Parts::Field(_, _, Some(_)) => return self.sign(close).map(|()| false),
            _ if is_new => {}
            _ => match self.tokens.next()? {
                Token::Sign(',') => {}
                other => return Err(unexpected(&format!("`,` or `{close}`"), &other)),
            },
        }
        let Parts::Fields(builder, current) = parts else { return Ok(true) };
        let name = match self.tokens.next()? {
            Token::Word(name) => name,
            other => return Err(unexpected("the name of a field", &other)),
        };
        let index = builder.index_of(name)?;
        if builder.vacant(index).is_none() {
            return Err(Error::new(ErrorKind::DuplicateKey, format!("the field `{name}` stands twice")));
        }
        *current = Some(index);
        self.sign('=').map(|()| true)
    }

    /// The value of the last frame, which ends here.
    fn close(&mut self) -> Result<Option<Complete>> {
        let Some(ParseFrame { start, number, parts, .. }) = self.frames.pop() else { return Ok(None) };
        let value = parts.finish().inspect_err(|_| self.place = Some(start))?;
        Ok(Some((self.numbered(value, number), start)))
    }

    /// Where in the value the parser is.
    fn path(&self) -> AccessPath {
        AccessPath::from_steps(self.frames.iter().filter_map(|frame| match &frame.parts {
            Parts::Items(_, items) => Some(AccessStep::ArrayItem(items.len())),
            Parts::Entries(_, _, key) => key.as_ref().map(|key| AccessStep::MapItem(path_key(key.view()))),
            Parts::Fields(builder, current) => current.map(|index| attr(builder.type_info(), index)),
            Parts::Field(info, index, _) => Some(attr(info, *index)),
        }))
    }
}

fn attr(info: &TypeInfo, index: usize) -> AccessStep {
    AccessStep::Attr(info.fields()[index].name.to_owned())
}

/// What begins with a word.
enum Word {
    Plain(Any),
    /// A value with others in it, and what ends it.
    Open(char, Parts),
}

impl ParseFrame {
    /// Adds a value.
    fn put(&mut self, value: Any) -> Result<()> {
        match &mut self.parts {
            Parts::Items(_, items) => items.push(value),
            Parts::Entries(_, entries, key) => match key.take() {
                None => *key = Some(value),
                Some(key) => entries.push((key, value)),
            },
            Parts::Fields(builder, current) => {
                if let Some(index) = *current {
                    builder.set_index(index, value)?;
                }
                *current = None;
            }
            Parts::Field(_, _, only) => *only = Some(value),
        }
        Ok(())
    }
}

impl Parts {
    /// The value that they make up.
    fn finish(self) -> Result<Any> {
        match self {
            Parts::Items(info, items) => Ok(Any::Object(sequence_of(info, items))),
            Parts::Entries(info, entries, _) => {
                let count = entries.len();
                let map = entries_of(info, entries);
                if map.view().as_map().is_some_and(|map| map.len() < count) {
                    return Err(Error::new(ErrorKind::DuplicateKey, "two entries of the map have one key"));
                }
                Ok(Any::Object(map))
            }
            Parts::Fields(builder, _) => builder.build().map(Any::Object),
            Parts::Field(info, index, Some(value)) => object_by_field(info, index, value),
            Parts::Field(info, index, None) => {
                let name = info.fields()[index].name;
                let message = format!("expected the value of `{name}`, which stands for the whole `{}`", info.type_key);
                Err(Error::new(ErrorKind::MissingField, message))
            }
        }
    }
}

/// The plain value that is written as `word`.
fn plain(word: &str) -> Result<Any> {
    Ok(match word {
        "None" => Any::None,
        "true" => Any::Bool(true),
        "false" => Any::Bool(false),
        "inf" => Any::Float(f64::INFINITY),
        "-inf" => Any::Float(f64::NEG_INFINITY),
        "NaN" => Any::Float(f64::NAN),
        "-NaN" => Any::Float(-f64::NAN),
        _ if word.starts_with(|c: char| c == '-' || c.is_ascii_digit()) => return number(word),
        _ if word.contains(':') => Any::Device(word.parse::<Device>()?),
        _ => Any::DataType(word.parse::<DataType>().map_err(|error| error.context("expected a value"))?),
    })
}

/// The number that is written as `word`: an integer, if it has digits alone.
fn number(word: &str) -> Result<Any> {
    let out_of_range = |what: &str| Error::new(ErrorKind::OutOfRange, format!("`{word}` does not fit {what}"));
    let digits = word.strip_prefix('-').unwrap_or(word);
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return word.parse().map(Any::Int).map_err(|_| out_of_range("an integer of 64 bits"));
    }
    match word.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(Any::Float(value)),
        Ok(_) => Err(out_of_range("a floating point number of 64 bits; infinity is written `inf`")),
        Err(_) => Err(malformed(format!("expected a number, got `{word}`"))),
    }
}

/// The error for `given` where `expected` should stand.
fn unexpected(expected: &str, given: &Token<'_>) -> Error {
    if *given == Token::Cut {
        let message = "the text was cut here (`...`), so what follows is not known; write the value without limits: \
                       `Repr::new(&value).max_values(usize::MAX)`";
        return malformed(message);
    }
    malformed(format!("expected {expected}, got {given}"))
}
