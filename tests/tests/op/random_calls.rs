//! The value of a call has the inferred structural information: random calls of all operators, over shape variables and
//! with values for them, are inferred and evaluated.
//!
//! `RANDOM_CALLS` is the number of calls of each template, and `RANDOM_CALLS_SEED` the seed.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

use object_core::prelude::*;
use object_core::scalar::TypeCode;
use object_eval::{Evaluator, Value};
use object_ir::ir::{
    Call, IntImm, ObjectStructInfo, Op, PrimStructInfo, ShapeExpr, ShapeStructInfo, StructInfo, TensorStructInfo,
    TupleStructInfo, Var,
};
use object_relax::op;
use object_script::print::print as script;
use object_tests::op_calls::{CallReader, RandomCall, RandomCalls, inferred, module_of};
use object_tests::setting;

use crate::common::at_root;
use crate::sizes::{Verdict, compared};

/// Valid calls that the evaluator refuses: a part of the text of the call, a part of the message, and the reason.
const REFUSED: &[(&str, &str, &str)] = &[
    ("nn.prelu(", "slopes", "inference does not compare the number of slopes, as in TVM"),
    ("sort(", "axis", "inference does not look at the axis, as in TVM"),
    ("cumsum(", "axis", "inference does not look at the axis, as in TVM"),
    ("cumprod(", "axis", "inference does not look at the axis, as in TVM"),
    ("collapse_sum_to(", "at most", "inference does not compare the numbers of dimensions, as in TVM"),
    ("collapse_sum_like(", "at most", "inference does not compare the numbers of dimensions, as in TVM"),
    ("take(", "one of 0 elements", "an empty dimension has no element to take"),
    ("median(", "no median", "an empty tensor has no median"),
];

fn has_dims(given: &[i64], expected: &[object_ir::ir::PrimExpr]) -> bool {
    let is_dim = |(given, dim): (&i64, &object_ir::ir::PrimExpr)| {
        dim.downcast_ref::<IntImm>().is_none_or(|dim| dim.value == *given)
    };
    given.len() == expected.len() && given.iter().zip(expected).all(is_dim)
}

/// Whether a value has the structural information `info`.
fn has_info(value: &Any, info: &StructInfo) -> bool {
    if let Some(tensor) = info.downcast_ref::<TensorStructInfo>() {
        let Value::Tensor(value) = Value::of(value) else { return false };
        let dims = tensor.shape.as_ref().and_then(|shape| shape.downcast_ref::<ShapeExpr>());
        let has_type = tensor.dtype.is_void() || tensor.dtype == value.dtype();
        let has_rank = tensor.ndim == -1 || tensor.ndim == value.rank() as i64;
        return has_type && has_rank && dims.is_none_or(|dims| has_dims(value.shape(), &dims.values));
    }
    if let Some(shape) = info.downcast_ref::<ShapeStructInfo>() {
        let Value::Shape(value) = Value::of(value) else { return false };
        let has_rank = shape.ndim == -1 || shape.ndim == value.len() as i64;
        return has_rank && shape.values.as_ref().is_none_or(|dims| has_dims(value, dims));
    }
    if let Some(prim) = info.downcast_ref::<PrimStructInfo>() {
        let known = prim.value.as_ref().and_then(|value| value.downcast_ref::<IntImm>());
        return match Value::of(value) {
            Value::Int(value) => prim.dtype.code != TypeCode::FLOAT && known.is_none_or(|known| known.value == value),
            Value::Bool(_) => prim.dtype == DataType::boolean(),
            Value::Float(_) => prim.dtype.code == TypeCode::FLOAT,
            _ => false,
        };
    }
    if let Some(tuple) = info.downcast_ref::<TupleStructInfo>() {
        return match Value::of(value) {
            Value::Tuple(members) => {
                let mut members = members.iter().zip(tuple.fields.as_slice());
                members.len() == tuple.fields.len() && members.all(|(value, info)| has_info(&value.to_any(), info))
            }
            // An effect has no result.
            Value::None => tuple.fields.is_empty(),
            _ => false,
        };
    }
    info.is::<ObjectStructInfo>()
}

/// The result of a check.
enum Checked {
    Evaluated,
    Rejected,
    /// The call is in `REFUSED`, at this place.
    Refused(usize),
    Wrong(String),
}

