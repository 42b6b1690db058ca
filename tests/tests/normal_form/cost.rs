//! The cost of normalization on large, deep and hostile programs: linear, and without recursion.

use object_core::prelude::*;
use object_core::stats::GraphStats;
use object_core::steps::{self, count};
use object_ir::ir::{
    BindingBlock, Call, DictAttrs, ExternFunc, Function, If, ObjectStructInfo, RelaxExpr, SeqExpr, StructInfo,
    TensorStructInfo, Tuple, TupleGetItem, Var, VarBinding,
};
use object_relax::normal_form::{Normalizer, is_normal};
use object_relax::op;
use object_relax::well_formed::Checker;

use crate::common::in_small_stack;

fn attrs() -> DictAttrs {
    DictAttrs::new(Map::new([]))
}

fn tensor() -> StructInfo {
    TensorStructInfo::of([2], "float32").expect("a data type").into()
}

/// A function of `x` and a truth value `c`.
fn function(body: impl FnOnce(&Var, &Var) -> RelaxExpr) -> Function {
    let (x, c) = (Var::of("x", tensor()), Var::of("c", TensorStructInfo::of((), "bool").expect("a data type")));
    let body = SeqExpr::new([], body(&x, &c));
    Function::new(attrs(), [x, c], body, ObjectStructInfo::any(), true)
}

/// A function with a binding of a nested call for each number.
fn chain(bindings: usize) -> Function {
    function(|x, _| {
        let mut last = x.clone();
        let sums = (0..bindings).map(|_| {
            let sum = Var::named("v");
            let binding = VarBinding::new(&sum, op::add(op::exp(&last), x));
            last = sum;
            binding.into()
        });
        let block = BindingBlock::new(sums.collect::<Vec<_>>());
        SeqExpr::new([block], last).into()
    })
}

fn normalize(function: &Function) -> Function {
    Normalizer::new().function(function).unwrap_or_else(|error| panic!("{error}"))
}

/// The steps of an operation.
fn steps_of(operation: impl FnOnce()) -> u64 {
    count(u64::MAX, operation).expect("the work has no limit")
}

#[test]
fn thirty_thousand_bindings() {
    in_small_stack(|| {
        let normal = normalize(&chain(30_000));
        let bindings = normal.body.blocks.iter().map(|block| block.bindings.len());
        assert_eq!(bindings.collect::<Vec<_>>(), [60_001]);
        assert!(normalize(&normal).ptr_eq(&normal));
    });
}

#[test]
fn costs_are_linear() {
    let costs = |size| {
        let chain = chain(size);
        let mut normal = None;
        let first = steps_of(|| normal = Some(normalize(&chain)));
        let normal = normal.expect("the program is normalized");
        let again = steps_of(|| drop(normalize(&normal)));
        // The objects of the normal form that the program does not have.
        let new = GraphStats::of(&normal).nodes - GraphStats::of(&chain).nodes;
        [first, again, new as u64]
    };
    let (small, large) = (costs(1_000), costs(10_000));
    for (small, large) in small.into_iter().zip(large) {
        if steps::COUNTS {
            assert!(small > 0 && large <= small * 11, "{small} for 1,000 bindings, {large} for 10,000");
        }
    }
    // The recognition of a normal form is cheap: a few steps for each part.
    if steps::COUNTS {
        assert!(large[1] <= 10_000 * 2 * 40, "{} steps for 20,000 bindings", large[1]);
    }
}

const DEPTH: usize = 2_000;

