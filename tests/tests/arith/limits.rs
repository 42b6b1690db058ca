//! Hostile expressions: deep, wide, shared and nested ones get an answer in few steps, without a stack overflow.

use object_core::prelude::*;
use object_ir::ir::{IntImm, PrimExpr, PrimType};
use object_ir::tir::{Add, FloorDiv, FloorMod, LT, Max, Mul, Select, Sub, Var};
use object_relax::arith::{Analyzer, Proof};

use crate::common::in_small_stack;

const INT64: DataType = DataType::int(64);

fn var(name: &str) -> PrimExpr {
    Var::new(INT64, name, PrimType::new(INT64)).into()
}

fn number(value: i64) -> PrimExpr {
    IntImm::new(INT64, value).into()
}

/// All questions about `expr` get an answer, on a small stack.
fn ask_everything(expr: &PrimExpr) {
    in_small_stack(|| {
        let analyzer = Analyzer::for_shapes();
        let _ = analyzer.simplify(expr);
        let _ = analyzer.prove_equal(expr, &number(1));
        let _ = analyzer.const_int_bound(expr);
        let _ = analyzer.modular_set(expr);
        let _ = analyzer.prove(&LT::new(DataType::boolean(), expr.clone(), number(5)).into());
    });
}

fn repeated(count: usize, step: impl Fn(PrimExpr, usize) -> PrimExpr) -> PrimExpr {
    (0..count).fold(var("n"), step)
}

#[test]
fn sums_of_many_terms_are_equal_in_any_order() {
    let vars: Vec<PrimExpr> = (0..10_000).map(|index| var(&format!("n{index}"))).collect();
    let sum = |vars: &mut dyn Iterator<Item = &PrimExpr>| {
        vars.fold(number(0), |sum, var| Add::new(INT64, sum, var.clone()).into())
    };
    let right = |vars: &mut dyn Iterator<Item = &PrimExpr>| {
        vars.fold(number(0), |sum, var| Add::new(INT64, var.clone(), sum).into())
    };
    let (forward, backward) = (sum(&mut vars.iter()), right(&mut vars.iter().rev()));
    let reversed = sum(&mut vars.iter().rev());
    in_small_stack(|| {
        // About two steps for each node.
        let analyzer = Analyzer::new().max_steps(200_000);
        assert_eq!(analyzer.prove_equal(&forward, &reversed), Proof::True);
        assert_eq!(analyzer.prove_equal(&forward, &backward), Proof::True);
        let next: PrimExpr = Add::new(INT64, reversed.clone(), number(1)).into();
        assert_eq!(analyzer.prove_equal(&forward, &next), Proof::False);
        assert!(structural_equal(&analyzer.simplify(&analyzer.simplify(&forward)), &analyzer.simplify(&forward)));
    });
    ask_everything(&forward);
    ask_everything(&backward);
}

#[test]
fn powers_of_sums_are_multiplied_out() {
    let (a, b) = (var("a"), var("b"));
    let sum: PrimExpr = Add::new(INT64, a.clone(), b.clone()).into();
    let other: PrimExpr = Add::new(INT64, b, a).into();
    let power = |base: &PrimExpr, count| (1..count).fold(base.clone(), |a, _| Mul::new(INT64, a, base.clone()).into());
    let analyzer = Analyzer::new();
    assert_eq!(analyzer.prove_equal(&power(&sum, 40), &power(&other, 40)), Proof::True);
    let next: PrimExpr = Add::new(INT64, power(&other, 40), number(1)).into();
    assert_eq!(analyzer.prove_equal(&power(&sum, 40), &next), Proof::False);
    for size in [40, 400] {
        ask_everything(&power(&sum, size));
    }
    let many = (0..40).fold(number(1), |sum, index| Add::new(INT64, sum, var(&format!("n{index}"))).into());
    ask_everything(&power(&many, 40));
}

#[test]
fn deep_expressions_do_not_overflow_the_stack() {
    let (m, size) = (var("m"), 2_000);
    ask_everything(&repeated(30_000, |n, _| Add::new(INT64, n, number(1)).into()));
    ask_everything(&repeated(size, |n, _| Sub::new(INT64, number(1), n).into()));
    ask_everything(&repeated(size, |n, _| Mul::new(INT64, n, number(3)).into()));
    ask_everything(&repeated(size, |n, _| Mul::new(INT64, n, m.clone()).into()));
    ask_everything(&repeated(size, |n, _| FloorDiv::new(INT64, n, number(3)).into()));
    ask_everything(&repeated(size, |n, index| FloorDiv::new(INT64, n, number(index as i64 % 7 - 3)).into()));
    ask_everything(&repeated(size, |n, _| FloorDiv::new(INT64, n, m.clone()).into()));
    ask_everything(&repeated(size, |n, _| FloorDiv::new(INT64, m.clone(), n).into()));
    ask_everything(&repeated(size, |n, index| FloorMod::new(INT64, n, number(index as i64 + 2)).into()));
    ask_everything(&repeated(size, |n, index| Max::new(INT64, n, var(&format!("m{index}"))).into()));
    let select = |n: PrimExpr, index: usize| -> PrimExpr {
        let condition = LT::new(DataType::boolean(), n.clone(), var(&format!("m{index}")));
        Select::new(INT64, condition, m.clone(), n).into()
    };
    ask_everything(&repeated(400, select));
}

