//! [`CheckWords`]: the words of a field of a schema about the values that it allows.

use std::fmt;

use serde_json::{Map, Value, json};

use crate::dynamic::json_cursor::JsonCursor;
use crate::dynamic::type_text::{TypeText, leak};
use crate::error::{ErrorKind, Result};
use crate::object::{Choice, FieldChecks, FloatRange, IntRange, NumberRange};

/// A value that the word `one_of` allows.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum DeclaredChoice {
    /// An integer.
    Int(i64),
    /// A floating-point number.
    Float(f64),
    /// A text.
    Text(String),
}

impl fmt::Display for DeclaredChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.view().fmt(f)
    }
}

impl DeclaredChoice {
    fn view(&self) -> Choice<'_> {
        match self {
            DeclaredChoice::Int(value) => Choice::Int(*value),
            DeclaredChoice::Float(value) => Choice::Float(*value),
            DeclaredChoice::Text(text) => Choice::Text(text),
        }
    }

    fn to_json(&self) -> Value {
        match self {
            DeclaredChoice::Int(value) => (*value).into(),
            DeclaredChoice::Float(value) => (*value).into(),
            DeclaredChoice::Text(text) => text.as_str().into(),
        }
    }
}

/// The words of a field about the values that it allows.
///
/// ```
/// use object_core::dynamic::{Schema, SchemaLoader};
/// use object_core::{ErrorKind, ObjectBuilder};
///
/// let schema = Schema::parse(br#"{"format": "object-schema", "version": 5, "types": [{"key": "my.Const", "kind": "tree",
///     "fields": [{"name": "value", "type": "int", "range": {"from": 0, "to": 255}}]}]}"#)?;
/// let types = SchemaLoader::new().load(&schema)?;
/// let mut builder = ObjectBuilder::new(types.get("my.Const")?)?;
/// builder.set("value", 256)?;
/// assert_eq!(builder.build().unwrap_err().kind(), ErrorKind::CheckFailed);
/// # Ok::<(), object_core::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct CheckWords {
    /// The allowed numbers.
    pub range: Option<NumberRange>,
    /// The allowed lengths.
    pub len: Option<IntRange>,
    /// The allowed values; empty without the word.
    pub one_of: Vec<DeclaredChoice>,
}

/// The types whose values have a length.
const WITH_LENGTH: [&str; 7] = ["ffi.String", "ffi.Bytes", "ffi.Shape", "ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict"];

/// The name of the type, or of the type in an `Optional`.
fn value_name(ty: &TypeText) -> &str {
    match (&*ty.name, ty.args.first()) {
        ("Optional", Some(inner)) => value_name(inner),
        (name, _) => name,
    }
}

