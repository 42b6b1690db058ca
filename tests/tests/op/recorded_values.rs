//! The values of calls are those of TVM's virtual machine, apart from the calls in `tests/data/op/value_deviations.txt`.
//! `fixtures/make_op_values.py` writes them: `op_values.records.gz` for random calls, `op_sweep.records.gz` for all calls of
//! the templates in `tests/data/op/swept_calls.txt`.

use std::fs;

use ndarray::ArrayD;
use object_core::prelude::*;
use object_eval::{Evaluator, Meter, Tensor, Tolerance, first_difference};
use object_tests::op_calls::{CallReader, inferred, module_of, tensors};
use serde_json::Value as Json;

use crate::common::{at_root, json_fixture, report, text};

/// A group of calls that differ from the record.
struct Deviation {
    operator: String,
    /// The text of a call or the message about the difference has each of these parts.
    parts: Vec<String>,
    reason: String,
}

impl Deviation {
    fn covers(&self, call: &str, problem: &str) -> bool {
        let operator = call.split('(').next().unwrap_or_default();
        let has_part = |part: &String| call.contains(part) || problem.contains(part);
        self.operator.split(' ').any(|name| name == operator) && self.parts.iter().all(has_part)
    }
}

fn deviations() -> Vec<Deviation> {
    let path = at_root("tests/data/op/value_deviations.txt");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let deviation = |line: &str| match line.split('\t').collect::<Vec<_>>()[..] {
        [operator, parts, reason] => Deviation {
            operator: operator.to_owned(),
            parts: parts.split(" & ").filter(|part| !part.is_empty()).map(str::to_owned).collect(),
            reason: reason.to_owned(),
        },
        _ => panic!("`{line}`: expected operators, parts of the call and a reason, with tabs between them"),
    };
    lines.map(deviation).collect()
}

fn list<'v>(record: &'v Json, name: &str) -> &'v [Json] {
    record[name].as_array().map(Vec::as_slice).unwrap_or_default()
}

fn tensor(recorded: &Json) -> Tensor {
    let dims = list(recorded, "shape").iter().filter_map(Json::as_u64);
    let dims: Vec<usize> = dims.map(|size| usize::try_from(size).expect("a size")).collect();
    let number = |number: &Json| match number {
        Json::String(text) => text.parse().expect("a number"),
        number => number.as_f64().expect("a number"),
    };
    let numbers: Vec<f64> = list(recorded, "data").iter().map(number).collect();
    let array = ArrayD::from_shape_vec(dims, numbers).expect("as many elements as the shape says");
    let dtype = text(recorded, "dtype").parse().expect("a data type");
    Tensor::from_floats(dtype, &array, &Meter::unlimited()).expect("a tensor")
}

/// The tolerance for the operations of a call: their results have the precision of the least precise type.
fn tolerance(call: &str) -> Tolerance {
    match call.contains("float16") {
        true => Tolerance::new().relative(1e-2).absolute(1e-2),
        false => Tolerance::new().relative(1e-4).absolute(1e-5),
    }
}

/// The difference between the value of a call and the record.
fn difference(record: &Json) -> Result<(), String> {
    let sizes = list(record, "sizes").iter().map(|pair| {
        let name = pair[0].as_str().expect("a name");
        (name.to_owned(), pair[1].as_i64().expect("a size"))
    });
    let statement = text(record, "call");
    let call = CallReader::with_sizes(&sizes.collect::<Vec<_>>()).call(statement);
    let info = inferred(&call).map_err(|error| error.to_string())?;
    let args: Vec<Any> = list(record, "args").iter().map(|arg| tensor(arg).into()).collect();
    let value = Evaluator::new(&module_of(&call, None, &info)).run("main", args).map_err(|error| error.to_string())?;
    let (got, expected) = (tensors(&value), list(record, "value").iter().map(tensor).collect::<Vec<_>>());
    if got.len() != expected.len() {
        return Err(format!("{} tensors, and TVM has {}", got.len(), expected.len()));
    }
    for (got, expected) in got.iter().zip(&expected) {
        let difference = first_difference(&got.clone().into(), &expected.clone().into(), tolerance(statement));
        if let Some(difference) = difference.map_err(|error| error.to_string())? {
            return Err(difference.to_string());
        }
    }
    Ok(())
}

#[test]
fn values_are_those_of_tvm() {
    let files = ["op_values.records.gz", "op_sweep.records.gz"].map(json_fixture);
    let records: Vec<&Json> = files.iter().flat_map(|file| file.as_array().expect("a list of records")).collect();
    let deviations = deviations();
    let (mut wrong, mut differing) = (Vec::new(), vec![0; deviations.len()]);
    for record in &records {
        let Err(problem) = difference(record) else { continue };
        match deviations.iter().position(|deviation| deviation.covers(text(record, "call"), &problem)) {
            Some(place) => differing[place] += 1,
            None => wrong.push(format!("{} with {}\n  {problem}", text(record, "call"), record["sizes"])),
        }
    }
    for (deviation, count) in deviations.iter().zip(&differing) {
        if *count == 0 {
            wrong.push(format!("{}: no value differs; remove the line: {}", deviation.operator, deviation.reason));
        }
    }
    println!("{} values, of which {} deviate with a reason", records.len(), differing.iter().sum::<i32>());
    report(&wrong, records.len());
}
