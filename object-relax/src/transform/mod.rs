//! Changes of programs that keep their results. [`TRANSFORMS`] has the ones of modules by the names of TVM.
//!
//! | transform | result |
//! |---|---|
//! | [`remove_all_unused`] | without bindings that nothing needs |
//! | [`remove_unused_functions`] | without functions that nothing can call |
//! | [`eliminate_dead_code`] | both |
//! | [`canonicalize_bindings`] | without second names of values |
//! | [`convert_ssa`] | with loop programs that define each variable once |
//! | [`decompose_for_inference`] | with arithmetic in place of operators of training |
//! | [`eliminate_common_subexpressions`] | without values that are computed again |
//! | [`bind_params`] | with constants in place of parameters |
//! | [`bind_symbolic_vars`] | for given sizes of symbolic dimensions |
//! | [`fold_constants`] | with the results of operators on constants |
//! | [`inline_private_functions`] | with the bodies of private functions in place of their calls |
//! | [`lift_transform_params`] | with the work on weights in functions of their own |
//! | [`remove_unused_params`] | with private functions without parameters that they do not use |
//! | [`topological_sort`] | with the bindings of dataflow blocks in another order |
//! | [`normalize_global_vars`] | with the names of functions by which others call them |
//! | [`BindingRules`] | with the replacements of the patterns of rules |
//!
//! A transform never changes its argument, returns errors as values, and changes nothing if it is applied to its own
//! result. If the checker accepts a program, it accepts the result.
//!
//! A transform plans first, by a walk over the whole program, and then changes it by one rewrite of `object-core`, so a
//! variable stays one object everywhere. [`remove_all_unused`] marks the bindings that a program needs, beginning with
//! its results, side effects and possible failures, and removes the others, so it needs no second pass.

mod program;
mod module_functions;
mod copied_vars;
mod blocks;
mod remove_unused;
mod dead_functions;
mod known_dims;
mod replacements;
mod canonicalize;
mod common_subexpressions;
mod single_definitions;
mod symbolic_sizes;
mod bound_params;
mod global_names;
mod topological_sort;
mod lifted_params;
mod folded_constants;
mod inlined_functions;
mod decomposed_ops;
mod unused_params;
mod rules;
mod table;

pub(crate) use blocks::{remove as remove_bindings, tidy as tidy_sequence, value_of};
pub use bound_params::bind_params;
pub use canonicalize::canonicalize_bindings;
pub use common_subexpressions::eliminate_common_subexpressions;
pub use dead_functions::{eliminate_dead_code, remove_unused_functions};
pub use decomposed_ops::decompose_for_inference;
pub use folded_constants::{CompiledModule, ModuleCompiler, fold_constants};
pub use global_names::normalize_global_vars;
pub use inlined_functions::inline_private_functions;
pub use lifted_params::{SharedTransform, lift_transform_params};
pub(crate) use module_functions::{with_functions, without_functions};
pub use program::Program;
pub use remove_unused::remove_all_unused;
pub use rules::{BindingRule, BindingRules, NearMiss, RuleReport, RuleSite};
pub use single_definitions::convert_ssa;
pub use symbolic_sizes::bind_symbolic_vars;
pub use table::{ModuleTransform, TRANSFORMS, TransformOptions};
pub use topological_sort::{SortDirection, SortOrder, topological_sort};
pub use unused_params::remove_unused_params;