impl CheckWords {
    /// Whether the field has none of the words.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.range.is_none() && self.len.is_none() && self.one_of.is_empty()
    }

    /// The words of a field of a table.
    pub(super) fn of(checks: Option<&FieldChecks>) -> Self {
        let FieldChecks { range, len, one_of } = *checks.unwrap_or(&FieldChecks::NONE);
        let one_of = one_of.iter().map(|choice| match *choice {
            Choice::Int(value) => DeclaredChoice::Int(value),
            Choice::Float(value) => DeclaredChoice::Float(value),
            Choice::Text(text) => DeclaredChoice::Text(text.to_owned()),
        });
        CheckWords { range, len, one_of: one_of.collect() }
    }

    /// The words for the table of a made type. Leaks them.
    pub(super) fn leak(&self) -> Option<&'static FieldChecks> {
        let CheckWords { range, len, one_of } = self;
        let one_of = one_of.iter().map(|choice| match choice {
            DeclaredChoice::Int(value) => Choice::Int(*value),
            DeclaredChoice::Float(value) => Choice::Float(*value),
            DeclaredChoice::Text(text) => Choice::Text(leak(text)),
        });
        let one_of: &'static [Choice<'static>] = one_of.collect::<Vec<_>>().leak();
        let checks = FieldChecks { range: *range, len: *len, one_of };
        (!self.is_empty()).then(|| &*Box::leak(Box::new(checks)))
    }

    /// Reads the words of a field with the type `ty`.
    pub(super) fn parse(cursor: &JsonCursor<'_>, ty: &TypeText) -> Result<Self> {
        let mut words = CheckWords::default();
        let name = value_name(ty);
        let misplaced = |cursor: &JsonCursor<'_>, word: &str, types: &str| {
            cursor.error(ErrorKind::Malformed, format!("`{word}` is for {types}, and the type of the field is `{ty}`"))
        };
        if let Some(word) = cursor.find("range")? {
            words.range = Some(match name {
                "int" => NumberRange::Int(int_range(&word, i64::MIN)?),
                "float" => NumberRange::Float(float_range(&word)?),
                _ => return Err(misplaced(&word, "range", "numbers")),
            });
        }
        if let Some(word) = cursor.find("len")? {
            if !WITH_LENGTH.contains(&name) {
                return Err(misplaced(&word, "len", "texts, bytes, arrays, maps and shapes"));
            }
            words.len = Some(int_range(&word, 0)?);
        }
        if let Some(word) = cursor.find("one_of")? {
            for item in word.items()? {
                let choice = match (name, item.value) {
                    ("int", value) => value.as_i64().map(DeclaredChoice::Int),
                    ("float", value) => value.as_f64().map(DeclaredChoice::Float),
                    ("ffi.String", Value::String(text)) => Some(DeclaredChoice::Text(text.clone())),
                    ("ffi.String", _) => None,
                    _ => return Err(misplaced(&word, "one_of", "numbers and texts")),
                };
                words.one_of.push(choice.ok_or_else(|| item.mismatch(&ty.to_string()))?);
            }
            if words.one_of.is_empty() {
                return Err(word.error(ErrorKind::Malformed, "`one_of` allows no value; leave it out, or add a value"));
            }
        }
        Ok(words)
    }

    /// Adds the words to the JSON form of a field.
    pub(super) fn write(&self, entry: &mut Value) {
        let CheckWords { range, len, one_of } = self;
        match range {
            Some(NumberRange::Int(range)) => entry["range"] = int_range_json(*range, i64::MIN),
            Some(NumberRange::Float(FloatRange { start, end, includes_end })) => {
                let mut bounds = Map::new();
                if *start != f64::NEG_INFINITY {
                    bounds.insert("from".to_owned(), json!(start));
                }
                if *end != f64::INFINITY {
                    bounds.insert(if *includes_end { "to" } else { "below" }.to_owned(), json!(end));
                }
                entry["range"] = bounds.into();
            }
            None => {}
        }
        if let Some(len) = len {
            entry["len"] = int_range_json(*len, 0);
        }
        if !one_of.is_empty() {
            entry["one_of"] = one_of.iter().map(DeclaredChoice::to_json).collect();
        }
    }

    /// Whether a field with these words allows each value that a field with the words `before` allows.
    pub(super) fn allow_all_of(&self, before: &CheckWords) -> bool {
        let is_wider = match (self.range, before.range) {
            (None, _) => true,
            (Some(NumberRange::Int(now)), Some(NumberRange::Int(before))) => now.contains_all(before),
            (Some(NumberRange::Float(now)), Some(NumberRange::Float(before))) => now.contains_all(before),
            // A list may have fewer values than the range.
            (Some(range), _) => !before.one_of.is_empty() && before.one_of.iter().all(|it| is_in(range, it)),
        };
        let is_longer = match (self.len, before.len) {
            (None, _) => true,
            (Some(now), Some(before)) => now.contains_all(before),
            (Some(now), None) => now.start <= 0 && now.end == i64::MAX,
        };
        let has_choices = self.one_of.is_empty()
            || !before.one_of.is_empty() && before.one_of.iter().all(|choice| self.one_of.contains(choice));
        is_wider && is_longer && has_choices
    }
}

fn is_in(range: NumberRange, choice: &DeclaredChoice) -> bool {
    match (range, choice) {
        (NumberRange::Int(range), DeclaredChoice::Int(value)) => range.contains(*value),
        (NumberRange::Float(range), DeclaredChoice::Float(value)) => range.contains(*value),
        _ => false,
    }
}

/// The words as messages and documentation show them: `range 0..=64`.
impl fmt::Display for CheckWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let choices: Vec<String> = self.one_of.iter().map(DeclaredChoice::to_string).collect();
        let words = [
            self.range.map(|range| format!("range {range}")),
            self.len.map(|len| format!("length {len}")),
            (!choices.is_empty()).then(|| format!("one of {}", choices.join(", "))),
        ];
        f.write_str(&words.into_iter().flatten().collect::<Vec<_>>().join("; "))
    }
}

fn int_range_json(range: IntRange, least: i64) -> Value {
    let mut bounds = Map::new();
    if range.start != least {
        bounds.insert("from".to_owned(), range.start.into());
    }
    if range.end != i64::MAX {
        bounds.insert("to".to_owned(), range.end.into());
    }
    bounds.into()
}