#[test]
fn nested_divisions_and_maxima_take_bounded_work() {
    let m = var("m");
    let both = |n: PrimExpr, index: usize| -> PrimExpr {
        let sum = Add::new(INT64, n, var(&format!("m{index}")));
        FloorDiv::new(INT64, Max::new(INT64, sum, m.clone()), number(index as i64 + 2)).into()
    };
    ask_everything(&repeated(300, both));
    let product = |n: PrimExpr, index: usize| -> PrimExpr {
        let quotient = FloorDiv::new(INT64, n.clone(), Add::new(INT64, m.clone(), number(index as i64 + 1)));
        Add::new(INT64, Mul::new(INT64, quotient, m.clone()), n).into()
    };
    ask_everything(&repeated(300, product));
}

#[test]
fn shared_expressions_are_computed_once() {
    let twice = |n: PrimExpr, _| -> PrimExpr { Add::new(INT64, n.clone(), n).into() };
    let analyzer = Analyzer::for_shapes().max_steps(2_000);
    let (shared, factor) = (repeated(60, twice), number(1 << 60));
    let product: PrimExpr = Mul::new(INT64, var("n"), factor).into();
    assert_eq!(analyzer.prove_equal(&shared, &shared), Proof::True);
    assert_ne!(analyzer.prove_equal(&shared, &product), Proof::True);
    let bound = Analyzer::for_shapes().modular_set(&shared);
    assert_eq!((bound.coeff, bound.base), (1 << 60, 0));
    ask_everything(&repeated(60, twice));
    ask_everything(&repeated(300, twice));
    ask_everything(&repeated(300, |n, _| Mul::new(INT64, n.clone(), n).into()));
    ask_everything(&repeated(60, |n, _| {
        Max::new(INT64, Add::new(INT64, n.clone(), var("m")), FloorDiv::new(INT64, n, number(2))).into()
    }));
}

#[test]
fn few_steps_give_no_answer_instead_of_a_wrong_one() {
    let (n, m) = (var("n"), var("m"));
    let product: PrimExpr = Mul::new(INT64, Add::new(INT64, n.clone(), m.clone()), n.clone()).into();
    let expanded: PrimExpr = Add::new(INT64, Mul::new(INT64, n.clone(), n.clone()), Mul::new(INT64, m, n)).into();
    let proofs: Vec<Proof> =
        (0..200).map(|steps| Analyzer::new().max_steps(steps).prove_equal(&product, &expanded)).collect();
    let enough = proofs.iter().position(|proof| proof.is_true()).expect("200 steps are enough");
    assert!(enough > 0 && proofs[..enough].iter().all(|proof| proof.is_unknown()), "{proofs:?}");
    assert!(proofs[enough..].iter().all(|proof| proof.is_true()), "{proofs:?}");
}

/// The size of a slice from the last row on, with the maximum that TVM puts around it. The operands of a maximum that is
/// decided contain a condition that is decided already, so the proof needs no linear program.
#[test]
fn a_condition_is_decided_once() {
    let n = var("n");
    let last = Sub::new(INT64, n.clone(), number(1));
    let from_end = Sub::new(INT64, Mul::new(INT64, n.clone(), number(2)), number(1));
    let is_empty = LT::new(DataType::boolean(), n.clone(), number(1));
    let begin = Max::new(INT64, Select::new(INT64, is_empty, from_end, last), number(0));
    let size: PrimExpr = Sub::new(INT64, n, begin).into();
    let outer: PrimExpr = Max::new(INT64, size.clone(), number(0)).into();
    let proves = |steps: &usize| Analyzer::for_shapes().max_steps(*steps).prove_equal(&outer, &size).is_true();
    let enough = (0..100_000).step_by(50).find(proves).expect("a proof");
    assert!(enough <= 3_000, "{enough} steps");
}

/// A chain of facts `f0 < f1 < ...` has every consequence of its two ends, however long it is and in whatever order the facts
/// come.
#[test]
fn chains_of_facts_are_followed_to_their_ends() {
    for count in [1, 16, 17, 100, 1_600_i64] {
        let vars: Vec<PrimExpr> = (0..=count).map(|index| var(&format!("f{index}"))).collect();
        let (first, last) = (&vars[0], &vars[vars.len() - 1]);
        let less =
            |a: &PrimExpr, b: &PrimExpr| -> PrimExpr { LT::new(DataType::boolean(), a.clone(), b.clone()).into() };
        let after = |a: &PrimExpr, distance| -> PrimExpr { Add::new(INT64, a.clone(), number(distance)).into() };
        let forward: Vec<PrimExpr> = vars.windows(2).map(|pair| less(&pair[0], &pair[1])).collect();
        let backward: Vec<PrimExpr> = forward.iter().rev().cloned().collect();
        for facts in [forward, backward] {
            let mut analyzer = Analyzer::for_shapes();
            facts.iter().for_each(|fact| analyzer.assume(fact.clone()));
            let of_shapes = |a: &PrimExpr, b: &PrimExpr| analyzer.prove(&less(a, b));
            assert_eq!(of_shapes(first, last), Proof::True, "{count} facts");
            assert_eq!(of_shapes(last, first), Proof::False, "{count} facts");
            assert_eq!(of_shapes(&after(first, count - 1), last), Proof::True, "{count} facts");
            assert_eq!(of_shapes(&after(first, count), last), Proof::Unknown, "{count} facts: the least distance");
            assert_eq!(of_shapes(&number(count - 1), last), Proof::True, "{count} facts: no dimension is negative");
            assert_eq!(of_shapes(&number(count), last), Proof::Unknown, "{count} facts");
            let greatest: PrimExpr = Max::new(INT64, first.clone(), last.clone()).into();
            assert_eq!(analyzer.prove_equal(&greatest, last), Proof::True, "{count} facts");
            analyzer.assume(less(last, first));
            let any = analyzer.prove(&less(&after(last, 5), first));
            assert_ne!(any, Proof::Unknown, "{count} facts that contradict each other");
        }
    }
}
