//! [`EnumDecl`]: an enum of numbers in a schema, and [`VariantDecl`], one of its numbers.

use serde_json::{Map, Value};

use crate::dynamic::json_cursor::JsonCursor;
use crate::dynamic::type_text::leak;
use crate::error::{ErrorKind, Result};
use crate::object::Enumeration;

/// A variant of an enum.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct VariantDecl {
    /// The name.
    pub name: String,
    /// The number.
    pub number: i64,
    /// The documentation.
    pub doc: String,
}

impl VariantDecl {
    /// A variant without documentation.
    #[must_use]
    pub fn new(name: impl Into<String>, number: i64) -> Self {
        VariantDecl { name: name.into(), number, doc: String::new() }
    }

    /// Reads the JSON form, a list.
    fn parse(cursor: &JsonCursor<'_>) -> Result<Self> {
        let parts: Vec<JsonCursor<'_>> = cursor.items()?.collect();
        let (name, number, doc) = match &parts[..] {
            [name, number] => (name, number, ""),
            [name, number, doc] => (name, number, doc.text()?),
            _ => return Err(cursor.error(ErrorKind::Malformed, "a variant is a name, a number and documentation")),
        };
        let number = number.value.as_i64().ok_or_else(|| number.mismatch("an integer"))?;
        Ok(VariantDecl { name: name.text()?.to_owned(), number, doc: doc.to_owned() })
    }

    /// The JSON form, without empty documentation.
    fn to_json(&self) -> Value {
        let VariantDecl { name, number, doc } = self;
        let doc = (!doc.is_empty()).then(|| Value::from(doc.as_str()));
        [Value::from(name.as_str()), (*number).into()].into_iter().chain(doc).collect()
    }
}

/// An enum without data, whose values fields hold as numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EnumDecl {
    /// The name.
    pub name: String,
    /// The documentation.
    pub doc: String,
    /// The variants, in the order of declaration.
    pub variants: Vec<VariantDecl>,
    /// Earlier names of variants, with the numbers of these.
    pub aliases: Vec<(String, i64)>,
}

impl EnumDecl {
    /// An enum with these variants, without documentation.
    #[must_use]
    pub fn new(name: impl Into<String>, variants: Vec<VariantDecl>) -> Self {
        EnumDecl { name: name.into(), doc: String::new(), variants, aliases: Vec::new() }
    }

    /// Reads the JSON form.
    pub(super) fn parse(cursor: &JsonCursor<'_>) -> Result<Self> {
        cursor.only(&["name", "doc", "variants", "aliases"])?;
        let aliases = match cursor.find("aliases")? {
            Some(aliases) => aliases.items()?.map(|cursor| VariantDecl::parse(&cursor)).collect::<Result<Vec<_>>>()?,
            None => Vec::new(),
        };
        Ok(EnumDecl {
            aliases: aliases.into_iter().map(|alias| (alias.name, alias.number)).collect(),
            name: cursor.get("name")?.text()?.to_owned(),
            doc: cursor.text_of("doc")?.unwrap_or_default(),
            variants: cursor
                .get("variants")?
                .items()?
                .map(|cursor| VariantDecl::parse(&cursor))
                .collect::<Result<_>>()?,
        })
    }

    /// The enum for a table, leaked.
    pub(super) fn leak(&self) -> Enumeration {
        let EnumDecl { name, doc, variants, aliases } = self;
        let aliases = aliases.iter().map(|(name, number)| (leak(name), *number)).collect::<Vec<_>>().leak();
        let names = variants.iter().map(|it| (leak(&it.name), it.number)).collect::<Vec<_>>();
        let has_docs = variants.iter().any(|it| !it.doc.is_empty());
        let docs = variants.iter().filter(|_| has_docs).map(|it| leak(&it.doc)).collect::<Vec<_>>();
        Enumeration { name: leak(name), doc: leak(doc), variants: names.leak(), variant_docs: docs.leak(), aliases }
    }

    /// The JSON form.
    pub(super) fn to_json(&self) -> Value {
        let EnumDecl { name, doc, variants, aliases } = self;
        let mut entry = Map::new();
        entry.insert("name".to_owned(), name.as_str().into());
        if !doc.is_empty() {
            entry.insert("doc".to_owned(), doc.as_str().into());
        }
        entry.insert("variants".to_owned(), variants.iter().map(VariantDecl::to_json).collect());
        if !aliases.is_empty() {
            let alias = |(name, number): &(String, i64)| VariantDecl::new(name, *number).to_json();
            entry.insert("aliases".to_owned(), aliases.iter().map(alias).collect());
        }
        entry.into()
    }
}
