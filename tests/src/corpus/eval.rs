//! `eval`: the result of a call of a function of a module, or the error of the call.

use std::collections::BTreeMap;
use std::fs::File;

use object_core::Tensor as Constant;
use object_core::prelude::*;
use object_eval::value::{ElementType, Numbers};
use object_eval::{
    ASSERTION_FAILED, Evaluator, Meter, SHAPE_MISMATCH, Tensor, Tolerance, Value, first_difference, npy,
};
use object_ir::ir::IRModule;
use object_relax::normal_form::Normalizer;
use object_relax::transform::remove_all_unused;
use serde_json::Value as Json;

use super::facts::{Corpus, Fact, Problem};
use super::{Checked, Outcome};

/// A run stops with an error after this many steps.
const MAX_STEPS: u64 = 2_000_000_000;

/// Checks a fact. The group is the stage, and the operator or the origin.
pub(super) fn check(corpus: &Corpus, fact: &Fact) -> Outcome {
    let stage = fact.text("stage").unwrap_or_default();
    let origin = fact.text("origin").unwrap_or_default();
    let part = fact.get("op").as_str().filter(|_| origin == "one-op").unwrap_or(origin);
    Outcome::of_group(format!("{stage}/{part}"), check_call(corpus, fact))
}

type Arrays = BTreeMap<String, Constant>;

fn arrays(corpus: &Corpus, fact: &Fact) -> Result<Arrays, Problem> {
    let Some(hash) = fact.get("data").as_str() else { return Ok(Arrays::new()) };
    let file = File::open(corpus.path(&format!("data/{hash}.npz"))).map_err(|error| Problem::failed("data", error))?;
    let read = npy::read_npz(file, &Meter::unlimited())
        .and_then(|arrays| arrays.into_iter().map(|(name, array)| Ok((name, array.to_constant()?))).collect());
    read.map_err(|error| Problem::failed("data", error))
}

fn check_call(corpus: &Corpus, fact: &Fact) -> Checked {
    let root = corpus.load_module(fact.text("module")?)?.root;
    let module: IRModule = root.cast().map_err(|error| Problem::failed("a module", error))?;
    let arrays = arrays(corpus, fact)?;
    let empty = Vec::new();
    let args = fact.get("args").as_array().unwrap_or(&empty).iter().map(|arg| value_of(arg, &arrays));
    let args: Vec<Any> = args.collect::<Result<_, _>>()?;
    let func = fact.text("func")?;
    let result = Evaluator::new(&module).max_steps(MAX_STEPS).run(func, args.iter().cloned());
    transforms_keep(&module, func, &args, &result)?;
    match (result, fact.get("error")) {
        (Ok(result), Json::Null) => {
            let number = |name: &str| fact.get(name).as_f64().unwrap_or_default();
            let tolerance = (number("rtol"), number("atol"));
            same(&result, fact.get("expect"), &arrays, tolerance, "result")
        }
        (Err(error), Json::Null) => Err(Problem::failed(&fact.get("expect").to_string(), error)),
        (Ok(result), error) => Err(Problem::new(error, Value::of(&result))),
        (Err(error), expected) => same_error(&error, expected),
    }
}

/// Checks that the normal form, and the module without unused bindings, have the same result or an error of the same kind,
/// apart from failing bindings that nothing uses.
fn transforms_keep(module: &IRModule, func: &str, args: &[Any], result: &Result<Any, Error>) -> Checked {
    let changed = [("normalized", Normalizer::new().module(module)), ("without unused", remove_all_unused(module))];
    for (name, changed) in changed {
        let changed = changed.map_err(|error| Problem::failed(name, error))?;
        let other = Evaluator::new(&changed).max_steps(MAX_STEPS).run(func, args.iter().cloned());
        let difference = match (result, &other) {
            (Ok(a), Ok(b)) => first_difference(a, b, Tolerance::new().relative(0.0).absolute(0.0))
                .map_err(|error| Problem::failed(name, error))?
                .map(|difference| difference.to_string()),
            (Err(a), Err(b)) if a.kind() == b.kind() => None,
            // A failing binding of a dataflow block that nothing uses is gone.
            (Err(_), Ok(_)) if name != "normalized" => None,
            (_, Err(error)) => Some(format!("the error {error}")),
            (Err(error), Ok(_)) => Some(format!("a result in place of the error {error}")),
        };
        if let Some(difference) = difference {
            return Err(Problem::new(format!("the module {name} has the same result"), difference));
        }
    }
    Ok(())
}

