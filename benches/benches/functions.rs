//! The time of one call of a function, for each kind of call:
//!
//!     cargo bench -p object-benches --bench functions
//!
//! `native` is the same closure in a `Box<dyn Fn>`: the least cost of a call through a pointer.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use object_core::prelude::*;
use object_core::{Function, function};
use object_ir::ir::{PrimExpr, PrimType};
use object_ir::tir;

/// Reads the number in a result. A `black_box` of the result itself would be slower than the call: the processor would
/// load it with wider loads than it stored it, which delays the load.
fn number(result: &Result<Any, Error>) -> i64 {
    match result {
        Ok(Any::Int(value)) => *value,
        Ok(_) | Err(_) => 0,
    }
}

fn calls(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("call");
    let native: Box<dyn Fn(i64, i64) -> i64> = Box::new(|a, b| a.wrapping_add(b));
    let native = black_box(native);
    group.bench_function("native", |bencher| bencher.iter(|| native(black_box(1), black_box(2))));

    let add = Function::new(|a: i64, b: i64| a.wrapping_add(b)).with_name("benches.add");
    let args = [AnyView::Int(1), AnyView::Int(2)];
    group.bench_function("ints", |bencher| bencher.iter(|| number(&add.call(black_box(&args)))));
    let typed = add.typed::<fn(i64, i64) -> i64>().expect("these are its types");
    group.bench_function("ints-typed", |bencher| {
        bencher.iter(|| typed.call(black_box(1), black_box(2)).unwrap_or_default());
    });

    let packed = Function::from_packed(|args| match args {
        [AnyView::Int(a), AnyView::Int(b)] => Ok(Any::Int(a.wrapping_add(*b))),
        _ => Ok(Any::None),
    });
    group.bench_function("ints-packed", |bencher| bencher.iter(|| number(&packed.call(black_box(&args)))));

    let first = Function::new(|a: PrimExpr, _: PrimExpr| a);
    let int = DataType::int(64);
    let x = tir::Var::new(int, "x", PrimType::new(int)).into_object();
    let args = [AnyView::Object(x.view()), AnyView::Object(x.view())];
    group.bench_function("objects", |bencher| bencher.iter(|| number(&first.call(black_box(&args)))));

    let wrong = [AnyView::Int(1), AnyView::None];
    group.bench_function("wrong-argument", |bencher| bencher.iter(|| number(&add.call(black_box(&wrong)))));

    function::register(&add).expect("the name is free");
    group.bench_function("by-name", |bencher| bencher.iter(|| function::get(black_box("benches.add")).is_ok()));
    group.finish();
}

criterion_group!(benches, calls);
criterion_main!(benches);
