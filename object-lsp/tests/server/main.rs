//! The server in the process of the test, with the languages of `object-syntax`.
#![allow(missing_docs, reason = "the fields of the languages speak for themselves")]

#[path = "../../../object-syntax/tests/languages/algebra.rs"]
mod algebra;
#[path = "../../../object-syntax/tests/languages/hardware.rs"]
mod hardware;
#[path = "../../../object-syntax/tests/languages/lambda.rs"]
mod lambda;
#[path = "../../../object-syntax/tests/languages/random.rs"]
mod random;

mod client;
mod golden;
mod languages;
mod laws;
mod protocol;
