//! `analysis`: the result of an analysis of a program.

use object_core::prelude::*;
use object_core::{FieldType, ObjectRef};
use object_ir::ir::{Function, IRModule, PrimExpr, RelaxExpr, StructInfo};
use object_ir::tir::{self, PrimFunc};
use object_relax::arith::Analyzer;
use object_relax::struct_info::{BaseCheck, VarMap, base_check, erase_to_well_defined, type_of, unify};
use object_relax::{analysis, transform};

use super::facts::{Corpus, Fact, Problem};
use super::{Checked, Outcome};

/// How results are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// The recorded order counts.
    Given,
    /// The results are sets.
    Any,
}

/// Checks a fact. The group is the name of the analysis.
pub(super) fn check(corpus: &Corpus, fact: &Fact) -> Outcome {
    match fact.text("name") {
        Ok(name) => Outcome::of_group(name.to_owned(), check_named(corpus, fact, name)),
        Err(problem) => Err(problem).into(),
    }
}

fn check_named(corpus: &Corpus, fact: &Fact, name: &str) -> Checked {
    if fact.text("expect")? == "error" {
        // An answer is at least as good as an error of the peer.
        return Ok(());
    }
    let root = corpus.load_module(fact.text("result")?)?.root;
    let items: Vec<Any> = root.cast::<Array<Any>>().map_err(failed)?.iter().collect();
    let (expected, args) = items.split_last().ok_or_else(|| Problem::new("arguments and a result", "nothing"))?;
    let is_unordered = fact.flag("unordered") || ["DefinedSymbolicVars", "FreeSymbolicVars"].contains(&name);
    let order = if is_unordered { Order::Any } else { Order::Given };
    let analyzer = Analyzer::for_shapes();
    match name {
        "free_vars" => same_objects(expected, analysis::free_vars(&arg(args, 0)?), order),
        "bound_vars" => same_objects(expected, analysis::bound_vars(&arg(args, 0)?), order),
        "all_vars" => same_objects(expected, analysis::all_vars(&arg(args, 0)?), order),
        "used_vars" => same_objects(expected, analysis::used_vars(&arg(args, 0)?), order),
        "all_global_vars" => same_objects(expected, analysis::all_global_vars(&arg(args, 0)?), order),
        "TIRVarsInStructInfo" => same_objects(expected, analysis::shape_vars(&arg(args, 0)?), order),
        "DefinableTIRVarsInStructInfo" => same_objects(expected, analysis::definable_shape_vars(&arg(args, 0)?), order),
        "DefinedSymbolicVars" => same_objects(expected, analysis::defined_shape_vars(&arg(args, 0)?), order),
        "FreeSymbolicVars" => same_objects(expected, analysis::free_shape_vars(&arg(args, 0)?), order),
        "CollectNonNegativeExpressions" => same_objects(expected, analysis::non_negative_exprs(&arg(args, 0)?), order),
        "computable_at_compile_time" => {
            same_objects(expected, analysis::computable_at_compile_time(&arg::<Function>(args, 0)?), order)
        }
        "contains_impure_call" => {
            let own_name: Option<RelaxExpr> = arg(args, 1)?;
            same(expected, analysis::contains_impure_call(&arg(args, 0)?, own_name.as_ref()))
        }
        "has_reshape_pattern" => same(expected, analysis::has_reshape_pattern(&arg::<PrimFunc>(args, 0)?)),
        "detect_recursion" => check_groups(expected, &arg(args, 0)?),
        "name_to_binding" => check_names(expected, &arg(args, 0)?),
        "remove_all_unused" => {
            let got = transform::remove_all_unused(&arg::<RelaxExpr>(args, 0)?).map_err(failed)?;
            same(expected, got)
        }
        "GetStaticType" => same(expected, type_of(&arg(args, 0)?)),
        "EraseToWellDefined" => {
            let vars: Option<Map<tir::Var, PrimExpr>> = arg(args, 1)?;
            let map = vars.into_iter().flat_map(|vars| vars.iter().collect::<Vec<_>>());
            let map = map.fold(VarMap::new(), |map, (var, value)| map.bind(&var, value));
            same(expected, erase_to_well_defined(&arg::<StructInfo>(args, 0)?, &map, &analyzer))
        }
        "StructInfoLCA" => same(expected, unify(&arg(args, 0)?, &arg(args, 1)?, &analyzer)),
        "StructInfoBaseCheck" => {
            let verdict = match base_check(&arg(args, 1)?, &arg(args, 0)?, &analyzer) {
                BaseCheck::FailL0 => 0,
                BaseCheck::FailL1 => 1,
                BaseCheck::FailL2 => 2,
                BaseCheck::Pass => 3,
            };
            same(expected, verdict)
        }
        other => Err(Problem::new("a check for this analysis", format!("none for `{other}`"))),
    }
}

fn failed(error: Error) -> Problem {
    Problem::failed("a result", error)
}

/// An argument as a value of its type. Missing arguments are `None`.
fn arg<T: FieldType>(args: &[Any], index: usize) -> Result<T, Problem> {
    args.get(index).cloned().unwrap_or_default().cast().map_err(failed)
}

/// Checks a value by structural equality.
fn same(expected: &Any, got: impl FieldType) -> Checked {
    let got = got.into_any();
    if structural_equal(expected, &got) { Ok(()) } else { Err(Problem::new(expected, &got)) }
}

/// Checks a list of objects of the arguments, by identity; objects that the analysis makes, by structural equality.
fn same_objects<H: ObjectHandle>(expected: &Any, got: Vec<H>, order: Order) -> Checked {
    let expected: Array<ObjectRef> = expected.clone().cast().map_err(failed)?;
    let got: Vec<ObjectRef> = got.into_iter().map(|it| it.as_object().clone()).collect();
    let is_same = |a: &ObjectRef, b: &ObjectRef| a.ptr_eq(b);
    let agree = expected.len() == got.len()
        && match order {
            Order::Given => expected.iter().zip(&got).all(|(a, b)| is_same(&a, b)),
            Order::Any => expected.iter().all(|a| got.iter().any(|b| is_same(&a, b))),
        };
    if agree { Ok(()) } else { Err(Problem::new(&expected, Array::new(got))) }
}

fn check_groups(expected: &Any, module: &IRModule) -> Checked {
    let names = |groups: Vec<Vec<String>>| {
        let mut groups = groups;
        groups.iter_mut().for_each(|group| group.sort());
        groups.sort();
        groups
    };
    let expected: Array<Array<object_ir::ir::GlobalVar>> = expected.clone().cast().map_err(failed)?;
    let expected = expected.iter().map(|group| group.iter().map(|var| var.name_hint.to_string()).collect()).collect();
    let got = analysis::CallGraph::of(module).recursive_groups();
    let got = got.iter().map(|group| group.iter().map(|var| var.name_hint.to_string()).collect()).collect();
    let (expected, got) = (names(expected), names(got));
    if expected == got { Ok(()) } else { Err(Problem::new(format!("{expected:?}"), format!("{got:?}"))) }
}

fn check_names(expected: &Any, function: &Function) -> Checked {
    let expected: Map<Str, Array<ObjectRef>> = expected.clone().cast().map_err(failed)?;
    let got = analysis::bindings_by_name(function);
    let is_same = expected.len() == got.len()
        && got.iter().all(|(name, bindings)| {
            expected.get(name).is_some_and(|expected| {
                expected.len() == bindings.len() && expected.iter().zip(bindings).all(|(a, b)| a.ptr_eq(b.as_object()))
            })
        });
    if is_same { Ok(()) } else { Err(Problem::new(&expected, format!("{got:?}"))) }
}
