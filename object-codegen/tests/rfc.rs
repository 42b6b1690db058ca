//! The examples of the RFC on the schema language: input, generated text, and the file that is changed in place.
//! `BLESS=1` renews the texts of `data/rfc`, which are the texts of the RFC: a difference needs a row in
//! `data/rfc/README.md`, which lists where the RFC contradicts itself.

mod common;

use std::process::Command;

use common::{check_golden, file_text, no_types, path, read};
use object_codegen::model::Model;
use object_codegen::python_input::{self, SourceFile};
use object_codegen::{Target, regions};
use object_core::dynamic::Schema;

/// The types of a Python file of `data/rfc`.
fn declared(name: &str, context: &Schema) -> Schema {
    let text = read(&format!("data/rfc/{name}.py"));
    let file = SourceFile { name, text: &text };
    python_input::read(&[file], context).unwrap_or_else(|faults| panic!("{name}: {faults:?}")).schema
}

#[test]
fn whole_classes_are_those_of_the_rfc() {
    let context = declared("context", &no_types());
    for name in ["base_expr", "int_imm"] {
        let context = if name == "base_expr" { no_types() } else { context.clone() };
        let text = file_text(Target::CppRfc, &declared(name, &context), &context, &format!("{name}.h"));
        let text = text.unwrap_or_else(|error| panic!("{name}: {error}"));
        check_golden(&format!("data/rfc/{name}.h"), &text);
    }
}

#[test]
fn the_file_in_place_is_that_of_the_rfc() {
    let context = declared("context", &no_types());
    let schema = declared("global_var", &context);
    let model = Model::new(&schema, &context).expect("the types fit");
    let before = read("data/rfc/global_var_before.h");
    let update = |text: &str| {
        let updated = regions::update(Target::CppRfc, &model, "global_var.h", text.as_bytes());
        String::from_utf8(updated.unwrap_or_else(|faults| panic!("{faults:?}")).text).expect("UTF-8")
    };
    let after = update(&before);
    assert_eq!(update(&after), after, "a second update changes nothing");
    check_golden("data/rfc/global_var.h", &after);
}

/// The header of all types, which compiles against the stub headers.
fn compile(schema: &Schema) -> String {
    let text = file_text(Target::CppRfc, schema, &no_types(), "family.h").expect("the types fit");
    let source = file_text(Target::CppRfcSource, schema, &no_types(), "family.h").expect("the types fit");
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("family.h"), &text).expect("writable");
    std::fs::write(folder.path().join("family.cc"), &source).expect("writable");
    let compiled = Command::new("g++")
        .args(["-std=c++14", "-fsyntax-only", "-Wall", "-Wno-unused-variable", "-Werror", "-I"])
        .arg(path("data/rfc/stub"))
        .arg(folder.path().join("family.cc"))
        .output();
    match compiled {
        Err(error) => println!("skipped: g++ does not run: {error}"),
        Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr)),
    }
    text
}

/// Types that contain themselves have their reference classes before their nodes.
#[test]
fn recursive_types_compile() {
    let text = "@declare\nclass TreeNode(Object):\n    type_key = 'Tree'\n    items: ty.Array[Tree]\n    up: ty.Optional[Tree]\n\n\
                @declare\nclass PingNode(Object):\n    type_key = 'Ping'\n    pongs: ty.Map[ty.String, Pong]\n\n\
                @declare\nclass PongNode(Object):\n    type_key = 'Pong'\n    pings: ty.Array[Ping]\n";
    let file = SourceFile { name: "trees.py", text };
    let read = python_input::read(&[file], &no_types()).unwrap_or_else(|faults| panic!("{faults:?}"));
    let header = compile(&read.schema);
    for class in ["class Tree : public ObjectRef", "class Ping : public ObjectRef", "class Pong : public ObjectRef"] {
        assert_eq!(header.matches(class).count(), 1, "{class}: {header}");
    }
}

/// A family that is generated as a whole has child slots, and compiles against the stub headers.
#[test]
fn the_text_compiles() {
    let context = declared("context", &no_types());
    let all = ["int_imm", "global_var"].map(|name| declared(name, &context));
    let mut types = context.types().to_vec();
    types.extend(all.iter().flat_map(|schema| schema.types().to_vec()));
    let schema = Schema::new(types, Vec::new());
    // The hooks of GlobalVar are hand-written, and a whole file has none: the class compiles without them.
    let text = compile(&schema);
    assert!(text.contains("_type_child_slots = 4;") && text.contains("_type_child_slots = 1;"), "{text}");
}
