//! Regions in place: what stays, what changes, and the faults of markers.

use crate::common::{no_types, schema};
use object_codegen::model::Model;
use object_codegen::regions::{UpdateError, plan_updates, update, write_changes};
use object_codegen::{Target, diagnostic::Diagnostic};

/// The file with the types of `data/wide.json` in its regions.
fn updated(target: Target, text: &[u8]) -> Result<Vec<u8>, Vec<Diagnostic>> {
    let (wide, none) = (schema("data/wide.json"), no_types());
    let model = Model::new(&wide, &none).expect("the types fit");
    update(target, &model, "file.h", text).map(|it| it.text)
}

fn updated_text(target: Target, text: &str) -> String {
    String::from_utf8(updated(target, text.as_bytes()).unwrap_or_else(|faults| panic!("{faults:?}"))).expect("UTF-8")
}

#[test]
fn bytes_outside_of_regions_are_unchanged() {
    let mut text = b"\xff before\r\n  // tschema: Add\r\nold\r\n  // tschema: end\r\nafter \xfe, no line end".to_vec();
    let new = updated(Target::Cpp, &text).expect("a region");
    assert!(new.starts_with(b"\xff before\r\n  // tschema: Add\r\n  // tschema: checksum "));
    assert!(new.ends_with(b"  // tschema: end\r\nafter \xfe, no line end"));
    let inner = String::from_utf8_lossy(&new);
    assert!(inner.contains("\r\n  class Add : public Expr {\r\n") && !inner.contains("old"));
    assert_eq!(inner.matches('\n').count(), inner.matches("\r\n").count(), "a line end of the file is `\\r\\n`");
    assert_eq!(updated(Target::Cpp, &new).expect("a region"), new);
    text.clear();
    assert_eq!(updated(Target::Cpp, &text).expect("no region"), text);
}

#[test]
fn hand_written_parts_move_to_the_end_of_the_class() {
    let text = "// tschema: AddNode\n// tschema: custom-begin\n\tint one;  \n\n// tschema: custom-end\nlost\n\
                // tschema: custom-begin\nint two;\n// tschema: custom-end\n// tschema: end\n";
    let new = updated_text(Target::Cpp, text);
    let kept = "// tschema: custom-begin\n\tint one;  \n\n// tschema: custom-end\n\
                // tschema: custom-begin\nint two;\n// tschema: custom-end\n};\n// tschema: end\n";
    assert!(new.ends_with(kept), "{new}");
    assert_eq!(updated_text(Target::Cpp, &new), new);
}

#[test]
fn every_target_has_regions() {
    for (target, marker, expected) in [
        (Target::Cpp, "//", "class AddNode : public ExprNode {"),
        (Target::CppSource, "//", "TVM_FFI_STATIC_INIT_BLOCK() { AddNode::RegisterReflection(); }"),
        (Target::Python, "#", "@py_class(\"wide.Add\", structural_eq=\"tree\")"),
        (Target::PythonWrappers, "#", "@tvm_ffi.register_object(\"wide.Add\")"),
        (Target::Rust, "//", "pub struct AddNode {"),
    ] {
        let new = updated_text(target, &format!("{marker} tschema: AddNode\n{marker} tschema: end\n"));
        assert!(new.contains(expected), "{target}: {new}");
        assert_eq!(updated_text(target, &new), new, "{target}");
    }
}

/// An edit of generated lines is a fault, with and without a checksum; white space does not count as an edit. Hand-written parts
/// are free.
#[test]
fn edits_of_generated_lines_are_found() {
    let (wide, none) = (schema("data/wide.json"), no_types());
    let model = Model::new(&wide, &none).expect("the types fit");
    let update = |text: &str| update(Target::Cpp, &model, "file.h", text.as_bytes()).expect("a region");
    let part = "// tschema: custom-begin\n  int Area();\n// tschema: custom-end\n";
    let first = update(&format!("// tschema: AddNode\n{part}// tschema: end\n"));
    assert!(first.edits.is_empty());
    let text = String::from_utf8(first.text).expect("UTF-8");
    let class = text.lines().filter(|line| !line.contains("checksum")).map(|line| format!("{line}\n"));
    let foreign: String = class.clone().collect();
    let shifted: String = text.lines().map(|line| format!("    {line}\n")).collect();
    for (text, fault) in [
        (text.clone(), None),
        (text.replace("int Area()", "long Area() const"), None),
        (shifted, None),
        (foreign.clone(), None),
        (text.replace("public ExprNode", "public OtherNode"), Some("were edited after the generation; move the edit")),
        (text.replace("};\n// tschema: end", "int x;\n};\n// tschema: end"), Some("were edited after the generation")),
        (foreign.replace("RegisterReflection", "Reflect"), Some("have no checksum")),
    ] {
        let updated = update(&text);
        assert_eq!(updated.edits.len(), usize::from(fault.is_some()), "{text}\n{:?}", updated.edits);
        assert!(updated.edits.iter().all(|it| it.message.contains(fault.unwrap_or_default()) && it.place.line == 1));
        assert!(update(std::str::from_utf8(&updated.text).expect("UTF-8")).edits.is_empty());
    }
}

