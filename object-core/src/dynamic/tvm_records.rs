//! Reads the format of `fixtures/schema.json` of this project, a record of the types of TVM with one entry per type.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::dynamic::decl::Schema;
use crate::dynamic::default_value::parse_default;
use crate::dynamic::field_decl::FieldDecl;
use crate::dynamic::json_cursor::JsonCursor;
use crate::dynamic::tvm_format::{KINDS, NAME, ROOT, TEXT};
use crate::dynamic::type_decl::TypeDecl;
use crate::dynamic::type_text::TypeText;
use crate::error::Result;
use crate::object::model::keywords::ROLES;
use crate::object::{FieldRole, FileForm, SEqHashKind};

pub(super) fn parse(root: &JsonCursor<'_>) -> Result<Schema> {
    let entries: Vec<JsonCursor<'_>> = root.get("types")?.items()?.collect();
    let mut bases = BTreeSet::new();
    for entry in &entries {
        bases.insert(entry.get("parent")?.text()?);
    }
    let mut schema = Schema::new(Vec::new(), Vec::new());
    schema.is_foreign = true;
    let mut parents = BTreeMap::new();
    for entry in &entries {
        parents.insert(entry.get("key")?.text()?, entry.get("parent")?.text()?);
    }
    for entry in &entries {
        let mut decl = parse_type(entry, &bases)?;
        if let Some(missing) = missing_ancestor(&parents, &decl.key) {
            let reason = format!("the record has no `{missing}`, which it extends");
            schema.left_out.push((decl.key, reason));
            continue;
        }
        decl.fields.iter_mut().for_each(|field| field.ty = known_type(&parents, &field.ty));
        let is_named = decl.fields.iter().any(|field| field.name == NAME && field.ty.to_string() == TEXT);
        if (decl.json.is_some() || decl.singleton_key.is_some()) && !is_named {
            let reason = "TVM reads and writes its objects with special code";
            schema.left_out.push((decl.key, reason.to_owned()));
        } else {
            schema.types.push(decl);
        }
    }
    Ok(schema)
}

/// The nearest ancestor that the record does not have.
fn missing_ancestor<'p>(parents: &BTreeMap<&str, &'p str>, key: &str) -> Option<&'p str> {
    let mut at = *parents.get(key)?;
    // A circle of parents has at most as many types as the record.
    for _ in 0..parents.len() {
        if at == ROOT {
            return None;
        }
        at = match parents.get(at) {
            Some(parent) => parent,
            None => return Some(at),
        };
    }
    None
}

/// The type, with any object in place of types that the record does not have.
fn known_type(parents: &BTreeMap<&str, &str>, ty: &TypeText) -> TypeText {
    // Templates of C++ that reflection does not describe hold any value.
    let words = ["Any", "bool", "int", "float", "DataType", "Device", "Optional", "Variant"];
    let is_known = ty.name.starts_with("ffi.") || parents.contains_key(ty.name.as_str());
    if !is_known && !ty.name.contains('.') && !words.contains(&ty.name.as_str()) {
        return TypeText::leaf("Any");
    }
    let name = if is_known || !ty.name.contains('.') { &ty.name } else { ROOT };
    TypeText::of(name, ty.args.iter().map(|arg| known_type(parents, arg)).collect())
}

fn parse_type(cursor: &JsonCursor<'_>, bases: &BTreeSet<&str>) -> Result<TypeDecl> {
    let key = cursor.get("key")?.text()?;
    let parent = cursor.get("parent")?.text()?;
    let kind = match cursor.get("kind")?.value {
        // No object has exactly this type.
        Value::Null => None,
        _ => cursor.word_of("kind", &KINDS)?,
    };
    let is_singleton = kind == Some(SEqHashKind::UniqueInstance);
    let fields = cursor.get("fields")?.items()?.map(|cursor| parse_field(&cursor)).collect::<Result<_>>()?;
    let is_base = bases.contains(key) || kind.is_none();
    Ok(TypeDecl {
        parent: Some(parent.to_owned()).filter(|parent| parent != ROOT),
        kind: kind.unwrap_or(SEqHashKind::Unsupported),
        is_custom: cursor.flag("custom_equal")? && cursor.flag("custom_hash")?,
        is_base,
        // Code of TVM alone makes objects of a final type without a creator.
        is_abstract: is_base && !cursor.flag("creator")?,
        json: (cursor.flag("custom_json")? && !is_singleton).then(|| NAME.to_owned()),
        singleton_key: is_singleton.then(|| NAME.to_owned()),
        fields,
        place: cursor.place.clone(),
        files: FileForm::Tvm,
        ..TypeDecl::new(key)
    })
}

fn parse_field(cursor: &JsonCursor<'_>) -> Result<FieldDecl> {
    let ty = cursor.get("type")?;
    let mut text = TypeText::parse(ty.text()?).map_err(|error| error.at(ty.place.clone()))?;
    // In C++, a reference may be null even if its type is not optional.
    let is_nullable = cursor.find("nullable")?.is_some_and(|null| *null.value == Value::Bool(true));
    if is_nullable && !["Optional", "Any"].contains(&text.name.as_str()) {
        text = TypeText::of("Optional", vec![text]);
    }
    Ok(FieldDecl {
        role: cursor.word_of("role", &ROLES)?.unwrap_or(FieldRole::Content),
        default: cursor.find("default")?.map(|default| parse_default(&default)).transpose()?,
        ..FieldDecl::new(cursor.place.clone(), cursor.get("name")?.text()?.to_owned(), text)
    })
}
