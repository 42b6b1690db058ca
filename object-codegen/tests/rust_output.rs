//! The generated Rust compiles, and its registry has the types of the schema.

mod common;

#[allow(unreachable_pub, reason = "the items of a generated file are public")]
#[rustfmt::skip]
#[path = "goldens/wide.rs.txt"]
mod types;

use std::collections::BTreeMap;

use common::schema;
use object_core::dynamic::Schema;
use object_core::registry;
use serde_json::Value;

/// The entries of the types by key. Rust has no mutable containers and no types for several types, and holds their values
/// as any value; and the name of an enum has no namespace.
fn entries(schema: &Schema) -> BTreeMap<String, Value> {
    let text = schema.to_json().expect("a schema");
    let json: Value = serde_json::from_str(&text).expect("JSON");
    let types = json["types"].as_array().expect("types");
    let entry = |entry: &Value| {
        let mut entry = entry.clone();
        for field in entry["fields"].as_array_mut().expect("fields") {
            let ty = field["type"].as_str().expect("a type").to_owned();
            if ["Variant", "ffi.List", "ffi.Dict"].iter().any(|name| ty.starts_with(name)) {
                field["type"] = "Any".into();
            }
            if let Some(name) = field.get("enum").and_then(Value::as_str) {
                field["enum"] = name.rsplit('.').next().expect("a name").into();
            }
        }
        (entry["key"].as_str().expect("a key").to_owned(), entry)
    };
    types.iter().map(entry).collect()
}

#[test]
fn structs_have_the_types_of_the_schema() {
    // The module is linked, because a type of it is used.
    assert_eq!(types::wide::Span::new(3).line, 3);
    let linked: Vec<_> = registry::types()
        .expect("unique keys")
        .into_iter()
        .filter(|info| info.type_key().starts_with("wide."))
        .collect();
    let (linked, declared) = (entries(&Schema::of(&linked)), entries(&schema("data/wide.json")));
    assert_eq!(linked.keys().collect::<Vec<_>>(), declared.keys().collect::<Vec<_>>());
    // The enums of all linked types are there, and the name of a linked enum has no namespace.
    let enums = |schema: &Schema| -> Vec<object_core::dynamic::EnumDecl> {
        let rename = |it: &object_core::dynamic::EnumDecl| {
            let mut it = it.clone();
            it.name = it.name.rsplit('.').next().unwrap_or_default().to_owned();
            it
        };
        schema.enums().iter().map(rename).collect()
    };
    let linked_enums = enums(&Schema::of(&registry::types().expect("unique keys")));
    assert_eq!(linked_enums, enums(&schema("data/wide.json")));
    for (key, expected) in &declared {
        assert_eq!(linked[key].to_string(), expected.to_string(), "{key}");
    }
}
