//! Checks, derivations, analyses and transforms as functions by name.

#![allow(clippy::needless_pass_by_value, reason = "functions of the registry own their arguments")]

use object_core::Tensor;
use object_core::prelude::*;
use object_core::register_function;
use object_ir::ir::{
    Binding, DataflowBlock, Function, GlobalVar, IRModule, PrimExpr, RelaxExpr, StructInfo, Var, VarBinding,
};
use object_ir::results::Limits;
use object_ir::tir::{self, PrimFunc};

use crate::analysis::{self, CallGraph, UseDef};
use crate::derivation::Derivation;
use crate::results::{CheckOptions, Finding, Inferred, Report};
use crate::root::Root;
use crate::transform::{self, BindingRule, BindingRules, SharedTransform, SortDirection, SortOrder};

register_function!(
    /// The violations of the rules of well-formed programs in a module, a function or another expression.
    "objir.check"(program, options) = check
);
register_function!(
    /// The program in normal form.
    "objir.normalize"(program) = normalize
);
register_function!(
    /// The program with structural information in all parts, and facts about it.
    "objir.infer"(program) = infer
);
register_function!(
    /// The program after rules: each is a module with the functions `pattern` and `replacement`, which have the same parameters.
    "objir.rewrite"(program, rules, limits) = rewrite
);
register_function!(
    /// The bindings of a program in normal form whose values a pattern matches: a function, whose parameters are the holes.
    "objir.matches"(program, pattern, limits) = matches
);

register_function!(
    /// The variables that an expression uses and does not bind.
    "objir.analysis.free_vars"(expr) = free_vars
);
register_function!(
    /// The variables that an expression binds.
    "objir.analysis.bound_vars"(expr) = bound_vars
);
register_function!(
    /// The variables that an expression binds or uses.
    "objir.analysis.all_vars"(expr) = all_vars
);
register_function!(
    /// The variables that an expression uses.
    "objir.analysis.used_vars"(expr) = used_vars
);
register_function!(
    /// The global variables in an expression.
    "objir.analysis.all_global_vars"(expr) = all_global_vars
);
register_function!(
    /// The shape variables in structural information.
    "objir.analysis.shape_vars"(info) = shape_vars
);
register_function!(
    /// The shape variables that a value with this structural information defines.
    "objir.analysis.definable_shape_vars"(info) = definable_shape_vars
);
register_function!(
    /// The shape variables that an expression defines.
    "objir.analysis.defined_shape_vars"(expr) = defined_shape_vars
);
register_function!(
    /// The shape variables that an expression uses and does not define.
    "objir.analysis.free_shape_vars"(expr) = free_shape_vars
);
register_function!(
    /// The sizes in structural information that are not negative.
    "objir.analysis.non_negative_exprs"(info) = non_negative_exprs
);
register_function!(
    /// The values of the variables that a program binds.
    "objir.analysis.var_values"(program) = var_values
);
register_function!(
    /// The bindings of a function by the names of their variables.
    "objir.analysis.bindings_by_name"(function) = bindings_by_name
);
register_function!(
    /// The variables of a program that nothing uses.
    "objir.analysis.unused_vars"(program) = unused_vars
);
register_function!(
    /// The variables of a dataflow block in a program that bindings outside of the block use.
    "objir.analysis.dataflow_outputs"(program, block) = dataflow_outputs
);
register_function!(
    /// Whether an expression contains a call with side effects, apart from calls of `own_name`.
    "objir.analysis.contains_impure_call"(expr, own_name) = contains_impure_call
);
register_function!(
    /// The bindings of a function that depend on parameters with weights alone.
    "objir.analysis.computable_at_compile_time"(function) = computable_at_compile_time
);
register_function!(
    /// Whether a loop program is a reshape.
    "objir.analysis.has_reshape_pattern"(function) = has_reshape_pattern
);
register_function!(
    /// The groups of functions of a module that call each other.
    "objir.analysis.recursive_groups"(module) = recursive_groups
);

