//! Programs of users, which the guide shows and `tests/outputs.rs` runs. The library has the language that they share.

#![forbid(unsafe_code)]

pub mod calc;
