//! The time of every operation on every workload:
//!
//!     cargo bench -p object-benches -- 'tree-1001/'
//!
//! The benchmarks measure the CPU time of the thread, so that other load on the machine counts less. The name before
//! the slash is the workload, the name after it is the operation; `native` operations use an enum with derived equality
//! and hash.

mod common;

use std::hash::{Hash, Hasher};
use std::hint::black_box;

use common::{CpuTime, Group, group, measure};
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use object_benches::{self as workloads, Module, Workload};
use object_core::json::{self, JsonReader};
use object_core::prelude::*;
use object_core::structural::HashCache;
use object_ir::tir;

fn operations(group: &mut Group<'_>, workload: &Workload) {
    let (a, b) = (workload.build(0), workload.build(1));
    let equal = StructuralOptions::new().map_free_vars(true);
    let hash = StructuralOptions::new();
    assert!(equal.equal(&a, &b).is_ok_and(|equal| equal), "{}: the two sides differ", workload.name);
    assert_eq!(hash.hash(&a).ok(), hash.hash(&b).ok(), "{}: equal values hash equal", workload.name);
    let text = json::to_string(&a).expect("it can be saved");
    measure(group, "equal", || equal.equal(black_box(&a), black_box(&b)));
    measure(group, "hash", || hash.hash(black_box(&a)));
    measure(group, "mismatch", || equal.first_mismatch(black_box(&a), black_box(&b)));
    measure(group, "save", || json::to_string(black_box(&a)));
    group.bench_function("load", |bencher| {
        bencher.iter_with_large_drop(|| JsonReader::new().read(black_box(text.as_bytes())));
    });
    group.bench_function("drop", |bencher| {
        bencher.iter_batched(|| workload.build(0), drop, BatchSize::PerIteration);
    });
}

/// The operations on a tree of a plain enum.
fn native(group: &mut Group<'_>, nodes: usize) {
    let steps = workloads::random_tree(nodes, 1);
    let (a, b) = (workloads::native_tree(&steps), workloads::native_tree(&steps));
    assert_eq!(a, b);
    measure(group, "native equal", || black_box(&a) == black_box(&b));
    measure(group, "native hash", || {
        // A fast hasher, so that the walk dominates the time.
        let mut hasher = rustc_hash::FxHasher::default();
        black_box(&a).hash(&mut hasher);
        hasher.finish()
    });
    group.bench_function("native drop", |bencher| {
        bencher.iter_batched(|| workloads::native_tree(&steps), drop, BatchSize::PerIteration);
    });
}

fn trees(criterion: &mut Criterion<CpuTime>) {
    common::trees(criterion, |group, workload| {
        operations(group, workload);
        native(group, workload.nodes);
    });
}

fn graphs(criterion: &mut Criterion<CpuTime>) {
    let all = [
        || workloads::relax(100),
        || workloads::relax(1000),
        || workloads::relax(20_000),
        || workloads::relax(100_000),
        || workloads::lets(20_000),
        || workloads::ladder(60),
        || workloads::alternating(60),
        || workloads::butterfly(1000, 30),
        || workloads::shared(100_000),
        || workloads::chain(1_000_000),
    ];
    for make in all {
        let workload = make();
        operations(&mut group(criterion, &workload.name, workload.nodes), &workload);
    }
}

fn modules(criterion: &mut Criterion<CpuTime>) {
    for Module { name, text } in workloads::modules().expect("the modules can be read") {
        let workload = Workload::new(name, move |_| json::from_slice::<Any>(&text).expect("a module"));
        operations(&mut group(criterion, &workload.name, workload.nodes), &workload);
    }
}

/// The hash of a module of many functions, without a cache and with one that lacks only one function.
fn caches(criterion: &mut Criterion<CpuTime>) {
    let workload = workloads::relax_module(200, 100);
    let mut group = group(criterion, &workload.name, workload.nodes);
    let (module, hash) = (workload.build(0), workloads::cached_hash());
    let changed = || workloads::with_one_function_changed(&module).expect("a module of functions");
    measure(&mut group, "hash", || hash.hash(black_box(&module)));
    let mut cache = HashCache::new();
    measure(&mut group, "hash into a cache", || {
        cache.clear();
        hash.hash_cached(black_box(&module), &mut cache)
    });
    let whole = changed();
    assert_eq!(hash.hash_cached(&whole, &mut cache).ok(), hash.hash(&whole).ok(), "a cache changes no hash");
    group.bench_function("rehash", |bencher| {
        let rehash = |changed: &mut Any| hash.hash_cached(black_box(changed), &mut cache);
        bencher.iter_batched_ref(changed, rehash, BatchSize::PerIteration);
    });
}

/// Copies of handles and, by `make_mut`, of shared nodes.
fn copies(criterion: &mut Criterion<CpuTime>) {
    let mut group = group(criterion, "copies", 1);
    let steps = workloads::random_tree(3, 1);
    let Ok(sum) = tir::Add::try_from(workloads::expr_tree(&[steps[0], steps[1], workloads::Step::Add])) else {
        unreachable!("the root is a sum");
    };
    let function = workloads::relax_function(1);
    measure(&mut group, "clone", || black_box(&sum).clone());
    measure(&mut group, "make_mut of a sum", || copy(black_box(&sum), |node| node.base.dtype = DataType::int(64)));
    measure(&mut group, "make_mut of a function", || copy(black_box(&function), |node| node.is_pure = false));
}

/// A changed copy.
fn copy<H: MakeMut>(handle: &H, change: impl FnOnce(&mut H::Node)) -> H {
    let mut copy = handle.clone();
    change(copy.make_mut());
    copy
}

criterion_group! {
    name = benches;
    config = Criterion::default().with_measurement(CpuTime);
    targets = copies, caches, trees, graphs, modules
}
criterion_main!(benches);
