//! [`RecordedType`]: a declaration as a file records it, and its [`fingerprint`].

use std::sync::{LazyLock, PoisonError, RwLock};

use serde_json::{Map, Value, json};

use crate::error::{Error, ErrorKind, Result};
use crate::evolution::recorded_default::default_of;
use crate::evolution::term::Term;
use crate::hashing::{finish, mix, mix_bytes};
use crate::object::model::plan::MAX_FIELDS;
use crate::object::{Any, Body, FieldInfo, FileForm, JsonForm, TypeInfo};
use crate::table::AddressMap;
use crate::text::brief::brief;
use crate::value::Str;

/// A declaration as a file records it.
#[derive(Clone, Debug)]
pub struct RecordedType {
    /// The version of the declaration.
    pub(crate) version: u32,
    /// The ancestors with a version other than 1.
    pub(crate) ancestors: Vec<(String, u32)>,
    /// The field that stands in JSON for the object.
    pub(crate) json: Option<String>,
    /// All fields, the fields of the ancestors first.
    pub(crate) fields: Vec<RecordedField>,
}

/// A field of a recorded declaration.
#[derive(Clone, Debug)]
pub struct RecordedField {
    /// The name.
    pub(crate) name: String,
    /// The type.
    pub(crate) term: Term,
    /// Whether the value cannot be an object, so that it has no node of its own.
    pub(crate) is_inline: bool,
    /// The default, if it has a form in JSON. A variant of an enum is its name.
    pub(crate) default: Option<Value>,
}

/// The words before the type of a field whose values have nodes of their own.
const NODE: &str = "ref ";

/// A number for the declaration of the fields of `info` in files: their names, types and order, the variants of their enums,
/// and the versions of the type and of its ancestors. It is the same in every process and on every platform.
///
/// Two declarations with the same fingerprint read each other's files without conversions.
///
/// ```
/// use object_core::evolution::fingerprint;
/// use object_core::prelude::*;
///
/// mod first {
///     # use object_core::prelude::*;
///     #[derive(Object)]
///     #[object(type_key = "doc.fingerprint.Point")]
///     #[structural_eq(tree)]
///     pub struct PointNode { x: i64 }
/// }
/// mod second {
///     # use object_core::prelude::*;
///     #[derive(Object)]
///     #[object(type_key = "doc.fingerprint.Point2")]
///     #[structural_eq(tree)]
///     pub struct PointNode { x: f64 }
/// }
/// assert_ne!(fingerprint(first::PointNode::TYPE_INFO), fingerprint(second::PointNode::TYPE_INFO));
/// ```
#[must_use]
pub fn fingerprint(info: &'static TypeInfo) -> u64 {
    // Tables are never freed, so an address stands for one table. A reader asks for each type of each file.
    static KNOWN: LazyLock<RwLock<AddressMap<u64>>> = LazyLock::new(RwLock::default);
    let address = std::ptr::from_ref(info).addr();
    let known = KNOWN.read().unwrap_or_else(PoisonError::into_inner).get(address);
    known.unwrap_or_else(|| {
        let computed = RecordedType::of(info).fingerprint();
        *KNOWN.write().unwrap_or_else(PoisonError::into_inner).slot(address) = Some(computed);
        computed
    })
}

impl RecordedType {
    /// The declaration of a type, without defaults.
    #[must_use]
    pub fn of(info: &TypeInfo) -> Self {
        let version = |info: &'static TypeInfo| (info.type_key.to_owned(), info.evolution.version);
        RecordedType {
            version: info.evolution.version,
            ancestors: info.ancestors().map(version).filter(|(_, version)| *version != 1).collect(),
            json: match info.json {
                JsonForm::Field(index) => info.fields.get(index).map(|field| field.name.to_owned()),
                JsonForm::Fields | JsonForm::Kept => None,
            },
            fields: info.fields.iter().map(RecordedField::of).collect(),
        }
    }

    /// All fields, the fields of the ancestors first.
    #[must_use]
    pub fn fields(&self) -> &[RecordedField] {
        &self.fields
    }

    /// Whether files have the declarations of a type.
    pub(crate) fn is_in_files(info: &TypeInfo) -> bool {
        info.evolution.files == FileForm::Declared && info.body == Body::Node && info.json != JsonForm::Kept
    }

