//! Reads the format of `tvm_schema.json`, the recorded registry of TVM.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::dynamic::decl::Schema;
use crate::dynamic::default_value::{DeclaredDefault, parse_default};
use crate::dynamic::field_decl::FieldDecl;
use crate::dynamic::json_cursor::JsonCursor;
use crate::dynamic::type_decl::TypeDecl;
use crate::dynamic::type_text::TypeText;
use crate::error::{ErrorKind, Result};
use crate::object::{Any, FieldRole, FileForm, SEqHashKind};
use crate::scalar::{DataType, TypeCode};

/// Kinds, with the words of TVM.
pub(super) const KINDS: [(&str, SEqHashKind); 6] = [
    ("unsupported", SEqHashKind::Unsupported),
    ("tree", SEqHashKind::TreeNode),
    ("free_var", SEqHashKind::FreeVar),
    ("dag", SEqHashKind::DagNode),
    ("const_tree", SEqHashKind::ConstTreeNode),
    ("unique_instance", SEqHashKind::UniqueInstance),
];

/// Flags of fields, and the roles for them.
const FLAGS: [(&str, FieldRole); 3] = [
    ("SEqHashIgnore", FieldRole::Ignore),
    ("SEqHashDefRecursive", FieldRole::Def),
    ("SEqHashDefNonRecursive", FieldRole::DefSimple),
];

/// The kinds of defaults whose values the registry records.
const PLAIN_DEFAULTS: [&str; 6] = ["none", "bool", "int", "float", "str", "dtype_raw"];

/// The type key of integers that do not fit 64 bits.
const BIG_INT: &str = "ffi.BigInt";

/// The root of all types of TVM. In this crate, root types have no parent.
pub(super) const ROOT: &str = "ffi.Object";

/// The name and type of the field whose value JSON contains in place of an object.
pub(super) const NAME: &str = "name";
pub(super) const TEXT: &str = "ffi.String";

pub(super) fn parse(root: &JsonCursor<'_>) -> Result<Schema> {
    let entries: Vec<(&str, JsonCursor<'_>)> = root.get("types")?.entries()?.collect();
    let mut parents = BTreeMap::new();
    for (key, cursor) in &entries {
        let parent = cursor.get("parent")?;
        if !parent.value.is_null() && parent.text()? != ROOT {
            parents.insert(*key, parent.text()?);
        }
    }
    let bases: BTreeSet<&str> = parents.values().copied().collect();
    let empty = empty_types(&entries, &parents)?;
    let (mut types, mut left_out) = (Vec::new(), Vec::new());
    for (key, cursor) in &entries {
        // This crate has its own plain kinds and runtime types.
        if !key.contains('.') || key.starts_with("ffi.") {
            continue;
        }
        match parse_type(key, cursor, parents.get(key).copied(), bases.contains(key), &empty)? {
            Some(decl) => types.push(decl),
            None => {
                let reason = "TVM reads and writes its objects with special code";
                left_out.push(((*key).to_owned(), reason.to_owned()));
            }
        }
    }
    if types.iter().any(|decl| decl.fields.iter().any(|field| mentions(&field.ty, BIG_INT))) {
        types.push(big_int(root));
    }
    Ok(Schema { types, enums: Vec::new(), functions: Vec::new(), is_foreign: true, left_out })
}

/// Whether a type contains a name.
fn mentions(ty: &TypeText, name: &str) -> bool {
    ty.name == name || ty.args.iter().any(|arg| mentions(arg, name))
}

/// The type of integers that do not fit 64 bits. TVM has them as values of their own; JSON holds their digits.
fn big_int(root: &JsonCursor<'_>) -> TypeDecl {
    let digits = FieldDecl::new(root.place.clone(), "value".to_owned(), TypeText::leaf(TEXT));
    TypeDecl {
        place: root.place.clone(),
        json: Some(digits.name.clone()),
        fields: vec![digits],
        files: FileForm::Tvm,
        ..TypeDecl::new(BIG_INT)
    }
}

/// The types that can be made without values of fields: the registry has plain defaults of all their fields.
fn empty_types<'v>(
    entries: &[(&'v str, JsonCursor<'v>)],
    parents: &BTreeMap<&'v str, &'v str>,
) -> Result<BTreeSet<&'v str>> {
    let mut own = BTreeMap::new();
    for (key, cursor) in entries {
        let mut is_empty = true;
        for field in cursor.get("own_fields")?.items()? {
            is_empty &= field.find("default")?.is_some_and(|default| has_plain_default(default.value));
        }
        own.insert(*key, (is_empty, cursor.flag("has_creator")?));
    }
    let is_empty = |key: &&str| {
        // The bound is for circles among parents, which the loader reports.
        let chain = std::iter::successors(Some(*key), |key| parents.get(key).copied()).take(own.len() + 1);
        own.get(*key).is_some_and(|(_, has_creator)| *has_creator)
            && chain.into_iter().all(|key| own.get(key).is_some_and(|(is_empty, _)| *is_empty))
    };
    Ok(own.keys().copied().filter(is_empty).collect())
}

/// Whether the registry recorded the value of a default.
fn has_plain_default(default: &Value) -> bool {
    default
        .as_object()
        .and_then(|kinds| kinds.keys().next())
        .is_some_and(|kind| PLAIN_DEFAULTS.contains(&kind.as_str()))
}

