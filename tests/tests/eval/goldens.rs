//! Recorded results of TVM's virtual machine beside the workspace, if they are present: the groups `vm` and `op` of the
//! golden file.

use std::sync::{Arc, Mutex};

use object_core::json::JsonReader;
use object_core::prelude::*;
use object_core::{AnyView, Function};
use object_eval::{Evaluator, Meter, Tensor, Value};
use object_ir::ir::{
    BaseFunc, DictAttrs, Function as RelaxFunction, GlobalInfo, GlobalVar, IRModule, Source, SourceMap, SourceName,
};
use serde_json::Value as Json;

use crate::common::{golden, list, report, text};

/// The cases that differ from the record, with the reason.
const DEVIATIONS: &[(&str, &str)] = &[
    ("vm/21", "local functions need no other pass here"),
    ("vm/26", "a closure keeps its structural information, so it can be an argument"),
    ("vm/29", "the specification checks the result of each function"),
    ("vm/46", "the specification compares with the value of the variable"),
    ("vm/48", "the specification binds the variable to the value of a scalar"),
    ("op/020", "a comparison with NaN follows IEEE 754"),
];

/// The numbers in nested lists, in order. Texts stand for numbers that JSON does not have.
fn numbers(value: &Json, found: &mut Vec<f64>) {
    match value {
        Json::Array(members) => members.iter().for_each(|member| numbers(member, found)),
        Json::String(text) => found.push(text.parse().unwrap_or(f64::NAN)),
        Json::Bool(value) => found.push(f64::from(u8::from(*value))),
        number => found.push(number.as_f64().unwrap_or(f64::NAN)),
    }
}

/// A recorded tensor: `elements` in the field `tensor` or `data`.
fn tensor(value: &Json, elements: &Json) -> Tensor {
    let shape: Vec<i64> =
        value["shape"].as_array().map(|sizes| sizes.iter().filter_map(Json::as_i64).collect()).unwrap_or_default();
    let mut found = Vec::new();
    numbers(elements, &mut found);
    let dtype = value["dtype"].as_str().and_then(|dtype| dtype.parse().ok()).expect("a data type");
    let dims: Vec<usize> = shape.iter().map(|size| usize::try_from(*size).expect("a size")).collect();
    let array = ndarray::ArrayD::from_shape_vec(dims, found).expect("as many elements as the shape says");
    Tensor::from_floats(dtype, &array, &Meter::unlimited()).expect("a tensor")
}

/// A recorded value.
fn value(recorded: &Json) -> Any {
    if !recorded["tensor"].is_null() {
        return tensor(recorded, &recorded["tensor"]).into();
    }
    if let Some(members) = recorded["tuple"].as_array() {
        return Array::<Any>::from_anys(members.iter().map(value).collect()).into();
    }
    if let Some(shape) = recorded["shape"].as_array().or(recorded["shape_value"].as_array()) {
        return shape.iter().filter_map(Json::as_i64).collect::<Shape>().into();
    }
    if let Some(text) = recorded["str"].as_str() {
        return Str::from(text).into();
    }
    if let Some(dtype) = recorded["dtype"].as_str() {
        return Any::DataType(dtype.parse().expect("a data type"));
    }
    match (&recorded["int"], &recorded["float"]) {
        (Json::Number(int), _) => Any::Int(int.as_i64().expect("an integer")),
        (_, Json::Number(float)) => Any::Float(float.as_f64().expect("a number")),
        _ => panic!("{recorded} is not a value"),
    }
}

/// Whether two values agree: tensors element by element.
fn same(a: &Any, b: &Any) -> bool {
    match (Value::of(a), Value::of(b)) {
        (Value::Tensor(a), Value::Tensor(b)) => {
            let meter = Meter::unlimited();
            let (x, y) = (a.floats(&meter).expect("numbers"), b.floats(&meter).expect("numbers"));
            let close = |x: f64, y: f64| x == y || (x.is_nan() && y.is_nan()) || (x - y).abs() <= 1e-5 + 1e-4 * y.abs();
            a.dtype() == b.dtype() && a.shape() == b.shape() && x.iter().zip(&y).all(|(x, y)| close(*x, *y))
        }
        (Value::Tuple(a), Value::Tuple(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| same(&a.to_any(), &b.to_any()))
        }
        (Value::Shape(a), Value::Shape(b)) => a == b,
        (Value::Text(a), Value::Text(b)) => a == b,
        (Value::Int(a), Value::Int(b)) => a == b,
        (Value::Float(a), Value::Float(b)) => a == b,
        (Value::DataType(a), Value::DataType(b)) => a == b,
        (Value::None, Value::None) => true,
        _ => false,
    }
}

fn tensor_of(value: AnyView<'_>) -> Tensor {
    value.as_object().and_then(|object| object.to_handle()).expect("a tensor")
}

