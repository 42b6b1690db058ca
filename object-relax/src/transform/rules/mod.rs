//! Rules that replace the values of bindings: [`BindingRule`] and [`BindingRules`].
//!
//! A rule is a pattern of `object-core` over one expression. The descent into the pattern and a value (`look_through`)
//! puts the values of variables in place of the variables where the pattern has something else, and the pattern of
//! `object-core` decides. Dimensions of the pattern are holes of their own: the prover compares them, after the
//! structural information of the arguments gave values to the shape variables.

mod look_through;
mod rule;
mod instance;
mod apply;
mod matches;
mod explain;

pub use apply::BindingRules;
pub use explain::{NearMiss, RuleReport, RuleSite};
pub use rule::BindingRule;
