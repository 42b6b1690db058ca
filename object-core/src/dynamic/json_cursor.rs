//! [`JsonCursor`]: a value in a JSON text with its path, for errors with the path.

use serde_json::{Map, Value};

use crate::access_path::{AccessPath, AccessStep, PathKey};
use crate::error::{Error, ErrorKind, Result};
use crate::text::brief::brief;
use crate::text::did_you_mean::{backticked, did_you_mean_or};

/// A value in a JSON text.
#[derive(Clone)]
pub(super) struct JsonCursor<'v> {
    pub(super) value: &'v Value,
    pub(super) place: AccessPath,
}

impl<'v> JsonCursor<'v> {
    /// The whole text.
    pub(super) fn root(value: &'v Value) -> Self {
        JsonCursor { value, place: AccessPath::default() }
    }

    /// An error about the value.
    pub(super) fn error(&self, kind: ErrorKind, message: impl Into<String>) -> Error {
        Error::new(kind, message).at(self.place.clone())
    }

    /// The error for a value of another kind than `expected`.
    pub(super) fn mismatch(&self, expected: &str) -> Error {
        let given = match self.value {
            Value::Null => "null",
            Value::Bool(_) => "bool",
            Value::Number(_) => "number",
            Value::String(_) => "string",
            Value::Array(_) => "list",
            Value::Object(_) => "map",
        };
        Error::type_mismatch(expected, given).at(self.place.clone())
    }

    fn child(&self, value: &'v Value, step: AccessStep) -> Self {
        JsonCursor { value, place: below(&self.place, step) }
    }

    fn map(&self) -> Result<&'v Map<String, Value>> {
        self.value.as_object().ok_or_else(|| self.mismatch("a map"))
    }

    /// The entries of a map with arbitrary keys.
    pub(super) fn entries(&self) -> Result<impl Iterator<Item = (&'v str, JsonCursor<'v>)> + '_> {
        let entry = |(key, value): (&'v String, &'v Value)| {
            (key.as_str(), self.child(value, AccessStep::MapItem(PathKey::Str(key.clone()))))
        };
        Ok(self.map()?.iter().map(entry))
    }

    /// The elements of a list.
    pub(super) fn items(&self) -> Result<impl Iterator<Item = JsonCursor<'v>> + '_> {
        let items = self.value.as_array().ok_or_else(|| self.mismatch("a list"))?;
        Ok(items.iter().enumerate().map(|(index, value)| self.child(value, AccessStep::ArrayItem(index))))
    }

    /// The entry `word` of a map, if there is one.
    pub(super) fn find(&self, word: &str) -> Result<Option<JsonCursor<'v>>> {
        Ok(self.map()?.get(word).map(|value| self.child(value, AccessStep::Attr(word.into()))))
    }

    /// The entry `word` of a map.
    pub(super) fn get(&self, word: &str) -> Result<JsonCursor<'v>> {
        self.find(word)?.ok_or_else(|| self.error(ErrorKind::MissingField, format!("there is no `{word}`")))
    }

    /// Checks that all keys of the map are in `words`.
    pub(super) fn only(&self, words: &[&str]) -> Result<()> {
        match self.map()?.keys().find(|key| !words.contains(&key.as_str())) {
            None => Ok(()),
            Some(unknown) => {
                let hint = did_you_mean_or(unknown, words.iter().copied(), || {
                    format!("the allowed words are {}", words.join(", "))
                });
                Err(self.error(ErrorKind::UnknownField, format!("the word `{}` is unknown; {hint}", brief(unknown))))
            }
        }
    }

    /// The value as text.
    pub(super) fn text(&self) -> Result<&'v str> {
        self.value.as_str().ok_or_else(|| self.mismatch("string"))
    }

    /// The text of the entry `word`, if there is such an entry.
    pub(super) fn text_of(&self, word: &str) -> Result<Option<String>> {
        self.find(word)?.map(|cursor| cursor.text().map(str::to_owned)).transpose()
    }

    /// The texts of the entry `word`, which is a list; none if there is no such entry.
    pub(super) fn texts_of(&self, word: &str) -> Result<Vec<String>> {
        let Some(texts) = self.find(word)? else { return Ok(Vec::new()) };
        texts.items()?.map(|text| text.text().map(str::to_owned)).collect()
    }

    /// The value as a version: a positive number.
    pub(super) fn version(&self) -> Result<u32> {
        let version = self.value.as_u64().and_then(|version| u32::try_from(version).ok());
        version.filter(|version| *version > 0).ok_or_else(|| self.mismatch("a positive number"))
    }

    /// The truth value of the entry `word`, or false if there is no such entry.
    pub(super) fn flag(&self, word: &str) -> Result<bool> {
        let Some(cursor) = self.find(word)? else { return Ok(false) };
        cursor.value.as_bool().ok_or_else(|| cursor.mismatch("bool"))
    }

    /// The value in `words` for the text of the entry `word`, if there is such an entry.
    pub(super) fn word_of<T: Copy>(&self, word: &str, words: &[(&'static str, T)]) -> Result<Option<T>> {
        let Some(cursor) = self.find(word)? else { return Ok(None) };
        let text = cursor.text()?;
        match words.iter().find(|(known, _)| *known == text) {
            Some((_, value)) => Ok(Some(*value)),
            None => {
                let list = backticked(words.iter().map(|(known, _)| *known));
                Err(cursor
                    .error(ErrorKind::Malformed, format!("`{}` is not a `{word}`; there are {list}", brief(text))))
            }
        }
    }
}

/// The path that extends `place` by `step`.
pub(super) fn below(place: &AccessPath, step: AccessStep) -> AccessPath {
    AccessPath::from_steps(place.steps().iter().cloned().chain([step]))
}
