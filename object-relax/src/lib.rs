//! The meaning of Relax: the types and shapes of programs, and what may be done with them.
//!
//! In reading order: [`arith`] simplifies and proves facts about shapes; [`ty`] the lattice of types; [`struct_info`]
//! structural information; [`op`] operators and the structural information of their calls; [`derivation`] the structural
//! information of whole programs; [`normal_form`] programs without nested expressions; [`block_builder`] a builder of such
//! programs; [`analysis`] variables, bindings, uses and calls of programs; [`transform`] changes that keep results;
//! [`well_formed`] the checker; [`reduce`] smaller programs with the same property; [`root`] the root of a graph as a program; [`results`] arguments and results of functions by
//! name, which `functions.rs` declares.

#![forbid(unsafe_code)]

pub mod arith;
pub mod ty;
pub mod struct_info;
pub mod op;
pub mod derivation;
pub mod normal_form;
pub mod block_builder;
pub mod analysis;
pub mod transform;
pub mod well_formed;
pub mod root;
pub mod reduce;
pub mod results;

mod addresses;
mod recursion;
// Nobody calls functions of a module of WebAssembly by name, and their table would keep all of them in it.
#[cfg(not(target_family = "wasm"))]
mod functions;
// Tests of the workspace run its examples.
#[cfg(all(doc, not(doctest)))]
pub mod guide;
