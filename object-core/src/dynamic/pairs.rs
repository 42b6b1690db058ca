//! The pairs of `meta(key = "value")` of a type or a field: in tables, in declarations and in JSON.

use serde_json::{Map, Value};

use crate::dynamic::json_cursor::JsonCursor;
use crate::dynamic::type_text::leak;
use crate::error::Result;

/// The pairs of a table as the pairs of a declaration.
pub(super) fn owned_pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

/// The pairs of a declaration as the pairs of a table. Leaks the texts.
pub(super) fn leak_pairs(pairs: &[(String, String)]) -> &'static [(&'static str, &'static str)] {
    pairs.iter().map(|(key, value)| (leak(key), leak(value))).collect::<Vec<_>>().leak()
}

/// Reads the entry `meta` of a type or a field.
pub(super) fn parse_pairs(cursor: &JsonCursor<'_>) -> Result<Vec<(String, String)>> {
    let Some(meta) = cursor.find("meta")? else { return Ok(Vec::new()) };
    meta.entries()?.map(|(key, value)| Ok((key.to_owned(), value.text()?.to_owned()))).collect()
}

/// The value of the entry `meta`.
pub(super) fn pairs_json(pairs: &[(String, String)]) -> Value {
    let pairs = pairs.iter().map(|(key, value)| (key.clone(), Value::from(value.as_str())));
    pairs.collect::<Map<_, _>>().into()
}
