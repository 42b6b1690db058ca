//! The examples of the RFC on the schema language: input, generated text, and the file that is changed in place.
//! `BLESS=1` renews the texts of `data/rfc`; `data/rfc/README.md` lists where they differ from the texts of the RFC.

mod common;

#[allow(unreachable_pub, reason = "the items of a generated file are public")]
#[rustfmt::skip]
#[path = "data/rfc/rfc.rs.txt"]
mod types;

use std::fs;

use common::peer::Peer;
use common::{check_golden, file_text, no_types, read};
use object_codegen::model::Model;
use object_codegen::python_input::{self, SourceFile};
use object_codegen::{Target, generate, regions, rename_namespaces};
use object_core::dynamic::Schema;
use object_core::object::{HookContents, Object, StructuralHook};
use object_core::{DataType, structural_equal};

/// The types of a Python file of `data/rfc`.
fn declared(name: &str, context: &Schema) -> Schema {
    let text = read(&format!("data/rfc/{name}.py"));
    let file = SourceFile { name, text: &text };
    python_input::read(&[file], context).unwrap_or_else(|faults| panic!("{name}: {faults:?}")).schema
}

/// All types of the examples.
fn family() -> Schema {
    let context = declared("context", &no_types());
    let mut types = context.types().to_vec();
    for name in ["int_imm", "global_var"] {
        types.extend(declared(name, &context).types().to_vec());
    }
    Schema::new(types, Vec::new())
}

#[test]
fn whole_classes_are_as_recorded() {
    let context = declared("context", &no_types());
    for name in ["base_expr", "int_imm"] {
        let context = if name == "base_expr" { no_types() } else { context.clone() };
        let schema = declared(name, &context);
        let homes = [(String::new(), "context.h".to_owned())];
        let model = Model::new(&schema, &context).expect("the types fit").homes(&homes);
        let text = generate(Target::Cpp, &model, &format!("{name}.h"));
        let text = text.unwrap_or_else(|error| panic!("{name}: {error}"));
        check_golden(&format!("data/rfc/{name}.h"), &text);
    }
}

#[test]
fn the_file_in_place_is_as_recorded() {
    let context = declared("context", &no_types());
    let schema = declared("global_var", &context);
    let model = Model::new(&schema, &context).expect("the types fit");
    let before = read("data/rfc/global_var_before.h");
    let update = |text: &str| {
        let updated = regions::update(Target::Cpp, &model, "global_var.h", text.as_bytes());
        String::from_utf8(updated.unwrap_or_else(|faults| panic!("{faults:?}")).text).expect("UTF-8")
    };
    let after = update(&before);
    assert_eq!(update(&after), after, "a second update changes nothing");
    check_golden("data/rfc/global_var.h", &after);
}

/// A hook, which the author of the declaration writes.
impl StructuralHook for types::tvm::GlobalVarNode {
    fn structural_contents<'a>(&'a self, contents: &mut HookContents<'a>) {
        contents.add("name_hint", &self.name_hint);
    }
}

/// The keys of the RFC have no namespace, and keys of Rust have one: `--namespace =tvm` gives it, also to the parents.
#[test]
fn keys_without_a_namespace_get_one_in_rust() {
    let error = file_text(Target::Rust, &family(), &no_types(), "").expect_err("a key of Rust has a namespace");
    assert!(error.message().contains("--namespace =NAME"), "{error}");
    let renamed = rename_namespaces(&family(), &[("", "tvm")]);
    let text = file_text(Target::Rust, &renamed, &no_types(), "").unwrap_or_else(|error| panic!("{error}"));
    check_golden("data/rfc/rfc.rs.txt", &text);
    let one = |value| types::tvm::IntImm::new(DataType::int(32), value);
    assert!(structural_equal(&one(1), &one(1)));
    assert!(!structural_equal(&one(1), &one(2)));
    assert_eq!(types::tvm::GlobalVarNode::TYPE_INFO.type_key(), "tvm.GlobalVar");
}

/// A compiler accepts the header of all types with the headers of tvm-ffi.
#[test]
fn the_header_compiles() {
    for peer in Peer::all() {
        let folder = tempfile::tempdir().expect("a folder");
        for (target, name) in [(Target::Cpp, "family.h"), (Target::CppSource, "family.cc")] {
            let text = file_text(target, &family(), &no_types(), "family.h").unwrap_or_else(|error| panic!("{error}"));
            fs::write(folder.path().join(name), text).expect("writable");
        }
        peer.check(folder.path(), "family.cc");
    }
}