/// The packed functions of the recorded programs. `demo.log` appends its text to `log`.
fn packed(evaluator: Evaluator, log: &Arc<Mutex<Vec<String>>>) -> Evaluator {
    let double = Function::from_packed(|args| {
        let (from, to) = (tensor_of(args[0]), tensor_of(args[1]));
        let doubled: Vec<f32> = from.read::<f32>()?.iter().map(|x| x * 2.0).collect();
        to.write::<f32>()?.copy_from_slice(&doubled);
        Ok(Any::None)
    });
    let mutate = Function::from_packed(|args| {
        let tensor = tensor_of(args[0]);
        tensor.write::<f32>()?.iter_mut().for_each(|x| *x += 100.0);
        Ok(tensor.into())
    });
    let log = log.clone();
    let append = Function::from_packed(move |args| {
        let text = args.first().and_then(|text| text.as_object()).and_then(|text| text.as_str()).unwrap_or_default();
        log.lock().expect("no panic").push(text.to_owned());
        Ok(Array::<Any>::from_anys(Vec::new()).into())
    });
    let identity = Function::from_packed(|args| Ok(args[0].to_any()));
    evaluator
        .function(&double.with_name("demo.dps_double"))
        .function(&mutate.with_name("demo.mutate"))
        .function(&append.with_name("demo.log"))
        .function(&identity.with_name("demo.ident"))
}

fn check_program(case: &Json) -> Result<(), String> {
    let root = JsonReader::new().read(text(case, "json").as_bytes()).map_err(|error| error.to_string())?.root;
    let module: IRModule = root.cast().map_err(|error| error.to_string())?;
    let log = Arc::new(Mutex::new(Vec::new()));
    let evaluator = packed(Evaluator::new(&module), &log);
    let args: Vec<Any> = case["args"].as_array().map(|args| args.iter().map(value).collect()).unwrap_or_default();
    let result = evaluator.run(text(case, "fn"), args);
    let recorded_log: Option<Vec<&str>> =
        case["log"].as_array().map(|log| log.iter().filter_map(Json::as_str).collect());
    if recorded_log.is_some_and(|recorded| *log.lock().expect("no panic") != recorded) {
        return Err(format!("expected the log {}, got {log:?}", case["log"]));
    }
    match (result, case["error"].is_null()) {
        (Ok(result), true) => {
            let recorded = &case["result"];
            let is_closure = recorded["object"].is_string() && matches!(Value::of(&result), Value::Function(_));
            if is_closure || same(&result, &value(recorded)) {
                Ok(())
            } else {
                Err(format!("expected {recorded}, got {}", Value::of(&result)))
            }
        }
        (Err(error), true) => Err(format!("expected {}, got the error {error}", case["result"])),
        (Ok(result), false) => Err(format!("expected {}, got {}", case["error"], Value::of(&result))),
        (Err(_), false) => Ok(()),
    }
}

#[test]
fn recorded_programs() {
    let Some(file) = golden("relax_cases.json") else { return };
    let cases = list(&file["groups"], "vm");
    let mut wrong = Vec::new();
    for case in cases {
        let id = text(case, "id");
        let reason = DEVIATIONS.iter().find(|(listed, _)| *listed == id);
        match (check_program(case), reason) {
            (Err(problem), None) => wrong.push(format!("{id}: {problem}")),
            (Ok(()), Some(_)) => wrong.push(format!("{id}: the deviation does not exist")),
            _ => {}
        }
    }
    report(&wrong, cases.len());
}

/// A module with one function.
fn module_of(function: &RelaxFunction) -> IRModule {
    let var = GlobalVar::new("main");
    let functions: Map<GlobalVar, BaseFunc> = Map::new([(var.clone(), function.clone().into())]);
    let names: Map<Str, GlobalVar> = Map::new([("main".into(), var)]);
    let sources = SourceMap::new(Map::<SourceName, Source>::new([]));
    let attrs = DictAttrs::new(Map::<Str, Any>::new([]));
    IRModule::new(functions, names, sources, attrs, Map::<Str, Array<GlobalInfo>>::new([]))
}

fn check_operator(case: &Json) -> Result<(), String> {
    let root = JsonReader::new().read(text(case, "json").as_bytes()).map_err(|error| error.to_string())?.root;
    let function: RelaxFunction = root.cast().map_err(|error| error.to_string())?;
    let inputs = case["inputs"].as_array().map(Vec::as_slice).unwrap_or_default();
    let args = inputs.iter().map(|input| match input["data"].is_null() {
        true => value(input),
        false => tensor(input, &input["data"]).into(),
    });
    let result = Evaluator::new(&module_of(&function)).run("main", args.collect::<Vec<Any>>());
    let result = result.map_err(|error| format!("expected {}, got the error {error}", case["output"]))?;
    let of_tensor = |recorded: &Json| match recorded["data"].is_null() {
        true => value(recorded),
        false => tensor(recorded, &recorded["data"]).into(),
    };
    let output = &case["output"];
    let members = output.as_array().or_else(|| output["tuple"].as_array());
    let expected = match members {
        Some(members) => Array::<Any>::from_anys(members.iter().map(of_tensor).collect()).into(),
        None => of_tensor(output),
    };
    if same(&result, &expected) { Ok(()) } else { Err(format!("expected {output}, got {}", Value::of(&result))) }
}

#[test]
fn recorded_operators() {
    let Some(file) = golden("relax_cases.json") else { return };
    let cases = list(&file["groups"], "op");
    let (mut wrong, mut checked) = (Vec::new(), 0);
    for case in cases.iter().filter(|case| case["error"].is_null() && !case["output"].is_null()) {
        let id = text(case, "id");
        checked += 1;
        let reason = DEVIATIONS.iter().find(|(listed, _)| *listed == id);
        match (check_operator(case), reason) {
            (Err(problem), None) => wrong.push(format!("{id} {}: {problem}", case["op"])),
            (Ok(()), Some(_)) => wrong.push(format!("{id}: the deviation does not exist")),
            _ => {}
        }
    }
    report(&wrong, checked);
    assert!(checked > 90, "{checked} cases");
}
