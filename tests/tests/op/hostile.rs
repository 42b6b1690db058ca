//! Calls of the tables with one attribute or argument replaced by a hostile value: inference neither panics nor fills the
//! memory, and a result agrees with itself.

use std::panic::{AssertUnwindSafe, catch_unwind};

use object_core::prelude::*;
use object_core::{Any, ObjectBuilder};
use object_ir::ir::{
    Attrs, Call, FloatImm, IntImm, ObjectStructInfo, PrimExpr, PrimStructInfo, PrimValue, RelaxExpr, ShapeExpr,
    ShapeStructInfo, StructInfo, TensorStructInfo, Tuple, TupleStructInfo, Var,
};
use object_relax::arith::Analyzer;
use object_relax::op::{self, InferContext};
use object_tests::op_calls::CallReader;

use crate::cases::lines;

const NUMBERS: &[i64] = &[0, 1, -1, 2, -2, 3, 65_536, 2_147_483_647, -2_147_483_648, i64::MAX, i64::MIN];

const TEXTS: &[&str] =
    &["", "NCHW", "NHWC", "NCHW2c", "NCHW[2h8w]", "[]", "9223372036854775808c", "->", "ij,jk->ik", "...", "none", "é"];

fn attribute_values() -> Vec<Any> {
    let int64 = DataType::int(64);
    let mut values: Vec<Any> = NUMBERS.iter().map(|number| (*number).into()).collect();
    values.extend(NUMBERS.iter().map(|number| Any::from(IntImm::new(int64, *number))));
    values.extend(NUMBERS.iter().map(|number| Any::from(Array::<IntImm>::new([IntImm::new(int64, *number)]))));
    for length in [0, 1, 2, 3, 4, 6, 7, 5000] {
        values.extend(NUMBERS.iter().map(|number| Any::from(Array::<i64>::new(vec![*number; length]))));
    }
    values.extend(TEXTS.iter().map(|text| Any::from(Str::from(*text))));
    values.extend([Any::None, true.into(), f64::NAN.into(), f64::INFINITY.into()]);
    values
        .extend(["void", "bool", "float8_e4m3fn", "int64x4"].map(|text| Any::from(text.parse::<DataType>().unwrap())));
    values
}

fn arguments() -> Vec<RelaxExpr> {
    let int = |dtype, value| -> PrimExpr { IntImm::new(dtype, value).into() };
    let int64 = DataType::int(64);
    let tensor = |dims: Vec<PrimExpr>| {
        let ndim = dims.len() as i64;
        TensorStructInfo::new(Some(ShapeExpr::new(dims).into()), DataType::float(32), None, ndim).into()
    };
    let unknown = |ndim| TensorStructInfo::new(None, DataType::float(32), None, ndim).into();
    let shape_var = Var::named("unknown");
    let mut infos: Vec<StructInfo> = vec![
        ObjectStructInfo::any().into(),
        TupleStructInfo::of([]).into(),
        TupleStructInfo::of([ObjectStructInfo::any().into()]).into(),
        PrimStructInfo::new(None, DataType::void()).into(),
        ShapeStructInfo::new(None::<Array<PrimExpr>>, -7).into(),
        ShapeStructInfo::new(Some(Array::new([int(int64, -1)])), 5).into(),
        TensorStructInfo::new(Some(shape_var.into()), DataType::int(64), None, 2).into(),
        TensorStructInfo::new(Some(ShapeExpr::new([int(int64, 2)]).into()), DataType::int(64), None, 3).into(),
        tensor(vec![FloatImm::new(DataType::float(64), f64::NAN).into(); 2]),
        tensor(vec![int(DataType::boolean(), 1), int(DataType::int(8), -128), int(DataType::uint(64), -1)]),
        tensor(vec![int(int64, 1); 3000]),
    ];
    for rank in 0..6 {
        infos.extend([0, 1, -1, i64::MAX, i64::MIN].map(|size| tensor(vec![int(int64, size); rank])));
    }
    infos.extend([-1, -2, i64::MIN, 65_536, i64::MAX].map(unknown));
    let mut arguments: Vec<RelaxExpr> = infos.into_iter().map(|info| Var::of("x", info).into()).collect();
    arguments.extend(
        [int(int64, i64::MIN), int(int64, 0), int(DataType::boolean(), 1)].map(|value| PrimValue::of(value).into()),
    );
    arguments.push(ShapeExpr::new([int(int64, i64::MIN), int(int64, i64::MAX)]).into());
    let zeros = [PrimValue::of(int(int64, 0)), PrimValue::of(int(int64, i64::MIN))].map(RelaxExpr::from);
    arguments.push(Tuple::new(zeros).into());
    arguments
}

