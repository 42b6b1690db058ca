//! Schemas with mistakes: each mistake is an error with its place and reason.

use object_core::dynamic::{Schema, SchemaLoader};
use object_core::prelude::*;
use object_core::registry::Types;
use object_core::{Error, ErrorKind, ObjectBuilder, structural_hash};

#[derive(Object)]
#[object(type_key = "mistakes.Expr", base)]
#[structural_eq(tree)]
pub struct ExprNode {
    #[field(ignore, default)]
    pub span: Option<Str>,
}

#[derive(Object)]
#[object(type_key = "mistakes.Pair", parent = ExprNode)]
#[structural_eq(tree)]
pub struct PairNode {
    pub base: ExprNode,
    pub first: Expr,
}

fn load(schema: &str) -> Result<Types, Error> {
    SchemaLoader::new().name("test").load(&Schema::parse(schema.as_bytes())?)
}

/// Schemas of one or two types with a mistake: the types, the place of the mistake, and a part of the message.
const MISTAKES: [(&str, &str, &str); 42] = [
    (r#"7"#, "<root>.types[0]", "expected `a map`, got `number`"),
    (r#"{"key": "a.B"}"#, "<root>.types[0]", "there is no `kind`"),
    (r#"{"kind": "tree"}"#, "<root>.types[0]", "there is no `key`"),
    (r#"{"key": "a.B", "kind": "treee"}"#, "<root>.types[0].kind", "`treee` is not a `kind`; there are `none`, `tree`"),
    (r#"{"key": "a.B", "kind": "tree", "filds": []}"#, "<root>.types[0]", "`filds` is unknown; did you mean `fields`?"),
    (r#"{"key": "B", "kind": "tree"}"#, "<root>.types[0].key", "a type key has a namespace"),
    (r#"{"key": "a..B", "kind": "tree"}"#, "<root>.types[0].key", "names with dots between them"),
    (r#"{"key": "ffi.Object", "kind": "tree"}"#, "<root>.types[0].key", "the root of all types"),
    (
        r#"{"key": "mistakes.Expr", "kind": "tree"}"#,
        "<root>.types[0].key",
        "two types have the type key `mistakes.Expr`: one at",
    ),
    (
        r#"{"key": "a.B", "kind": "tree"}, {"key": "a.B", "kind": "tree"}"#,
        "<root>.types[1].key",
        "the other one is at <root>.types[0]",
    ),
    (
        r#"{"key": "a.B", "kind": "tree", "parent": "mistakes.Exp"}"#,
        "<root>.types[0].parent",
        "did you mean `mistakes.Expr`?",
    ),
    (r#"{"key": "a.B", "kind": "tree", "parent": "mistakes.Pair"}"#, "<root>.types[0].parent", "it is not a `base`"),
    (r#"{"key": "a.B", "kind": "tree", "parent": "ffi.Array"}"#, "<root>.types[0].parent", "it is not a `base`"),
    (
        r#"{"key": "a.B", "kind": "tree", "base": true, "parent": "a.B"}"#,
        "<root>.types[0].parent",
        "descends from itself",
    ),
    (
        r#"{"key": "a.B", "kind": "tree", "base": true, "parent": "a.C"}, {"key": "a.C", "kind": "tree", "base": true, "parent": "a.B"}"#,
        "<root>.types[0].parent",
        "descends from itself",
    ),
    (
        r#"{"key": "a.B", "kind": "var", "base": true}, {"key": "a.C", "kind": "tree", "parent": "a.B"}"#,
        "<root>.types[1].kind",
        "it is `tree`, but its parent `a.B` is `var`",
    ),
    (
        r#"{"key": "a.B", "kind": "var", "scope": true}"#,
        "<root>.types[0].scope",
        "only for `tree` and `dag`, not for `var`",
    ),
    (r#"{"key": "a.B", "kind": "tree", "custom": true}"#, "<root>.types[0].custom", "no hook is registered"),
    (
        r#"{"key": "a.B", "kind": "tree", "fields": [
            {"name": "x", "type": "a.B", "default": {"root_index": 0, "nodes": [{"type": "a.B", "data": {}}]}}]}"#,
        "<root>.types[0].fields[0].default",
        "a node of type `a.B` in a default needs a value for the field `x`",
    ),
    (
        r#"{"key": "a.C", "kind": "tree", "fields": [
            {"name": "x", "type": "int", "default": {"root_index": 0, "nodes": [{"type": "a.C", "data": {"x": 1}}]}}]}"#,
        "<root>.types[0].fields[0].default",
        "field `x`: expected `int`, got `a.C`",
    ),
    (
        r#"{"key": "a.B", "kind": "tree", "fields": [
            {"name": "x", "type": "int", "default": {"root_index": 0, "nodes": [{"type": "mistakes.Gone", "data": 1}]}}]}"#,
        "<root>.types[0].fields[0].default",
        "no type has the type key `mistakes.Gone`",
    ),
    (r#"{"key": "a.B", "kind": "none", "body": "opaque"}"#, "<root>.types[0].body", "only a linked type will do"),
    (r#"{"key": "a.B", "kind": "singleton"}"#, "<root>.types[0].kind", "needs a `singleton_key`"),
    (r#"{"key": "a.B", "kind": "tree", "singleton_key": "x"}"#, "<root>.types[0].singleton_key", "only for singletons"),
    (
        r#"{"key": "a.B", "kind": "singleton", "singleton_key": "x"}"#,
        "<root>.types[0].singleton_key",
        "has no field `x`",
    ),
    (
        r#"{"key": "a.B", "kind": "singleton", "singleton_key": "x", "fields": [{"name": "x", "type": "int"}]}"#,
        "<root>.types[0].singleton_key",
        "of type `ffi.String`, and `x` is not",
    ),
    (
        r#"{"key": "a.B", "kind": "singleton", "singleton_key": "x",
            "fields": [{"name": "x", "type": "ffi.String"}, {"name": "y", "type": "ffi.Object"}]}"#,
        "<root>.types[0].fields[1].name",
        "needs a default",
    ),
    (r#"{"key": "a.B", "kind": "tree", "json": "x"}"#, "<root>.types[0].json", "has no field `x`"),
    (
        r#"{"key": "a.B", "kind": "tree", "json": "x", "fields": [{"name": "x", "type": "int"}, {"name": "y", "type": "int"}]}"#,
        "<root>.types[0].fields[1].name",
        "needs a default, because JSON holds `x` alone",
    ),
    (
        r#"{"key": "a.B", "kind": "tree", "json": "x", "fields": [{"name": "x", "type": "ffi.Array<int>"}]}"#,
        "<root>.types[0].fields[0].type",
        "in place of the object, so it is a text, a number, a `bool` or a `DataType`, not `ffi.Array<int>`",
    ),
    (r#"{"key": "a.B", "kind": "tree", "label": "{x}"}"#, "<root>.types[0].label", "has no field `x`"),
    (r#"{"key": "a.B", "kind": "tree", "label": "{x"}"#, "<root>.types[0].label", "a `{` without a `}`"),
    (
        r#"{"key": "a.B", "kind": "tree", "fields": [{"name": "1", "type": "int"}]}"#,
        "<root>.types[0].fields[0].name",
        "not a name",
    ),
    (
        r#"{"key": "a.B", "kind": "tree", "fields": [{"name": "x", "type": "int"}, {"name": "x", "type": "int"}]}"#,
        "<root>.types[0].fields[1].name",
        "two fields of this name",
    ),
    (
        r#"{"key": "a.B", "kind": "tree", "parent": "mistakes.Expr", "fields": [{"name": "span", "type": "int"}]}"#,
        "<root>.types[0].fields[0].name",
        "is inherited",
    ),
    (
        r#"{"key": "a.B", "kind": "tree", "fields": [{"name": "x", "type": "a.C"}]}"#,
        "<root>.types[0].fields[0].type",
        "no type has the type key `a.C`",
    ),
    (
        r#"{"key": "a.B", "kind": "tree", "fields": [{"name": "x", "type": "int<int>"}]}"#,
        "<root>.types[0].fields[0].type",
        "`int` has no arguments",
    ),
    (
        r#"{"key": "a.B", "kind": "tree", "fields": [{"name": "x", "type": "a<"}]}"#,
        "<root>.types[0].fields[0].type",
        "a name is missing",
    ),
    (
        r#"{"key": "a.B", "kind": "tree", "fields": [{"name": "x", "type": "ffi.Array<int>", "role": "def"}]}"#,
        "<root>.types[0].fields[0].role",
        "there are none in `ffi.Array<int>`",
    ),
    (
        r#"{"key": "a.B", "kind": "const_tree", "fields": [{"name": "x", "type": "a.B", "role": "def"}]}"#,
        "<root>.types[0].fields[0].role",
        "contradicts `const_tree`",
    ),
    (
        r#"{"key": "a.B", "kind": "none", "fields": [{"name": "x", "type": "int", "role": "ignore"}]}"#,
        "<root>.types[0].fields[0].role",
        "has no effect",
    ),
    (
        r#"{"key": "a.B", "kind": "tree", "fields": [{"name": "x", "type": "int", "default": "x"}]}"#,
        "<root>.types[0].fields[0].default",
        "field `x`: expected `int`, got `ffi.String`",
    ),
];

fn with_types(types: &str) -> String {
    format!(r#"{{"format": "object-schema", "version": 1, "types": [{types}]}}"#)
}

#[test]
fn mistakes_are_errors_with_a_place() {
    for (types, place, part) in MISTAKES {
        let error = load(&with_types(types)).map(|_| ()).expect_err(types);
        assert!(error.message().contains(part), "{types}\n  {error}\n  lacks: {part}");
        assert_eq!(error.path().map(ToString::to_string).as_deref(), Some(place), "{types}\n  {error}");
    }
}

#[test]
fn schemas_beyond_the_limits_are_errors() {
    let fields: Vec<String> = (0..65).map(|index| format!(r#"{{"name": "f{index}", "type": "int"}}"#)).collect();
    let wide = |count: usize| {
        with_types(&format!(r#"{{"key": "a.Wide", "kind": "tree", "fields": [{}]}}"#, fields[..count].join(",")))
    };
    let info = load(&wide(64)).expect("64 fields").get("a.Wide").expect("it is there");
    let mut builder = ObjectBuilder::new(info).expect("constructible");
    for field in info.fields() {
        builder.set(field.name(), 1).expect("an int");
    }
    assert!(structural_hash(&builder.build().expect("all is set")) != 0);
    assert_eq!(load(&wide(65)).map(|_| ()).expect_err("65 fields").kind(), ErrorKind::OutOfRange);
    let chain = |count: usize| {
        let types = (0..count).map(|index| {
            let parent = if index == 0 { String::new() } else { format!(r#""parent": "a.T{}","#, index - 1) };
            format!(r#"{{"key": "a.T{index}", {parent} "kind": "tree", "base": true}}"#)
        });
        // The children come first, so the order does not help the loader.
        let mut types: Vec<String> = types.collect();
        types.reverse();
        with_types(&types.join(","))
    };
    assert_eq!(load(&chain(64)).expect("64 types").own().len(), 64);
    for count in [65, 20_000] {
        let error = load(&chain(count)).map(|_| ()).expect_err("too deep");
        assert_eq!(error.kind(), ErrorKind::OutOfRange, "{error}");
    }
}
