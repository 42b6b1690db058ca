//! Changing a graph.
//!
//! | use | for |
//! |---|---|
//! | [`mutate()`] | one closure over all objects of a type, from the leaves up |
//! | [`Mutate`] | several closures, before or after the children; paths and regions; errors |
//! | [`Mutator`] | the same as a trait, with a state of its own |
//! | [`substitute`], [`Substitution`] | values in the place of variables, without capture |
//! | [`alpha_rename`], [`FreshVars`] | new variables in the place of bound ones |
//!
//! None of them recurses. Each object is asked for once, sharing stays, and what does not change keeps its pointer. A root
//! that is given by value is changed in place where nothing else refers to it.

mod fresh;
mod mutate;
mod substitute;

pub use fresh::FreshVars;
pub use mutate::{Mutate, Mutation, Mutator, mutate, mutate_with};
pub use substitute::{Substitution, alpha_rename, substitute};
