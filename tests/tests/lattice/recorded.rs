//! The groups of the golden file beside the workspace, if it is present: for each case the inputs, the result of TVM, and
//! the result that the specification demands.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use object_core::FieldType;
use object_core::prelude::*;
use serde_json::Value;

use crate::common::{at_root, element, golden, list, report, round_trip, text};

/// The result of a procedure.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// Structural information, a type or an expression.
    Object(Any),
    /// A verdict.
    Text(String),
    /// The results for several parts.
    List(Vec<Answer>),
    /// An error, whatever its text.
    Error,
}

impl Answer {
    pub(crate) fn object(value: impl Into<Any>) -> Answer {
        Answer::Object(value.into())
    }

    fn is(&self, other: &Answer) -> bool {
        match (self, other) {
            (Answer::Object(a), Answer::Object(b)) => structural_equal(a, b),
            (Answer::Text(a), Answer::Text(b)) => a == b,
            (Answer::List(a), Answer::List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is(b)),
            (Answer::Error, Answer::Error) => true,
            _ => false,
        }
    }
}

/// A recorded case.
pub(crate) struct Case<'v> {
    pub(crate) value: &'v Value,
    root: Any,
}

impl<'v> Case<'v> {
    fn read(value: &'v Value) -> Result<Self, String> {
        let graph = text(value, "graph");
        // In one case, the literal reading of the specification gives a list with a null, which no graph has.
        let root = match round_trip(graph.as_bytes()) {
            Err(_) if value["seed_literal"].is_object() => round_trip(without_nulls(graph)?.as_bytes())?,
            root => root?,
        };
        Ok(Case { value, root })
    }

    /// The object with a role.
    fn role(&self, role: &str) -> Result<Any, String> {
        let index = list(self.value, "roles").iter().position(|it| it == role);
        element(&self.root, index.ok_or_else(|| format!("no role {role}"))?)
    }

    /// The input `name`.
    pub(crate) fn input<T: FieldType>(&self, name: &str) -> Result<T, String> {
        self.role(name)?.cast().map_err(|error| format!("{name}: {error}"))
    }

    /// The elements of the input `name`.
    pub(crate) fn inputs<T: FieldType>(&self, name: &str) -> Result<Vec<T>, String> {
        let count = self.value["inputs"][name].as_array().map_or(0, Vec::len);
        (0..count).map(|i| self.input(&format!("{name}[{i}]"))).collect()
    }

    /// A recorded result.
    fn answer(&self, value: &Value) -> Result<Answer, String> {
        Ok(match value {
            Value::String(text) => Answer::Text(text.clone()),
            Value::Bool(verdict) => Answer::Text(verdict.to_string()),
            Value::Array(items) => Answer::List(items.iter().map(|item| self.answer(item)).collect::<Result<_, _>>()?),
            Value::Object(object) if object.contains_key("error") => Answer::Error,
            Value::Object(object) => Answer::Object(self.role(object["ref"].as_str().ok_or("no reference")?)?),
            other => return Err(format!("cannot read the result {other}")),
        })
    }

    /// The result that the specification demands in its corrected reading. The specification does not cover some cases;
    /// then TVM decides.
    fn expected(&self, corrections: &BTreeMap<String, Vec<String>>) -> Result<Answer, String> {
        let value = self.value;
        let is_outside = value["desc"].as_str().is_some_and(|text| text.contains("(not in s"))
            || value["seed"].is_null()
            || value["seed"].as_str().is_some_and(|text| text.starts_with("n/a"));
        match corrections.get(text(value, "id")).map(|row| row[0].as_str()) {
            Some("tvm") => self.answer(&value["tvm"]),
            Some(word) => self.role(word).map(Answer::Object).or_else(|_| Ok(Answer::Text(word.to_owned()))),
            None => self.answer(if is_outside { &value["tvm"] } else { &value["seed"] }),
        }
    }
}

/// The graph without the nulls in its arrays. The node 0 of these graphs is the null.
fn without_nulls(graph: &str) -> Result<String, String> {
    let mut graph: Value = serde_json::from_str(graph).map_err(|error| error.to_string())?;
    for node in graph["nodes"].as_array_mut().ok_or("no nodes")? {
        if node["type"] == "ffi.Array" {
            node["data"].as_array_mut().ok_or("no elements")?.retain(|element| *element != 0);
        }
    }
    Ok(graph.to_string())
}

/// The rows of a table in `tests/data/lattice`, by their first column.
pub(crate) fn rows(name: &str) -> BTreeMap<String, Vec<String>> {
    let path = at_root("tests/data/lattice").join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut rows = BTreeMap::new();
    for line in lines {
        let mut columns = line.split('\t').map(str::to_owned);
        let key = columns.next().unwrap_or_default();
        assert!(rows.insert(key, columns.collect()).is_none(), "{name}: two rows begin like `{line}`");
    }
    rows
}

/// Compares the answers to all cases of a group with the expected ones. Each answer that differs from TVM's needs a row in
/// the table of deviations, and each row needs such an answer.
pub(crate) fn check_group(group: &str, answer: impl Fn(&Case<'_>) -> Result<Answer, String>) {
    let Some(file) = golden("relax_cases.json") else { return };
    let (corrections, deviations) = (rows("corrections.txt"), rows("deviations.txt"));
    let cases = list(&file["groups"], group);
    let unused = RefCell::new(deviations.keys().filter(|id| in_group(id, group)).collect::<BTreeSet<_>>());
    let check = |value: &Value| -> Result<(), String> {
        let case = Case::read(value)?;
        let got = answer(&case)?;
        let id = text(value, "id");
        // The fixed cases have only the result of TVM.
        let expected =
            if value.get("seed").is_some() { case.expected(&corrections)? } else { case.answer(&value["tvm"])? };
        if !got.is(&expected) {
            return Err(format!("expected {expected:?}, got {got:?}, TVM {}", value["tvm"]));
        }
        if value["tvm"].is_null() {
            return Ok(());
        }
        let deviates = !got.is(&case.answer(&value["tvm"])?);
        match (deviates, unused.borrow_mut().remove(&id.to_owned())) {
            (true, false) => Err(format!("TVM says {}, got {got:?}: no row in deviations.txt", value["tvm"])),
            (false, true) => Err("TVM says the same; remove the row in deviations.txt".into()),
            _ => Ok(()),
        }
    };
    let wrong = cases
        .iter()
        .filter_map(|case| check(case).err().map(|wrong| format!("{} ({}): {wrong}", case["id"], case["desc"])));
    let mut wrong: Vec<_> = wrong.collect();
    wrong.extend(unused.into_inner().into_iter().map(|id| format!("{id}: no such case; remove the row")));
    report(&wrong, cases.len());
}

fn in_group(id: &str, group: &str) -> bool {
    id.split_once('/').is_some_and(|(prefix, _)| prefix == group)
}

/// Each deviation names the erratum or the rule of the specification that justifies it.
#[test]
fn every_deviation_has_a_reason() {
    for (id, columns) in rows("deviations.txt") {
        let [rule, reason, ..] = columns.as_slice() else { panic!("{id}: expected a rule and a reason") };
        let is_erratum = rule.strip_prefix('E').is_some_and(|number| number.parse::<u8>().is_ok_and(|it| it <= 42));
        let is_rule = rule.strip_prefix("rule ").is_some_and(|text| !text.is_empty());
        assert!(is_erratum || is_rule, "{id}: `{rule}` is neither an erratum nor a rule");
        assert!(reason.len() > 10, "{id}: no reason");
    }
}