/// The facts in structural information agree.
fn check(info: &StructInfo) -> Result<(), String> {
    if let Some(tuple) = info.downcast_ref::<TupleStructInfo>() {
        return tuple.fields.iter().try_for_each(|field| check(&field));
    }
    let Some(tensor) = info.downcast_ref::<TensorStructInfo>() else { return Ok(()) };
    let written = tensor.shape.as_ref().and_then(|shape| shape.downcast_ref::<ShapeExpr>());
    match written {
        Some(shape) if shape.values.len() as i64 != tensor.ndim => {
            Err(format!("{} dimensions and {info}", shape.values.len()))
        }
        _ => Ok(()),
    }
}

/// Whether the structural information of each argument agrees with itself; otherwise it may be the result of a call.
fn is_consistent(call: &Call) -> bool {
    call.args.iter().filter_map(|arg| arg.struct_info.clone()).all(|info| check(&info).is_ok())
}

/// Infers a call; a message if that panics or gives a result that contradicts itself.
fn finding(call: &Call) -> Option<String> {
    let analyzer = Analyzer::for_shapes().max_steps(2000);
    let inferred = catch_unwind(AssertUnwindSafe(|| op::infer(call, &InferContext::new(&analyzer))));
    match inferred {
        Err(_) => Some("a panic".to_owned()),
        Ok(Err(error)) => error.to_string().is_empty().then(|| "an empty message".to_owned()),
        Ok(Ok(info)) if is_consistent(call) => check(&info).err(),
        Ok(Ok(_)) => None,
    }
}

fn with_attribute(attrs: &Attrs, field: &str, value: &Any) -> Option<Attrs> {
    let mut builder = ObjectBuilder::from_object(attrs.as_object().view()).ok()?;
    builder.set(field, value.clone()).ok()?;
    Any::from(builder.build().ok()?).cast().ok()
}

/// The first call of each operator with a result, and its text.
fn calls() -> Vec<(String, Call)> {
    let mut seen = std::collections::BTreeSet::new();
    let mut calls = Vec::new();
    for (_, text) in lines() {
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#') && !line.contains("=> error"))
        {
            let statement = line.split(" => ").next().unwrap_or(line).to_owned();
            let name = statement.split('(').next().unwrap_or_default().to_owned();
            if seen.insert(name) {
                let call = CallReader::default().call(&statement);
                calls.push((statement, call));
            }
        }
    }
    calls
}

#[test]
fn hostile_attributes_and_arguments() {
    let (values, arguments) = (attribute_values(), arguments());
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (statement, call) in calls() {
        let mut hostile = Vec::new();
        if let Some(attrs) = &call.attrs {
            for field in attrs.as_object().view().type_info().fields() {
                for value in &values {
                    let replaced = with_attribute(attrs, field.name(), value);
                    hostile.extend(replaced.map(|attrs| {
                        (
                            format!("{} = {value}", field.name()),
                            Call::new(&call.op, &call.args, Some(attrs), &call.sinfo_args),
                        )
                    }));
                }
            }
        }
        for place in 0..call.args.len() {
            for (number, argument) in arguments.iter().enumerate() {
                let mut args: Vec<RelaxExpr> = call.args.as_slice().to_vec();
                args[place] = argument.clone();
                hostile.push((
                    format!("argument {place} = {number}"),
                    Call::new(&call.op, args, call.attrs.clone(), &call.sinfo_args),
                ));
            }
        }
        for (change, call) in hostile {
            count += 1;
            wrong.extend(finding(&call).map(|finding| format!("{statement} with {change:.100}: {finding}")));
        }
    }
    assert!(count > 10_000, "{count} calls");
    assert!(wrong.is_empty(), "{} of {count} calls:\n{}\n", wrong.len(), wrong.join("\n"));
}
