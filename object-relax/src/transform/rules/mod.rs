//! Rules that replace the values of bindings: [`BindingRule`] and [`BindingRules`].

mod look_through;
mod rule;
mod instance;
mod apply;

pub use apply::BindingRules;
pub use rule::BindingRule;
