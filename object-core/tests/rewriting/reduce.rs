//! Reductions: minimal sets of lists, the number of tests, and graphs of a small language by reflection.

use std::cell::Cell;
use std::collections::HashSet;

use object_core::prelude::*;
use object_core::reduce::Reducer;
use object_core::rewrite::Mutate;
use object_core::structural::StructuralKey;
use object_core::visit::{Position, walk};

/// The list `0..count` reduced to the numbers of `needed`, and the number of tests.
fn reduced(count: i64, needed: &[i64], batch: usize) -> (Vec<i64>, usize) {
    let tests = Cell::new(0);
    let holds = |value: &Any| {
        tests.set(tests.get() + 1);
        let numbers: Array<i64> = value.clone().cast().expect("numbers");
        let numbers: Vec<i64> = numbers.iter().collect();
        needed.iter().all(|it| numbers.contains(it))
    };
    let first = |candidates: &[Any]| Ok(candidates.iter().position(holds));
    let mut reducer = Reducer::in_batches(Array::<i64>::new(0..count).into(), batch, first);
    reducer.reduce().expect("the test has no errors");
    let numbers: Array<i64> = reducer.into_value().cast().expect("numbers");
    (numbers.iter().collect(), tests.get())
}

#[test]
fn lists_end_at_the_numbers_that_the_test_needs() {
    // The length of the list, the needed numbers, and the largest number of tests.
    let cases: [(i64, &[i64], usize); 8] = [
        (0, &[], 0),
        (1, &[], 1),
        (1, &[0], 1),
        (1000, &[], 1),
        (1000, &[999], 25),
        (10_000, &[0, 9999], 60),
        (10_000, &[5000, 5001], 60),
        (10_000, &[1, 2000, 4500, 4501, 8000], 150),
    ];
    for (count, needed, most) in cases {
        for batch in [1, 4] {
            let (numbers, tests) = reduced(count, needed, batch);
            assert_eq!(numbers, needed, "{count} numbers in batches of {batch}");
            assert!(batch > 1 || tests <= most, "{tests} tests of {count} numbers that need {needed:?}");
        }
    }
}

#[derive(Object)]
#[object(type_key = "reduce.Var")]
#[structural_eq(var)]
struct VarNode {
    #[field(ignore)]
    name: Str,
}

#[derive(Object)]
#[object(type_key = "reduce.Call")]
#[structural_eq(tree)]
struct CallNode {
    op: Str,
    args: Array<Any>,
    note: Option<Str>,
}

#[derive(Object)]
#[object(type_key = "reduce.Let")]
#[structural_eq(tree)]
struct LetNode {
    #[field(def)]
    var: Var,
    value: Any,
    body: Any,
    attrs: Map<Str, i64>,
}

/// Numbers of a linear congruential generator.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    /// An expression over the variables.
    fn expr(&mut self, depth: usize, vars: &mut Vec<Var>) -> Any {
        if depth == 0 {
            let at = self.below(vars.len() + 1);
            return vars.get(at).map_or(Any::Int(1), |var| var.clone().into());
        }
        if self.below(3) == 0 {
            let (var, value) = (Var::new(format!("v{depth}")), self.expr(depth - 1, vars));
            vars.push(var.clone());
            let body = self.expr(depth - 1, vars);
            vars.pop();
            let attrs = (0..self.below(3)).map(|it| (Str::from(format!("k{it}")), it as i64));
            return Let::new(var, value, body, Map::new(attrs.collect::<Vec<_>>())).into();
        }
        let op = ["add", "mul", "neg", "exp"][self.below(4)];
        let count = self.below(4);
        let args: Vec<Any> = (0..count).map(|_| self.expr(depth - 1, vars)).collect();
        let note = (self.below(2) == 0).then(|| Str::from("note"));
        Call::new(op, Array::new(args), note).into()
    }
}

