//! Names that a language cannot write, and names that two things of one scope share: an error, or another name.

use object_codegen::model::Model;
use object_codegen::{Target, generate};
use object_core::dynamic::Schema;

/// The text for the types in JSON, without the head of a schema; or the error.
fn generated(target: Target, enums: &str, types: &str) -> Result<String, String> {
    let text = format!(r#"{{"format": "object-schema", "version": 2, "enums": [{enums}], "types": [{types}]}}"#);
    let schema = Schema::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"));
    let none = Schema::new(Vec::new(), Vec::new());
    let text = Model::new(&schema, &none).and_then(|model| generate(target, &model, "names.h"));
    text.map_err(|error| error.message().to_owned())
}

fn ty(key: &str, words: &str) -> String {
    format!(r#"{{"key": "{key}", "kind": "tree" {words}}}"#)
}

fn field(name: &str) -> String {
    format!(r#", "fields": [{{"name": "{name}", "type": "int"}}]"#)
}

#[test]
fn names_that_collide_are_errors() {
    let two = |a: &str, b: &str| [ty(a, ""), ty(b, "")].join(",");
    let fields = |names: &[&str]| {
        let fields: Vec<_> = names.iter().map(|name| format!(r#"{{"name": "{name}", "type": "int"}}"#)).collect();
        format!(r#", "fields": [{}]"#, fields.join(","))
    };
    let method = |name: &str| format!(r#", "methods": [{{"name": "{name}", "arguments": [], "result": "int"}}]"#);
    let mode = r#"{"name": "a.Mode", "variants": [["X", 0]]}"#;
    let all = &[Target::Cpp, Target::Python, Target::Rust][..];
    let with_nodes = &[Target::Cpp, Target::Rust][..];
    let cpp = &[Target::Cpp][..];
    let cases: Vec<(&[Target], &str, String, &str)> = vec![
        (with_nodes, "", two("a.Foo", "a.FooNode"), "the node class of `a.Foo` and the reference class of `a.FooNode`"),
        (with_nodes, "", two("a.b", "a.b.C"), "the reference class of `a.b` and the namespace `a.b`"),
        (
            &[Target::Python],
            "",
            two("a.Foo", "b.Foo"),
            "`a.Foo` and the reference class of `b.Foo` are both `Foo` in Python",
        ),
        (all, mode, ty("a.Mode", ""), "the enum `a.Mode` and the reference class of `a.Mode`"),
        (all, "", [ty("a.X", ""), ty("a.Y", r#", "ref_class": "X", "node_class": "YNode""#)].join(","), "are both `X`"),
        (with_nodes, "", ty("a.X", r#", "node_class": "X""#), "both of its classes are called `X`"),
        (
            cpp,
            "",
            ty("a.X", &fields(&["delete", "delete_"])),
            "field `delete_` and field `delete` are both called `delete_`",
        ),
        (cpp, "", ty("a.X", &(field("x") + &method("x"))), "method `x` and field `x` are both called `x`"),
        (cpp, "", ty("a.X", &field("XNode")), "field `XNode` and the generated `XNode`"),
        (&[Target::Cpp], "", ty("a.X", &method("RegisterReflection")), "the generated `RegisterReflection`"),
        (cpp, "", ty("my.ffi.X", ""), "inside of a namespace `ffi`, generated C++ does not find `::ffi`"),
        (&[Target::Cpp], "", ty("a.union", ""), "`union` has a meaning in generated C++; set `ref_class`"),
        (&[Target::Python], "", ty("a.None", ""), "`None` has a meaning in generated Python; set `ref_class`"),
        (&[Target::Rust], "", ty("a.Option", ""), "`Option` has a meaning in generated Rust; set `ref_class`"),
        (&[Target::Python], "", ty("a.X", &field("lambda")), "is a word of Python"),
        (&[Target::Python], "", ty("a.X", &field("field")), "has a meaning in generated classes"),
        (&[Target::Python], "", ty("a.X", &field("self")), "is the first parameter of its constructor"),
        (&[Target::Python], "", ty("a.X", &field("__class__")), "has a meaning in each class of Python"),
        (&[Target::Python], "", ty("a.X", &field("__x")), "is private to its class in Python"),
        (
            &[Target::Python],
            "",
            ty("a.X", &field("__dict__")),
            "no attribute of classes of tvm-ffi, and classes of Python cannot",
        ),
        (&[Target::PythonWrappers], "", ty("a.X", &field("self")), "is the first parameter of its constructor"),
        (cpp, "", ty("a.X", &fields(&["__dict__", "dict_"])), "are both called `dict_`"),
        (&[Target::Rust], "", ty("a.node", ""), "`node` has a meaning in generated Rust; set `ref_class`"),
        (&[Target::Rust], "", ty("a.object", ""), "`object` has a meaning in generated Rust; set `ref_class`"),
        (all, "", ty("a.X", r#", "ref_class": "X-1""#), "`X-1` is not a name of"),
        (with_nodes, "", ty("a.X", r#", "namespace": "a-b""#), "`a-b` is not a name of"),
        (all, "", ty("a.X", &field("x y")), "`x y` is not a name of"),
        (all, r#"{"name": "a.M", "variants": [["X", 0], ["X", 1]]}"#, String::new(), "the variant `X` is there twice"),
        (
            cpp,
            r#"{"name": "a.M", "variants": [["new", 0], ["new_", 1]]}"#,
            String::new(),
            "`new_` and `new` have one name",
        ),
    ];
    for (targets, enums, types, expected) in cases {
        for target in targets {
            match generated(*target, enums, &types) {
                Err(message) => assert!(message.contains(expected), "{target}: expected {expected}, found {message}"),
                Ok(text) => panic!("{target}: expected {expected}, found {text}"),
            }
        }
    }
}

#[test]
fn names_that_do_not_collide_are_written() {
    let mode = r#"{"name": "a.default.M", "variants": [["None", 0], ["new", 1], ["match", 2]]}"#;
    let types = [
        // A type with the name of its namespace, and a namespace with the name of a class elsewhere.
        ty("demo.demo", ""),
        ty("other.demo.X", &field("delete")),
        ty("a.class.Y", ""),
        // A field hides the class of its name.
        ty("demo.op", ""),
        ty("demo.Call", r#", "fields": [{"name": "op", "type": "demo.op"}]"#),
    ]
    .join(",");
    let text = |target| generated(target, mode, &types).unwrap_or_else(|error| panic!("{target}: {error}"));
    let cpp = text(Target::Cpp);
    for expected in
        ["class demo : public", "int64_t delete_{};", "namespace a::class_ {", "::demo::op op;", "new_ = 1,"]
    {
        assert!(cpp.contains(expected), "{expected}: {cpp}");
    }
    let python = text(Target::Python);
    assert!(python.contains("None_ = 0") && python.contains("op: op"), "{python}");
    let rust = text(Target::Rust);
    assert!(
        rust.contains("r#match = 2") && rust.contains("pub mod class {") | rust.contains("pub mod r#class {"),
        "{rust}"
    );
}
