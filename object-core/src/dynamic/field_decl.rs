//! [`FieldDecl`]: a field of a schema, with its JSON form and the annotations of a field in a table.

use serde_json::{Value, json};

use crate::access_path::AccessPath;
use crate::dynamic::check_words::CheckWords;
use crate::dynamic::default_value::{DeclaredDefault, default_json, parse_default};
use crate::dynamic::json_cursor::JsonCursor;
use crate::dynamic::number_width::{NumberWidth, WIDTHS};
use crate::dynamic::pairs::{leak_pairs, owned_pairs, pairs_json, parse_pairs};
use crate::dynamic::source_place::SourcePlace;
use crate::dynamic::type_text::{TypeText, leak, leak_texts, owned};
use crate::error::{ErrorKind, Result};
use crate::object::model::field_info::FieldMeta;
use crate::object::model::keywords::ROLES;
use crate::object::{FieldInfo, FieldRole};
use crate::text::brief::brief;

/// The words of a field, in the order of the text.
const FIELD_WORDS: [&str; 14] = [
    "name", "alias", "type", "width", "enum", "range", "len", "one_of", "role", "export", "required", "doc", "default",
    "meta",
];

/// A field of a type of a schema.
///
/// [`required`](Self::required) makes one without annotations, and its fields are the words of the schema.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FieldDecl {
    /// The place in the text of the schema.
    pub(super) place: AccessPath,
    /// The name.
    pub name: String,
    /// Earlier names.
    pub aliases: Vec<String>,
    /// The type. `width` and `enumeration` narrow the types `int` and `float`.
    pub ty: TypeText,
    /// The width of a number, if the field is narrower than 64 bits or has no sign.
    pub width: Option<NumberWidth>,
    /// The name of the enum of the schema whose numbers the field holds. [`TypeText::enumeration`] has the enums in containers.
    pub enumeration: Option<String>,
    /// The words about the values that the field allows.
    pub checks: CheckWords,
    /// The role in structural equality and hashing.
    pub role: FieldRole,
    /// Whether the bindings in the field outlive the object, which is a scope.
    pub export: bool,
    /// Whether a file without the field is an error, although the type is `Optional`.
    pub required: bool,
    /// The documentation.
    pub doc: String,
    /// The pairs of `meta(key = "value")`.
    pub meta: Vec<(String, String)>,
    /// The default; `None` for a required field.
    pub default: Option<DeclaredDefault>,
    /// The place of the declaration in a source file, which JSON does not keep.
    pub source: Option<SourcePlace>,
}

impl FieldDecl {
    /// A required field without annotations.
    #[must_use]
    pub fn required(name: impl Into<String>, ty: TypeText) -> Self {
        Self::new(AccessPath::default(), name.into(), ty)
    }

    /// A required field without annotations, with its place in the text of the schema.
    pub(super) fn new(place: AccessPath, name: String, ty: TypeText) -> Self {
        FieldDecl {
            place,
            name,
            aliases: Vec::new(),
            ty,
            width: None,
            enumeration: None,
            checks: CheckWords::default(),
            role: FieldRole::Content,
            export: false,
            required: false,
            doc: String::new(),
            meta: Vec::new(),
            default: None,
            source: None,
        }
    }

    /// The description of a field of a table; `place` is the place of the type.
    pub(super) fn of(place: &AccessPath, field: &FieldInfo) -> Self {
        let plain = FieldDecl::new(place.clone(), field.name.to_owned(), TypeText::from(&field.schema()));
        let mut decl = FieldDecl {
            default: field.default().map(DeclaredDefault::Value),
            width: NumberWidth::of(field),
            enumeration: field.enumeration().map(|it| it.name.to_owned()),
            ..plain.annotated(field.meta)
        };
        decl.take_own_enum();
        decl
    }

    /// Moves the enum of the field itself from the type to the field.
    fn take_own_enum(&mut self) {
        let own = own_part(&mut self.ty).and_then(|part| part.enumeration.take());
        self.enumeration = self.enumeration.take().or(own);
    }

    /// The type with the enum of the field itself, as a table has it.
    pub(super) fn type_with_enum(&self) -> TypeText {
        let mut ty = self.ty.clone();
        if let (Some(part), Some(own)) = (own_part(&mut ty), &self.enumeration) {
            part.enumeration = Some(own.clone());
        }
        ty
    }

    /// Reads the word `enum`: the name of an enum, or the type with the names of enums in containers.
    fn take_enums(&mut self, cursor: &JsonCursor<'_>) -> Result<()> {
        let named = TypeText::parse(cursor.text()?).map_err(|error| error.at(cursor.place.clone()))?;
        if named.args.is_empty() {
            self.enumeration = Some(named.name);
            return Ok(());
        }
        let taken = self.ty.take_enums(&named);
        self.take_own_enum();
        taken.ok_or_else(|| {
            let message = format!(
                "`{}` is not the type `{}` with the names of enums instead of `int`",
                brief(&named.to_string()),
                brief(&self.ty.to_string())
            );
            cursor.error(ErrorKind::Malformed, message)
        })
    }

    /// The field with the annotations of a field of a table.
    fn annotated(self, meta: FieldMeta) -> Self {
        // Only the compiler reads `may_contain`, in the crate that declares the type.
        let FieldMeta { role, doc, pairs, may_contain: _, export, aliases, required, checks } = meta;
        let (aliases, checks) = (owned(aliases), CheckWords::of(checks));
        FieldDecl { role, export, doc: doc.to_owned(), meta: owned_pairs(pairs), aliases, required, checks, ..self }
    }

