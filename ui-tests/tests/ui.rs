//! The failing cases as the compiler shows them.
//!
//! A case is a file in the folder of its class, named after the rule that it breaks, with the messages beside it:
//!
//! - `tests/macro`: the macro finds the mistake in its tokens. The tests of `object-derive` compare the messages, in
//!   milliseconds. Here all these cases are one crate, so that the compiler runs once: it shows the same messages, and
//!   no error that follows from one of them.
//! - `tests/ui`: only the compiler finds the mistake. Each case is a crate of its own, because an error can hide others.
//! - `tests/together`: the macro finds one mistake and the compiler another one in the same type, and both show at once.
//!   These cases break rules that have cases of their own.
//! - `tests/attacks`: safe code that tries to make wrong type tables or second singletons. These cases break no rule of the
//!   derive, so they have no neighbours.
//!
//! To write a new case, write the file, run `BLESS=1 cargo test -p object-derive -p ui-tests`, and read the message as
//! a user would. Messages are the words of the compiler that `rust-toolchain.toml` names.

use std::env;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "ui_rules/files.rs"]
mod files;

#[test]
fn ui() {
    if env::var_os("BLESS").is_some() && env::var_os("TRYBUILD").is_none() {
        bless();
    }
    let cases = trybuild::TestCases::new();
    cases.compile_fail(crate_of_macro_cases());
    cases.compile_fail("tests/ui/*/*.rs");
    cases.compile_fail("tests/together/*.rs");
    cases.compile_fail("tests/attacks/*.rs");
}

/// Runs this test again, for the cases that only the compiler refuses, so that it writes their messages.
fn bless() {
    let this = env::current_exe().expect("a test is a program");
    let status = Command::new(this).args(["ui", "trybuild=tests/"]).env("TRYBUILD", "overwrite").status();
    assert!(status.expect("the program starts").success(), "the messages cannot be renewed");
}

/// Writes a crate that has each case of `tests/macro` as a module, and the messages of all cases beside it.
fn crate_of_macro_cases() -> PathBuf {
    let mut source = String::from("//! All cases of `tests/macro`.\n\n");
    let mut messages = Vec::new();
    for case in files::cases("macro") {
        let _ = writeln!(source, "#[path = {case:?}]\nmod {};", files::stem(&case));
        messages.push(without_line_numbers(&files::read(&case.with_extension("stderr"))));
    }
    source.push_str("\nfn main() {}\n");
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("macro_cases.rs");
    fs::write(&path, source).expect("the folder for temporary files is there");
    fs::write(path.with_extension("stderr"), messages.join("\n")).expect("the folder for temporary files is there");
    path
}

/// Messages in the form of `trybuild` for files beside the one that it compiles.
fn without_line_numbers(messages: &str) -> String {
    let mut text = String::new();
    for line in messages.lines() {
        let place = line.trim_start().strip_prefix("--> ").and_then(|place| place.split(':').next());
        let number = line.split_once(" |").map_or("", |(number, _)| number);
        let line = match place {
            Some(path) => format!("{} {path}", &line[..line.len() - line.trim_start().len() + 3]),
            None if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => {
                line.replacen(number, &" ".repeat(number.len()), 1)
            }
            None => line.to_owned(),
        };
        text.push_str(&line);
        text.push('\n');
    }
    text
}
