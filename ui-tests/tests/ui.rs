//! Runs every case in `tests/ui` and `tests/pass`.
//!
//! A failing case is a file in the folder of its class, named after the rule it breaks, with the message beside it. To
//! write a new one, write the file, run `TRYBUILD=overwrite cargo test -p ui-tests`, and read the message as a user
//! would. Messages are those of the compiler that `rust-toolchain.toml` names.

#[test]
fn ui() {
    let cases = trybuild::TestCases::new();
    cases.pass("tests/pass/*.rs");
    cases.compile_fail("tests/ui/*/*.rs");
}
