//! The library in Pythons with tvm-ffi: `functions.py` calls every function, and `modules.py` passes modules of TVM.
//!
//! `PEER_PYTHONS` names Pythons with tvm-ffi, with `:` between them. Without it, the tests print that they are skipped.

#![cfg(target_os = "linux")]
#![forbid(unsafe_code)]

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The library, which Cargo builds before the tests.
fn library() -> PathBuf {
    let test = env::current_exe().expect("the path of the test");
    let profile = test.ancestors().nth(2).expect("the test is in a folder of the profile");
    profile.join("deps/libobjir.so")
}

/// Runs a script of this folder in each Python.
fn run(script: &str, args: &[&str]) {
    let Ok(pythons) = env::var("PEER_PYTHONS") else {
        println!("skipped: PEER_PYTHONS names no Python with tvm-ffi");
        return;
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for python in pythons.split(':') {
        let mut command = Command::new(python);
        command.arg(root.join("tests").join(script)).arg(library()).arg(root.join("../fixtures")).args(args);
        let output = command.output().expect("PEER_PYTHONS names programs");
        let shown = [output.stdout, output.stderr].concat();
        let shown = String::from_utf8_lossy(&shown);
        assert!(output.status.success(), "{python}: {}\n{shown}", output.status);
        print!("{shown}");
    }
}

#[test]
fn every_function_is_called() {
    run("functions.py", &[]);
}

#[test]
fn modules_of_tvm_are_arguments_and_results() {
    run("modules.py", &["first"]);
    run("modules.py", &["last"]);
}
