//! The tables in `tests/data/lattice`: questions about structural information with their answers.

use std::fs;

use object_core::prelude::*;
use object_ir::ir::{Call, FuncStructInfo, RelaxExpr, StructInfo, Type, Var};
use object_ir::tir;
use object_relax::arith::Analyzer;
use object_relax::derivation::derive_call;
use object_relax::op::InferContext;
use object_relax::struct_info::{
    VarMap, base_check, check_compatibility, erase_struct_info, erase_to_well_defined, get_shape_var_mapping, type_of,
    unify, wrap_type,
};
use object_relax::ty::{conversion, find_glb, find_lub};
use object_tests::scalar_text::{Scope, print as print_scalar};

use crate::common::at_root;
use crate::text::{parse, print, split};

/// The lines of a table with the answers that they record. A line is `question => answer`; names of shape variables mean
/// the same in all parts of a line. `BLESS=1` renews the answers.
fn check(name: &str, answer: impl Fn(&mut Scope, &str) -> String) {
    let path = at_root("tests/data/lattice").join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let (mut renewed, mut wrong, mut count) = (String::new(), Vec::new(), 0);
    for line in text.lines() {
        let question = line.split_once(" =>").filter(|_| !line.starts_with('#'));
        let Some((question, expected)) = question else {
            renewed += &format!("{line}\n");
            continue;
        };
        count += 1;
        let (expected, got) = (expected.trim(), answer(&mut Scope::default(), question));
        if got != expected {
            wrong.push(format!("{question}\n    expected {expected}\n    got      {got}"));
        }
        renewed += &format!("{question} => {got}\n");
    }
    assert!(count > 0, "{name} has no lines");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, renewed).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        return;
    }
    assert!(wrong.is_empty(), "{name}: {} answers differ; `BLESS=1` renews them\n{}\n", wrong.len(), wrong.join("\n"));
}

/// The structural information on both sides of a sign.
fn two(scope: &mut Scope, question: &str, sign: &str) -> (StructInfo, StructInfo) {
    let (a, b) = question.split_once(sign).unwrap_or_else(|| panic!("no `{sign}` in `{question}`"));
    (parse(scope, a), parse(scope, b))
}

fn print_type(ty: &Type) -> String {
    wrap_type(ty).map_or_else(|error| error.to_string(), |info| print(&info))
}

#[test]
fn bounds_of_types() {
    check("bounds.txt", |scope, question| {
        let (a, b) = two(scope, question, " & ");
        let (a, b) = (type_of(&a), type_of(&b));
        let glb = find_glb(&a, &b).map_or("none".to_owned(), |glb| print_type(&glb));
        format!("{} | {glb}", print_type(&find_lub(&a, &b)))
    });
}

#[test]
fn conversions() {
    check("conversions.txt", |scope, question| {
        let (given, expected) = two(scope, question, " -> ");
        format!("{:?}", conversion(&type_of(&given), &type_of(&expected)))
    });
}

#[test]
fn erased_types() {
    check("erased_types.txt", |scope, question| print_type(&erase_struct_info(&parse(scope, question))));
}

#[test]
fn compatibility() {
    check("compatibility.txt", |scope, question| {
        let (given, expected) = two(scope, question, " -> ");
        let analyzer = Analyzer::for_shapes();
        let verdict = check_compatibility(&given, &expected, &analyzer);
        format!("{verdict:?}, {:?}", base_check(&given, &expected, &analyzer))
    });
}

#[test]
fn unification() {
    check("unify.txt", |scope, question| {
        let (a, b) = two(scope, question, " & ");
        print(&unify(&a, &b, &Analyzer::for_shapes()))
    });
}

#[test]
fn mappings() {
    check("mappings.txt", |scope, question| {
        let (param, arg) = two(scope, question, " := ");
        let pairs = get_shape_var_mapping(&param, &arg);
        pairs
            .iter()
            .map(|(var, value)| format!("{} = {}", var.name, print_scalar(value)))
            .collect::<Vec<_>>()
            .join(", ")
    });
}

/// `INFO with n = m + 1, k` gives `n` a value, and makes `k` visible.
#[test]
fn erasing() {
    check("well_defined.txt", |scope, question| {
        let (info, vars) = question.split_once(" with").unwrap_or((question, ""));
        let info = parse(scope, info);
        let var =
            |scope: &mut Scope, name: &str| -> tir::Var { scope.var(name.trim()).downcast().expect("a variable") };
        let map = split(vars, ',').into_iter().fold(VarMap::new(), |map, part| match part.split_once(" = ") {
            Some((name, value)) => map.bind(&var(scope, name), scope.parse(value)),
            None => map.see(&var(scope, part)),
        });
        print(&erase_to_well_defined(&info, &map, &Analyzer::for_shapes()))
    });
}

/// `FUNCTION (ARG, ARG) [SINFO_ARG]`: the variables `p` and `q` are visible.
#[test]
fn calls() {
    check("calls.txt", |scope, question| {
        let (function, rest) = question.split_once(" (").unwrap_or_else(|| panic!("no arguments in `{question}`"));
        let (args, sinfo_args) = rest.split_once(") [").unwrap_or((rest, "]"));
        let sinfo_args = sinfo_args.strip_suffix(']').unwrap_or(sinfo_args);
        let args = if question.contains(") [") { args } else { args.strip_suffix(')').unwrap_or(args) };
        let function: FuncStructInfo = parse(scope, function).downcast().expect("a function");
        let args = split(args, ',').into_iter().map(|arg| Var::of("x", parse(scope, arg)).into());
        let args = args.collect::<Vec<RelaxExpr>>();
        let sinfo_args = split(sinfo_args, ',').into_iter().map(|info| parse(scope, info)).collect::<Vec<_>>();
        let visible = ["p", "q"]
            .into_iter()
            .fold(VarMap::new(), |map, name| map.see(&scope.var(name).downcast::<tir::Var>().expect("a variable")));
        let call = Call::new(Var::of("f", function.clone()), args, None, sinfo_args);
        let analyzer = Analyzer::for_shapes();
        derive_call(&function, &call, &visible, &InferContext::new(&analyzer))
            .map_or_else(|error| format!("error {error}"), |info| print(&info))
    });
}
