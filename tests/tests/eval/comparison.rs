//! Comparisons of values, and of runs of two modules.

use object_core::{Any, Array, ErrorKind, Shape};
use object_eval::{Evaluator, Meter, Tensor, Tolerance, Trials, Verdict, compare, first_difference};

use crate::programs::{module, vector};

/// The most bytes of values of a run.
const MAX_BYTES: u64 = 1 << 20;

fn tuple(members: Vec<Any>) -> Any {
    Array::<Any>::from_anys(members).into()
}

fn difference(a: &Any, b: &Any) -> Option<String> {
    first_difference(a, b, Tolerance::new()).expect("numbers").map(|difference| difference.to_string())
}

#[test]
fn a_difference_has_the_place_and_both_values() {
    let ints = |numbers: [i64; 3]| {
        Tensor::from_elements::<i64>(&[3], numbers, &Meter::unlimited()).map(Any::from).expect("a tensor")
    };
    let nan = f32::NAN;
    for (a, b, expected) in [
        (vector(&[1.0, 2.0]), vector(&[1.0, 2.00001]), None),
        (vector(&[nan, f32::INFINITY]), vector(&[nan, f32::INFINITY]), None),
        (
            vector(&[1.0, nan, 3.0]),
            vector(&[1.0, 2.0, 4.0]),
            Some("element [1], first NaN, second 2.0 (2 of 3 elements differ by more than 1e-5 + 0.0001 * |second|)"),
        ),
        (
            vector(&[1.0]),
            vector(&[1.0, 2.0]),
            Some("first a tensor (1) of type float32, second a tensor (2) of type float32"),
        ),
        (
            ints([1, 2, 3]),
            ints([1, 2, 4]),
            Some("element [2], first 3, second 4 (1 of 3 elements differ by more than 0.0 + 0.0 * |second|)"),
        ),
        (
            tuple(vec![Any::Int(1), tuple(vec![Any::Int(2), Shape::new(&[1]).into()])]),
            tuple(vec![Any::Int(1), tuple(vec![Any::Int(2), Shape::new(&[2]).into()])]),
            Some("member [1][1], first the shape (1), second the shape (2)"),
        ),
        (tuple(vec![Any::Int(1)]), Any::None, Some("first a tuple of 1 values, second none")),
    ] {
        assert_eq!(difference(&a, &b).as_deref(), expected);
    }
    let (a, b) = (vector(&[1.0]), vector(&[1.1]));
    let wide = Tolerance::new().relative(0.2);
    assert_eq!(first_difference(&a, &b, wide).expect("numbers"), None);
    assert!(first_difference(&a, &b, wide.relative(0.0).absolute(0.05)).expect("numbers").is_some());
}

#[test]
fn the_first_binding_that_differs_is_named() {
    let before = "fn main(x: T[n]) { a = relax.exp(x); b = relax.negative(a); c = relax.add(b, x); return c }";
    let after =
        "fn main(x: T[n]) { a = relax.exp(x); b = relax.abs(a); new = relax.abs(x); c = relax.add(b, x); return c }";
    let [a, b] = [before, after].map(|text| Evaluator::new(&module(text)));
    let args = [vector(&[1.0, 2.0])];
    let found = compare([&a, &b], "main", &args, Tolerance::new(), &Meter::with_limit(MAX_BYTES)).expect("memory");
    let binding = found.binding.as_ref().expect("a binding");
    assert_eq!((binding.name.as_str(), binding.earlier, binding.operation.as_str()), ("main.b", 0, "relax.abs"));
    assert_eq!((found.shared, found.skipped, found.is_same()), (3, 0, false));
    let found = compare([&a, &a], "main", &args, Tolerance::new(), &Meter::with_limit(MAX_BYTES)).expect("memory");
    assert!(found.is_same() && found.binding.is_none() && found.shared == 3);
    let found = compare([&a, &b], "main", &args, Tolerance::new(), &Meter::with_limit(40)).expect("memory");
    assert_eq!(
        (found.shared, found.skipped),
        (1, 2),
        "half of 40 bytes holds the argument twice, and then one value more"
    );
    let error = compare([&a, &b], "main", &args, Tolerance::new(), &Meter::with_limit(15))
        .map(drop)
        .expect_err("15 bytes are too few");
    assert_eq!(error.kind(), ErrorKind::LimitExceeded);
}

