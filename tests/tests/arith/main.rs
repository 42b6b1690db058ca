//! Arithmetic of shape expressions: tables of simplified forms and verdicts, recorded results, and laws on random
//! expressions.

#[path = "../common/mod.rs"]
mod common;
mod ends;
mod evaluate;
mod goldens;
mod laws;
mod limits;
mod tables;
