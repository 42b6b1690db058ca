//! Walks, visitors, rewrites, rules, substitution, and records of passes.

#![allow(missing_docs, reason = "the types of a test explain themselves")]

#[path = "../demo/mod.rs"]
mod demo;

mod alpha_rename;
mod patterns;
mod reduce;
mod rewrite;
mod rewrite_rules;
mod rewrite_splices;
#[cfg(feature = "inventory")]
mod rule_binders;
#[cfg(feature = "inventory")]
mod rule_texts;
mod substitute;
#[cfg(feature = "inventory")]
mod trace;
mod uses;
mod variables_cost;
mod visitor;
mod walk;
