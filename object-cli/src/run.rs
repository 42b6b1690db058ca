//! `objir run`: runs a function of a module.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Cursor};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use object_core::Result;
use object_core::json::Graph;
use object_core::meter::Meter;
use object_core::prelude::*;
use object_eval::{Evaluator, Inputs, Tensor, Value, npy, value_text};
use object_ir::ir::{IRModule, StructInfo, TensorStructInfo};
use serde_json::{Value as Json, json};

use crate::input::{Program, Reading};
use crate::output::{Output, Verdict, write_file};
use crate::progress::Progress;
use crate::run_args::RunArgs;
use crate::source::Source;
use crate::{run_compare, run_error};

pub(crate) fn run(args: &RunArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    let (graph, mut evaluator, script) = evaluator(&args.file, reading)?;
    if let Some(other) = &args.other {
        let given = given(args, &evaluator, &reading.meter)?;
        let (_other, second, _) = self::evaluator(other, reading)?;
        return run_compare::run(args, other, [evaluator, second], (given, &reading.meter), output);
    }
    let profile = Arc::new(Mutex::new(Profile::new()));
    if args.trace || args.profile {
        let (trace, times) = (args.trace, profile.clone());
        evaluator = evaluator.observe(move |event| {
            if let Some(variable) = event.variable.filter(|_| trace) {
                let value = Value::of(event.value);
                eprintln!("{}.{variable} = {}: {value}", event.function, event.operation);
            }
            let mut times = times.lock().unwrap_or_else(PoisonError::into_inner);
            let (count, time) = times.entry(event.operation.to_owned()).or_default();
            *count += 1;
            *time += event.elapsed;
        });
    }
    let values = arguments(args, &evaluator, &reading.meter)?;
    let result = {
        let progress = Progress::new(args.trace);
        progress.of(evaluator).run(&args.func, values)
    };
    if args.profile {
        print_profile(&profile.lock().unwrap_or_else(PoisonError::into_inner));
    }
    let result = match result {
        Ok(result) => result,
        Err(error) => {
            return run_error::show(&args.file, script.as_deref(), &graph.root.cast()?, (reading.printer(), error));
        }
    };
    if let Some(path) = &args.out {
        write(path, &result)?;
    }
    let text = value_text(&result, &reading.meter)?;
    output.show(&text, || json!({ "kind": Value::of(&result).to_string(), "value": text }))?;
    Ok(Verdict::Same)
}

/// The graph in a file, its evaluator with the limits of the command line, and the text of the file if it is a script.
fn evaluator(file: &Source, reading: &Reading) -> Result<(Graph, Evaluator, Option<String>)> {
    let Program { graph, script, .. } = file.load_program("run", reading)?;
    let module: IRModule = graph.root.clone().cast().map_err(|error| file.name_in(error))?;
    let evaluator = Evaluator::new(&module).max_steps(reading.limits.max_steps).meter(&reading.meter);
    Ok((graph, evaluator, script))
}

/// For each operator the number of its calls and their time.
type Profile = BTreeMap<String, (u64, Duration)>;

/// Prints the times on standard error, the longest first.
fn print_profile(profile: &Profile) {
    let mut rows: Vec<_> = profile.iter().collect();
    rows.sort_by_key(|(_, (_, time))| std::cmp::Reverse(*time));
    eprintln!("{:>12} {:>8}  operator", "time", "calls");
    for (operator, (count, time)) in rows {
        eprintln!("{:>12} {count:>8}  {operator}", format!("{:.3} ms", time.as_secs_f64() * 1e3));
    }
}

/// The values that the command line gives to parameters. Refuses names that the function does not have.
fn given(args: &RunArgs, evaluator: &Evaluator, meter: &Meter) -> Result<Vec<(Str, Any)>> {
    let Some(parameters) = evaluator.parameters(&args.func) else { return Ok(Vec::new()) };
    check_dims(args, &evaluator.dimensions(&args.func))?;
    let value = |(name, text): &(String, String)| {
        let Some((name, info)) = parameters.iter().find(|(known, _)| **known == **name) else {
            return Err(no_parameter(&args.func, name, parameters.iter().map(|(name, _)| &**name)));
        };
        let value =
            literal(text, info.as_ref(), meter).map_err(|error| error.context(format_args!("argument `{name}`")))?;
        Ok((name.clone(), value))
    };
    args.args.iter().map(value).collect()
}

/// The error of a name that no parameter of `function` has.
pub(crate) fn no_parameter<'a>(function: &str, name: &str, names: impl Iterator<Item = &'a str>) -> Error {
    let names: Vec<&str> = names.collect();
    let message = format!("`{function}` has no parameter `{name}`; its parameters are: {}", names.join(", "));
    Error::new(ErrorKind::Call, message)
}

/// The arguments in the order of the parameters: given ones, and random ones for the others.
fn arguments(args: &RunArgs, evaluator: &Evaluator, meter: &Meter) -> Result<Vec<Any>> {
    let given = given(args, evaluator, meter)?;
    let inputs = Inputs::new(args.seed).meter(meter);
    let mut inputs = args.dim.iter().fold(inputs, |inputs, (name, size)| inputs.dim(name, *size));
    // For an unknown function, the evaluator explains which functions there are.
    inputs.arguments(&evaluator.parameters(&args.func).unwrap_or_default(), &given)
}

