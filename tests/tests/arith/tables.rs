//! The tables in `tests/data/arith`: simplified forms, verdicts and bounds.

use std::fs;

use object_core::DataType;
use object_ir::arith::const_int_bound;
use object_relax::arith::Analyzer;
use object_tests::scalar_text::{Scope, print};

use crate::common::at_root;

/// The lines of a table with the answers that they record. A line is `facts |- question => answer`; the facts are
/// conditions with commas between them, and may be missing. `BLESS=1` renews the answers.
fn check(name: &str, answer: impl Fn(&Analyzer, &mut Scope, &str) -> String) {
    let path = at_root("tests/data/arith").join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut renewed = String::new();
    let mut wrong = Vec::new();
    for line in text.lines() {
        let Some((statement, expected)) = line.split_once(" => ").filter(|_| !line.starts_with('#')) else {
            renewed += &format!("{line}\n");
            continue;
        };
        let (facts, question) = statement.split_once(" |- ").unwrap_or(("", statement));
        let mut scope = Scope::default();
        // The names of variables that are not `int64`.
        scope.declare("i", DataType::int(32));
        scope.declare("j", DataType::int(32));
        scope.declare("u", DataType::uint(8));
        scope.declare("v", DataType::uint(8));
        scope.declare("w", DataType::uint(32));
        scope.declare("c", DataType::int(8));
        scope.declare("b", DataType::boolean());
        let mut analyzer = if name.starts_with("shape") { Analyzer::for_shapes() } else { Analyzer::new() };
        for fact in facts.split(", ").filter(|fact| !fact.is_empty()) {
            analyzer.assume(scope.parse(fact));
        }
        let got = answer(&analyzer, &mut scope, question);
        if got != expected {
            wrong.push(format!("{statement}\n    expected {expected}\n    got      {got}"));
        }
        renewed += &format!("{statement} => {got}\n");
    }
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, renewed).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        return;
    }
    assert!(wrong.is_empty(), "{name}: {} answers differ; `BLESS=1` renews them\n{}\n", wrong.len(), wrong.join("\n"));
}

fn simplify(analyzer: &Analyzer, scope: &mut Scope, question: &str) -> String {
    let simplified = analyzer.simplify(&scope.parse(question));
    let again = print(&analyzer.simplify(&simplified));
    let once = print(&simplified);
    if once == again { once } else { format!("{once} => {again}") }
}

fn prove(analyzer: &Analyzer, scope: &mut Scope, question: &str) -> String {
    format!("{:?}", analyzer.prove(&scope.parse(question)))
}

fn bounds(analyzer: &Analyzer, scope: &mut Scope, question: &str) -> String {
    let expr = scope.parse(question);
    let (bound, set) = (analyzer.const_int_bound(&expr), analyzer.modular_set(&expr));
    let end = |value: i64| match value {
        const_int_bound::NEG_INF => "-inf".to_owned(),
        const_int_bound::POS_INF => "inf".to_owned(),
        value => value.to_string(),
    };
    format!("{}..{}, {}k+{}", end(bound.min_value), end(bound.max_value), set.coeff, set.base)
}

#[test]
fn bounds_of_dimensions() {
    check("shape_bounds.txt", bounds);
}

#[test]
fn simplified_forms() {
    check("simplify.txt", simplify);
}

#[test]
fn simplified_forms_of_dimensions() {
    check("shape_simplify.txt", simplify);
}

#[test]
fn verdicts() {
    check("prove.txt", prove);
}

#[test]
fn verdicts_about_dimensions() {
    check("shape_prove.txt", prove);
}
