//! Tests of the macros as functions on tokens.

mod any_tokens;
mod cases;
mod expected_file;
mod goldens;
mod snippet;
mod spans;
mod words;
