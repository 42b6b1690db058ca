//! The results of analyses and transforms for the programs in `tests/data/analysis/programs.txt`. `BLESS=1` writes them
//! to `results.txt` in the same folder.

use std::fmt::Write;
use std::fs;

use object_core::prelude::*;
use object_ir::ir::{DataflowBlock, Function, IRModule, RelaxExpr};
use object_relax::analysis::{
    CallGraph, UseDef, all_global_vars, all_vars, bindings_by_name, bound_vars, computable_at_compile_time,
    dataflow_outputs, defined_shape_vars, find_impure_call, free_shape_vars, free_vars, used_vars,
};
use object_relax::transform::{canonicalize_bindings, eliminate_dead_code, remove_all_unused};
use object_script::print::print;
use object_tests::notation;

use crate::common::at_root;

const FOLDER: &str = "tests/data/analysis";

/// The programs with their titles.
pub(crate) fn programs() -> Vec<(String, IRModule)> {
    let text = fs::read_to_string(at_root(FOLDER).join("programs.txt")).expect("the programs can be read");
    let blocks = text.split("\n\n").filter(|block| !block.trim().is_empty());
    let parse = |block: &str| {
        let (title, program) = block.trim().split_once('\n').expect("a title and a program");
        let module = notation::parse(program).and_then(|it| it.cast().map_err(|error| error.to_string()));
        (title.trim_start_matches("# ").to_owned(), module.unwrap_or_else(|error| panic!("{title}: {error}")))
    };
    blocks.map(parse).collect()
}

/// The names of variables of any kind, in order.
fn names<H: ObjectHandle>(vars: &[H]) -> String {
    let name = |var: &H| {
        let view = var.as_object().view();
        let name = view.get("vid").and_then(|id| id.as_object()?.get("name_hint")).or(view.get("name_hint"));
        name.or(view.get("name")).and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
    };
    vars.iter().map(name).collect::<Vec<_>>().join(" ")
}

fn facts_of_function(out: &mut String, name: &str, function: &Function) {
    let expr: RelaxExpr = function.into();
    let uses = UseDef::of(function);
    let users: Vec<String> =
        uses.iter().map(|(var, users)| format!("{} <- [{}]", names(std::slice::from_ref(var)), names(users))).collect();
    let mut outputs = Vec::new();
    object_core::visit::walk(function, |block: &DataflowBlock, _| outputs.extend(dataflow_outputs(function, block)));
    let by_name: Vec<String> =
        bindings_by_name(function).iter().map(|(name, bindings)| format!("{name} {}", bindings.len())).collect();
    let impure = find_impure_call(&expr, None).map_or_else(|| "none".to_owned(), |call| print(&call).to_string());
    let rows = [
        ("free", names(&free_vars(&expr))),
        ("bound", names(&bound_vars(&expr))),
        ("all", names(&all_vars(&expr))),
        ("used", names(&used_vars(&expr))),
        ("global", names(&all_global_vars(&expr))),
        ("defined shape variables", names(&defined_shape_vars(&expr))),
        ("free shape variables", names(&free_shape_vars(&expr))),
        ("at compile time", names(&computable_at_compile_time(function))),
        ("users", users.join(", ")),
        ("outputs", names(&uses.outputs().cloned().collect::<Vec<_>>())),
        ("unused", names(&uses.unused_vars())),
        ("dead", names(&uses.dead_vars())),
        ("outputs of dataflow blocks", names(&outputs)),
        ("bindings by name", by_name.join(", ")),
        ("first impure call", impure.replace('\n', " | ")),
    ];
    for (title, text) in rows.iter().filter(|(_, text)| !text.is_empty() && text != "none") {
        writeln!(out, "{name}: {title}: {text}").expect("a text");
    }
}

fn facts(title: &str, module: &IRModule) -> String {
    let mut out = format!("# {title}\n");
    for (var, function) in &module.functions {
        if let Some(function) = function.downcast_ref::<Function>() {
            facts_of_function(&mut out, &var.name_hint, function);
        }
    }
    for group in CallGraph::of(module).recursive_groups() {
        writeln!(out, "recursive: {}", names(&group)).expect("a text");
    }
    let scripts = [
        ("remove_all_unused", remove_all_unused(module)),
        ("eliminate_dead_code", eliminate_dead_code(module, &[])),
        ("canonicalize_bindings", canonicalize_bindings(module)),
    ];
    for (name, result) in scripts {
        let is_same = result.as_ref().is_ok_and(|it| it.ptr_eq(module));
        let text = result.map_or_else(|error| error.to_string(), |result| body(&print(&result).to_string()));
        let text = if is_same { "    the same\n".to_owned() } else { text };
        write!(out, "{name}:\n{text}").expect("a text");
    }
    out
}

/// A script without its header.
fn body(script: &str) -> String {
    let lines = script.lines().filter(|line| !line.starts_with('#') && !line.starts_with('@') && !line.is_empty());
    lines.filter(|line| !line.starts_with("class")).map(|line| format!("{line}\n")).collect()
}

#[test]
fn results_are_recorded() {
    let found: Vec<String> = programs().iter().map(|(title, module)| facts(title, module)).collect();
    let found = found.join("\n");
    let path = at_root(FOLDER).join("results.txt");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, &found).expect("the results can be written");
    }
    let recorded = fs::read_to_string(&path).unwrap_or_default();
    let difference = recorded.lines().zip(found.lines()).find(|(a, b)| a != b);
    assert!(recorded == found, "the results differ at {difference:?}; `BLESS=1` renews {FOLDER}/results.txt");
}