/// Reads a range of integers that begins at `least` without a bound.
fn int_range(cursor: &JsonCursor<'_>, least: i64) -> Result<IntRange> {
    cursor.only(&["from", "to"])?;
    let bound = |word: &str| match cursor.find(word)? {
        Some(bound) => bound.value.as_i64().map(Some).ok_or_else(|| bound.mismatch("int")),
        None => Ok(None),
    };
    let range = IntRange { start: bound("from")?.unwrap_or(least), end: bound("to")?.unwrap_or(i64::MAX) };
    match range.start >= least && range.start <= range.end {
        true => Ok(range),
        false => Err(cursor.error(ErrorKind::Malformed, format!("the range {range} has no value"))),
    }
}

fn float_range(cursor: &JsonCursor<'_>) -> Result<FloatRange> {
    cursor.only(&["from", "to", "below"])?;
    let bound = |word: &str| match cursor.find(word)? {
        Some(bound) => bound.value.as_f64().map(Some).ok_or_else(|| bound.mismatch("float")),
        None => Ok(None),
    };
    let (to, below) = (bound("to")?, bound("below")?);
    let range = FloatRange {
        start: bound("from")?.unwrap_or(f64::NEG_INFINITY),
        end: to.or(below).unwrap_or(f64::INFINITY),
        includes_end: below.is_none(),
    };
    let is_ambiguous = to.is_some() && below.is_some();
    match !is_ambiguous && (range.contains(range.start) || range.start == f64::NEG_INFINITY) {
        true => Ok(range),
        false if is_ambiguous => Err(cursor.error(ErrorKind::Malformed, "`to` and `below` exclude each other")),
        false => Err(cursor.error(ErrorKind::Malformed, format!("the range {range} has no value"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(ty: &str, text: &str) -> Result<CheckWords> {
        let value: Value = serde_json::from_str(text).expect("JSON");
        CheckWords::parse(&JsonCursor::root(&value), &TypeText::parse(ty).expect("a type"))
    }

    #[test]
    fn words_come_back() {
        let cases = [
            ("int", r#"{"range":{"from":0,"to":64}}"#, "range 0..=64"),
            ("Optional<int>", r#"{"range":{"to":-1},"one_of":[-3,-1]}"#, "range ..=-1; one of -3, -1"),
            ("float", r#"{"range":{"from":0.0,"below":1.0}}"#, "range 0.0..1.0"),
            ("float", r#"{"range":{"to":1.5}}"#, "range ..=1.5"),
            ("ffi.String", r#"{"len":{"from":1},"one_of":["add","sub"]}"#, "length 1..; one of \"add\", \"sub\""),
            ("ffi.Array<int>", r#"{"len":{"to":3}}"#, "length 0..=3"),
        ];
        for (ty, text, shown) in cases {
            let words = words(ty, text).unwrap_or_else(|error| panic!("{text}: {error}"));
            let mut entry = json!({});
            words.write(&mut entry);
            assert_eq!((entry.to_string().as_str(), words.to_string().as_str()), (text, shown));
        }
    }

    #[test]
    fn wrong_words_are_errors() {
        let cases = [
            ("ffi.String", r#"{"range":{"from":0}}"#, "is for numbers"),
            ("int", r#"{"len":{"from":0}}"#, "is for texts"),
            ("bool", r#"{"one_of":[true]}"#, "is for numbers and texts"),
            ("int", r#"{"one_of":["a"]}"#, "expected `int`"),
            ("int", r#"{"one_of":[]}"#, "allows no value"),
            ("int", r#"{"range":{"from":3,"to":2}}"#, "has no value"),
            ("ffi.String", r#"{"len":{"from":-1}}"#, "has no value"),
            ("float", r#"{"range":{"from":1.0,"below":1.0}}"#, "has no value"),
            ("float", r#"{"range":{"to":1.0,"below":1.0}}"#, "exclude each other"),
            ("int", r#"{"range":{"below":1}}"#, "unknown"),
            ("int", r#"{"range":[0,1]}"#, "expected `a map`"),
        ];
        for (ty, text, part) in cases {
            let error = words(ty, text).expect_err(text);
            assert!(error.to_string().contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn wider_words_allow_all() {
        let of = |ty: &str, text: &str| words(ty, text).expect("words");
        let small = of("int", r#"{"range":{"from":0,"to":3}}"#);
        let large = of("int", r#"{"range":{"from":0,"to":4}}"#);
        let two = of("int", r#"{"one_of":[1,2]}"#);
        let none = CheckWords::default();
        assert!(large.allow_all_of(&small) && !small.allow_all_of(&large) && small.allow_all_of(&two));
        assert!(!two.allow_all_of(&small) && none.allow_all_of(&two) && !small.allow_all_of(&none));
        let some = of("ffi.String", r#"{"len":{"from":1}}"#);
        assert!(!some.allow_all_of(&none) && none.allow_all_of(&some));
        assert!(of("ffi.String", r#"{"len":{}}"#).allow_all_of(&none));
    }
}
