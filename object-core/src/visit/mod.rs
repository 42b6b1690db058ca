//! Going through a graph.
//!
//! | use | for |
//! |---|---|
//! | [`walk()`] | one closure over all objects of a type |
//! | [`Walk`] | several closures, before or after the children; paths and regions; to stop early |
//! | [`Walker`] | the same as a trait, with a state of its own |
//! | [`visitor!`](crate::visitor) | a method for each type of a language, which decides how to go on |
//! | [`free_vars`], [`bound_vars`] | the variables of a value; with [`ScopeTypes`] where bindings end |
//!
//! None of them recurses, and each object is met once, however often it is referred to, unless
//! [`every_occurrence`](WalkOptions::every_occurrence) is asked for.

mod callbacks;
mod place;
mod variables;
mod visitor;
mod walk;

pub use callbacks::{Callbacks, IntoOutcome, On, Then};
pub(crate) use place::PathSource;
pub use place::Place;
pub(crate) use variables::{Content, Variables};
pub use variables::{ScopeTypes, bound_vars, free_vars};
pub use visitor::{Method, Visit, run_visitor};
pub use walk::{OnPlain, PlainCallback, Walk, WalkOptions, WalkResult, Walker, walk, walk_with};
