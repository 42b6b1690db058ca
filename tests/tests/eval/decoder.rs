//! A decoder of two layers, before and after `LegalizeOps`: the results are the ones that `fixtures/make_runs.py` recorded
//! in TVM's virtual machine.

use std::collections::BTreeMap;
use std::io::Cursor;

use object_core::json::JsonReader;
use object_core::prelude::*;
use object_eval::{Evaluator, Meter, Tensor, Tolerance, first_difference, npy};
use object_ir::ir::{IRModule, IntImm, PrimExpr, ShapeExpr, StructInfo, TensorStructInfo, TupleStructInfo};
use object_ir::tir;

use crate::common::fixture;

const VOCABULARY: i64 = 64;

fn load(name: &str) -> IRModule {
    let graph = JsonReader::new().read(&fixture(name)[..]).unwrap_or_else(|error| panic!("{name}: {error}"));
    graph.root.cast().expect("a module")
}

fn size(dim: &PrimExpr) -> i64 {
    match (dim.downcast_ref::<IntImm>(), dim.downcast_ref::<tir::Var>()) {
        (Some(size), _) => size.value,
        (_, Some(var)) => match &*var.name {
            "batch" => 2,
            "seq" => 5,
            "past" => 3,
            other => panic!("the size of {other}"),
        },
        _ => panic!("{dim} is not a size"),
    }
}

/// The argument for a parameter; `number` counts the arguments and their parts.
fn argument(info: &StructInfo, number: &mut i64) -> Any {
    if let Some(tuple) = info.downcast_ref::<TupleStructInfo>() {
        return Array::<Any>::from_anys(tuple.fields.iter().map(|field| argument(&field, number)).collect()).into();
    }
    let tensor: &TensorStructInfo = info.downcast_ref().expect("a tensor");
    let shape = tensor.shape.as_ref().and_then(|shape| shape.downcast_ref::<ShapeExpr>()).expect("a shape");
    let dims: Vec<i64> = shape.values.iter().map(|dim| size(&dim)).collect();
    let (positions, own) = (0..dims.iter().product::<i64>(), *number);
    *number += 1;
    let meter = Meter::unlimited();
    let made = if tensor.dtype == DataType::int(32) {
        let words = positions.map(|position| ((position * 29 + 3) % VOCABULARY) as i32);
        Tensor::from_elements::<i32>(&dims, words, &meter)
    } else {
        let weights = positions.map(|position| (((position * 37 + own * 101 + 11) % 251 - 125) as f64 / 500.0) as f32);
        Tensor::from_elements::<f32>(&dims, weights, &meter)
    };
    made.expect("a tensor").into()
}

/// The tensors of a result, by the path of their members.
fn tensors(value: &Any, name: &str, found: &mut BTreeMap<String, Any>) {
    match value.clone().cast::<Array<Any>>() {
        Ok(members) => {
            for (index, member) in members.iter().enumerate() {
                tensors(&member, &format!("{name}.{index}"), found);
            }
        }
        Err(_) => drop(found.insert(name.to_owned(), value.clone())),
    }
}

fn check(file: &str) {
    let expected = npy::read_npz(Cursor::new(fixture("decoder_small.results.npz")), &Meter::unlimited())
        .expect("recorded results");
    let module = load(file);
    let evaluator = Evaluator::new(&module);
    let mut found = BTreeMap::new();
    for name in ["prefill", "decode"] {
        let mut number = 0;
        let parameters = evaluator.parameters(name).expect("a function");
        let args = parameters.iter().map(|(_, info)| argument(info.as_ref().expect("an annotation"), &mut number));
        let result = evaluator.run(name, args.collect::<Vec<_>>()).unwrap_or_else(|error| panic!("{name}: {error}"));
        tensors(&result, name, &mut found);
    }
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    for (name, expected) in &expected {
        let expected = Any::from(expected.clone());
        let difference = first_difference(&found[name], &expected, Tolerance::new().absolute(1e-6).relative(1e-5));
        assert_eq!(difference.expect("numbers"), None, "{name}");
    }
}

#[test]
fn the_decoder_agrees_with_the_recorded_results() {
    check("decoder_small.json.gz");
}

#[test]
fn the_legalized_decoder_agrees_with_the_recorded_results() {
    check("decoder_small_legalized.json.gz");
}
