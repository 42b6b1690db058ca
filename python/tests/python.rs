//! The library in Pythons with tvm-ffi: `functions.py` calls every function, `packed.py` runs modules that call
//! functions of Python, `modules.py` passes modules of TVM, and `package` has the tests of the package `objir`.
//!
//! `PEER_PYTHONS` names Pythons with tvm-ffi, with `:` between them. Without it, the tests print that they are skipped. `TVM_PYTHONS`
//! names further Pythons, with other versions of TVM, for the tests that use TVM.

#![cfg(target_os = "linux")]
#![forbid(unsafe_code)]

use std::{env, fs};

use std::path::{Path, PathBuf};
use std::process::Command;

const CHAPTER: &str = "../docs/14_operations_by_name.md";

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

/// The folder of this crate.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The Pythons that the variables name.
fn pythons(variables: &[&str]) -> Vec<String> {
    let named: Vec<String> = variables.iter().filter_map(|variable| env::var(variable).ok()).collect();
    if named.is_empty() {
        println!("skipped: {} names no Python with tvm-ffi", variables.join(" or "));
    }
    named.iter().flat_map(|pythons| pythons.split(':').map(str::to_owned)).collect()
}

/// Runs a command, which succeeds, and prints its output.
fn succeed(command: &mut Command) {
    let output = command.output().expect("the variables name programs");
    let shown = [output.stdout, output.stderr].concat();
    let shown = String::from_utf8_lossy(&shown);
    assert!(output.status.success(), "{command:?}: {}\n{shown}", output.status);
    print!("{shown}");
}

/// Runs a script in each Python that the variables name.
fn run(variables: &[&str], script: &Path, args: &[&str]) {
    for python in pythons(variables) {
        let script = root().join(script);
        succeed(Command::new(python).arg(script).arg(library()).arg(root().join("../fixtures")).args(args));
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

/// The package as an installation has it, in the folder `target`.
fn install(target: &Path) {
    let package = target.join("objir");
    fs::create_dir_all(&package).expect("a writable folder");
    for file in fs::read_dir(root().join("objir")).expect("the folder of the package") {
        let file = file.expect("a file").path();
        if file.extension().is_some_and(|extension| extension == "py" || extension == "typed") {
            fs::copy(&file, package.join(file.file_name().expect("a name"))).expect("a file of Python");
        }
    }
    for (name, text) in objir::wrappers().expect("the classes of the types") {
        fs::write(package.join(name + ".py"), text).expect("a writable folder");
    }
    fs::copy(library(), package.join("libobjir.so")).expect("the library");
    fs::copy(root().join("objir_command.py"), target.join("objir_command.py")).expect("the script of the command");
}

#[test]
fn the_package_passes_its_tests() {
    // Most of a run waits for one core, so the Pythons run at the same time.
    std::thread::scope(|scope| {
        for (index, python) in pythons(&WITH_TVM).into_iter().enumerate() {
            scope.spawn(move || test_package(&python, index));
        }
    });
}

/// Runs the tests of the package in a Python, from a folder with a number.
fn test_package(python: &str, number: usize) {
    if !Command::new(python).args(["-c", "import pytest"]).output().is_ok_and(|output| output.status.success()) {
        println!("skipped: {python} has no pytest");
        return;
    }
    let target = env::temp_dir().join(format!("objir-package-{}-{number}", std::process::id()));
    install(&target);
    let mut command = Command::new(python);
    command.args(["-m", "pytest", "-q", "-p", "no:cacheprovider"]).arg(root().join("tests/package"));
    // Python finds packages in the current folder first. An installed package names its plugin itself.
    command
        .current_dir(&target)
        .env("PYTHONPATH", &target)
        .env("PYTEST_PLUGINS", "objir.pytest_plugin")
        .env("PYTHONDONTWRITEBYTECODE", "1");
    succeed(&mut command);
    fs::remove_dir_all(&target).expect("the package");
}

#[test]
fn the_chapter_holds() {
    let text = fs::read_to_string(root().join(CHAPTER)).expect("the chapter");
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
