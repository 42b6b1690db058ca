//! Replacement of objects in a graph.
//!
//! | item | use |
//! |---|---|
//! | [`mutate()`] | one closure for all objects of a type, children before parents |
//! | [`Mutate`] | several closures, before or after the children; positions; errors |
//! | [`Mutator`] | the same as a trait, whose implementation can have state |
//! | [`substitute`], [`Substitution`] | values in place of variables, without capture |
//! | [`RewriteRules`] | rules of a pattern and a replacement, until none applies |
//! | [`alpha_rename`], [`FreshVars`] | new variables in place of bound variables |
//!
//! None of them overflows the machine stack. Each rewrites an object once and preserves sharing, and an unchanged object
//! keeps its address. If the caller passes the root by value, objects without other references change in place.

mod engine;
mod fixed_objects;
mod fresh;
mod mutate;
mod mutator;
mod pattern;
mod replacement;
mod rewrite_rules;
mod rule;
mod substitute;
mod substitution_plan;
mod substitution_run;

pub(crate) use engine::{Entry, Rewriter, rewrite_with_frames};
pub use fresh::FreshVars;
pub use mutate::{Mutate, mutate};
pub use mutator::{Mutator, mutate_with};
pub use pattern::{Match, Pattern};
pub use rewrite_rules::{RewriteRule, RewriteRules};
pub use rule::Mutation;
pub use substitute::{Substitution, alpha_rename, substitute};
