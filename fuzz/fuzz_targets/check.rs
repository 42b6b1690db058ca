//! Reads any bytes as a JSON graph, and checks whether it is well-formed: as a whole and each expression in it. A check
//! never panics, reports an object with a path that leads to it, and gives the same answer twice. The normal forms keep
//! their laws: the normalizer takes what the checker accepts, and the result passes the checker. Analyses and transforms
//! of the expressions never panic either, and a transform of a well-formed program gives a well-formed program.

#![no_main]

#[path = "../../tests/src/normal_law.rs"]
mod normal_law;

use std::fmt::Display;

use libfuzzer_sys::fuzz_target;
use object_core::json::JsonReader;
use object_core::AsAnyView;
use object_core::prelude::*;
use object_core::visit::walk;
use object_relax::analysis::{
    CallGraph, UseDef, all_global_vars, all_vars, bindings_by_name, bound_vars, computable_at_compile_time,
    contains_impure_call, defined_shape_vars, definable_shape_vars, free_shape_vars, free_vars, has_reshape_pattern,
    non_negative_exprs, shape_vars, used_vars, var_values,
};
use object_ir::ir::{Function, IRModule, RelaxExpr};
use object_ir::tir::PrimFunc;
use object_relax::transform::{Program, canonicalize_bindings, convert_ssa, eliminate_dead_code, remove_all_unused};
use object_relax::well_formed::{Checker, Phase, Profile};

/// The number of expressions of one graph that are checked alone.
const MOST: usize = 20;

fuzz_target!(|text: &[u8]| {
    let Ok(graph) = JsonReader::new().read(text) else { return };
    let mut roots: Vec<Any> = vec![graph.root.clone()];
    walk(&graph.root, |expr: &RelaxExpr, _| {
        if roots.len() < MOST {
            roots.push(expr.clone().into());
        }
    });
    for root in &roots {
        for phase in Phase::ALL {
            check(&Checker::new().phase(phase), root);
        }
        check(&Checker::new().profile(Profile::Tvm025), root);
        normal_law::check(root).unwrap_or_else(|law| panic!("{law}: {root}"));
        if let Ok(module) = root.clone().cast::<IRModule>() {
            let _ = CallGraph::of(&module).recursive_groups();
            transform(&module);
            is_kept(&module, &convert_ssa(&module));
            is_kept(&module, &eliminate_dead_code(&module, &[]));
        } else if let Ok(expr) = root.clone().cast::<RelaxExpr>() {
            analyse(&expr);
            transform(&expr);
        }
    }
});

fn analyse(expr: &RelaxExpr) {
    let bound = bound_vars(expr);
    assert_eq!(bound.len() + free_vars(expr).len(), all_vars(expr).len(), "{expr}");
    let _ = (used_vars(expr), all_global_vars(expr), defined_shape_vars(expr), free_shape_vars(expr));
    let _ = (contains_impure_call(expr, None), var_values(expr).len(), UseDef::of(expr).dead_vars());
    if let Some(function) = expr.downcast_ref::<Function>() {
        let _ = (computable_at_compile_time(function), bindings_by_name(function));
    }
    if let Some(function) = expr.downcast_ref::<PrimFunc>() {
        let _ = has_reshape_pattern(function);
    }
    if let Some(info) = &expr.struct_info {
        assert!(definable_shape_vars(info).len() <= shape_vars(info).len(), "{info}");
        let _ = non_negative_exprs(info);
    }
}

fn transform<P: Program + AsAnyView + Display>(program: &P) {
    is_kept(program, &remove_all_unused(program));
    is_kept(program, &canonicalize_bindings(program));
}

/// Checks the result of a transform.
fn is_kept<P: AsAnyView + Display>(program: &P, result: &Result<P, Error>) {
    if Checker::new().check(program).is_well_formed() {
        match result {
            Ok(result) => {
                let report = Checker::new().check(result);
                assert!(report.is_well_formed(), "{report}: of {program}: {result}");
            }
            Err(error) => panic!("{error}: {program}"),
        }
    }
}

fn check(checker: &Checker, root: &Any) {
    let report = checker.check(root);
    assert_eq!(report.to_string(), checker.check(root).to_string(), "another answer: {root}");
    for diagnostic in &report.diagnostics {
        let found = diagnostic.path.find(root).unwrap_or_else(|error| panic!("{error}: {diagnostic}: {root}"));
        let is_there = found.as_object().is_none_or(|it| it.ptr_eq(diagnostic.object.view()));
        assert!(is_there, "{diagnostic} leads to another object: {root}");
        assert!(!diagnostic.message.is_empty(), "{}: {root}", diagnostic.rule.name);
    }
}
