//! A test for each recorded group about types and structural information.

use object_core::prelude::*;
use object_ir::arith::Analyzer;
use object_ir::ir::{PrimExpr, StructInfo, Type, Var};
use object_ir::struct_info::{
    Compatibility, VarMap, check_compatibility, erase_struct_info, erase_to_well_defined, get_shape_var_mapping, unify,
    wrap_type,
};
use object_ir::tir;
use object_ir::ty::{find_glb, find_lub, is_subtype};

use crate::recorded::{Answer, Case, check_group};

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
