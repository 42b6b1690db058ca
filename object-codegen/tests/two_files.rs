//! Two dialects whose files, classes and enums have equal names, and of which one extends the other, in one program of each
//! language. `BLESS=1` renews the modules of Rust.

mod common;

#[allow(unreachable_pub, reason = "the items of a generated file are public")]
#[rustfmt::skip]
#[path = "data/two/left.rs.txt"]
mod left_types;
#[allow(unreachable_pub, reason = "the items of a generated file are public")]
#[rustfmt::skip]
#[path = "data/two/right.rs.txt"]
mod right_types;

use std::fs;
use std::path::Path;

use common::peer::Peer;
use common::{check_golden, no_types, read};
use object_codegen::model::Model;
use object_codegen::python_input::{self, SourceFile};
use object_codegen::{Target, generate};
use object_core::dynamic::Schema;
use object_core::prelude::*;
use object_core::structural_equal;

/// The text of one dialect; the other one is its context, in the files of `homes`.
fn text(target: Target, dialect: &str, homes: [&str; 2]) -> Result<String, String> {
    let texts = ["left", "right"].map(|name| (format!("{name}.py"), read(&format!("data/two/{name}.py"))));
    let files = [0, 1].map(|at| SourceFile { name: &texts[at].0, text: &texts[at].1 });
    let all = python_input::read(&files, &no_types()).unwrap_or_else(|faults| panic!("{faults:?}")).schema;
    let (types, others) = all.types().iter().cloned().partition(|decl| decl.key.starts_with(dialect));
    let (enums, other_enums) = all.enums().iter().cloned().partition(|decl| decl.name.starts_with(dialect));
    let (schema, context) = (Schema::new(types, enums), Schema::new(others, other_enums));
    let homes = ["left.", "right."].iter().zip(homes).filter(|(_, home)| !home.is_empty());
    let homes: Vec<_> = homes.map(|(start, home)| ((*start).to_owned(), home.to_owned())).collect();
    let model = Model::new(&schema, &context).expect("the types fit").homes(&homes);
    generate(target, &model, &format!("{dialect}/ir.h")).map_err(|error| error.message().to_owned())
}

#[test]
fn a_file_names_the_files_that_it_needs() {
    for (target, expected) in [
        (Target::Cpp, "`left.Mode` is in another file; name that file by `--include left.=HEADER`"),
        (Target::Python, "`left.Mode` is in another file; name that file by `--module left.=MODULE`"),
        (Target::PythonWrappers, "by `--module left.=MODULE`"),
    ] {
        let message = text(target, "right", ["", ""]).expect_err("the left dialect has no file");
        assert!(message.contains(expected), "{target}: {message}");
        text(target, "left", ["", ""]).unwrap_or_else(|error| panic!("{target}: it needs no other file: {error}"));
    }
}

#[test]
fn modules_of_rust_work_together() {
    for dialect in ["left", "right"] {
        let text = text(Target::Rust, dialect, ["crate::left_types", "crate::right_types"]).expect("the types fit");
        check_golden(&format!("data/two/{dialect}.rs.txt"), &text);
    }
    let inner = left_types::left::Node::new("inner");
    let outer = right_types::right::Node::new("outer", Array::from_iter([inner.clone()]));
    assert!(outer.parts.get(0).is_some_and(|part| structural_equal(&part, &inner)));
    assert_eq!((outer.mode_there, outer.mode_here), (left_types::left::Mode::Slow, right_types::right::Mode::Inline));
}

/// Writes the file of both dialects for a target into the folders of the dialects.
fn write(folder: &Path, target: Target, file: &str, homes: [&str; 2]) {
    for dialect in ["left", "right"] {
        let path = folder.join(dialect).join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a writable folder");
        let text = text(target, dialect, homes).unwrap_or_else(|error| panic!("{target}: {error}"));
        fs::write(path, text).expect("a writable folder");
    }
}

/// The checks of the classes of both dialects in Python. The constructors have one order: required fields, then the others.
const CHECKS: &str = "
inner = left.Node('inner')
outer = right.Node('outer', [inner], left.Mode.Fast)
assert outer.parts[0].same_as(inner) and isinstance(outer, left.Node)
assert (inner.mode, outer.mode, outer.mode_here, outer.mode_there) == (1, 0, 7, 1)
assert right.Mode.Inline == 7 and left.Mode.Slow == 1
assert tvm_ffi.structural_equal(outer, right.Node('outer', [inner], left.Mode.Fast))
assert not tvm_ffi.structural_equal(outer, right.Node('outer', [inner]))
print('done')
";

#[test]
fn python_modules_work_together() {
    for peer in Peer::all() {
        let folder = tempfile::tempdir().expect("a folder");
        write(folder.path(), Target::Python, "ir.py", ["left.ir", "right.ir"]);
        let program = format!("import tvm_ffi\nimport right.ir as right\nimport left.ir as left\n{CHECKS}");
        assert_eq!(peer.python(folder.path(), &program), "done", "{}", peer.version());
    }
}

#[test]
fn headers_and_wrappers_work_together() {
    for peer in Peer::all() {
        let folder = tempfile::tempdir().expect("a folder");
        write(folder.path(), Target::Cpp, "ir.h", ["left/ir.h", "right/ir.h"]);
        write(folder.path(), Target::CppSource, "ir.cc", ["left/ir.h", "right/ir.h"]);
        write(folder.path(), Target::PythonWrappers, "ir.py", ["left.ir", "right.ir"]);
        let program = "#include \"right/ir.h\"\n#include \"left/ir.h\"\nint Modes() {\n  left::Node inner(\"inner\");\n  right::Node \
                       outer(\"outer\", {inner});\n  return static_cast<int>(outer->mode_here) + \
                       static_cast<int>(outer->mode_there);\n}\n";
        fs::write(folder.path().join("both.cc"), program).expect("a writable folder");
        peer.library(folder.path(), &["left/ir.cc", "right/ir.cc", "both.cc"], "both.so");
        let load = "import tvm_ffi\nlibrary = tvm_ffi.load_module('./both.so')";
        let program = format!("{load}\nimport right.ir as right\nimport left.ir as left\n{CHECKS}");
        assert_eq!(peer.python(folder.path(), &program), "done", "{}", peer.version());
    }
}
