//! The library in Pythons with tvm-ffi: `functions.py` calls every function, `packed.py` runs modules that call
//! functions of Python, and `modules.py` passes modules of TVM.
//!
//! `PEER_PYTHONS` names Pythons with tvm-ffi, with `:` between them. Without it, the tests print that they are skipped. `TVM_PYTHONS`
//! names further Pythons, with other versions of TVM, for the tests that use TVM.

#![cfg(target_os = "linux")]
#![forbid(unsafe_code)]

use std::{env, fs};

const CHAPTER: &str = "../docs/14_operations_by_name.md";
use std::path::{Path, PathBuf};
use std::process::Command;

/// The variables that name Pythons.
const ALL: [&str; 1] = ["PEER_PYTHONS"];

/// The variables that name Pythons, some of them with TVM.
const WITH_TVM: [&str; 2] = ["PEER_PYTHONS", "TVM_PYTHONS"];

/// The library, which Cargo builds before the tests.
fn library() -> PathBuf {
    let test = env::current_exe().expect("the path of the test");
    let profile = test.ancestors().nth(2).expect("the test is in a folder of the profile");
    profile.join("deps/libobjir.so")
}

/// Runs a script in each Python that the variables name.
fn run(variables: &[&str], script: &Path, args: &[&str]) {
    let pythons: Vec<String> = variables.iter().filter_map(|variable| env::var(variable).ok()).collect();
    if pythons.is_empty() {
        println!("skipped: {} names no Python with tvm-ffi", variables.join(" or "));
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for python in pythons.iter().flat_map(|pythons| pythons.split(':')) {
        let mut command = Command::new(python);
        command.arg(root.join(script)).arg(library()).arg(root.join("../fixtures")).args(args);
        let output = command.output().expect("the variables name programs");
        let shown = [output.stdout, output.stderr].concat();
        let shown = String::from_utf8_lossy(&shown);
        assert!(output.status.success(), "{python}: {}\n{shown}", output.status);
        print!("{shown}");
    }
}

#[test]
fn every_function_is_called() {
    run(&ALL, Path::new("tests/functions.py"), &[]);
}

#[test]
fn modules_call_functions_of_python() {
    run(&ALL, Path::new("tests/packed.py"), &[]);
}

#[test]
fn modules_of_tvm_are_arguments_and_results() {
    run(&WITH_TVM, Path::new("tests/modules.py"), &["first"]);
    run(&WITH_TVM, Path::new("tests/modules.py"), &["last"]);
}

#[test]
fn the_chapter_holds() {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(CHAPTER)).expect("the chapter");
    let (own, with_tvm) = text.split_once("## Modules of TVM").expect("the heading");
    let path = "target/debug/libobjir.so";
    assert_eq!(blocks(own).matches(path).count(), 1);
    let own = blocks(own).replace(path, library().to_str().expect("a path in UTF-8"));
    let guard = "import importlib.util, sys\nif importlib.util.find_spec('tvm') is None:\n    sys.exit()\n";
    let file = env::temp_dir().join(format!("objir-chapter-{}.py", std::process::id()));
    fs::write(&file, [&own, guard, &blocks(with_tvm)].concat()).expect("a writable folder");
    run(&WITH_TVM, &file, &[]);
    fs::remove_file(&file).expect("the script");
}

/// The blocks of Python in a text.
fn blocks(text: &str) -> String {
    text.split("```python\n").skip(1).map(|rest| rest.split("```").next().unwrap_or_default()).collect()
}
