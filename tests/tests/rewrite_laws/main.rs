//! The laws of walks, rewrites, substitution and copies, over random graphs.

#[path = "../../../object-core/tests/demo/mod.rs"]
mod demo;

mod binder_rules;
mod graphs;
mod modules;
mod copies;
mod de_bruijn;
mod depth;
mod patterns;
mod rewrites;
mod substitution;
mod text_forms;
#[path = "../common/texts.rs"]
mod texts;
mod walks;