#[test]
fn an_error_of_one_run_is_a_difference() {
    let works = Evaluator::new(&module("fn main(x: T[n]) { y = x; return y }"));
    let fails = Evaluator::new(&module("fn main(x: T[n]) { y = match(x, T[7]); return y }"));
    let args = [vector(&[1.0])];
    let found =
        compare([&works, &fails], "main", &args, Tolerance::new(), &Meter::with_limit(MAX_BYTES)).expect("memory");
    assert!(!found.is_same() && found.difference.is_none());
    let found =
        compare([&fails, &fails], "main", &args, Tolerance::new(), &Meter::with_limit(MAX_BYTES)).expect("memory");
    assert!(found.is_same(), "both fail");
    let other = Evaluator::new(&module("fn main(x: T[n]) { y = relax.assert_op(prim(0)); return x }"));
    let found =
        compare([&fails, &other], "main", &args, Tolerance::new(), &Meter::with_limit(MAX_BYTES)).expect("memory");
    assert!(!found.is_same(), "they fail with errors of two kinds");
    assert_ne!(found.results[1].as_ref().map(|_| ()).expect_err("an error").kind(), ErrorKind::TypeMismatch);
}

#[test]
fn a_verdict_says_whether_the_comparison_means_anything() {
    let evaluator = |text: &str| Evaluator::new(&module(text));
    let verdict = |a: &str, b: &str, numbers: &[f32]| {
        let [a, b] = [a, b].map(evaluator);
        compare([&a, &b], "main", &[vector(numbers)], Tolerance::new(), &Meter::with_limit(MAX_BYTES))
            .expect("memory")
            .verdict()
    };
    let (exp, log) =
        ("fn main(x: T[n]) { y = relax.exp(x); return y }", "fn main(x: T[n]) { y = relax.log(x); return y }");
    let cast = "fn main(x: T[n]) { y = match(x, T[7]); return y }";
    assert_eq!(verdict(exp, exp, &[1.0, 2.0]), Verdict::Same);
    assert_eq!(verdict(exp, log, &[1.0, 2.0]), Verdict::Different);
    assert_eq!(verdict(exp, exp, &[1.0, 1000.0]), Verdict::Inconclusive, "one element is infinite");
    assert_eq!(verdict(log, log, &[-1.0, 2.0]), Verdict::Inconclusive, "one element is NaN");
    assert_eq!(verdict(log, exp, &[-1.0]), Verdict::Different, "only one of the results is NaN");
    assert_eq!(verdict(cast, cast, &[1.0]), Verdict::Inconclusive, "both fail");
    assert_eq!(verdict(cast, exp, &[1.0]), Verdict::Different, "one fails");
    let other = exp.replace("main", "other");
    assert_eq!(verdict(exp, &other, &[1.0]), Verdict::Failed, "one has no such function");
    let limited = evaluator(exp).max_steps(1);
    let found = compare(
        [&evaluator(exp), &limited],
        "main",
        &[vector(&[1.0])],
        Tolerance::new(),
        &Meter::with_limit(MAX_BYTES),
    );
    assert_eq!(found.expect("memory").verdict(), Verdict::Failed, "the limit is not a difference");
}

/// A difference outside of the domain of an operator stands, if one of the results is finite.
#[test]
fn trials_search_for_finite_values_and_keep_differences() {
    let evaluator = |text: &str| Evaluator::new(&module(text));
    let cube = |last: &str| {
        evaluator(&format!(
            "fn main(x: T[n]) {{ a = relax.exp(x); b = relax.log(relax.subtract(a, x)); y = relax.{last}(b); return y }}"
        ))
    };
    let (a, b) = (cube("abs"), cube("exp"));
    assert_eq!(Trials::new(0).compare([&a, &a], "main").expect("trials").verdict, Verdict::Same);
    assert_eq!(Trials::new(0).compare([&a, &b], "main").expect("trials").verdict, Verdict::Different);
    // The logarithm of a sum has no domain of its own, so the search finds positive numbers.
    let log = evaluator("fn main(x: T[n]) { a = relax.add(x, x); y = relax.log(a); return y }");
    let report = Trials::new(0).compare([&log, &log], "main").expect("trials");
    assert!(report.verdict == Verdict::Same && report.decisive.spread.is_positive, "{report:?}");
    let guarded = evaluator("fn main(x: T[n]) { a = relax.add(x, x); y = relax.log(relax.abs(a)); return y }");
    let report = Trials::new(0).compare([&log, &guarded], "main").expect("trials");
    assert_eq!((report.verdict, report.trials.len()), (Verdict::Different, 1), "{report:?}");
}

#[test]
fn runs_get_copies_of_the_arguments() {
    let write = object_core::Function::from_packed(|args| {
        let tensor: Tensor = args[0].as_object().and_then(|object| object.to_handle()).expect("a tensor");
        tensor.write::<f32>()?[0] += 1.0;
        Ok(Any::None)
    });
    let text = r#"impure fn main(x: T[n]) { u = "t.write"(x); y = relax.exp(x); return y }"#;
    let evaluator = Evaluator::new(&module(text)).function(&write.with_name("t.write"));
    let args = [vector(&[0.0])];
    let found = compare([&evaluator, &evaluator], "main", &args, Tolerance::new(), &Meter::with_limit(MAX_BYTES))
        .expect("memory");
    assert!(found.is_same(), "{:?}", found.difference);
    assert_eq!(difference(&args[0], &vector(&[0.0])), None, "the caller keeps its tensor");
}