/// Whether a call of the operator `outer` has one of `inner` below it.
fn holds(value: &Any, [outer, inner]: [&str; 2]) -> bool {
    let mut found = false;
    walk(value, |call: &Call, _| {
        if call.op.as_str() == outer {
            walk(&call.args, |below: &Call, _| found |= below.op.as_str() == inner);
        }
    });
    found
}

/// The first object of type `H` below the root of a value, without others of the type around it.
fn first_below<H: ObjectHandle>(value: &H) -> Option<H> {
    let mut found = Vec::new();
    walk(value, |it: &H, _| found.push(it.clone()));
    found.into_iter().find(|it| !it.ptr_eq(value))
}

/// The values with one element, entry or note less, or with an object in place of one of its type around it.
fn with_one_part_less(value: &Any) -> Vec<Any> {
    let mut all: Vec<Any> = Vec::new();
    let mut add = |old: ObjectRef, new: Any| {
        let replace = |it: &ObjectRef, _: &Position<'_>| it.ptr_eq(&old).then(|| new.clone());
        all.push(Mutate::new().enter(replace).run(value.clone()).expect("values of the language"));
    };
    walk(value, |call: &Call, _| {
        add(call.clone().into(), call.clone().with_changes(|it| it.note = None).into());
        for at in 0..call.args.len() {
            let rest = call.args.iter().enumerate().filter(|(it, _)| *it != at).map(|(_, arg)| arg);
            let rest = Array::new(rest.collect::<Vec<Any>>());
            add(call.clone().into(), call.clone().with_changes(|it| it.args = rest).into());
        }
        first_below(call).into_iter().for_each(|inner| add(call.clone().into(), inner.into()));
    });
    walk(value, |it: &Let, _| {
        if !it.attrs.is_empty() {
            add(it.clone().into(), it.clone().with_changes(|it| it.attrs = Map::new([])).into());
        }
        first_below(it).into_iter().for_each(|inner| add(it.clone().into(), inner.into()));
    });
    all.retain(|it| !structural_equal(it, value));
    all
}

/// Whether no variable is free.
fn is_closed(value: &Any) -> bool {
    object_core::lexical::free_vars(value).is_empty()
}

#[test]
fn random_programs_end_at_minimal_ones() {
    let (pair, mut failing) = (["mul", "exp"], 0);
    for seed in 0..200 {
        let value = Numbers(seed).expr(5, &mut Vec::new());
        if !holds(&value, pair) {
            continue;
        }
        failing += 1;
        let mut seen: HashSet<StructuralKey> = HashSet::new();
        let test = |candidate: &Any| {
            assert!(is_closed(candidate), "seed {seed}: {candidate:?}");
            assert!(
                seen.insert(StructuralKey::new(candidate.clone()).expect("comparable")),
                "seed {seed} twice: {candidate:?}"
            );
            Ok(holds(candidate, pair))
        };
        let mut reducer = Reducer::new(value, test).valid(is_closed);
        reducer.reduce().expect("the test has no errors");
        let found = reducer.into_value();
        for smaller in with_one_part_less(&found) {
            assert!(!is_closed(&smaller) || !holds(&smaller, pair), "seed {seed}: {found:?} has {smaller:?}");
        }
    }
    assert!(failing > 30, "{failing} programs fail");
}

#[test]
fn an_error_of_the_test_leaves_the_smallest_value_so_far() {
    let mut left = 3;
    let test = |value: &Any| {
        left -= 1;
        if left == 0 {
            return Err(Error::new(ErrorKind::LimitExceeded, "no more runs"));
        }
        Ok(value.clone().cast::<Array<i64>>()?.iter().any(|it| it == 0))
    };
    let mut reducer = Reducer::new(Array::<i64>::new(0..64).into(), test);
    assert_eq!(reducer.reduce().expect_err("three runs").kind(), ErrorKind::LimitExceeded);
    let rest: Array<i64> = reducer.value().clone().cast().expect("numbers");
    assert_eq!(rest.len(), 32);
}
