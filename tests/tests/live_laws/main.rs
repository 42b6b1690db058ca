//! Verdicts of tvm-ffi on live objects of the types of the law tests, hooks included: `live_laws.py` with
//! `examples/live_laws.rs`.
//!
//! `PEER_PYTHONS` names Pythons with tvm-ffi, with `:` between them. Without it, the test prints that it is skipped.
//! `LAWS_PEER_PAIRS` is the number of pairs of each class of graphs, and `LAWS_SEED` the seed.

#![cfg(target_os = "linux")]

use std::env;
use std::path::Path;
use std::process::Command;

#[test]
fn live_verdicts_differ_only_where_the_peer_breaks_a_law() {
    let Ok(pythons) = env::var("PEER_PYTHONS") else {
        return println!("skipped: PEER_PYTHONS names no Python with tvm-ffi");
    };
    let test = env::current_exe().expect("the path of the test");
    let library = test.ancestors().nth(2).expect("a folder of the profile").join("examples/liblive_laws.so");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/live_laws/live_laws.py");
    let setting = |name: &str, default: &str| env::var(name).unwrap_or_else(|_| default.to_owned());
    for python in pythons.split(':') {
        let mut command = Command::new(python);
        command.arg(&script).arg(&library).arg(setting("LAWS_PEER_PAIRS", "10")).arg(setting("LAWS_SEED", "1"));
        let output = command.output().expect("PEER_PYTHONS names programs");
        let shown = [output.stdout, output.stderr].concat();
        let shown = String::from_utf8_lossy(&shown);
        assert!(output.status.success(), "{python}: {}\n{shown}", output.status);
        println!("{python}\n{shown}");
    }
}