/// A type, or `None` if only the code of TVM defines its form in JSON.
fn parse_type(
    key: &str,
    cursor: &JsonCursor<'_>,
    parent: Option<&str>,
    is_base: bool,
    empty: &BTreeSet<&str>,
) -> Result<Option<TypeDecl>> {
    let fields: Vec<FieldDecl> =
        cursor.get("own_fields")?.items()?.map(|cursor| parse_field(&cursor, empty)).collect::<Result<_>>()?;
    let kind = match cursor.get("seq_hash_kind")?.value {
        Value::Null => SEqHashKind::Unsupported,
        _ => cursor.word_of("seq_hash_kind", &KINDS)?.unwrap_or(SEqHashKind::Unsupported),
    };
    let has_name = fields.iter().any(|field| field.name == NAME && field.ty.to_string() == TEXT);
    let by_name = (cursor.flag("custom_data_to_json")? || kind == SEqHashKind::UniqueInstance).then(|| NAME.to_owned());
    if by_name.is_some() && !has_name {
        return Ok(None);
    }
    let is_singleton = kind == SEqHashKind::UniqueInstance;
    Ok(Some(TypeDecl {
        place: cursor.place.clone(),
        parent: parent.map(str::to_owned),
        kind,
        is_custom: cursor.flag("custom_s_equal")? || cursor.flag("custom_s_hash")?,
        is_base,
        is_abstract: !cursor.flag("has_creator")?,
        json: by_name.clone().filter(|_| !is_singleton),
        singleton_key: by_name.filter(|_| is_singleton),
        fields,
        files: FileForm::Tvm,
        ..TypeDecl::new(key)
    }))
}

fn parse_field(cursor: &JsonCursor<'_>, empty: &BTreeSet<&str>) -> Result<FieldDecl> {
    let mut role = FieldRole::Content;
    let mut has_default = false;
    for flag in cursor.get("flags")?.items()? {
        let flag = flag.text()?;
        has_default |= flag == "has_default";
        if let Some((_, found)) = FLAGS.iter().find(|(word, _)| *word == flag) {
            role = *found;
        }
    }
    let schema = cursor.get("schema")?;
    let mut ty = parse_words(&schema)?;
    let made = empty.contains(ty.name.as_str()).then(|| ty.name.clone());
    // In C++, a reference may be null even if its type is not optional.
    if cursor.find("accepts_null")?.is_some_and(|null| *null.value == Value::Bool(true))
        && !["Optional", "Any"].contains(&ty.name.as_str())
    {
        ty = TypeText::of("Optional", vec![ty]);
    }
    // Parses the text of the type, so that a schema that can be read can also be written and read again.
    let ty = TypeText::parse(&ty.to_string()).map_err(|error| error.at(schema.place.clone()))?;
    let name = cursor.get("name")?.text()?.to_owned();
    Ok(FieldDecl {
        role,
        default: if has_default { parse_default_of(&cursor.get("default")?, made)? } else { None },
        ..FieldDecl::new(cursor.place.clone(), name, ty)
    })
}

/// A type as nested maps. The JSON parser bounds the depth.
fn parse_words(cursor: &JsonCursor<'_>) -> Result<TypeText> {
    let name = cursor.get("type")?.text()?;
    // `std::string` is another C++ type of texts, with the same values and the same JSON.
    let name = if name == "std::string" { TEXT } else { name };
    if name == BIG_INT {
        let args = ["int", BIG_INT].map(TypeText::leaf).to_vec();
        return Ok(TypeText::of("Variant", args));
    }
    let args = match cursor.find("args")? {
        Some(args) => args.items()?.map(|arg| parse_words(&arg)).collect::<Result<_>>()?,
        None => Vec::new(),
    };
    Ok(TypeText::of(name, args))
}

/// A default with its kind, or `None` if the registry did not record it. Of an object, the registry records nothing; `made`
/// is the type of the field if its objects can be made without values of fields.
fn parse_default_of(cursor: &JsonCursor<'_>, made: Option<String>) -> Result<Option<DeclaredDefault>> {
    let Some((kind, value)) = cursor.entries()?.next() else {
        return Err(cursor.error(ErrorKind::Malformed, "the default is empty"));
    };
    match kind {
        "none" => Ok(Some(DeclaredDefault::Value(Any::None))),
        "bool" | "int" | "float" | "str" => parse_default(&value).map(Some),
        // The memory of a data type: code, bits and lanes.
        "dtype_raw" => {
            let raw = value.value.as_u64().ok_or_else(|| value.mismatch("an integer"))?.to_le_bytes();
            Ok(Some(DeclaredDefault::Value(Any::DataType(match raw {
                [3, 0, 0, 0, ..] => DataType::void(),
                [code, bits, 1, 0, ..] => DataType::scalar(TypeCode(code), bits),
                _ => return Err(value.error(ErrorKind::OutOfRange, "it is not a data type with one lane")),
            }))))
        }
        "type" | "type_index" if cursor.find("type")?.is_some_and(|ty| *ty.value == "object") => {
            Ok(made.map(|key| DeclaredDefault::Graph(json!({"root_index": 0, "nodes": [{"type": key, "data": {}}]}))))
        }
        _ => Ok(None),
    }
}