/// Refuses the size of a dimension that no parameter has: a misspelt name would leave the default size. Refuses two options
/// for one dimension.
fn check_dims(args: &RunArgs, known: &[String]) -> Result<()> {
    let names: Vec<&String> =
        args.dim.iter().map(|(name, _)| name).chain(args.dims.iter().map(|(name, _)| name)).collect();
    let twice = args.dims.iter().find(|(name, _)| names.iter().filter(|known| **known == name).count() > 1);
    if let Some((name, _)) = twice {
        let message = format!("the sizes of `{name}` are given twice; list them in one `--dims`");
        return Err(Error::new(ErrorKind::Call, message));
    }
    let Some(name) = names.into_iter().find(|name| !known.contains(name)) else { return Ok(()) };
    let choices =
        if known.is_empty() { "they have none".to_owned() } else { format!("they have: {}", known.join(", ")) };
    let message = format!("the parameters of `{}` have no symbolic dimension `{name}`; {choices}", args.func);
    Err(Error::new(ErrorKind::Call, message))
}

/// The value of an argument: the path of a `.npy` file, the path of a `.npz` file and the name of an array after a colon, or a
/// literal in JSON.
pub(crate) fn literal(text: &str, info: Option<&StructInfo>, meter: &Meter) -> Result<Any> {
    let named = |path: &str, error: Error| error.context(path);
    if text.ends_with(".npy") {
        let file = File::open(text).map_err(|error| named(text, error.into()))?;
        return npy::read_npy(BufReader::new(file), meter).map(Any::from).map_err(|error| named(text, error));
    }
    if let Some((path, name)) = text.rsplit_once(':').filter(|(path, _)| path.ends_with(".npz")) {
        let file = File::open(path).map_err(|error| named(path, error.into()))?;
        let array = npy::read_npz_array(BufReader::new(file), name, meter).map_err(|error| named(path, error))?;
        let missing = || Error::new(ErrorKind::MissingField, format!("{path}: the file has no array `{name}`"));
        return array.map(Any::from).ok_or_else(missing);
    }
    let literal: Json = serde_json::from_str(text).map_err(|error| {
        let message = format!("`{text}` is neither a path (`x.npy`, `x.npz:name`) nor a literal in JSON: {error}");
        Error::new(ErrorKind::Malformed, message)
    })?;
    let tensor = info.and_then(|info| info.downcast_ref::<TensorStructInfo>());
    match (&literal, tensor) {
        (_, Some(tensor)) => Ok(tensor_of(&literal, tensor.dtype, meter)?.into()),
        (Json::Array(sizes), None) => {
            let sizes: Option<Vec<i64>> = sizes.iter().map(Json::as_i64).collect();
            let sizes =
                sizes.ok_or_else(|| Error::new(ErrorKind::Malformed, "expected a list of integers as a shape"))?;
            Ok(Shape::from(sizes).into())
        }
        (Json::Bool(value), None) => Ok(Any::Bool(*value)),
        (Json::String(text), None) => Ok(Str::from(&**text).into()),
        (Json::Number(number), None) => {
            Ok(number.as_i64().map_or_else(|| Any::Float(number.as_f64().unwrap_or(f64::NAN)), Any::Int))
        }
        _ => Err(Error::new(ErrorKind::Malformed, format!("`{literal}` is not a value"))),
    }
}

/// A tensor of nested lists of numbers.
fn tensor_of(literal: &Json, dtype: DataType, meter: &Meter) -> Result<Tensor> {
    let dtype = if dtype.is_void() { DataType::float(32) } else { dtype };
    let mut dims = Vec::new();
    let mut level = vec![literal];
    while let Some(Json::Array(first)) = level.first().copied() {
        let size = first.len();
        let members: Option<Vec<&Vec<Json>>> =
            level.iter().map(|member| member.as_array().filter(|members| members.len() == size)).collect();
        let members = members.ok_or_else(|| {
            Error::new(ErrorKind::Malformed, format!("expected lists of {size} members at level {}", dims.len()))
        })?;
        dims.push(size as i64);
        level = members.into_iter().flatten().collect();
    }
    let number = |number: &&Json| match number {
        Json::Number(number) => number.as_f64(),
        Json::Bool(value) => Some(f64::from(u8::from(*value))),
        Json::String(text) => text.parse().ok(),
        _ => None,
    };
    let numbers: Option<Vec<f64>> = level.iter().map(number).collect();
    let numbers =
        numbers.ok_or_else(|| Error::new(ErrorKind::Malformed, "expected numbers in lists of equal lengths"))?;
    let wide = Tensor::from_elements::<f64>(&dims, numbers, meter)?;
    Tensor::from_numbers(dtype, &wide.numbers(meter)?, meter)
}

/// Writes the tensors of a result to a `.npy` or `.npz` file.
fn write(path: &Path, result: &Any) -> Result<()> {
    let failed = |error: Error| error.context(path.display());
    let tensors: Vec<Tensor> = match Value::of(result) {
        Value::Tensor(tensor) => vec![tensor.clone()],
        Value::Tuple(members) => {
            members.iter().filter_map(|member| member.as_object()?.to_handle::<Tensor>()).collect()
        }
        other => return Err(failed(Error::new(ErrorKind::NotSerializable, format!("expected tensors, got {other}")))),
    };
    if path.extension().is_some_and(|extension| extension == "npz") {
        let names: Vec<String> = (0..tensors.len()).map(|index| format!("r{index}")).collect();
        let mut file = Cursor::new(Vec::new());
        npy::write_npz(&mut file, names.iter().map(String::as_str).zip(&tensors)).map_err(failed)?;
        return write_file(path, file.into_inner());
    }
    let [tensor] = &tensors[..] else {
        let message =
            format!("expected one tensor for a file of one array, got {}; write a `.npz` file", tensors.len());
        return Err(failed(Error::new(ErrorKind::NotSerializable, message)));
    };
    write_file(path, npy::write_npy(tensor).map_err(failed)?)
}
