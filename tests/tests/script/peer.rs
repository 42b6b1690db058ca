//! Values print as the live TVM printed them: the cases of `fixtures/scripts.records.gz`, and the golden files beside the
//! workspace, if they are present.

use object_core::json::JsonReader;
use object_core::{Any, DataType};
use object_ir::ir::{PrimExpr, PrimValue, ShapeExpr};
use object_script::print::ScriptPrinter;
use serde_json::Value;

use crate::common::{golden, json_fixture, list, report, text};

fn graph(json: &str) -> Any {
    JsonReader::new().read(json.as_bytes()).unwrap_or_else(|error| panic!("{error}")).root
}

/// The first line in which the texts differ.
fn difference(expected: &str, got: &str) -> Option<String> {
    if expected == got {
        return None;
    }
    let at = expected.lines().zip(got.lines()).position(|(a, b)| a != b);
    let at = at.unwrap_or_else(|| expected.lines().count().min(got.lines().count()));
    let line = |text: &str| text.lines().nth(at).unwrap_or("(no line)").to_owned();
    Some(format!("line {}:\n  expected {}\n  got      {}", at + 1, line(expected), line(got)))
}

/// The printer with the recorded options.
fn printer(options: &Value) -> ScriptPrinter {
    let mut printer = ScriptPrinter::new();
    for (name, value) in options.as_object().expect("options by name") {
        let (text, flag) = (value.as_str().unwrap_or_default(), value.as_bool().unwrap_or_default());
        let dtype = || text.parse::<DataType>().expect("a data type");
        printer = match name.as_str() {
            "name" => printer.name(text),
            "show_meta" => printer.show_meta(flag),
            "ir_prefix" => printer.ir_prefix(text),
            "module_alias" => printer.module_alias(text),
            "int_dtype" => printer.int_dtype(dtype()),
            "float_dtype" => printer.float_dtype(dtype()),
            "verbose_expr" => printer.verbose_expr(flag),
            "syntax_sugar" => printer.syntax_sugar(flag),
            "indent_spaces" => printer.indent_spaces(value.as_u64().map_or(0, |spaces| spaces as usize)),
            other => panic!("the option {other} is not known here"),
        };
    }
    printer
}

#[test]
fn the_cases_of_the_fixture() {
    let file = json_fixture("scripts.records.gz");
    let cases = file.as_array().expect("a list of cases");
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            let script = printer(&case["options"]).print(&graph(text(case, "graph")));
            difference(text(case, "script"), script.text()).map(|at| format!("{}: {at}", text(case, "name")))
        })
        .collect();
    report(&wrong, cases.len());
}

#[test]
fn the_golden_scripts() {
    let Some(file) = golden("relax_cases.json") else { return };
    let cases = list(&file["groups"], "script");
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            let script = ScriptPrinter::new().show_meta(true).print(&graph(text(case, "json")));
            difference(text(case, "script"), script.text()).map(|at| format!("{}: {at}", case["id"]))
        })
        .collect();
    report(&wrong, cases.len());
}

#[test]
fn the_golden_scalars() {
    let Some(file) = golden("relax_cases.json") else { return };
    let cases = list(&file["groups"], "prim_expr_script");
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            let expected = text(case, "script");
            let scalar: PrimExpr = graph(text(case, "json")).cast().expect("a scalar");
            let script = if expected.starts_with("R.shape(") {
                ScriptPrinter::new().print(&ShapeExpr::new([scalar]))
            } else {
                ScriptPrinter::new().print(&PrimValue::new(scalar))
            };
            difference(expected, script.text()).map(|at| format!("{}: {at}", case["desc"]))
        })
        .collect();
    report(&wrong, cases.len());
}