/// The value of an argument.
fn value_of(arg: &Json, arrays: &Arrays) -> Result<Any, Problem> {
    let unknown = || Problem::new("an argument", arg);
    if let Some(key) = arg["tensor"].as_str() {
        return arrays.get(key).cloned().map(Any::from).ok_or_else(unknown);
    }
    if let Some(shape) = arg["shape"].as_array() {
        return Ok(shape.iter().filter_map(Json::as_i64).collect::<Shape>().into());
    }
    if let Some(members) = arg["tuple"].as_array() {
        let members = members.iter().map(|member| value_of(member, arrays)).collect::<Result<_, _>>()?;
        return Ok(Array::<Any>::from_anys(members).into());
    }
    if let Some(text) = arg["str"].as_str() {
        return Ok(Str::from(text).into());
    }
    if let Some(dtype) = arg["dtype"].as_str().filter(|_| arg.get("prim").is_none()) {
        return dtype.parse().map(Any::DataType).map_err(|error| Problem::failed("a data type", error));
    }
    match &arg["prim"] {
        Json::Bool(value) => Ok(Any::Bool(*value)),
        Json::String(text) => text.parse().map(Any::Float).map_err(|_| unknown()),
        number if arg["dtype"] == "float64" => number.as_f64().map(Any::Float).ok_or_else(unknown),
        Json::Number(number) => number.as_i64().map(Any::Int).ok_or_else(unknown),
        _ if arg["null"] == true => Ok(Any::None),
        _ => Err(unknown()),
    }
}

/// Whether a value is the recorded one.
fn same(got: &Any, expected: &Json, arrays: &Arrays, tolerance: (f64, f64), place: &str) -> Checked {
    let differs = || Err(Problem::new(format!("{place}: {expected}"), Value::of(got)));
    match (Value::of(got), expected) {
        (Value::Tensor(tensor), expected) if expected["tensor"].is_string() => {
            let key = expected["tensor"].as_str().unwrap_or_default();
            let constant = arrays.get(key).ok_or_else(|| Problem::new("a recorded tensor", key))?;
            same_tensor(tensor, constant, tolerance, place)
        }
        (Value::Shape(shape), expected) if expected["shape"].is_array() => {
            let expected: Option<Vec<i64>> =
                expected["shape"].as_array().map(|sizes| sizes.iter().filter_map(Json::as_i64).collect());
            if expected.as_deref() == Some(shape) { Ok(()) } else { differs() }
        }
        (Value::Tuple(members), expected) if expected["tuple"].is_array() => {
            let empty = Vec::new();
            let expected = expected["tuple"].as_array().unwrap_or(&empty);
            if members.len() != expected.len() {
                return differs();
            }
            for (index, (member, expected)) in members.iter().zip(expected).enumerate() {
                same(&member.to_any(), expected, arrays, tolerance, &format!("{place}[{index}]"))?;
            }
            Ok(())
        }
        (Value::Function(_), expected) if expected["object"].is_string() => Ok(()),
        (Value::Object(_) | Value::Storage(_), expected) if expected["object"].is_string() => Ok(()),
        (Value::Text(text), expected) if expected["str"] == text => Ok(()),
        (_, expected) => {
            let expected = value_of(expected, arrays)?;
            let is_same = match (got, &expected) {
                (Any::Float(a), Any::Float(b)) => close(*a, *b, tolerance),
                (Any::None, Any::None) => true,
                (Any::Bool(a), Any::Bool(b)) => a == b,
                (Any::Int(a), Any::Int(b)) => a == b,
                (Any::DataType(a), Any::DataType(b)) => a == b,
                _ => false,
            };
            if is_same { Ok(()) } else { differs() }
        }
    }
}

/// Whether two numbers agree: NaN agrees with NaN, and infinities are equal.
fn close(got: f64, expected: f64, (rtol, atol): (f64, f64)) -> bool {
    got == expected
        || (got.is_nan() && expected.is_nan())
        || (expected.is_finite() && (got - expected).abs() <= atol + rtol * expected.abs())
}