/// Evaluates a call, whose result has to have the structural information `info`: over shape variables if the result over
/// them holds.
fn evaluated(
    call: &RandomCall,
    special: &Call,
    info: &StructInfo,
    (args, holds): (Vec<Any>, bool),
) -> Result<(), String> {
    let mut reader = CallReader::default();
    let general = reader.call(&call.text);
    // Inference may need to know a size.
    let (general, result, args) = match inferred(&general) {
        Ok(result) if holds && !call.sizes.is_empty() => {
            let names: Vec<&str> = call.sizes.iter().map(|(name, _)| name.as_str()).collect();
            let sizes = Var::of("sizes", reader.info(&format!("Shape(({},))", names.join(", "))));
            let values: Shape = call.sizes.iter().map(|(_, size)| *size).collect();
            (module_of(&general, Some(sizes), &result), result, [vec![values.into()], args].concat())
        }
        _ => (module_of(special, None, info), info.clone(), args),
    };
    let value = Evaluator::new(&general).run("main", args).map_err(|error| error.to_string())?;
    if has_info(&value, info) {
        return Ok(());
    }
    let [general, special] = [&result, info].map(crate::print::print);
    Err(format!("expected {special} (over variables {general}), got {}", Value::of(&value)))
}

fn checked(call: &RandomCall) -> Checked {
    let special = call.special();
    let holds = match compared(&call.text, &call.sizes) {
        Verdict::Rejected => return Checked::Rejected,
        Verdict::Differs(results) => return Checked::Wrong(format!("{}: {results}", call.text)),
        verdict => matches!(verdict, Verdict::Holds),
    };
    let info = inferred(&special).expect("the sizes are not rejected");
    let operator = special.op.downcast_ref::<Op>().and_then(|op| op::operator(&op.name)).expect("an operator");
    let Ok(args) = call.args() else { return Checked::Rejected };
    if !object_eval::has_evaluation(operator) {
        return Checked::Evaluated;
    }
    let Err(problem) = evaluated(call, &special, &info, (args, holds)) else { return Checked::Evaluated };
    let refused = REFUSED.iter().position(|(text, message, _)| call.text.contains(text) && problem.contains(message));
    refused.map_or_else(
        || {
            let script = script(&module_of(&special, None, &info)).text().to_owned();
            Checked::Wrong(format!("{} with {:?}\n  {problem}\n{script}", call.text, call.sizes))
        },
        Checked::Refused,
    )
}

#[test]
fn values_have_the_inferred_information() {
    let calls = RandomCalls::listed();
    let (count, seed) = (setting("RANDOM_CALLS", 4), setting("RANDOM_CALLS_SEED", 0_u64));
    let (mut wrong, mut evaluated, mut rejected, mut refused) = (Vec::new(), 0, 0, vec![0; REFUSED.len()]);
    for template in 0..calls.len() {
        let before = evaluated;
        let mut last = String::new();
        // At least one call of each template has a value.
        for draw in 0..count.max(200) {
            if draw >= count && evaluated > before {
                break;
            }
            let call = calls.draw(template, seed.wrapping_add(draw));
            let checked = catch_unwind(AssertUnwindSafe(|| checked(&call)));
            match checked.unwrap_or_else(|_| Checked::Wrong(format!("{} with {:?}: a panic", call.text, call.sizes))) {
                Checked::Evaluated => evaluated += 1,
                Checked::Rejected => rejected += 1,
                Checked::Refused(place) => refused[place] += 1,
                Checked::Wrong(problem) => {
                    wrong.push(problem);
                    break;
                }
            }
            last = call.text;
        }
        if evaluated == before && wrong.is_empty() {
            wrong.push(format!("no call has a value, such as {last}"));
        }
    }
    println!("{evaluated} values, {rejected} calls rejected by inference, {refused:?} by the evaluator");
    // Some of these errors are rare.
    let is_long = count >= 20;
    for ((text, message, reason), count) in REFUSED.iter().zip(refused) {
        assert!(count > 0 || !is_long, "no call with `{text}` has the error `{message}`; remove its entry: {reason}");
    }
    assert!(wrong.is_empty(), "{} templates of {} have wrong calls:\n{}\n", wrong.len(), calls.len(), wrong.join("\n"));
}

/// Each operator that the evaluator runs as a function has a template; `eval_exceptions.txt` has a reason for the others.
#[test]
fn every_operator_has_templates() {
    let path = at_root("object-eval/data/eval_exceptions.txt");
    let exceptions = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let reasons: Vec<&str> =
        exceptions.lines().filter_map(|line| line.split_once('\t')).map(|(name, _)| name).collect();
    let covered = RandomCalls::listed().operators();
    let missing = op::operators().map(|operator| operator.signature.name);
    let missing: Vec<&str> = missing.filter(|name| !covered.contains(*name) && !reasons.contains(name)).collect();
    assert!(missing.is_empty(), "add a template of each to tests/data/op/random_calls.txt: {missing:?}");
}
