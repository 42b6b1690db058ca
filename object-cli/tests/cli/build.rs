//! `objir build`.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use crate::guide::run;
use crate::harness::root;

const SHAPES: &str = "@declare\nclass ShapeNode(Object):\n    type_key = 'demo.Shape'\n@declare\nclass CircleNode(ShapeNode):\n    \
                      type_key = 'demo.Circle'\n    radius: ty.double\n    name: ty.String = 'round'\n";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("shapes.py"), SHAPES).expect("a writable folder");
    folder
}

#[test]
fn missing_programs_and_code_are_errors() {
    let folder = folder();
    let config = "#!/bin/sh\necho include\n";
    fs::write(folder.path().join("config"), config).expect("a writable folder");
    run("chmod +x config", folder.path());
    fs::write(folder.path().join("shapes_types.py"), "x = 1\n").expect("a writable folder");
    let hooks = "    default_sequal_reduce = False\n    default_shash_reduce = False\n    x: ty.int64_t\n";
    fs::write(
        folder.path().join("hooks.py"),
        format!("@declare\nclass HNode(Object):\n    type_key = 'demo.H'\n{hooks}"),
    )
    .expect("a writable folder");
    let crates = fs::canonicalize(root()).expect("the root of the workspace");
    let rust = format!("objir build shapes.py -o libforms.so --lang rust --crates {}", crates.display());
    for (command, expected) in [
        (
            "objir build shapes.py -o libforms.so --lang rust",
            "`object-core` and `object-ffi`, got none; name one by `--crates`",
        ),
        ("objir build shapes.py -o libforms.so --lang rust --crates .", "`.` has no `object-core`"),
        (&format!("CARGO=./missing {rust}"), "install Rust, or name cargo by `CARGO`"),
        (&format!("CARGO=false {rust}"), "`false` failed"),
        ("objir build hooks.py -o libforms.so --lang rust", "`demo.H` has hooks that people write in Rust"),
        ("objir build shapes.py -o libforms.so --config ./missing", "`./missing` does not run: "),
        ("CXX=./missing objir build shapes.py -o libforms.so --config ./config", "install a compiler of C++17"),
        ("CXX=false objir build shapes.py -o libforms.so --config ./config", "`false` failed"),
        ("objir build shapes.py -o libshapes.so --config ./config", "shapes_types.py: the file has no checksum"),
        ("objir build hooks.py -o libforms.so --config ./config", "`demo.H` has hooks that people write in C++"),
    ] {
        let shown = run(command, folder.path());
        assert!(shown.contains(expected) && shown.ends_with("[exit code 2]\n"), "{command}: {shown}");
        assert!(!folder.path().join("libforms.so").exists(), "{command}");
    }
}

const PROGRAM: &str = "import sys; sys.path.insert(0, sys.argv[1]); import shapes_types as m; c = m.Circle(2.0); \
                       print(c.radius, c.name, isinstance(c, m.Shape))";

/// Runs a program that uses the module of a folder.
fn use_module(python: &str, folder: &Path) {
    let command = format!("{python} -c '{PROGRAM}' {}", folder.display());
    assert_eq!(run(&command, Path::new("/")), "2.0 round True\n[exit code 0]\n");
}

/// A library of Rust works in all Pythons, because it finds tvm-ffi in the process.
#[test]
fn a_library_of_rust_loads_in_python() {
    let Ok(pythons) = env::var("PEER_PYTHONS") else {
        println!("skipped: PEER_PYTHONS names no Python with tvm-ffi");
        return;
    };
    if Command::new("cargo").arg("--version").output().is_err() {
        println!("skipped: this machine lacks cargo");
        return;
    }
    let (folder, test) = (folder(), env::current_exe().expect("the path of the test"));
    // The profile of the tests, in their folder, where most dependencies are compiled.
    let target = test.ancestors().nth(3).expect("the test is in a folder of the profile");
    let debug = env::var("CARGO_PROFILE_DEV_DEBUG").unwrap_or_else(|_| "line-tables-only".to_owned());
    let variables = format!("CARGO_PROFILE_DEV_DEBUG={debug} CARGO_TARGET_DIR={}", target.display());
    let crates = fs::canonicalize(root()).expect("the root of the workspace");
    let options = format!("--lang rust --profile dev --crates {}", crates.display());
    let build = format!("{variables} objir build shapes.py -o libshapes.so {options}");
    assert_eq!(run(&build, folder.path()), "[exit code 0]\n");
    pythons.split(':').for_each(|python| use_module(python, folder.path()));
}

/// The library and its module work in Python, also in another folder, and a second build replaces both; one Python shows that.
#[test]
fn a_library_loads_in_python() {
    let Ok(pythons) = env::var("PEER_PYTHONS") else {
        println!("skipped: PEER_PYTHONS names no Python with tvm-ffi");
        return;
    };
    for (at, python) in pythons.split(':').enumerate() {
        let folder = folder();
        let config = Path::new(python).with_file_name("tvm-ffi-config");
        let build = format!("objir build shapes.py -o libshapes.so --config {}", config.display());
        for _ in at..2 {
            assert_eq!(run(&build, folder.path()), "[exit code 0]\n");
            use_module(python, folder.path());
        }
    }
}