/// An enum has a region as a class has, with its namespace or without.
#[test]
fn enums_have_regions() {
    for (target, comment, name, expected) in [
        (Target::Cpp, "//", "Mode", "enum class Mode : int64_t {"),
        (Target::Python, "#", "wide::Mode", "class Mode(IntEnum):"),
        (Target::PythonWrappers, "#", "Mode", "class Mode(IntEnum):"),
        (Target::Rust, "//", "Mode", "pub enum Mode {"),
    ] {
        let new = updated_text(target, &format!("{comment} tschema: {name}\n{comment} tschema: end\n"));
        assert!(new.contains(expected), "{target}: {new}");
    }
    let faults = updated(Target::CppSource, b"// tschema: Mode\n// tschema: end\n").expect_err("it has no text");
    assert!(faults[0].message.contains("cpp-source has no enums; remove the region"), "{faults:?}");
}

/// Each text has these faults, as `LINE: the start of the message`.
#[test]
fn wrong_markers_are_faults_with_lines() {
    for (text, expected) in [
        ("// tschema: Add\n", &["1: `// tschema: Add` has no `// tschema: end`"][..]),
        ("\n// tschema: end\n", &["2: there is no `// tschema: NAME` before it"]),
        ("// tschema: custom-begin\n", &["1: there is no `// tschema: NAME` before it"]),
        (
            "// tschema: Add\n// tschema: Let\n// tschema: end\n",
            &["2: `// tschema: Let` is inside of `// tschema: Add` of line 1"],
        ),
        (
            "// tschema: Add\n// tschema: end\n// tschema: Add\n// tschema: end\n",
            &["3: there are two regions for `Add`: the other one is at line 1"],
        ),
        (
            "// tschema: Add\n// tschema: custom-begin\n// tschema: end\n",
            &["3: `// tschema: end` comes before the `// tschema: custom-end` of line 2"],
        ),
        (
            "// tschema: Add\n// tschema: custom-begin\n",
            &["2: `// tschema: custom-begin` has no `// tschema: custom-end`", "1: `// tschema: Add` has no"],
        ),
        (
            "// tschema: Add\n// tschema: custom-begin\n// tschema: custom-begin\n// tschema: custom-end\n// tschema: end\n",
            &["3: `// tschema: custom-begin` of line 2 has no end before this one"],
        ),
        (
            "// tschema: Add\n// tschema: custom-end\n// tschema: end\n",
            &["2: there is no `// tschema: custom-begin` before it"],
        ),
        (
            "// tschema: custom-beginn\n",
            &["1: `custom-beginn` is not a word of tschema; did you mean `// tschema: custom-begin`?"],
        ),
        ("// tschema: Add Let\n", &["1: `Add Let` is not a word of tschema"]),
        ("// tschema:\n", &["1: `` is not a word of tschema"]),
        ("// tschema: Addd\n// tschema: end\n", &["1: the schema has no class `Addd`; did you mean `Add"]),
    ] {
        let faults = updated(Target::Cpp, text.as_bytes()).expect_err(text);
        let found: Vec<String> = faults.iter().map(|it| format!("{}: {}", it.place.line, it.message)).collect();
        assert_eq!(found.len(), expected.len(), "{text}: {found:?}");
        for (found, expected) in found.iter().zip(expected) {
            assert!(found.starts_with(expected), "{text}: expected {expected}, found {found}");
        }
        assert!(faults.iter().all(|it| it.place.file == "file.h"));
    }
}

