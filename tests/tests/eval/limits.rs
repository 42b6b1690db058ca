//! Deep recursion, budgets and cancellation.

use std::error::Error as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use object_core::{Any, DataType, Error, ErrorKind, Shape};
use object_eval::{CallStack, Evaluator, Meter, Tensor};

use crate::common::in_small_stack;
use crate::hostile;
use crate::programs::{module, vector};

/// Counts down to 0 by recursion.
const COUNT_DOWN: &str = "fn main(i: P(i64)) -> P(i64) {
    stop = relax.less_equal(i, prim(0));
    r = if stop { return i } else { j = relax.subtract(i, prim(1)); t = @main(j); return t };
    return r
}";

/// Never ends.
const ENDLESS: &str = "fn main(x: Obj) { y = @main(x); return y }";

fn failure(result: Result<Any, Error>) -> Error {
    result.map(|value| value.to_string()).expect_err("the run fails")
}

#[test]
fn a_deep_recursion_uses_no_stack() {
    let result = in_small_stack(|| {
        Evaluator::new(&module(COUNT_DOWN)).run("main", [Any::Int(100_000)]).map(|it| it.to_string())
    });
    assert_eq!(result.expect("a result"), "0");
}

#[test]
fn a_million_calls_under_way_use_no_stack() {
    let error =
        in_small_stack(|| failure(Evaluator::new(&module(ENDLESS)).max_steps(1_000_000).run("main", [Any::None])));
    assert_eq!(error.kind(), ErrorKind::LimitExceeded);
    let stack = error.source().and_then(|source| source.downcast_ref::<CallStack>()).expect("a stack");
    assert!(stack.entries.len() + stack.left_out > 999_000, "{} calls left out", stack.left_out);
}

#[test]
fn deeply_nested_values_and_expressions_use_no_stack() {
    let nested = "relax.exp(".repeat(10_000) + "x" + &")".repeat(10_000);
    // The notation of the tests is read by recursion, which needs a large stack.
    let build = move || module(&format!("fn main(x: T[n]) {{ y = {nested}; return shape[n] }}"));
    let module =
        std::thread::Builder::new().stack_size(1 << 28).spawn(build).expect("a thread").join().expect("a module");
    let result = in_small_stack(|| Evaluator::new(&module).run("main", [vector(&[0.0])]).map(|it| it.cast::<Shape>()));
    assert_eq!(result.expect("a result").expect("a shape"), [1]);
}

#[test]
fn the_error_of_a_deep_recursion_is_short() {
    let error = failure(Evaluator::new(&module(ENDLESS)).max_steps(10_000).run("main", [Any::None]));
    assert_eq!(error.kind(), ErrorKind::LimitExceeded);
    assert!(error.message().contains("calls left out") && error.message().len() < 3000, "{error}");
    assert!(
        error.message().ends_with("the run takes more than 10000 steps; raise the step budget if that is expected")
    );
}

#[test]
fn memory_has_a_budget() {
    let text = "fn main(x: T[n]) { y = relax.add(x, x); z = relax.add(y, y); return z }";
    let input = || vec![vector(&[1.0; 1000])];
    let evaluator = Evaluator::new(&module(text));
    assert!(evaluator.clone().meter(&Meter::with_limit(20_000)).run("main", input()).is_ok());
    let error = failure(evaluator.meter(&Meter::with_limit(6000)).run("main", input()));
    assert_eq!(error.kind(), ErrorKind::LimitExceeded);
    assert!(
        error.message().contains("`z`") && error.message().contains("the limit `max_memory` is 6000 bytes"),
        "{error}"
    );
    let text = "fn main(s: S[n, m]) { y = relax.builtin.alloc_tensor(s, z, prim(0), z); return y }";
    drop(failure(Evaluator::new(&module(text)).run("main", [Shape::new(&[1 << 40, 1 << 40])])));
}

#[test]
fn huge_extents_are_errors() {
    let (float, meter) = (DataType::float(32), Meter::with_limit(1 << 20));
    // The product of the extents that are not 0 exceeds all numbers, or the memory budget.
    for (shape, kind) in [
        ([1 << 40, 1 << 40, 0], ErrorKind::OutOfRange),
        ([1 << 40, 1 << 40, 1 << 40], ErrorKind::OutOfRange),
        ([-1, 1, 1], ErrorKind::OutOfRange),
        ([1 << 30, 0, 1 << 20], ErrorKind::LimitExceeded),
        ([1 << 30, 1, 1], ErrorKind::LimitExceeded),
    ] {
        let error = Tensor::zeros(float, &shape, &meter).expect_err("no tensor has this shape");
        assert_eq!(error.kind(), kind, "{shape:?}: {error}");
    }
    let wide = |shape: &[i64]| Tensor::zeros(float, shape, &Meter::unlimited()).expect("a tensor");
    for (name, shapes) in [
        ("relax.add", &[[1 << 12, 1], [1, 1 << 12]][..]),
        ("relax.matmul", &[[1 << 12, 1], [1, 1 << 12]]),
        ("relax.nn.softmax", &[[1 << 30, 0]]),
    ] {
        let evaluator = Evaluator::new(&of_operator(name, shapes.len())).meter(&Meter::with_limit(1 << 20));
        let error = failure(evaluator.run("main", shapes.iter().map(|shape| wide(shape))));
        assert_eq!(error.kind(), ErrorKind::LimitExceeded, "{name}: {error}");
    }
}

