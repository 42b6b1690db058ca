//! Changes of programs that keep their results.
//!
//! | transform | result |
//! |---|---|
//! | [`remove_all_unused`] | without bindings that nothing needs |
//! | [`remove_unused_functions`] | without functions that nothing can call |
//! | [`eliminate_dead_code`] | both |
//! | [`canonicalize_bindings`] | without second names of values |
//! | [`BindingRules`] | with the replacements of the patterns of rules |
//!
//! A transform never changes its argument, returns errors as values, and changes nothing if it is applied to its own
//! result. If the checker accepts a program, it accepts the result.
//!
//! A transform plans first, by a walk over the whole program, and then changes it by one rewrite of `object-core`, so a
//! variable stays one object everywhere. [`remove_all_unused`] marks the bindings that a program needs, beginning with
//! its results, side effects and possible failures, and removes the others, so it needs no second pass.

mod program;
mod blocks;
mod remove_unused;
mod dead_functions;
mod known_dims;
mod canonicalize;
mod rules;

pub use canonicalize::canonicalize_bindings;
pub use dead_functions::{eliminate_dead_code, remove_unused_functions};
pub use program::Program;
pub use remove_unused::remove_all_unused;
pub use rules::{BindingRule, BindingRules};