    /// As [`fingerprint`] for a linked type.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        let RecordedType { version, ancestors, json, fields } = self;
        let text = |state, text: &str| mix_bytes(state, text.as_bytes());
        let mut state = mix(ancestors.len() as u64, u64::from(*version));
        for (key, version) in ancestors {
            state = mix(text(state, key), u64::from(*version));
        }
        state = text(state, json.as_deref().unwrap_or_default());
        for field in fields {
            state = text(text(state, &field.name), &field.type_text());
        }
        finish(state)
    }

    /// The declaration as JSON, with the defaults of `info`.
    pub(crate) fn to_json(&self, info: &TypeInfo) -> Value {
        let mut entry = Map::new();
        entry.insert("fingerprint".to_owned(), format!("{:016x}", self.fingerprint()).into());
        if self.version != 1 {
            entry.insert("version".to_owned(), self.version.into());
        }
        if !self.ancestors.is_empty() {
            let versions = self.ancestors.iter().map(|(key, version)| (key.clone(), (*version).into()));
            entry.insert("ancestors".to_owned(), Value::Object(versions.collect()));
        }
        if let Some(json) = &self.json {
            entry.insert("json".to_owned(), json.as_str().into());
        }
        let fields = self.fields.iter().zip(info.fields).map(|(field, info)| {
            let text = Value::from(field.type_text());
            (field.name.clone(), default_of(info).map_or(text.clone(), |default| json!([text, default])))
        });
        entry.insert("fields".to_owned(), Value::Object(fields.collect()));
        entry.into()
    }

    /// The fingerprint in a declaration in JSON.
    pub(crate) fn fingerprint_in(json: &Value) -> Option<u64> {
        u64::from_str_radix(json.get("fingerprint")?.as_str()?, 16).ok()
    }

    /// Reads a declaration in JSON.
    ///
    /// # Errors
    /// [`Malformed`](ErrorKind::Malformed), with the word at fault.
    pub(crate) fn parse(json: &Value) -> Result<Self> {
        let malformed =
            |word: &str| Error::new(ErrorKind::Malformed, format!("`{word}` of the declaration is malformed"));
        let version = |value: &Value| value.as_u64().and_then(|version| u32::try_from(version).ok());
        let ancestors = match json.get("ancestors") {
            None => Some(Vec::new()),
            Some(all) => {
                let entry = |(key, it): (&String, &Value)| Some((key.clone(), version(it)?));
                all.as_object().and_then(|all| all.iter().map(entry).collect())
            }
        };
        let fields = json.get("fields").and_then(Value::as_object).filter(|fields| fields.len() <= MAX_FIELDS);
        let fields = fields.ok_or_else(|| malformed("fields"))?;
        let field = |(name, value): (&String, &Value)| {
            RecordedField::parse(name, value).map_err(|error| error.context(format_args!("field `{}`", brief(name))))
        };
        Ok(RecordedType {
            version: json.get("version").map_or(Some(1), version).ok_or_else(|| malformed("version"))?,
            ancestors: ancestors.ok_or_else(|| malformed("ancestors"))?,
            json: match json.get("json") {
                None => None,
                Some(json) => Some(json.as_str().ok_or_else(|| malformed("json"))?.to_owned()),
            },
            fields: fields.iter().map(field).collect::<Result<_>>()?,
        })
    }
}

impl RecordedField {
    fn of(field: &FieldInfo) -> Self {
        let (name, term) = (field.name.to_owned(), Term::of(field));
        RecordedField { name, term, is_inline: field.is_inline(), default: None }
    }

    fn parse(name: &str, value: &Value) -> Result<Self> {
        let (ty, default) = match value.as_array().map(Vec::as_slice) {
            Some([ty, default]) => (ty, Some(default.clone())),
            _ => (value, None),
        };
        let text = ty.as_str().ok_or_else(|| Error::type_mismatch("the text of a type", "another value"))?;
        let term = text.strip_prefix(NODE);
        Ok(RecordedField {
            name: name.to_owned(),
            is_inline: term.is_none(),
            term: Term::parse(term.unwrap_or(text))?,
            default,
        })
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The value of the field as an upgrade takes it: the name of a variant instead of its number in the recorded declaration.
    ///
    /// # Errors
    /// The error for a number that no variant has.
    pub(crate) fn with_variant_name(&self, value: Any) -> Result<Any> {
        let (Some(variants), Any::Int(number)) = (self.term.variants(), &value) else { return Ok(value) };
        match variants.iter().find(|(_, known)| known == number) {
            Some((name, _)) => Ok(Str::new(name).into()),
            None => {
                let known = variants.iter().map(|(name, number)| (name.as_str(), *number));
                Err(Error::unknown_variant(self.term.name(), known, *number))
            }
        }
    }

    /// The type, with a word for values that have nodes of their own.
    #[must_use]
    pub fn type_text(&self) -> String {
        let word = if self.is_inline { "" } else { NODE };
        format!("{word}{}", self.term)
    }
}