/// The arguments count at another meter, so that only the arrays of the operator and its result count here.
#[test]
fn the_arrays_of_operators_have_a_budget() {
    let tensor = |name: &str, shape: &[i64]| {
        Tensor::zeros(name.parse().expect("a type"), shape, &Meter::unlimited()).expect("a tensor")
    };
    let column = |name| tensor(name, &[1000]);
    let image = || tensor("float32", &[1, 10, 100]);
    let boxes = || tensor("float32", &[1, 100, 10]);
    for (name, args, [too_little, enough]) in [
        ("relax.isfinite", vec![column("float32")], [20_000, 40_000]),
        ("relax.equal", vec![column("int32"), column("int32")], [45_000, 60_000]),
        ("relax.sum", vec![column("int32")], [15_000, 40_000]),
        ("relax.bitwise_not", vec![column("int32")], [15_000, 30_000]),
        ("relax.where", vec![column("bool"), column("float32"), column("float32")], [30_000, 60_000]),
        ("relax.sort", vec![column("float32")], [25_000, 60_000]),
        ("relax.nonzero", vec![tensor("float32", &[1000])], [6_000, 20_000]),
        (
            "relax.scatter_nd",
            vec![column("float32"), tensor("int64", &[1000, 1]), column("float32")],
            [35_000, 100_000],
        ),
        ("relax.nn.conv1d", vec![image(), tensor("float32", &[10, 10, 1])], [25_000, 60_000]),
        ("relax.nn.conv1d_transpose", vec![image(), tensor("float32", &[10, 10, 1])], [15_000, 60_000]),
        ("relax.nn.max_pool1d", vec![image()], [15_000, 60_000]),
        ("relax.vision.get_valid_counts", vec![boxes()], [15_000, 60_000]),
    ] {
        let run = |limit| {
            let evaluator = Evaluator::new(&of_operator(name, args.len())).meter(&Meter::with_limit(limit));
            evaluator.run("main", args.iter().map(Any::from))
        };
        let error = failure(run(too_little));
        assert_eq!(error.kind(), ErrorKind::LimitExceeded, "{name}: {error}");
        run(enough).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

/// A module whose `main` calls an operator with default attributes.
fn of_operator(name: &str, count: usize) -> object_ir::ir::IRModule {
    hostile::module(object_relax::op::operator(name).expect("an operator"), count).expect("a module")
}

#[test]
fn products_of_matrices_count_as_steps() {
    let matrix = || Tensor::zeros(DataType::float(32), &[40, 40], &Meter::unlimited()).expect("a tensor");
    let evaluator = Evaluator::new(&of_operator("relax.matmul", 2));
    assert!(evaluator.clone().max_steps(70_000).run("main", [matrix(), matrix()]).is_ok());
    assert_eq!(failure(evaluator.max_steps(60_000).run("main", [matrix(), matrix()])).kind(), ErrorKind::LimitExceeded);
}

#[test]
fn another_thread_cancels_a_run() {
    let flag = Arc::new(AtomicBool::new(false));
    let seen = Arc::new(AtomicU64::new(0));
    let (cancel, count) = (flag.clone(), seen.clone());
    let evaluator = Evaluator::new(&module(ENDLESS)).max_steps(50_000_000).cancelled_by(flag).progress(move |steps| {
        count.store(steps, Ordering::Relaxed);
        cancel.store(steps > 5000, Ordering::Relaxed);
    });
    let error = failure(evaluator.run("main", [Any::None]));
    assert!(error.message().ends_with("the run was cancelled"), "{error}");
    assert!((5000..20_000).contains(&seen.load(Ordering::Relaxed)), "the run ends soon");
}

#[test]
fn an_observer_sees_each_binding() {
    let names = Arc::new(std::sync::Mutex::new(Vec::new()));
    let seen = names.clone();
    let text = "fn id(x: T[n]) { z = x; return z } fn main(x: T[n]) { y = relax.exp(x); r = @id(y); return r }";
    let evaluator = Evaluator::new(&module(text)).observe(move |event| {
        if let Some(variable) = event.variable {
            seen.lock().expect("no panic").push(format!("{}.{variable} {}", event.function, event.operation));
        }
    });
    evaluator.run("main", [vector(&[0.0])]).expect("a result");
    assert_eq!(*names.lock().expect("no panic"), ["main.y relax.exp", "id.z variable", "main.r call"]);
}
