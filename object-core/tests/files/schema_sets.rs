//! Schemas as sets of types of their own, with hooks from a table, and with defaults that are objects of the set.

use object_core::dynamic::{DynamicHooks, Schema, SchemaLoader};
use object_core::json::JsonReader;
use object_core::prelude::*;
use object_core::registry::{self, Types};
use object_core::{Error, ErrorKind, ObjectBuilder, ObjectRef, structural_first_mismatch, structural_hash};

#[derive(Object)]
#[object(type_key = "sets.Expr", base)]
#[structural_eq(tree)]
pub struct ExprNode {}

#[derive(Object)]
#[object(type_key = "sets.Var", parent = ExprNode)]
#[structural_eq(var)]
pub struct VarNode {
    pub base: ExprNode,
}

fn make(types: &Types, key: &str, fields: Vec<(&str, Any)>) -> ObjectRef {
    let mut builder = ObjectBuilder::new(types.get(key).expect("it is there")).expect("it is not abstract");
    for (name, value) in fields {
        builder.set(name, value).unwrap_or_else(|error| panic!("{error}"));
    }
    builder.build().unwrap_or_else(|error| panic!("{error}"))
}

/// A set of types of its own, whose keys other types of this program have, and whose defaults are objects of the set.
const STANDALONE: &str = r#"{"format": "object-schema", "version": 1, "types": [
    {"key": "sets.Expr", "kind": "tree", "base": true, "fields": [
        {"name": "ty", "type": "own.Type", "default": {"root_index": 0, "nodes": [{"type": "own.Type", "data": {}}]}}]},
    {"key": "own.Type", "kind": "tree", "fields": [{"name": "bits", "type": "int", "default": 8}]},
    {"key": "own.Op", "parent": "sets.Expr", "kind": "singleton", "singleton_key": "name",
     "fields": [{"name": "name", "type": "ffi.String"}]},
    {"key": "own.Pair", "parent": "sets.Expr", "kind": "tree", "custom": true,
     "fields": [{"name": "first", "type": "Any"}, {"name": "note", "type": "Any"}, {"name": "second", "type": "Any"}]}
]}"#;

fn standalone(hooks: DynamicHooks) -> Result<Types, Error> {
    let schema = Schema::parse(STANDALONE.as_bytes()).expect("a schema");
    SchemaLoader::new().standalone(true).hooks(hooks).load(&schema)
}

/// Compares the parts of a pair without the note, the second part first.
fn pair_hook() -> DynamicHooks {
    DynamicHooks::new()
        .insert_fields("own.Pair", [("second", FieldRole::Content), ("first", FieldRole::Content)])
        .insert_fields("own.Gone", [("x", FieldRole::Content)])
}

#[test]
fn a_set_of_its_own_has_other_types_with_the_same_keys() {
    let types = standalone(pair_hook()).unwrap_or_else(|error| panic!("{error}"));
    let info = types.get("sets.Expr").expect("it is in the set");
    assert!(!std::ptr::eq(info, registry::type_info("sets.Expr").expect("it is linked")));
    // The set has no other types except the types of object-core.
    assert!(types.has("ffi.Array").expect("no duplicates"));
    assert!(!types.has("sets.Var").expect("no duplicates"));
    let error = types.get("sets.Var").expect_err("it is linked, but not in the set");
    assert_eq!(error.kind(), ErrorKind::UnknownType);
    let keys: Vec<&str> = types.all().expect("no duplicates").iter().map(|info| info.type_key()).collect();
    assert_eq!(keys.len(), types.own().len() + 9);
    assert!(keys.is_sorted());
}

#[test]
fn defaults_are_objects_of_the_schema() {
    let types = standalone(pair_hook()).unwrap_or_else(|error| panic!("{error}"));
    let text = r#"{"root_index":2,"nodes":[{"type":"own.Op","data":"add"},{"type":"int","data":1},
        {"type":"own.Pair","data":{"first":0,"note":1,"second":1}}]}"#;
    let pair = JsonReader::new().types(&types).read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}")).root;
    assert_eq!(pair.to_string(), r#"own.Pair(ty=own.Type(bits=8), first=own.Op("add"), note=1, second=1)"#);
    let again = Schema::of(&types.own()).to_json().expect("the defaults are graphs");
    assert!(again.contains(r#""default":{"root_index":0,"nodes":[{"type":"own.Type","data":{"bits":8}}]}"#), "{again}");
    let again = Schema::parse(again.as_bytes());
    let loader = SchemaLoader::new().standalone(true).hooks(pair_hook());
    loader.load(&again.expect("a schema")).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn hooks_of_a_table_replace_the_fields() {
    let types = standalone(pair_hook()).unwrap_or_else(|error| panic!("{error}"));
    let pair = |first: i64, note: i64, second: i64| {
        make(&types, "own.Pair", vec![("first", first.into()), ("note", note.into()), ("second", second.into())])
    };
    assert!(structural_equal(&pair(1, 2, 3), &pair(1, 7, 3)));
    assert_eq!(structural_hash(&pair(1, 2, 3)), structural_hash(&pair(1, 7, 3)));
    assert!(types.get("own.Pair").expect("it is in the set").has_custom_hooks());
    // The order of the hook decides which difference is first.
    let mismatch = structural_first_mismatch(&pair(1, 2, 3), &pair(2, 2, 4)).expect("comparable").expect("different");
    assert_eq!(mismatch.lhs.to_string(), "<root>.second");
}

#[test]
fn a_hook_without_its_fields_is_an_error() {
    let hooks = DynamicHooks::new().insert_fields("own.Pair", [("frst", FieldRole::Content)]);
    let error = standalone(hooks).expect_err("the type has no such field");
    assert_eq!(error.kind(), ErrorKind::UnknownField);
    assert!(
        error.message().contains(
            "the hook of `own.Pair` reads the field `frst`, which the type does not have, did you mean `first`?"
        ),
        "{error}"
    );
    let error = standalone(DynamicHooks::new()).expect_err("nobody has the hook");
    assert!(error.message().contains("`own.Pair`") && error.message().contains("no hook is registered"), "{error}");
}
