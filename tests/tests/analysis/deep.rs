//! Deep, long and shared programs: analyses and transforms need no stack, and visit a shared object once.

use object_core::json;
use object_core::prelude::*;
use object_core::visit::walk;
use object_eval::Evaluator;
use object_ir::ir::{BaseFunc, DictAttrs, Function, GlobalVar, IRModule, RelaxExpr};
use object_relax::analysis::{
    CallGraph, UseDef, all_global_vars, all_vars, bound_vars, computable_at_compile_time, contains_impure_call,
    definable_shape_vars, defined_shape_vars, free_shape_vars, free_vars, non_negative_exprs, shape_vars, used_vars,
    var_values,
};
use object_relax::block_builder::BlockBuilder;
use object_relax::transform::{
    ModuleCompiler, SharedTransform, SortDirection, SortOrder, bind_params, canonicalize_bindings,
    eliminate_common_subexpressions, eliminate_dead_code, fold_constants, inline_private_functions,
    lift_transform_params, remove_all_unused, remove_unused_params, topological_sort,
};
use object_tests::nests::{
    chain, deep_annotations, deep_expressions, doubled, function, merged_by_type, sequence, shared_functions, tensor,
};

use crate::common::{fixture, in_small_stack};

/// The orders of bindings.
const SORTS: [(SortOrder, SortDirection); 4] = [
    (SortOrder::DepthFirst, SortDirection::FromInputs),
    (SortOrder::DepthFirst, SortDirection::FromOutputs),
    (SortOrder::BreadthFirst, SortDirection::FromInputs),
    (SortOrder::BreadthFirst, SortDirection::FromOutputs),
];

/// Runs all analyses and transforms.
fn run_all(name: &str, expr: &RelaxExpr) {
    of_modules(name, &of_expressions(name, expr));
}

/// Runs the analyses and transforms of expressions, and returns a function with the expression as its body.
fn of_expressions(name: &str, expr: &RelaxExpr) -> Function {
    let _ = (free_vars(expr), bound_vars(expr), all_vars(expr), used_vars(expr), all_global_vars(expr));
    let _ = (defined_shape_vars(expr), free_shape_vars(expr), contains_impure_call(expr, None));
    let _ = (var_values(expr).len(), UseDef::of(expr).dead_vars());
    let whole = function(&[], sequence(vec![], expr.clone()), tensor());
    let _ = computable_at_compile_time(&whole);
    remove_all_unused(expr).unwrap_or_else(|error| panic!("{name}: {error}"));
    canonicalize_bindings(expr).unwrap_or_else(|error| panic!("{name}: {error}"));
    eliminate_common_subexpressions(expr).unwrap_or_else(|error| panic!("{name}: {error}"));
    for (order, direction) in SORTS {
        topological_sort(expr, order, direction).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    whole
}

/// Runs the transforms of modules on a module in which a private function has the program as its body, and on one in which its
/// parameters are weights. Programs that are ill-formed may be errors.
fn of_modules(name: &str, program: &Function) {
    let private = program.clone().with_changes(|node| node.attrs = DictAttrs::new(Map::<Str, Any>::new([])));
    let weights = [("num_input".into(), Any::Int(0)), ("global_symbol".into(), Str::from("main").into())];
    let weights = DictAttrs::new(Map::<Str, Any>::new(weights));
    let module = |function: &Function| {
        let var = GlobalVar::new("main");
        BlockBuilder::new().finalize().expect("a module").with_changes(|node| {
            node.functions = Map::new([(var.clone(), BaseFunc::from(function))]);
            node.global_var_map = Map::new([("main".into(), var)]);
        })
    };
    let (private, weights) = (module(&private), module(&program.clone().with_changes(|node| node.attrs = weights)));
    let compile = |calls: &IRModule| Evaluator::new(calls).max_steps(1 << 16).into_compiled();
    for changed in [
        inline_private_functions(&private),
        remove_unused_params(&private),
        fold_constants(&private, ModuleCompiler(&compile)),
        lift_transform_params(&weights, SharedTransform::No),
        lift_transform_params(&weights, SharedTransform::All),
        bind_params(&weights, "main", &[]),
    ] {
        if let Err(error) = changed {
            // The normal form has the parts that a program shares at each of their places, and refuses too many.
            let is_large = error.message().contains("its normal form takes more");
            assert!(error.kind() != ErrorKind::LimitExceeded || is_large, "{name}: {error}");
        }
    }
}

#[test]
fn deep_programs_need_no_stack() {
    in_small_stack(|| {
        for (name, expr) in deep_expressions(2_000) {
            run_all(name, &expr);
        }
        for (name, function) in deep_annotations(2_000) {
            run_all(name, &function.clone().into());
            let info = function.ret_struct_info.clone();
            let _ = (shape_vars(&info), definable_shape_vars(&info), non_negative_exprs(&info));
        }
    });
}

#[test]
fn shared_parts_are_visited_once() {
    in_small_stack(|| {
        run_all("tuples", &doubled(200));
        // The transforms of modules have shared functions at each of their places, and end at the limit, as above.
        of_expressions("functions", &shared_functions(200));
    });
}

#[test]
fn long_chains_are_handled() {
    for is_dataflow in [false, true] {
        let function: Function = chain(4_000, is_dataflow);
        assert_eq!(bound_vars(&(&function).into()).len(), 4_001);
        assert!(UseDef::of(&function).dead_vars().is_empty());
        assert!(remove_all_unused(&function).expect("a result").ptr_eq(&function));
        let canonical = canonicalize_bindings(&function).expect("a result");
        assert_eq!(bound_vars(&(&canonical).into()).len(), 4_001);
    }
}

#[test]
fn wrong_programs_never_panic() {
    for name in ["mlp.json.gz", "decoder.json.gz", "odd.json.gz"] {
        let root: Any = json::from_slice(&fixture(name)).expect("a module");
        for changed in merged_by_type(&root) {
            let mut functions: Vec<RelaxExpr> = Vec::new();
            walk(&changed, |function: &Function, _| functions.push(function.into()));
            for function in &functions {
                let _ = (free_vars(function), free_shape_vars(function), contains_impure_call(function, None));
                let _ = (UseDef::of(function).dead_vars(), var_values(function).len());
                let _ = function.downcast_ref::<Function>().map(computable_at_compile_time);
                let _ = (remove_all_unused(function), canonicalize_bindings(function));
            }
            if let Ok(module) = changed.cast::<IRModule>() {
                let _ = (inline_private_functions(&module), remove_unused_params(&module));
                let _ = (
                    lift_transform_params(&module, SharedTransform::No),
                    SORTS.map(|(order, direction)| topological_sort(&module, order, direction)),
                );
                let _ = (CallGraph::of(&module).recursive_groups(), eliminate_dead_code(&module, &[]));
            }
        }
    }
}
