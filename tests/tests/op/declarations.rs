//! Declarations of operators against `object-ir/data/ops.txt`, TVM's table of operators, and the recorded properties.

use std::collections::BTreeMap;
use std::fs;

use object_ir::ir::op_table;
use object_relax::op::{self, Operator, Purity};

use crate::common::{at_root, golden};

/// The differences to TVM, by operator and column, with reasons. A reason of the column `inference` says why the operator
/// has none.
fn exceptions() -> BTreeMap<(String, String), String> {
    let path = at_root("object-relax/data/op_exceptions.txt");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let entry = |line: &str| match line.split('\t').collect::<Vec<_>>()[..] {
        [name, column, reason] if !reason.is_empty() => ((name.to_owned(), column.to_owned()), reason.to_owned()),
        _ => panic!("`{line}`: expected an operator, a column and a reason, with tabs between them"),
    };
    lines.map(entry).collect()
}

/// The findings that no exception covers, and the exceptions that cover no finding.
fn unexplained(findings: &[(String, &str, String)], columns: &[&str]) -> Vec<String> {
    let exceptions = exceptions();
    let is_listed = |name: &str, column: &str| exceptions.contains_key(&(name.to_owned(), column.to_owned()));
    let open = findings.iter().filter(|(name, column, _)| !is_listed(name, column));
    let mut wrong: Vec<_> = open.map(|(name, column, text)| format!("{name}, {column}: {text}")).collect();
    let relevant = exceptions.keys().filter(|(_, column)| columns.contains(&column.as_str()));
    for (name, column) in relevant {
        if !findings.iter().any(|(found, at, _)| found == name && at == column) {
            wrong.push(format!("{name}, {column}: the exception covers nothing"));
        }
    }
    wrong
}

/// The purity in `ops.txt`, which is not a field of `ir.Op`.
fn purity_in_table() -> BTreeMap<String, bool> {
    let path = at_root("object-ir/data/ops.txt");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let columns = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    columns.filter(|columns| columns.len() > 3).map(|columns| (columns[0].to_owned(), columns[3] == "pure")).collect()
}

fn of_relax(operator: &str) -> bool {
    operator.starts_with("relax.")
}

#[test]
fn declarations_agree_with_the_table_of_tvm() {
    let (table, is_pure) = (op_table(), purity_in_table());
    let mut findings = Vec::new();
    for recorded in table.iter().filter(|recorded| of_relax(&recorded.name)) {
        let name = recorded.name.to_string();
        let mut found = |column: &'static str, text: String| findings.push((name.clone(), column, text));
        let Some(operator) = op::operator(&name) else {
            found("declaration", "there is none".to_owned());
            continue;
        };
        let names: Vec<_> = operator.signature.arguments().map(|(name, ..)| name.to_owned()).collect();
        let recorded_names: Vec<_> = recorded.arguments.iter().map(|argument| argument.name.to_string()).collect();
        if names != recorded_names {
            found("arguments", format!("{names:?}, and TVM has {recorded_names:?}"));
        }
        let number = match operator.signature.arity() {
            (_, Some(_)) => names.len() as i64,
            (_, None) => -1,
        };
        if number != recorded.num_inputs {
            found("number", format!("{number}, and TVM has {}", recorded.num_inputs));
        }
        let attributes = operator.signature.attributes().map_or("", |info| info.type_key());
        if attributes != &*recorded.attrs_type_key {
            found("attributes", format!("`{attributes}`, and TVM has `{}`", recorded.attrs_type_key));
        }
        if (operator.signature.purity == Purity::Pure) != is_pure[&name] {
            found("purity", format!("{:?}", operator.signature.purity));
        }
        if !operator.has_inference() {
            found("inference", "there is none".to_owned());
        }
    }
    let columns = ["declaration", "arguments", "number", "attributes", "purity", "inference"];
    let mut wrong = unexplained(&findings, &columns);
    for operator in op::operators() {
        if !table.iter().any(|recorded| *recorded.name == *operator.signature.name) {
            wrong.push(format!("{}: TVM has no such operator", operator.signature.name));
        }
    }
    assert!(wrong.is_empty(), "{} findings:\n{}\n", wrong.len(), wrong.join("\n"));
}

#[test]
fn each_operator_is_declared_once_and_documented() {
    let mut seen = BTreeMap::<&str, &Operator>::new();
    for operator in op::operators() {
        let name = operator.signature.name;
        assert!(seen.insert(name, operator).is_none(), "{name} is declared twice");
        let doc = operator.signature.doc.trim();
        assert!(doc.ends_with('.') && !doc.contains("  "), "{name}: the documentation is a sentence: {doc:?}");
    }
}

#[test]
fn purity_is_the_recorded_one() {
    let Some(recorded) = golden("relax_ops.json") else { return };
    let recorded = recorded.as_object().expect("an object by operator");
    assert!(recorded.len() > 200);
    for (name, properties) in recorded {
        if let Some(operator) = op::operator(name) {
            let is_pure = operator.signature.purity == Purity::Pure;
            assert_eq!(properties["FPurity"], is_pure, "{name}");
            assert_eq!(
                properties["FInferStructInfo"] == true || name == "relax.dist.redistribute",
                operator.has_inference()
            );
        }
    }
}