#[test]
fn deep_programs_need_no_stack() {
    let calls = || function(|x, _| (0..DEPTH).fold(x.into(), |expr: RelaxExpr, _| op::exp(expr).into()));
    let tuples = || function(|x, _| (0..DEPTH).fold(op::exp(x).into(), |expr: RelaxExpr, _| Tuple::new([expr]).into()));
    let members = || {
        function(|x, _| {
            let tuple = (0..DEPTH).fold(op::exp(x).into(), |expr: RelaxExpr, _| Tuple::new([expr]).into());
            (0..DEPTH).fold(tuple, |expr, _| TupleGetItem::new(expr, 0).into())
        })
    };
    let branches = || {
        function(|x, c| {
            (0..DEPTH).fold(op::exp(x).into(), |expr: RelaxExpr, _| {
                If::new(c, SeqExpr::new([], expr), SeqExpr::new([], x)).into()
            })
        })
    };
    let conditions = || {
        function(|x, c| {
            let flag = (0..DEPTH).fold(RelaxExpr::from(c), |expr, _| op::logical_not(expr).into());
            If::new(flag, SeqExpr::new([], x), SeqExpr::new([], x)).into()
        })
    };
    let sequences = || {
        function(|x, _| {
            (0..DEPTH).fold(op::exp(x).into(), |expr: RelaxExpr, _| {
                let v = Var::named("v");
                let block = BindingBlock::new([VarBinding::new(&v, expr).into()]);
                SeqExpr::new([block], op::exp(v)).into()
            })
        })
    };
    let functions = || {
        function(|x, _| {
            (0..DEPTH).fold(op::exp(x).into(), |expr: RelaxExpr, _| {
                let inner = Function::new(attrs(), [], SeqExpr::new([], expr), tensor(), true);
                Call::new(inner, [], None, []).into()
            })
        })
    };
    let programs: [(&str, &(dyn Fn() -> Function + Sync)); 7] = [
        ("calls", &calls),
        ("tuples", &tuples),
        ("members", &members),
        ("branches", &branches),
        ("conditions", &conditions),
        ("sequences", &sequences),
        ("functions", &functions),
    ];
    for (name, program) in programs {
        in_small_stack(|| {
            let program = program();
            let normal = normalize(&program);
            assert!(normalize(&normal).ptr_eq(&normal), "{name}");
            assert!(is_normal(&(&normal).into()), "{name}");
            let found = Checker::new().check(&normal);
            assert!(found.is_well_formed(), "{name}: {found}");
        });
    }
}

/// Programs whose trees have 2 to the power of 60 nodes.
#[test]
fn shared_parts_without_effects_cost_once() {
    in_small_stack(|| {
        let sums = function(|x, _| (0..60).fold(x.into(), |sum: RelaxExpr, _| op::add(&sum, &sum).into()));
        let normal = normalize(&sums);
        assert_eq!(normal.body.blocks[0].bindings.len(), 60);
        let tuples = function(|x, _| {
            (0..60).fold(op::exp(x).into(), |tuple: RelaxExpr, _| Tuple::new([tuple.clone(), tuple]).into())
        });
        let normal = normalize(&tuples);
        assert_eq!(normal.body.blocks[0].bindings.len(), 1);
        assert!(is_normal(&(&normal).into()));
    });
}

fn effect(name: &str, args: &[&RelaxExpr]) -> RelaxExpr {
    let args = args.iter().map(|it| (*it).clone());
    Call::new(ExternFunc::new(attrs(), name), args.collect::<Array<RelaxExpr>>(), None, [tensor()]).into()
}

/// A shared call with side effects takes place at each occurrence, which structural equality does not distinguish from a
/// copy.
#[test]
fn shared_parts_with_effects_are_repeated() {
    let program = function(|x, _| {
        let shared = effect("f", &[&x.into()]);
        effect("g", &[&shared, &shared])
    });
    assert_eq!(normalize(&program).body.blocks[0].bindings.len(), 3);
    in_small_stack(|| {
        let hostile = function(|x, _| (0..60).fold(x.into(), |sum: RelaxExpr, _| effect("f", &[&sum, &sum])));
        let error = Normalizer::new().function(&hostile).expect_err("the normal form is exponential");
        assert_eq!(error.kind(), ErrorKind::LimitExceeded);
    });
}
