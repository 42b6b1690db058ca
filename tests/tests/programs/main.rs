//! Programs of Relax that are built, rewritten and reduced.

#[path = "../common/mod.rs"]
mod common;

mod binding_rules;
mod block_builder;
mod reduce;