    /// The annotations for the table of a made type. Leaks the texts.
    pub(super) fn leak_meta(&self) -> FieldMeta {
        let (role, export, required) = (self.role, self.export, self.required);
        let (doc, pairs, aliases) = (leak(&self.doc), leak_pairs(&self.meta), leak_texts(&self.aliases));
        FieldMeta { role, doc, pairs, may_contain: None, export, aliases, required, checks: self.checks.leak() }
    }

    /// Reads the JSON form.
    pub(super) fn parse(cursor: &JsonCursor<'_>) -> Result<Self> {
        cursor.only(&FIELD_WORDS)?;
        let ty = cursor.get("type")?;
        let parsed = TypeText::parse(ty.text()?).map_err(|error| error.at(ty.place.clone()))?;
        let mut decl = FieldDecl {
            name: cursor.get("name")?.text()?.to_owned(),
            aliases: cursor.texts_of("alias")?,
            required: cursor.flag("required")?,
            checks: CheckWords::parse(cursor, &parsed)?,
            ty: parsed,
            width: cursor.word_of("width", &WIDTHS)?,
            enumeration: None,
            role: cursor.word_of("role", &ROLES)?.unwrap_or(FieldRole::Content),
            export: cursor.flag("export")?,
            doc: cursor.text_of("doc")?.unwrap_or_default(),
            default: cursor.find("default")?.map(|default| parse_default(&default)).transpose()?,
            meta: parse_pairs(cursor)?,
            source: None,
            place: cursor.place.clone(),
        };
        if let Some(enums) = cursor.find("enum")? {
            decl.take_enums(&enums)?;
        }
        Ok(decl)
    }

    /// The JSON form.
    pub(super) fn to_json(&self) -> Result<Value> {
        // Every part is named here, so that the compiler asks for a new one.
        let FieldDecl {
            place: _,
            source: _,
            name,
            aliases,
            ty,
            width,
            enumeration,
            checks,
            role,
            export,
            required,
            doc,
            meta,
            default,
        } = self;
        let mut entry = json!({"name": name});
        if !aliases.is_empty() {
            entry["alias"] = aliases.clone().into();
        }
        entry["type"] = ty.to_string().into();
        if let Some(width) = width {
            entry["width"] = width.word().into();
        }
        if let Some(enumeration) = enumeration {
            entry["enum"] = enumeration.as_str().into();
        } else if !ty.enums().is_empty() {
            entry["enum"] = ty.with_enums().to_string().into();
        }
        checks.write(&mut entry);
        if *role != FieldRole::Content {
            entry["role"] = role.word().into();
        }
        if *export {
            entry["export"] = true.into();
        }
        if *required {
            entry["required"] = true.into();
        }
        if !doc.is_empty() {
            entry["doc"] = doc.as_str().into();
        }
        if let Some(default) = default {
            entry["default"] = default_json(default, ty)?;
        }
        if !meta.is_empty() {
            entry["meta"] = pairs_json(meta);
        }
        Ok(entry)
    }
}

/// The type of the value of a field that is present.
fn own_part(ty: &mut TypeText) -> Option<&mut TypeText> {
    if ty.name == "Optional" { ty.args.first_mut() } else { Some(ty) }
}

#[cfg(test)]
mod tests {
    use std::sync::OnceLock;

    use super::*;
    use crate::dynamic::check_words::DeclaredChoice;
    use crate::object::{Any, IntRange, NumberRange};

    fn keys(value: &Value) -> Vec<&str> {
        value.as_object().expect("a map").keys().map(String::as_str).collect()
    }

    /// A field with every word keeps all of them in JSON and in a table, and the JSON Schema has every word.
    #[test]
    fn every_word_is_kept() {
        let (place, ty) = (AccessPath::default(), TypeText::parse("int").expect("a type"));
        let plain = FieldDecl::new(place.clone(), "x".to_owned(), ty.clone());
        // Every word is named here, so that the compiler asks for a value of a new one.
        let all = FieldDecl {
            place,
            name: "x".to_owned(),
            aliases: vec!["y".to_owned()],
            ty,
            width: Some(NumberWidth::Int32),
            enumeration: Some("Mode".to_owned()),
            checks: CheckWords {
                range: Some(NumberRange::Int(IntRange { start: 0, end: 3 })),
                len: None,
                one_of: vec![DeclaredChoice::Int(1)],
            },
            source: None,
            role: FieldRole::Ignore,
            export: true,
            required: true,
            doc: "For people.".to_owned(),
            meta: vec![("unit".to_owned(), "rounds".to_owned())],
            default: Some(DeclaredDefault::Value(Any::Int(1))),
        };
        let json = all.to_json().expect("a plain default");
        // No type has numbers and a length.
        let words: Vec<&str> = FIELD_WORDS.into_iter().filter(|word| *word != "len").collect();
        assert_eq!(keys(&json), words);
        let read = FieldDecl::parse(&JsonCursor::root(&json)).expect("a field");
        assert_eq!(read.to_json().expect("a plain default"), json);
        // A leak checker finds the leaked annotations here.
        static KEPT: OnceLock<FieldMeta> = OnceLock::new();
        let meta = *KEPT.get_or_init(|| all.leak_meta());
        let (default, enumeration) = (all.default.clone(), all.enumeration.clone());
        let of_table = FieldDecl { default, enumeration, width: all.width, ..plain.annotated(meta) };
        assert_eq!(of_table.to_json().expect("a plain default"), json);
        let schema: Value = serde_json::from_str(include_str!("object-schema.json")).expect("JSON");
        assert_eq!(keys(&schema["$defs"]["field"]["properties"]), FIELD_WORDS);
    }
}
