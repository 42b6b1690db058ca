//! Each operator has a function that evaluates it, or a reason.

use std::collections::BTreeMap;
use std::fs;

use object_relax::op;

use crate::common::{at_root, report};

#[test]
fn each_operator_is_evaluated_or_has_a_reason() {
    let path = at_root("object-eval/data/eval_exceptions.txt");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let reasons: BTreeMap<&str, &str> =
        lines.map(|line| line.split_once('\t').unwrap_or_else(|| panic!("`{line}` has no reason"))).collect();
    let mut wrong = Vec::new();
    for operator in op::operators() {
        let name = operator.signature.name;
        match (object_eval::has_evaluation(operator), reasons.contains_key(name)) {
            (true, true) => wrong.push(format!("{name}: it has a function, and a line among the exceptions")),
            (false, false) => wrong.push(format!("{name}: neither a function nor a reason")),
            _ => {}
        }
    }
    let unknown = reasons.keys().filter(|name| op::operator(name).is_none());
    wrong.extend(unknown.map(|name| format!("{name}: it is not an operator")));
    report(&wrong, op::operators().count());
}
