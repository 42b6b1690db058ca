//! A test for each recorded group about types and structural information.

use std::collections::BTreeSet;

use object_core::data::value_equal;
use object_core::json;
use object_core::prelude::*;
use object_core::visit::walk;
use object_ir::ir::{Binding, Call, FuncStructInfo, Function, PrimExpr, RelaxExpr, SeqExpr, StructInfo, Type, Var};
use object_ir::tir;
use object_relax::arith::Analyzer;
use object_relax::derivation::{Derivation, derive_call};
use object_relax::op::InferContext;
use object_relax::struct_info::{
    Compatibility, VarMap, check_compatibility, erase_struct_info, erase_to_well_defined, get_shape_var_mapping, unify,
    wrap_type,
};
use object_relax::ty::{find_glb, find_lub, is_subtype};

use crate::common::{golden, list, report, text};
use crate::recorded::{Answer, Case, check_group, rows};
use crate::text::print;

fn types(case: &Case<'_>) -> Result<(Type, Type), String> {
    Ok((case.input("T1")?, case.input("T2")?))
}

fn infos(case: &Case<'_>) -> Result<(StructInfo, StructInfo), String> {
    Ok((case.input("S1")?, case.input("S2")?))
}

#[test]
fn group_erase_struct_info() {
    check_group("erase_struct_info", |case| Ok(Answer::object(erase_struct_info(&case.input("si")?))));
}

#[test]
fn group_subtype() {
    check_group("subtype", |case| {
        let (a, b) = types(case)?;
        Ok(Answer::Text(is_subtype(&a, &b).to_string()))
    });
}

#[test]
fn group_find_lub() {
    check_group("find_lub", |case| {
        let (a, b) = types(case)?;
        Ok(Answer::object(find_lub(&a, &b)))
    });
}

#[test]
fn group_find_glb() {
    check_group("find_glb", |case| {
        let (a, b) = types(case)?;
        Ok(find_glb(&a, &b).map_or(Answer::Text("none".into()), Answer::object))
    });
}

#[test]
fn group_wrap_type() {
    check_group("wrap_type", |case| {
        let wrapped = wrap_type(&case.input("t")?).map_err(|error| error.to_string())?;
        Ok(Answer::object(wrapped))
    });
}

#[test]
fn group_erase_to_well_defined() {
    check_group("erase_to_well_defined", |case| {
        let vars: Vec<Var> = case.inputs("var_scope")?;
        let shape_vars: Vec<tir::Var> = case.inputs("shape_var_scope")?;
        let scope = vars.iter().fold(VarMap::new(), VarMap::see_var);
        let scope = shape_vars.iter().fold(scope, VarMap::see);
        Ok(Answer::object(erase_to_well_defined(&case.input("s")?, &scope, &Analyzer::for_shapes())))
    });
}

#[test]
fn group_erase_to_well_defined_map() {
    check_group("erase_to_well_defined_map", |case| {
        let (keys, values): (Vec<tir::Var>, Vec<PrimExpr>) = (case.inputs("keys")?, case.inputs("values")?);
        let map = keys.iter().zip(values).fold(VarMap::new(), |map, (key, value)| map.bind(key, value));
        Ok(Answer::object(erase_to_well_defined(&case.input("s")?, &map, &Analyzer::for_shapes())))
    });
}

#[test]
fn group_get_shape_var_mapping() {
    check_group("get_shape_var_mapping", |case| {
        let (param, arg) = infos(case)?;
        let mapping = get_shape_var_mapping(&param, &arg);
        // The record lists all variables of the parameter that could be bound.
        let recorded = case.value["seed"].as_array().ok_or("no list")?;
        let vars = (0..recorded.len()).map(|i| case.input::<tir::Var>(&format!("seed[{i}][0]")));
        let pairs = vars.map(|var| {
            let var = var?;
            let value = mapping.iter().find(|(key, _)| key.ptr_eq(&var)).map(|(_, value)| value.clone());
            let value = value.map_or(Answer::Text("unmapped".into()), Answer::object);
            Ok(Answer::List(vec![Answer::object(var), value]))
        });
        let pairs = pairs.collect::<Result<Vec<_>, String>>()?;
        if mapping.len() > pairs.len() {
            Err(format!("too many variables: {mapping:?}"))
        } else {
            Ok(Answer::List(pairs))
        }
    });
}

