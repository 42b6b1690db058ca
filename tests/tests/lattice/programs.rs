//! The programs in `tests/data/lattice/programs.txt` with their derived structural information.

use std::fs;

use object_core::prelude::*;
use object_core::visit::walk;
use object_ir::ir::{Binding, Function, SeqExpr, StructInfo};
use object_relax::derivation::Derivation;

use crate::common::at_root;
use crate::program::parse;
use crate::text::print;

fn optional(info: Option<&StructInfo>) -> String {
    info.map_or("nothing".to_owned(), print)
}

/// The derived facts of a program, a line for each: variables, sequences, functions and findings, or the error.
fn answer(lines: &[&str]) -> Vec<String> {
    let module = parse(lines);
    let derived = match Derivation::new().module(&module) {
        Ok(derived) => derived,
        Err(error) => return vec![format!("error {error}")],
    };
    let mut facts = Vec::new();
    for (var, function) in &derived.result.functions {
        walk(function, |binding: &Binding, _| {
            facts.push(format!("{}: {}", binding.var.vid.name_hint, optional(binding.var.struct_info.as_ref())));
        });
        let body = function.downcast_ref::<Function>().map(|function| &function.body);
        facts.push(format!("body of {}: {}", var.name_hint, optional(body.and_then(|it| it.struct_info.as_ref()))));
        walk(function, |inner: &Function, _| {
            if !inner.ptr_eq(function) {
                facts.push(format!("local function: {}", optional(inner.struct_info.as_ref())));
                facts.push(format!("its body: {}", optional(inner.body.struct_info.as_ref())));
            }
        });
        walk(function, |seq: &SeqExpr, _| assert!(seq.struct_info.is_some()));
        facts.push(format!("{}: {}", var.name_hint, optional(function.struct_info.as_ref())));
        let of_var = var.struct_info.as_ref();
        assert!(of_var.is_some_and(|info| structural_equal(info, &function.struct_info)), "{}", var.name_hint);
    }
    facts.extend(derived.findings().iter().map(|finding| format!("finding {:?}: {finding}", finding.kind)));
    let again = Derivation::new().module(&derived.result).expect("a derived program is well-typed");
    assert!(again.result.ptr_eq(&derived.result), "a second derivation changes nothing");
    facts
}

/// Each program begins with a comment, and its facts begin with `=> `. `BLESS=1` renews the facts.
#[test]
fn programs_are_derived() {
    let path = at_root("tests/data/lattice/programs.txt");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let (mut renewed, mut wrong) = (Vec::new(), Vec::new());
    for case in text.trim_end().split("\n\n") {
        let (facts, rest): (Vec<&str>, Vec<&str>) = case.lines().partition(|line| line.starts_with("=> "));
        let (comments, program): (Vec<&str>, Vec<&str>) = rest.iter().partition(|line| line.starts_with('#'));
        let got: Vec<_> = if program.is_empty() { Vec::new() } else { answer(&program) };
        let got: Vec<_> = got.into_iter().map(|fact| format!("=> {fact}")).collect();
        if facts != got {
            wrong.push(format!(
                "{}\n    expected\n{}\n    got\n{}",
                comments.join("\n"),
                facts.join("\n"),
                got.join("\n")
            ));
        }
        renewed.push(rest.into_iter().map(str::to_owned).chain(got).collect::<Vec<_>>().join("\n"));
    }
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, renewed.join("\n\n") + "\n").unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        return;
    }
    assert!(wrong.is_empty(), "{} programs differ; `BLESS=1` renews them\n{}\n", wrong.len(), wrong.join("\n\n"));
}
