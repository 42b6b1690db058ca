//! Declarations in Python: each file of `tests/data/python_input` with its schema or its faults. `BLESS=1` renews them.

use std::fs;
use std::path::Path;

use object_codegen::python_input::{SourceFile, read};
use object_core::dynamic::Schema;

/// The schema of a file and its warnings, or its faults, as text.
fn result(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("the case can be read");
    let context = match fs::read(path.with_extension("context.json")) {
        Ok(json) => Schema::parse(&json).expect("the context is a schema"),
        Err(_) => Schema::new(Vec::new(), Vec::new()),
    };
    let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
    let lines = |faults: &[object_codegen::diagnostic::Diagnostic]| {
        faults.iter().map(|fault| format!("{fault}\n")).collect::<String>()
    };
    match read(&[SourceFile { name, text: &text }], &context) {
        Ok(read) => {
            let schema = read.schema.to_json().expect("the schema has a form in JSON");
            let schema: serde_json::Value = serde_json::from_str(&schema).expect("JSON");
            format!("{}{}\n", lines(&read.warnings), serde_json::to_string_pretty(&schema).expect("JSON"))
        }
        Err(faults) => lines(&faults),
    }
}

#[test]
fn files_have_their_schemas_and_faults() {
    crate::blessed::check_folder("python_input", "py", result);
}

#[test]
fn classes_of_several_files_name_each_other() {
    let (base, child) = (
        SourceFile { name: "base.py", text: "@declare\nclass BaseNode(Object):\n    type_key = 'two.Base'\n" },
        SourceFile {
            name: "child.py",
            text: "from base import BaseNode as B\n@declare\nclass ChildNode(B):\n    type_key = 'two.Child'\n    x: ty.Base\n",
        },
    );
    let empty = Schema::new(Vec::new(), Vec::new());
    let read = read(&[child, base], &empty).expect("both files fit");
    let child = &read.schema.types()[0];
    assert_eq!((child.parent.as_deref(), child.fields[0].ty.name.as_str()), (Some("two.Base"), "two.Base"));
    assert!(read.schema.types()[1].is_base && !child.is_base);
}

/// JSON has no `NaN`, but a default may contain it.
#[test]
fn mutable_defaults_hold_every_number() {
    let text = "@declare\nclass A(Object):\n    type_key = 'a.A'\n    x: ty.List[ty.double] = [math.nan, 1]\n";
    let read = read(&[SourceFile { name: "a.py", text }], &Schema::new(Vec::new(), Vec::new())).expect("a declaration");
    let default = read.schema.types()[0].fields[0].default.clone().expect("a default").value().expect("a value");
    assert_eq!(default.to_string(), "ffi.List[NaN, 1.0]");
}

/// No text makes the reader panic, and each fault has a place in the text.
#[test]
fn broken_files_are_faults() {
    let mut sources = Vec::new();
    for entry in fs::read_dir(crate::blessed::folder("python_input")).expect("the folder can be read") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|it| it == "py") {
            sources.push(fs::read_to_string(path).expect("the case can be read"));
        }
    }
    let empty = Schema::new(Vec::new(), Vec::new());
    let mut texts: Vec<String> = vec![
        format!(
            "@declare\nclass A(Object):\n    type_key = 'a.A'\n    x: {}ty.Any{}\n",
            "ty.Array[".repeat(500),
            "]".repeat(500)
        ),
        format!("@declare\nclass A(Object):\n    type_key = 'a.A'\n    x: ty.Any = {}\n", "-".repeat(2900) + "1"),
        format!(
            "@declare\nclass A(Object):\n    type_key = 'a.A'\n    x: ty.Any = {}1{}\n",
            "[".repeat(100_000),
            "]".repeat(100_000)
        ),
        format!("@py_class('a.A', structural_eq='tree')\nclass A(Object):\n    x: {}int\n", "int | ".repeat(20_000)),
        "@declare\nclass A(Object):\n    type_key = 'a.A'\n    x: '\\''\n    \u{e4}: ty.Any = \u{fffd}\n".to_owned(),
    ];
    for source in &sources {
        // Cut and join the text at many places.
        for at in (0..source.len()).step_by(97).filter(|at| source.is_char_boundary(*at)) {
            texts.push(source[..at].to_owned());
            texts.push(source[at..].to_owned());
            texts.push(format!("{}{}", &source[..at], source[at..].get(3..).unwrap_or_default()));
        }
    }
    for text in texts {
        if let Err(faults) = read(&[SourceFile { name: "case.py", text: &text }], &empty) {
            let lines = u32::try_from(text.lines().count() + 1).expect("short");
            assert!(!faults.is_empty() && faults.iter().all(|fault| fault.place.line <= lines));
        }
    }
}

/// The text of a dialect with an enum, whose field has this annotation and default.
fn dialect(annotation: &str, default: &str) -> String {
    format!(
        "from enum import IntEnum\nclass Mode(IntEnum):\n    FAST = 0\n    SLOW = 3\n@declare\nclass N(Object):\n    \
         type_key = 'my.dialect.N'\n    mode: {annotation} = {default}\n"
    )
}

/// An enum is in the namespace of the first class of its file, and a default names a variant as Python does.
#[test]
fn a_default_is_a_variant() {
    let read = |text: &str| read(&[SourceFile { name: "a.py", text }], &Schema::new(Vec::new(), Vec::new()));
    for annotation in ["Mode", "ty.Optional[Mode]", "ty.int64_t"] {
        let schema = read(&dialect(annotation, "Mode.SLOW")).expect("a declaration").schema;
        assert_eq!(schema.enums()[0].name, "my.dialect.Mode");
        let field = &schema.types()[0].fields[0];
        assert_eq!(field.enumeration.as_deref(), Some("my.dialect.Mode"), "{annotation}");
        assert_eq!(field.default.as_ref().expect("a default").value().expect("a value").to_string(), "3");
    }
    for (default, expected) in [
        ("Mode.SLO", "the enum `Mode` has no variant `SLO`; did you mean `SLOW`?"),
        ("N.SLOW", "`N.SLOW` is not a constant: `N` is not an enum"),
        ("Missing.SLOW", "no class `Missing` is declared"),
    ] {
        let faults = read(&dialect("Mode", default)).expect_err(default);
        assert!(faults[0].message.contains(expected), "{default}: {faults:?}");
    }
}
