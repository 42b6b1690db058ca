//! [`EnumDecl`]: an enum of numbers in a schema.

use serde_json::{Map, Value};

use crate::dynamic::json_cursor::JsonCursor;
use crate::error::{ErrorKind, Result};

/// An enum without data, whose values fields hold as numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EnumDecl {
    /// The name.
    pub name: String,
    /// The documentation.
    pub doc: String,
    /// The variants with their numbers, in the order of declaration.
    pub variants: Vec<(String, i64)>,
}

impl EnumDecl {
    /// An enum with these variants, without documentation.
    #[must_use]
    pub fn new(name: impl Into<String>, variants: Vec<(String, i64)>) -> Self {
        EnumDecl { name: name.into(), doc: String::new(), variants }
    }

    /// Reads the JSON form.
    pub(super) fn parse(cursor: &JsonCursor<'_>) -> Result<Self> {
        cursor.only(&["name", "doc", "variants"])?;
        let variant = |cursor: JsonCursor<'_>| -> Result<(String, i64)> {
            let parts: Vec<JsonCursor<'_>> = cursor.items()?.collect();
            match &parts[..] {
                [name, number] => {
                    let number = number.value.as_i64().ok_or_else(|| number.mismatch("an integer"))?;
                    Ok((name.text()?.to_owned(), number))
                }
                _ => Err(cursor.error(ErrorKind::Malformed, "a variant is a name and a number")),
            }
        };
        Ok(EnumDecl {
            name: cursor.get("name")?.text()?.to_owned(),
            doc: cursor.text_of("doc")?.unwrap_or_default(),
            variants: cursor.get("variants")?.items()?.map(variant).collect::<Result<_>>()?,
        })
    }

    /// The JSON form.
    pub(super) fn to_json(&self) -> Value {
        let EnumDecl { name, doc, variants } = self;
        let mut entry = Map::new();
        entry.insert("name".to_owned(), name.as_str().into());
        if !doc.is_empty() {
            entry.insert("doc".to_owned(), doc.as_str().into());
        }
        let variants =
            variants.iter().map(|(name, number)| Value::from(vec![Value::from(name.as_str()), (*number).into()]));
        entry.insert("variants".to_owned(), variants.collect());
        entry.into()
    }
}