register_function!(
    /// The program without bindings that nothing needs.
    "objir.transform.remove_all_unused"(program) = remove_all_unused
);
register_function!(
    /// The module without functions that nothing can call. `entries` are the names of functions that stay.
    "objir.transform.remove_unused_functions"(module, entries) = remove_unused_functions
);
register_function!(
    /// The module without functions that nothing can call, and without bindings that nothing needs.
    "objir.transform.eliminate_dead_code"(module, entries) = eliminate_dead_code
);
register_function!(
    /// The program without second names of values.
    "objir.transform.canonicalize_bindings"(program) = canonicalize_bindings
);
register_function!(
    /// The program without values that are computed again.
    "objir.transform.eliminate_common_subexpressions"(program) = eliminate_common_subexpressions
);
register_function!(
    /// The module with constants in place of the parameters of these names of a function.
    "objir.transform.bind_params"(module, function, params) = bind_params
);
register_function!(
    /// The module with the bodies of private functions in place of their calls.
    "objir.transform.inline_private_functions"(module) = inline_private_functions
);
register_function!(
    /// The module whose private functions have no parameters that they do not use.
    "objir.transform.remove_unused_params"(module) = remove_unused_params
);
register_function!(
    /// The module with the work on weights in functions of their own: one for each function, or one for the functions with
    /// these names, or for all of them if the list is empty.
    "objir.transform.lift_transform_params"(module, shared) = lift_transform_params
);
register_function!(
    /// The program with the bindings of dataflow blocks in the order `depth-first` or `breadth-first`, in the direction
    /// `from-inputs` or `from-outputs`.
    "objir.transform.topological_sort"(program, order, direction) = topological_sort
);
register_function!(
    /// The module with sizes in place of the shape variables of these names.
    "objir.transform.bind_symbolic_vars"(module, sizes) = bind_symbolic_vars
);
register_function!(
    /// The module with the names of functions by which others call them.
    "objir.transform.normalize_global_vars"(module) = normalize_global_vars
);

fn check(program: Any, options: Option<CheckOptions>) -> Result<Report, Error> {
    let checker = options.unwrap_or_else(CheckOptions::new).checker()?;
    Ok(Report::of(&checker.check(&program)))
}

fn normalize(program: Any) -> Result<Any, Error> {
    Root::of(&program)?.normalized()
}

fn infer(program: Any) -> Result<Inferred, Error> {
    let derived = Root::of(&program)?.derived(Derivation::new().keep_stated())?;
    let findings = derived.findings();
    Ok(Inferred::new(derived.result, findings.iter().map(Finding::of)))
}

fn rewrite(program: Any, rules: Array<IRModule>, limits: Option<Limits>) -> Result<Any, Error> {
    let add = |all: BindingRules, rule: IRModule| Ok::<_, Error>(all.rule(BindingRule::from_module(&rule)?));
    let mut rules = rules.iter().try_fold(BindingRules::new(), add)?;
    if let Some(limits) = limits {
        rules = rules.max_steps(limits.to_limits()?.max_steps);
    }
    Root::of(&program)?.changed(|module| rules.run(module), |expr| rules.run(expr))
}

fn matches(program: Any, pattern: Function, limits: Option<Limits>) -> Result<Array<VarBinding>, Error> {
    let rule = BindingRule::of_pattern(&pattern)?;
    Ok(rule.matches(&Root::of(&program)?.normalized()?, &limits.unwrap_or_default().to_limits()?)?.into())
}

fn free_vars(expr: RelaxExpr) -> Array<Var> {
    analysis::free_vars(&expr).into()
}

fn bound_vars(expr: RelaxExpr) -> Array<Var> {
    analysis::bound_vars(&expr).into()
}

fn all_vars(expr: RelaxExpr) -> Array<Var> {
    analysis::all_vars(&expr).into()
}

fn used_vars(expr: RelaxExpr) -> Array<Var> {
    analysis::used_vars(&expr).into()
}

fn all_global_vars(expr: RelaxExpr) -> Array<GlobalVar> {
    analysis::all_global_vars(&expr).into()
}

fn shape_vars(info: StructInfo) -> Array<tir::Var> {
    analysis::shape_vars(&info).into()
}

fn definable_shape_vars(info: StructInfo) -> Array<tir::Var> {
    analysis::definable_shape_vars(&info).into()
}

fn defined_shape_vars(expr: RelaxExpr) -> Array<tir::Var> {
    analysis::defined_shape_vars(&expr).into()
}

fn free_shape_vars(expr: RelaxExpr) -> Array<tir::Var> {
    analysis::free_shape_vars(&expr).into()
}

fn non_negative_exprs(info: StructInfo) -> Array<PrimExpr> {
    analysis::non_negative_exprs(&info).into()
}

