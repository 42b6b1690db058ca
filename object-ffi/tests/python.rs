//! Libraries of this crate in Pythons with tvm-ffi: `live.py` with `examples/lambda.rs`, the chapter of the guide with
//! `examples/sums.rs`, `loading.py` with both, and `notes.py` with a library of C++, where a compiler is present.
//!
//! `PEER_PYTHONS` names Pythons with tvm-ffi, with `:` between them. Without it, the tests print that they are skipped.

#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

const CHAPTER: &str = "../docs/13_live_objects.md";

/// The library of an example, which Cargo builds before the tests.
fn library(name: &str) -> PathBuf {
    let test = env::current_exe().expect("the path of the test");
    let profile = test.ancestors().nth(2).expect("the test is in a folder of the profile");
    profile.join(format!("examples/lib{name}.so"))
}

/// Runs a script in each Python.
fn run(script: &Path, args: &[&Path]) {
    let Ok(pythons) = env::var("PEER_PYTHONS") else {
        println!("skipped: PEER_PYTHONS names no Python with tvm-ffi");
        return;
    };
    pythons.split(':').for_each(|python| run_in(python, script, args));
}

/// Runs a script in one Python.
fn run_in(python: &str, script: &Path, args: &[&Path]) {
    let output = Command::new(python).arg(script).args(args).output().expect("PEER_PYTHONS names programs");
    let shown = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{python}: {}\n{}", output.status, String::from_utf8_lossy(&shown));
}

/// The blocks of a language in the chapter.
fn blocks(language: &str) -> String {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(CHAPTER)).expect("the chapter");
    let start = format!("```{language}\n");
    let found: Vec<&str> =
        text.split(&start).skip(1).map(|rest| rest.split("```").next().unwrap_or_default()).collect();
    assert!(!found.is_empty(), "blocks of {language}");
    found.concat()
}

#[test]
fn objects_and_functions_are_live() {
    run(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/live.py"), &[&library("lambda")]);
}

#[test]
fn the_chapter_holds() {
    let source =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/sums.rs")).expect("the source");
    assert_eq!(blocks("rust"), source, "the chapter shows the source of the library");
    let path = "target/debug/libsums.so";
    let script = blocks("python");
    assert_eq!(script.matches(path).count(), 1);
    let script = script.replace(path, library("sums").to_str().expect("a path in UTF-8"));
    let file = env::temp_dir().join(format!("object-ffi-chapter-{}.py", std::process::id()));
    fs::write(&file, script).expect("a writable folder");
    run(&file, &[]);
    fs::remove_file(&file).expect("the script");
}

#[test]
fn libraries_are_loaded_in_any_way() {
    run(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/loading.py"), &[&library("lambda"), &library("sums")]);
}

#[test]
fn cpp_calls_rust_and_rust_calls_cpp() {
    let Ok(pythons) = env::var("PEER_PYTHONS") else {
        return println!("skipped: PEER_PYTHONS names no Python with tvm-ffi");
    };
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let built = env::temp_dir().join(format!("object-ffi-notes-{}.so", std::process::id()));
    for python in pythons.split(':') {
        let flags = Command::new(python).args(["-m", "tvm_ffi.config", "--cxxflags", "--ldflags", "--libs"]).output();
        let flags = String::from_utf8(flags.expect("PEER_PYTHONS names programs").stdout).expect("text in UTF-8");
        let mut compiler = Command::new("g++");
        compiler
            .args(["-shared", "-fPIC"])
            .arg(tests.join("notes.cc"))
            .args(flags.split_whitespace())
            .arg("-o")
            .arg(&built);
        let Ok(output) = compiler.output() else { return println!("skipped: there is no g++") };
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        run_in(python, &tests.join("notes.py"), &[&library("lambda"), &built]);
    }
    fs::remove_file(&built).expect("the library of C++");
}

/// The test exports as well, so it would not start if the start needed tvm-ffi.
#[test]
fn a_program_without_tvm_ffi_starts() {
    assert_eq!(object_ffi::live_objects(), 0);
}

object_ffi::export!();
