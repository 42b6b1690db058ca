//! The entry `declarations` of a file, before its nodes: the declarations of the types of its objects, except of types in the
//! form of TVM. A file without such objects has no entry.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;
use serde_json::value::RawValue;

use crate::error::{Error, ErrorKind, Result};
use crate::evolution::{RecordedField, RecordedType, Upgrade, fingerprint};
use crate::json::json_scalar::JsonScalar;
use crate::json::options::JsonReader;
use crate::object::{Any, AnyView, Body, Enumeration, FileForm, JsonForm, TypeInfo, kept_declaration};
use crate::text::brief::brief;

/// The bytes that the declarations take for each byte of their text, at most.
pub(super) const BYTES_PER_BYTE: usize = 32;

/// The declaration of a type in a file.
pub(super) enum Declaration {
    Known(Value),
    /// The text that the file of an unknown type has.
    Kept(&'static str),
}

impl Declaration {
    fn text(&self) -> Cow<'static, str> {
        match self {
            Declaration::Known(value) => value.to_string().into(),
            Declaration::Kept(text) => (*text).into(),
        }
    }
}

/// The entry for a file with these nodes, if it has one, with the comma after it.
///
/// # Errors
/// As [`declarations_of`].
pub(super) fn text_of(nodes: &[AnyView<'_>]) -> Result<Option<String>> {
    let entries = declarations_of(nodes)?;
    if entries.is_empty() {
        return Ok(None);
    }
    let entries = entries.iter().map(|(key, entry)| format!("{}:{}", Value::from(*key), entry.text()));
    Ok(Some(format!("\"declarations\":{{{}}},", entries.collect::<Vec<_>>().join(","))))
}

/// The declarations of the types of these nodes, by key.
///
/// # Errors
/// [`NotSerializable`](ErrorKind::NotSerializable) for objects of one unknown type from files with different declarations.
pub(super) fn declarations_of(nodes: &[AnyView<'_>]) -> Result<Vec<(&'static str, Declaration)>> {
    let mut types: Vec<&'static TypeInfo> = Vec::new();
    for node in nodes {
        if let AnyView::Object(object) = node
            && let info = object.type_info()
            && info.evolution.files == FileForm::Declared
            && (RecordedType::is_in_files(info) || !kept_declaration(info).is_empty())
            && types.last().is_none_or(|last| !std::ptr::eq(*last, info))
        {
            // Objects of few types alternate.
            match types.iter().position(|known| std::ptr::eq(*known, info)) {
                Some(at) => types[at..].rotate_left(1),
                None => types.push(info),
            }
        }
    }
    types.sort_by_key(|info| info.type_key);
    let mut entries: Vec<(&str, Declaration)> = Vec::new();
    for info in types {
        let entry = match kept_declaration(info) {
            "" => Declaration::Known(RecordedType::of(info).to_json(info)),
            kept => Declaration::Kept(kept),
        };
        match entries.last() {
            Some((key, earlier)) if *key == info.type_key && earlier.text() != entry.text() => {
                let message = format!(
                    "the graph has objects of `{key}`, an unknown type, from files that declare it differently"
                );
                return Err(Error::new(ErrorKind::NotSerializable, message));
            }
            Some((key, _)) if *key == info.type_key => {}
            _ => entries.push((info.type_key, entry)),
        }
    }
    Ok(entries)
}

/// The declarations of a file, each as its text.
#[derive(Default)]
pub(super) struct Declarations(HashMap<String, Box<RawValue>>);

impl Declarations {
    /// Reads the value of the entry.
    ///
    /// # Errors
    /// [`Malformed`](ErrorKind::Malformed) if it is not a map.
    pub(super) fn read(text: &RawValue) -> Result<Self> {
        let entries = serde_json::from_str(text.get());
        entries.map(Declarations).map_err(|error| malformed(&error.to_string()))
    }

    /// The text of the declaration of a type; empty if the file has none.
    pub(super) fn text(&self, key: &str) -> &str {
        self.0.get(key).map_or("", |text| text.get())
    }

    /// Whether all declarations are the ones of the types in the program.
    pub(super) fn are_current(&self, reader: JsonReader<'_>) -> bool {
        let is_current = |key: &str, text: &RawValue| {
            let recorded = serde_json::from_str(text.get()).ok().as_ref().and_then(RecordedType::fingerprint_in);
            recorded.is_some() && recorded == reader.type_info(key).ok().map(fingerprint)
        };
        self.0.iter().all(|(key, text)| is_current(key, text))
    }

    /// The conversion for objects of the type `info` with the key `key` in the file, if the declaration of the file differs from
    /// the one of the program. The release of the reader has the declarations that the file lacks.
    ///
    /// # Errors
    /// [`Malformed`](ErrorKind::Malformed) for a malformed declaration, and the errors of [`Upgrade::new`].
    pub(super) fn upgrade(
        &self,
        key: &str,
        info: &'static TypeInfo,
        reader: JsonReader<'_>,
    ) -> Result<Option<Arc<Upgrade>>> {
        let Some(text) = self.0.get(key).filter(|_| info.body == Body::Node && info.json != JsonForm::Kept) else {
            let upgrade = reader.release.map(|release| release.upgrade(info, key)).transpose()?;
            return Ok(upgrade.flatten().map(Arc::new));
        };
        let json: Value = serde_json::from_str(text.get()).map_err(|error| malformed(&error.to_string()))?;
        Ok(Upgrade::from_file(info, key, &json)?.map(Arc::new))
    }
}

/// The error for declarations with the given fault.
fn malformed(fault: &str) -> Error {
    Error::new(ErrorKind::Malformed, format!("`declarations`: {}", brief(fault)))
}

/// The enum whose variants files have by name in the field with index `index`.
pub(super) fn named_variants(info: &'static TypeInfo, index: usize) -> Option<Enumeration> {
    let field = info.fields().get(index).filter(|field| field.is_inline())?;
    field.enumeration().filter(|_| info.evolution().files == FileForm::Declared)
}

/// The value of a field whose value stands in the node, as the recorded declaration of the field says. The value of an enum
/// is the name of a variant.
pub(super) fn recorded_value(scalar: &JsonScalar<'_>, field: &RecordedField) -> Result<Any> {
    let term = &field.term;
    if term.variants().is_some() {
        return match scalar {
            JsonScalar::Text(_) => scalar.any(),
            _ => field.with_variant_name(Any::Int(scalar.int()?)),
        };
    }
    match term.name() {
        "int" => scalar.int().map(Any::Int),
        "bool" => scalar.bool().map(Any::Bool),
        "float" => scalar.float().map(Any::Float),
        "DataType" => scalar.text()?.parse().map(Any::DataType),
        _ => scalar.any(),
    }
}