#[test]
fn no_file_changes_if_one_has_a_fault() {
    let (wide, none) = (schema("data/wide.json"), no_types());
    let model = Model::new(&wide, &none).expect("the types fit");
    let folder = tempfile::tempdir().expect("a folder");
    let (good, bad) = (folder.path().join("good.h"), folder.path().join("bad.h"));
    std::fs::write(&good, "// tschema: Add\n// tschema: end\n").expect("writable");
    std::fs::write(&bad, "// tschema: Add\n").expect("writable");
    let Err(UpdateError::Faults(faults)) = plan_updates(Target::Cpp, &model, &[good.clone(), bad]) else {
        panic!("the second file has a fault");
    };
    assert_eq!(faults.len(), 1);
    let changes = plan_updates(Target::Cpp, &model, std::slice::from_ref(&good)).expect("no fault");
    assert!(changes[0].is_stale() && changes[0].diff().contains("+class Add : public Expr {"));
    write_changes(&changes).expect("writable");
    let changes = plan_updates(Target::Cpp, &model, std::slice::from_ref(&good)).expect("no fault");
    assert!(!changes[0].is_stale() && changes[0].diff().is_empty());
    let missing = plan_updates(Target::Cpp, &model, &[folder.path().join("missing.h")]);
    assert!(matches!(missing, Err(UpdateError::Io(..))));
}

/// Random lines of markers, code and bytes. `REGION_CASES` is the number of files, and `REGION_SEED` the first seed.
#[test]
fn random_files_keep_the_law() {
    let setting = |name: &str, default: u64| std::env::var(name).map_or(default, |it| it.parse().expect("a number"));
    let (wide, none) = (schema("data/wide.json"), no_types());
    let model = Model::new(&wide, &none).expect("the types fit");
    let names = ["Add", "AddNode", "Let", "TreeNode", "Tree", "Op", "wide::Var", "Missing"];
    let words = ["end", "custom-begin", "custom-end", "", "custom-begin x"];
    let inner: [&[u8]; 8] =
        [b"int x;", b"\xff\xfe", b"// tschema", b"@tschema-custom@", b"", b"};", b"\t{ (", b"\"text"];
    let ends: [&[u8]; 4] = [b"\n", b"\n", b"\r\n", b"\r"];
    let mut updated = 0;
    let cases = setting("REGION_CASES", 400);
    for seed in setting("REGION_SEED", 1)..setting("REGION_SEED", 1) + cases {
        let mut rng = fastrand::Rng::with_seed(seed);
        let target = rng.u8(..4);
        let comment: &[u8] = if target == 2 { b"#" } else { b"//" };
        let mut data = vec![target];
        let marker = |data: &mut Vec<u8>, rng: &mut fastrand::Rng, word: &str| {
            data.extend_from_slice([&b""[..], b"  ", b"\t"][rng.usize(..3)]);
            data.extend_from_slice(comment);
            data.extend_from_slice(format!("{}tschema: {word}", ["", " "][rng.usize(..2)]).as_bytes());
            data.extend_from_slice(ends[rng.usize(..4)]);
        };
        for _ in 0..rng.usize(1..6) {
            // Most regions are whole, so that most files have a part without faults.
            match rng.usize(..8) {
                0 => {
                    let word = words[rng.usize(..words.len())];
                    marker(&mut data, &mut rng, word);
                }
                1..=3 => {
                    data.extend_from_slice(inner[rng.usize(..inner.len())]);
                    data.extend_from_slice(ends[rng.usize(..4)]);
                }
                _ => {
                    let name = names[rng.usize(..names.len())];
                    marker(&mut data, &mut rng, name);
                    if rng.bool() {
                        marker(&mut data, &mut rng, "custom-begin");
                        data.extend_from_slice(inner[rng.usize(..inner.len())]);
                        data.extend_from_slice(ends[rng.usize(..3)]);
                        marker(&mut data, &mut rng, "custom-end");
                    }
                    marker(&mut data, &mut rng, "end");
                }
            }
        }
        updated += u64::from(crate::region_law::check(&model, &data));
    }
    assert!(updated * 20 > cases, "only {updated} of {cases} files have regions without faults");
}