fn same_tensor(got: &Tensor, constant: &Constant, tolerance: (f64, f64), place: &str) -> Checked {
    let describe = |dtype: DataType, shape: &[i64]| format!("{place}: {dtype:?} {shape:?}");
    if got.dtype() != constant.dtype || **got.shape() != *constant.shape {
        return Err(Problem::new(describe(constant.dtype, &constant.shape), describe(got.dtype(), got.shape())));
    }
    let failed = |error: Error| Problem::failed("numbers", error);
    let meter = Meter::unlimited();
    let expected = Tensor::from_constant(constant, &meter).map_err(failed)?;
    let tolerance = if ElementType::of(constant.dtype).map_err(failed)?.is_float() { tolerance } else { (0.0, 0.0) };
    let difference = match (got.numbers(&meter).map_err(failed)?, expected.numbers(&meter).map_err(failed)?) {
        (Numbers::Float(a), Numbers::Float(b)) => {
            let pairs = a.iter().zip(b.iter()).enumerate();
            pairs
                .filter(|(_, (a, b))| !close(**a, **b, tolerance))
                .map(|(at, (a, b))| (at, a.to_string(), b.to_string()))
                .next()
        }
        (Numbers::Int(a), Numbers::Int(b)) => {
            let pairs = a.iter().zip(b.iter()).enumerate();
            pairs.filter(|(_, (a, b))| a != b).map(|(at, (a, b))| (at, a.to_string(), b.to_string())).next()
        }
        _ => return Err(Problem::new(constant.dtype, got.dtype())),
    };
    match difference {
        None => Ok(()),
        Some((at, got, expected)) => {
            let place = format!("{} element {at}", describe(constant.dtype, &constant.shape));
            Err(Problem::new(format!("{place} is {expected}"), got))
        }
    }
}

/// Whether an error is of the recorded class, and states the recorded facts.
fn same_error(error: &Error, expected: &Json) -> Checked {
    let (class, text) = (expected["class"].as_str().unwrap_or_default(), expected["text"].as_str().unwrap_or_default());
    let kinds: &[ErrorKind] = match class {
        "TypeError" => &[ErrorKind::TypeMismatch],
        "ValueError" => &[ErrorKind::TypeMismatch, ErrorKind::OutOfRange],
        "RuntimeError" => &[SHAPE_MISMATCH],
        "AssertionError" => &[ASSERTION_FAILED],
        "InternalError" => &[ErrorKind::Call, ErrorKind::LimitExceeded, ErrorKind::OutOfRange, ErrorKind::TypeMismatch],
        _ => &[],
    };
    let missing = facts(class, text).into_iter().find(|fact| !error.message().contains(&**fact));
    if kinds.contains(&error.kind()) && missing.is_none() {
        return Ok(());
    }
    let missing = missing.map(|fact| format!(" (the message lacks `{fact}`)")).unwrap_or_default();
    Err(Problem::new(format!("{class}: {text}"), format!("{:?}: {error}{missing}", error.kind())))
}

/// The parts of a recorded message that a message here has too: the function, the parameter, the numbers that differ.
fn facts(class: &str, text: &str) -> Vec<String> {
    let after = |mark: &str, end: &[char]| {
        let rest = text.split_once(mark)?.1;
        Some(rest.split(end).next().unwrap_or_default().to_owned())
    };
    if class == "AssertionError" {
        return vec![text.to_owned()];
    }
    let mut facts = Vec::new();
    facts.extend(after("ErrorContext(fn=", &[',', ')']).map(|name| format!("of `{name}`")));
    facts.extend(after("loc=param[", &[']']).map(|index| format!("parameter {index} ")));
    facts.extend(after("loc=param[", &[')']).and_then(|_| after("param=", &[','])).map(|name| format!("(`{name}`)")));
    if text.contains("loc=return") {
        facts.push("the result of".to_owned());
    }
    if text.contains("ErrorContext(match_cast") {
        facts.push("`MatchCast`".to_owned());
    }
    facts.extend(after(" shape[", &[']']).map(|index| format!("dimension {index}: ")));
    if let Some((given, expected)) = after(" (", &[')']).as_deref().and_then(|numbers| numbers.split_once(" vs. "))
        && text.contains("match_cast error")
    {
        facts.push(format!("expected {expected}"));
        facts.push(format!("got {given}"));
    }
    for (mark, form) in [("with ndim ", "rank "), ("with dtype ", "type ")] {
        facts.extend(after(mark, &[' ']).map(|expected| format!("{form}{expected}")));
    }
    facts
}