fn var_values(program: ObjectRef) -> Map<Var, RelaxExpr> {
    Map::new(analysis::var_values(&program).iter().map(|(var, value)| (var.clone(), value.clone())))
}

fn bindings_by_name(function: Function) -> Map<Str, Array<Binding>> {
    Map::new(analysis::bindings_by_name(&function).into_iter().map(|(name, bindings)| (name, bindings.into())))
}

fn unused_vars(program: ObjectRef) -> Array<Var> {
    UseDef::of(&program).unused_vars().into()
}

fn dataflow_outputs(program: ObjectRef, block: DataflowBlock) -> Array<Var> {
    analysis::dataflow_outputs(&program, &block).into()
}

fn contains_impure_call(expr: RelaxExpr, own_name: Option<RelaxExpr>) -> bool {
    analysis::contains_impure_call(&expr, own_name.as_ref())
}

fn computable_at_compile_time(function: Function) -> Array<Var> {
    analysis::computable_at_compile_time(&function).into()
}

fn has_reshape_pattern(function: PrimFunc) -> bool {
    analysis::has_reshape_pattern(&function)
}

fn recursive_groups(module: IRModule) -> Array<Array<GlobalVar>> {
    CallGraph::of(&module).recursive_groups().into_iter().map(Array::from).collect()
}

fn remove_all_unused(program: Any) -> Result<Any, Error> {
    Root::of(&program)?.changed(transform::remove_all_unused, transform::remove_all_unused)
}

fn remove_unused_functions(module: IRModule, entries: Array<Str>) -> Result<IRModule, Error> {
    with_names(&entries, |entries| transform::remove_unused_functions(&module, entries))
}

fn eliminate_dead_code(module: IRModule, entries: Array<Str>) -> Result<IRModule, Error> {
    with_names(&entries, |entries| transform::eliminate_dead_code(&module, entries))
}

fn eliminate_common_subexpressions(program: Any) -> Result<Any, Error> {
    Root::of(&program)?.changed(transform::eliminate_common_subexpressions, transform::eliminate_common_subexpressions)
}

fn bind_params(module: IRModule, function: Str, params: Map<Str, Tensor>) -> Result<IRModule, Error> {
    let params: Vec<(Str, Tensor)> = params.iter().collect();
    let params: Vec<(&str, Tensor)> = params.iter().map(|(name, tensor)| (name.as_str(), tensor.clone())).collect();
    transform::bind_params(&module, &function, &params)
}

fn inline_private_functions(module: IRModule) -> Result<IRModule, Error> {
    transform::inline_private_functions(&module)
}

fn remove_unused_params(module: IRModule) -> Result<IRModule, Error> {
    transform::remove_unused_params(&module)
}

fn lift_transform_params(module: IRModule, shared: Option<Array<Str>>) -> Result<IRModule, Error> {
    let Some(shared) = shared else { return transform::lift_transform_params(&module, SharedTransform::No) };
    with_names(&shared, |names| transform::lift_transform_params(&module, SharedTransform::Of(names)))
}

fn topological_sort(program: Any, order: Str, direction: Str) -> Result<Any, Error> {
    let (order, direction) = (SortOrder::named(&order)?, SortDirection::named(&direction)?);
    Root::of(&program)?.changed(
        |module| transform::topological_sort(module, order, direction),
        |expr| transform::topological_sort(expr, order, direction),
    )
}

fn bind_symbolic_vars(module: IRModule, sizes: Map<Str, i64>) -> Result<IRModule, Error> {
    let sizes: Vec<(Str, i64)> = sizes.iter().collect();
    let sizes: Vec<(&str, i64)> = sizes.iter().map(|(name, size)| (name.as_str(), *size)).collect();
    transform::bind_symbolic_vars(&module, &sizes)
}

fn normalize_global_vars(module: IRModule) -> Result<IRModule, Error> {
    transform::normalize_global_vars(&module)
}

fn canonicalize_bindings(program: Any) -> Result<Any, Error> {
    Root::of(&program)?.changed(transform::canonicalize_bindings, transform::canonicalize_bindings)
}

/// Calls `with` with the names.
fn with_names<T>(names: &Array<Str>, with: impl FnOnce(&[&str]) -> T) -> T {
    let names: Vec<Str> = names.iter().collect();
    with(&names.iter().map(Str::as_str).collect::<Vec<_>>())
}
