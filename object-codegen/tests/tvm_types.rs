//! The record of TVM's types as Rust: the generated file compiles, and its registry has the types of the record.
//! `generator/goldens.rs` renews the file.

mod common;

#[allow(unreachable_pub, reason = "the items of a generated file are public")]
#[rustfmt::skip]
#[path = "goldens/tvm.rs.txt"]
mod types;

use std::collections::{BTreeMap, BTreeSet};

use common::record;
use object_core::dynamic::{Schema, TypeDecl, TypeText};
use object_core::object::{HookContents, Object, StructuralHook};
use object_core::registry;
use serde_json::Value;

/// Hooks are code, which people write. These have the right form, and not the meaning of TVM's.
macro_rules! hooks {
    ($($node:path: $field:ident),*) => {$(
        impl StructuralHook for $node {
            fn structural_contents<'a>(&'a self, contents: &mut HookContents<'a>) {
                contents.add(stringify!($field), &self.$field);
            }
        }
    )*};
}

hooks!(
    types::ir::IRModuleNode: functions,
    types::relax::expr::VarNode: vid,
    types::relax::expr::VarBindingNode: value
);

/// The type of a field as Rust has it: mutable containers and several types are any value.
fn in_rust(ty: &TypeText) -> String {
    if ["Variant", "ffi.List", "ffi.Dict"].contains(&ty.name.as_str()) {
        return "Any".to_owned();
    }
    let args: Vec<String> = ty.args.iter().map(in_rust).collect();
    match (ty.name.as_str(), &args[..]) {
        ("Optional", [arg]) if arg == "Any" => arg.clone(),
        // Functions of Rust check their arguments at each call.
        ("ffi.Function", _) | (_, []) => ty.name.clone(),
        ("ffi.Array", [arg]) if arg == "Any" => format!("ffi.Array<{arg}>"),
        (name, args) => format!("{name}<{}>", args.join(",")),
    }
}

/// The facts of a type that both sides state.
fn facts(decl: &TypeDecl) -> String {
    let TypeDecl { parent, kind, is_base, is_abstract, singleton_key, json, .. } = decl;
    let fields = decl.fields.iter().map(|field| format!("{}: {} {:?}", field.name, in_rust(&field.ty), field.role));
    let fields: Vec<String> = fields.collect();
    format!("{parent:?} {kind:?} {is_base} {is_abstract} {singleton_key:?} {json:?} {fields:?}")
}

/// The defaults of the fields, in the words of schemas. Types without an entry in `keys` are left out.
fn defaults(schema: &Schema, keys: &BTreeMap<&str, &TypeDecl>) -> BTreeMap<String, Value> {
    let json: Value = serde_json::from_str(&schema.to_json().expect("a schema")).expect("JSON");
    let mut defaults = BTreeMap::new();
    for entry in json["types"].as_array().expect("types") {
        let key = entry["key"].as_str().expect("a key");
        // Reading needs a default for each field that JSON does not show, also if the record has none.
        if keys.get(key).is_none_or(|decl| decl.singleton_key.is_some() || decl.json.is_some()) {
            continue;
        }
        for field in entry["fields"].as_array().expect("fields") {
            let Some(default) = field.get("default") else { continue };
            // C++ gives some numbers as integers, and others as truth values.
            let default = match field["type"].as_str() {
                Some("float") => default.as_f64().map(Value::from),
                Some("int") => default.as_bool().map(|value| i64::from(value).into()),
                _ => None,
            }
            .unwrap_or_else(|| default.clone());
            defaults.insert(format!("{key}.{}", field["name"].as_str().expect("a name")), default);
        }
    }
    defaults
}

/// The test of `object-ir` compares its types with the same record.
#[test]
fn the_registry_has_the_types_of_the_record() {
    // The module is linked, because a type of it is used.
    assert_eq!(types::ir::EnvFuncNode::TYPE_INFO.type_key(), "ir.EnvFunc");
    let (schema, record) = (Schema::of(&registry::types().expect("unique keys")), record());
    let linked: BTreeMap<&str, &TypeDecl> = schema.types().iter().map(|decl| (decl.key.as_str(), decl)).collect();
    let mut wrong = Vec::new();
    for decl in record.types() {
        let found = linked.get(decl.key.as_str()).map_or_else(|| "not linked".to_owned(), |found| facts(found));
        if found != facts(decl) {
            wrong.push(format!("{}:\n  {found}\n  {}", decl.key, facts(decl)));
        }
    }
    let keys: BTreeMap<&str, &TypeDecl> = record.types().iter().map(|decl| (decl.key.as_str(), decl)).collect();
    let (ours, theirs) = (defaults(&schema, &keys), defaults(&record, &keys));
    assert!(theirs.len() > 40, "only {} defaults", theirs.len());
    for field in ours.keys().chain(theirs.keys()).collect::<BTreeSet<_>>() {
        if ours.get(field) != theirs.get(field) {
            wrong.push(format!("{field}: default {:?}, in the record {:?}", ours.get(field), theirs.get(field)));
        }
    }
    assert!(wrong.is_empty(), "{} of {} types differ\n{}", wrong.len(), linked.len(), wrong.join("\n"));
}
