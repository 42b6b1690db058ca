//! Each program runs and prints the text that the guide shows. `UPDATE_EXPECT=1` renews the texts.

use std::process::Command;

use expect_test::expect_file;

/// Runs a program, which succeeds, and compares its output with a file.
fn check(program: &str, expected: &expect_test::ExpectFile) {
    let output = Command::new(program).output().expect("the program runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program}: {}\n{errors}", output.status);
    expected.assert_eq(&String::from_utf8_lossy(&output.stdout));
}

#[test]
fn the_lambda_calculus_evaluates() {
    check(env!("CARGO_BIN_EXE_lambda_calculus"), &expect_file!["../outputs/lambda_calculus.txt"]);
}

#[test]
fn the_optimizer_reaches_a_fixed_point() {
    check(env!("CARGO_BIN_EXE_optimizer"), &expect_file!["../outputs/optimizer.txt"]);
}

#[test]
fn the_modules_of_tvm_are_compared() {
    check(env!("CARGO_BIN_EXE_tvm_day"), &expect_file!["../outputs/tvm_day.txt"]);
}
