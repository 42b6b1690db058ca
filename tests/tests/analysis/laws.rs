//! Laws of the transforms, for the programs in `tests/data/analysis`, the examples of the checker, the fixtures, and the
//! modules of the corpus if it is present.

use std::fs;

use object_core::json;
use object_core::prelude::*;
use object_eval::Evaluator;
use object_ir::ir::{Function, IRModule};
use object_relax::analysis::{
    CallGraph, UseDef, all_vars, bound_vars, computable_at_compile_time, free_shape_vars, free_vars,
};
use object_relax::transform::{
    ModuleCompiler, SharedTransform, SortDirection, SortOrder, canonicalize_bindings, eliminate_common_subexpressions,
    eliminate_dead_code, fold_constants, inline_private_functions, lift_transform_params, normalize_global_vars,
    remove_all_unused, remove_unused_params, topological_sort,
};
use object_relax::well_formed::{Checker, all_rules};
use object_tests::notation;

use crate::common::{corpus, fixture, report};
use crate::programs::programs;

type Transform = (&'static str, fn(&IRModule) -> Result<IRModule, Error>);

const TRANSFORMS: [Transform; 12] = [
    ("remove_all_unused", |module| remove_all_unused(module)),
    ("eliminate_dead_code", |module| eliminate_dead_code(module, &[])),
    ("canonicalize_bindings", |module| canonicalize_bindings(module)),
    ("eliminate_common_subexpressions", |module| eliminate_common_subexpressions(module)),
    ("normalize_global_vars", normalize_global_vars),
    ("fold_constants", |module| {
        fold_constants(module, ModuleCompiler(&|calls| Evaluator::new(calls).max_steps(1 << 20).into_compiled()))
    }),
    ("inline_private_functions", inline_private_functions),
    ("remove_unused_params", remove_unused_params),
    ("lift_transform_params", |module| lift_transform_params(module, SharedTransform::No)),
    ("topological_sort from inputs", |module| {
        topological_sort(module, SortOrder::DepthFirst, SortDirection::FromInputs)
    }),
    ("topological_sort from outputs", |module| {
        topological_sort(module, SortOrder::DepthFirst, SortDirection::FromOutputs)
    }),
    ("topological_sort by breadth", |module| {
        topological_sort(module, SortOrder::BreadthFirst, SortDirection::FromInputs)
    }),
];

fn modules() -> Vec<(String, IRModule)> {
    let mut found = programs();
    for rule in all_rules() {
        for example in [rule.passing, rule.failing] {
            if let Ok(module) = notation::parse(example).expect("an example").cast::<IRModule>() {
                found.push((example.to_owned(), module));
            }
        }
    }
    for name in ["mlp.json.gz", "decoder.json.gz", "decoder_legalized.json.gz", "constants.json.gz"] {
        if let Ok(module) = json::from_slice::<IRModule>(&fixture(name)) {
            found.push((name.to_owned(), module));
        }
    }
    let Some(dir) = corpus() else { return found };
    let mut files: Vec<_> =
        fs::read_dir(dir.join("modules")).expect("a folder").flatten().map(|it| it.path()).collect();
    files.sort();
    // A part of the corpus, so that the test takes seconds.
    for path in files.iter().step_by(8) {
        let text = fs::read(path).expect("a file");
        if let Ok(module) = json::from_slice::<IRModule>(&text) {
            found.push((path.display().to_string(), module));
        }
    }
    found
}

/// The violations of a law by one transform of one module.
fn check(name: &str, transform: Transform, module: &IRModule, wrong: &mut Vec<String>) {
    let checker = Checker::new();
    let before = checker.check(module);
    let original = Any::from(module.clone()).to_string();
    let result = transform.1(module);
    if Any::from(module.clone()).to_string() != original {
        wrong.push(format!("{} changes its argument: {name}", transform.0));
    }
    let result = match result {
        Ok(result) => result,
        Err(error) if before.is_well_formed() => return wrong.push(format!("{}: {error}: {name}", transform.0)),
        Err(_) => return,
    };
    if before.is_well_formed() {
        let after = checker.check(&result);
        if !after.is_well_formed() {
            wrong.push(format!("{}: the result is rejected: {name}\n{after}", transform.0));
        }
        match transform.1(&result) {
            Ok(again) if structural_equal(&again, &result) => {}
            other => wrong.push(format!("{} of its own result is {other:?}: {name}", transform.0)),
        }
    }
}

#[test]
fn transforms_keep_programs_well_formed_and_are_idempotent() {
    let mut wrong = Vec::new();
    let modules = modules();
    for (name, module) in &modules {
        for transform in TRANSFORMS {
            check(name, transform, module, &mut wrong);
        }
    }
    report(&wrong, modules.len() * TRANSFORMS.len());
}

#[test]
fn analyses_agree_with_each_other() {
    let mut wrong = Vec::new();
    let modules = modules();
    for (name, module) in &modules {
        let well_formed = Checker::new().check(module).is_well_formed();
        for (_, function) in &module.functions {
            let Some(function) = function.downcast_ref::<Function>() else { continue };
            let expr = function.into();
            let (free, bound, all) = (free_vars(&expr), bound_vars(&expr), all_vars(&expr));
            if free.len() + bound.len() != all.len() {
                wrong.push(format!("variables are neither free nor bound, or both: {name}"));
            }
            if well_formed && !(free.is_empty() && free_shape_vars(&expr).is_empty()) {
                wrong.push(format!("a well-formed function has free variables: {name}"));
            }
            let uses = UseDef::of(function);
            let (unused, dead) = (uses.unused_vars(), uses.dead_vars());
            let is_dead = |var: &object_ir::ir::Var| dead.iter().any(|it| it.ptr_eq(var));
            if !unused.iter().filter(|var| uses.binding(var).is_some()).all(is_dead) {
                wrong.push(format!("an unused variable is not dead: {name}"));
            }
            let _ = computable_at_compile_time(function);
        }
        let graph = CallGraph::of(module);
        if graph.groups().iter().map(Vec::len).sum::<usize>() != module.functions.len() {
            wrong.push(format!("a function is in no group, or in two: {name}"));
        }
    }
    report(&wrong, modules.len());
}
