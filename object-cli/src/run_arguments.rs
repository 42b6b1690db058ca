//! The arguments of `objir run`: values on the command line, and tensors of files.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use object_core::Result;
use object_core::meter::Meter;
use object_core::prelude::*;
use object_eval::{Evaluator, Inputs, Tensor, TensorFile, npy};
use object_ir::ir::{StructInfo, TensorStructInfo};
use serde_json::Value as Json;

use crate::run_args::RunArgs;
use crate::run_parameters::{Parameter, Parameters};

/// The values that the command line gives to parameters: of `--arg`, and of the file of `--arg-file` for the others. Refuses names
/// that the function does not have.
pub(crate) fn given(args: &RunArgs, evaluator: &Evaluator, meter: &Meter) -> Result<Vec<(Str, Any)>> {
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
    let mut given = args.args.iter().map(value).collect::<Result<Vec<_>>>()?;
    if let Some(path) = &args.arg_file {
        let is_left = |(name, _): &&(Str, Option<StructInfo>)| !given.iter().any(|(known, _)| known == name);
        let left = Parameters::of(parameters.iter().filter(is_left), meter)?;
        given.extend(of_file(path, &left, &args.func, meter).map_err(|error| error.context(path.display()))?);
    }
    Ok(given)
}

/// The error of a name that no parameter of `function` has.
pub(crate) fn no_parameter<'a>(function: &str, name: &str, names: impl Iterator<Item = &'a str>) -> Error {
    let names: Vec<&str> = names.collect();
    let message = format!("`{function}` has no parameter `{name}`; its parameters are: {}", names.join(", "));
    Error::new(ErrorKind::Call, message)
}

/// The values of parameters in a file, which has the names of all of them, and no others.
fn of_file(path: &Path, parameters: &Parameters, func: &str, meter: &Meter) -> Result<Vec<(Str, Any)>> {
    let ends = TensorFile::ALL.map(|(end, _)| format!("`.{end}`")).join(", ");
    let format = TensorFile::of(path)
        .ok_or_else(|| Error::new(ErrorKind::Malformed, format!("expected a file whose name ends in {ends}")))?;
    let names = format.names(BufReader::new(File::open(path)?), meter)?;
    let quoted = |names: Vec<&str>| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let missing: Vec<&str> = parameters.names().filter(|name| !names.iter().any(|known| known == name)).collect();
    let extra: Vec<&str> = names.iter().map(|name| &**name).filter(|name| parameters.get(name).is_none()).collect();
    if !missing.is_empty() || !extra.is_empty() {
        let message = format!(
            "expected a tensor for each parameter of `{func}` without `--arg`; missing: {}; not a parameter: {}",
            if missing.is_empty() { "none".to_owned() } else { quoted(missing) },
            if extra.is_empty() { "none".to_owned() } else { quoted(extra) },
        );
        return Err(Error::new(ErrorKind::Call, message));
    }
    let tensors = read(format, path, &|_| true, &|name| parameters.get(name)?.dtype(), meter)?;
    parameters.values(&tensors, meter)
}

fn read(
    format: TensorFile,
    path: &Path,
    wanted: &dyn Fn(&str) -> bool,
    stated: &dyn Fn(&str) -> Option<DataType>,
    meter: &Meter,
) -> Result<BTreeMap<String, Tensor>> {
    format.read(BufReader::new(File::open(path)?), wanted, stated, meter)
}

/// The arguments in the order of the parameters: given ones, and random ones for the others.
pub(crate) fn arguments(args: &RunArgs, evaluator: &Evaluator, meter: &Meter) -> Result<Vec<Any>> {
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

/// The value of an argument: the path of a `.npy` file, the path of a file of several tensors and a name after a colon, or a
/// literal in JSON.
pub(crate) fn literal(text: &str, info: Option<&StructInfo>, meter: &Meter) -> Result<Any> {
    let named = |path: &str, error: Error| error.context(path);
    let parameter = Parameter::of(info);
    if text.ends_with(".npy") {
        let array = File::open(text).map_err(Error::from);
        let array = array.and_then(|file| npy::read_npy_as(BufReader::new(file), parameter.dtype(), meter));
        return array.and_then(|array| parameter.value(&array, meter)).map_err(|error| named(text, error));
    }
    let of_several =
        text.rsplit_once(':').and_then(|(path, name)| Some((TensorFile::of(Path::new(path))?, path, name)));
    if let Some((format, path, name)) = of_several {
        let found = read(format, Path::new(path), &|known| known == name, &|_| parameter.dtype(), meter);
        let array = found.and_then(|mut tensors| {
            let message = || format!("the file has no tensor `{name}`");
            tensors.remove(name).ok_or_else(|| Error::new(ErrorKind::MissingField, message()))
        });
        return array.and_then(|array| parameter.value(&array, meter)).map_err(|error| named(path, error));
    }
    let literal: Json = serde_json::from_str(text).map_err(|error| {
        let message = format!("`{text}` is neither a path (`x.npy`, `x.npz:name`, `x.safetensors:name`, `x.params:name`) nor a literal in JSON: {error}");
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
