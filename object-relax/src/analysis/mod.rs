//! Facts about programs: variables, bindings, uses, side effects, calls.
//!
//! | question | functions |
//! |---|---|
//! | Which variables does an expression bind and use? | [`free_vars`], [`bound_vars`], [`all_vars`], [`used_vars`], [`all_global_vars`] |
//! | Which shape variables? | [`shape_vars`], [`definable_shape_vars`], [`defined_shape_vars`], [`free_shape_vars`], [`non_negative_exprs`] |
//! | What is the value of a variable, which binding has this name? | [`var_values`], [`bindings_by_name`] |
//! | Who uses a variable, which results does nothing use? | [`UseDef`], [`dataflow_outputs`] |
//! | Does a call have side effects? | [`call_effect`], [`find_impure_call`], [`contains_impure_call`], [`may_fail`] |
//! | Which functions call each other? | [`CallGraph`] |
//! | What depends on the weights alone? | [`computable_at_compile_time`] |
//! | Is a loop program a reshape? | [`has_reshape_pattern`] |
//!
//! The analyses take any graph, also one that the checker rejects. They do not recurse, and visit each object once, or
//! once for each binding that it is in. Results are typed handles in the order of the program, which is the order of
//! evaluation: the callee of a call, its explicit structural information, its arguments.

pub(crate) mod walk;
mod identity_map;
pub(crate) mod strong_components;
pub(crate) mod shape_scopes;
mod variables;
mod shape_variables;
mod bindings;
mod use_def;
mod purity;
mod call_graph;
mod compile_time;
mod reshape;

pub use bindings::{bindings_by_name, var_values};
pub use call_graph::CallGraph;
pub use compile_time::computable_at_compile_time;
pub(crate) use compile_time::inputs;
pub use identity_map::IdentityMap;
pub use purity::{Effect, call_effect, contains_impure_call, find_impure_call, may_fail};
pub use reshape::has_reshape_pattern;
pub use shape_variables::{definable_shape_vars, defined_shape_vars, free_shape_vars, non_negative_exprs, shape_vars};
pub use use_def::{UseDef, dataflow_outputs};
pub use variables::{all_global_vars, all_vars, bound_vars, free_vars, used_vars};