#[test]
fn group_check_compatibility() {
    check_group("check_compatibility", |case| {
        let (given, expected) = infos(case)?;
        let verdict = match check_compatibility(&given, &expected, &Analyzer::for_shapes()) {
            Compatibility::Compatible => "compatible",
            Compatibility::Possible => "possibly",
            Compatibility::Incompatible => "incompatible",
        };
        Ok(Answer::Text(verdict.into()))
    });
}

#[test]
fn group_unify() {
    check_group("unify", |case| {
        let (a, b) = infos(case)?;
        Ok(Answer::object(unify(&a, &b, &Analyzer::for_shapes())))
    });
}

/// The result of a recorded call. The variables of the arguments are visible, and so are all variables of Relax.
fn call(case: &Case<'_>) -> Result<Answer, String> {
    let callee: FuncStructInfo = case.input("callee")?;
    let args: Vec<StructInfo> = case.inputs("args")?;
    let mut visible = VarMap::new();
    for arg in &args {
        walk(arg, |var: &tir::Var, _| visible = visible.clone().see(var));
    }
    walk(&callee, |var: &Var, _| visible = visible.clone().see_var(var));
    let args = args.into_iter().map(|info| Var::of("x", info).into()).collect::<Vec<RelaxExpr>>();
    let sinfo_args: Vec<StructInfo> = case.inputs("sinfo_args")?;
    let call = Call::new(Var::of("f", callee.clone()), args, None, sinfo_args);
    let analyzer = Analyzer::for_shapes();
    let result = derive_call(&callee, &call, &visible, &InferContext::new(&analyzer));
    Ok(result.map_or(Answer::Error, Answer::object))
}

#[test]
fn group_call_derivation() {
    check_group("call_derivation", call);
}

#[test]
fn group_derive_func() {
    check_group("derive_func", call);
}

/// Derives the recorded programs. The record has the program with all structural information, or the error of TVM.
#[test]
fn group_derive() {
    let Some(file) = golden("relax_cases.json") else { return };
    let deviations = rows("deviations.txt");
    let cases = list(&file["groups"], "derive");
    let mut unused: BTreeSet<_> = deviations.keys().filter(|id| id.starts_with("derive/")).collect();
    let mut wrong = Vec::new();
    for case in cases {
        // TVM's constructors reject some programs, which therefore have no graph.
        let Some(before) = case["before_json"].as_str() else { continue };
        let derived = json::from_slice::<Function>(before.as_bytes()).and_then(|it| Derivation::new().function(&it));
        let as_tvm = match (&derived, case["after_json"].as_str()) {
            (Ok(derived), Some(after)) => {
                let after = json::from_slice::<Function>(after.as_bytes()).expect("a recorded graph is read");
                value_equal(&derived.result, &after)
            }
            (Err(_), None) => true,
            _ => false,
        };
        let id = text(case, "id");
        match (as_tvm, unused.remove(&id.to_owned())) {
            (true, false) => {}
            (true, true) => wrong.push(format!("{id}: TVM says the same; remove the row in deviations.txt")),
            (false, true) => {
                let expected = &deviations[id][2];
                let got = derived.map_or_else(|error| format!("error {error}"), |derived| describe(&derived.result));
                if !got.contains(expected.as_str()) {
                    wrong.push(format!("{id}: expected {expected}, got {got}"));
                }
            }
            (false, false) => {
                let got = derived.map_or_else(|error| format!("error {error}"), |derived| describe(&derived.result));
                let tvm = if case["struct_info"].is_null() { &case["tvm_error"] } else { &case["struct_info"] };
                wrong.push(format!("{id} ({}): {}\n    TVM {tvm}\n    got {got}", case["desc"], case["before_ast"]));
            }
        }
    }
    wrong.extend(unused.into_iter().map(|id| format!("{id}: no such case; remove the row")));
    report(&wrong, cases.len());
}

/// The structural information of each variable of a function, and of its body: `x: Tensor((n,), float32); <body>: Object`.
fn describe(function: &Function) -> String {
    let mut texts = Vec::new();
    walk(function, |binding: &Binding, _| {
        texts.push(format!("{}: {}", binding.var.vid.name_hint, optional(binding.var.struct_info.as_ref())));
    });
    walk(function, |seq: &SeqExpr, _| texts.push(format!("<seq>: {}", optional(seq.struct_info.as_ref()))));
    texts.join("; ")
}

fn optional(info: Option<&StructInfo>) -> String {
    info.map_or("nothing".to_owned(), print)
}
