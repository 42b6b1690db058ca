//! Replacement of objects in a graph.
//!
//! | item | use |
//! |---|---|
//! | [`mutate()`] | one closure for all objects of a type, children before parents |
//! | [`Mutate`] | several closures, before or after the children; positions; errors |
//! | [`Mutator`] | the same as a trait, whose implementation can have state |
//! | [`substitute`], [`Substitution`] | values in place of variables, without capture |
//! | [`Pattern`] | whether a value is a template with values for its holes |
//! | [`RewriteRules`] | rules of a pattern and a replacement, until none applies |
//! | [`RuleProgress`] | limits and statistics of any engine of rules |
//! | [`alpha_rename`], [`FreshVars`] | new variables in place of bound variables |
//!
//! None of them overflows the machine stack. Each rewrites an object once and preserves sharing, and an unchanged object
//! keeps its address. If the caller passes the root by value, objects without other references change in place.
//!
//! # Variables
//!
//! Substitution, renaming and the analyses of variables follow the annotations: a `def` field binds the variables in
//! it, in the order of the fields, to the end of the value; [`ScopeTypes`](crate::visit::ScopeTypes) names the types
//! whose objects end the bindings in them. Identity distinguishes variables, so capture happens only if the very
//! variable that a binder binds is free in the replacement.
//!
//! A substitution first looks whether the graph binds any of its variables; if not, it puts the values in place of the
//! variables wherever they occur (`replacement.rs`). Otherwise it needs the variables that each object uses and binds
//! (`visit/variable_sets.rs`) and has one result for each object, region and set of the bindings that the object uses
//! (`substitution_run.rs`). So the cost is linear in the graph and the result. A result can be exponentially larger
//! than the graph, and no smaller one exists, because each of these sets leaves other variables in the object;
//! [`Limits`](crate::limits::Limits) end that with an error.

mod compared_part;
mod engine;
mod fixed_objects;
mod fresh;
mod holes;
mod ignored_fields;
mod known_variables;
mod modulo_binders;
mod mutate;
mod mutator;
mod normalization;
mod pattern;
mod place;
mod replacement;
mod rewrite_rule;
mod rewrite_rules;
mod rule;
mod rule_index;
mod rule_progress;
mod rule_text;
mod scope_condition;
mod self_application;
mod splice;
mod substitute;
mod substitution_plan;
mod substitution_run;
mod syntactic;
mod template;
mod text_pattern;
mod text_replacement;
mod text_scopes;
mod text_types;

pub(crate) use engine::{Entry, Rewriter, rewrite_with_frames};
pub use fresh::FreshVars;
pub use ignored_fields::IgnoredField;
pub use mutate::{Mutate, mutate};
pub use mutator::{Mutator, mutate_with};
pub use normalization::Fired;
pub use pattern::{Match, Pattern};
pub use rewrite_rule::RewriteRule;
pub use rewrite_rules::RewriteRules;
pub use rule::Mutation;
pub use rule_progress::{RewriteStatistics, RuleProgress};
pub use substitute::{Substitution, alpha_rename, substitute};
