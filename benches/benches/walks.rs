//! The time of walks, rewrites, copies and substitutions:
//!
//!     cargo bench -p object-benches --bench walks -- 'tree-10001/'
//!
//! Times and names are like those in `operations`. The `native` operations are hand-written walks and rewrites of an
//! enum: recursive, and without a table of visited nodes.

mod common;

use std::hint::black_box;
use std::mem;
use std::sync::Arc;

use common::{CpuTime, Group, group, measure};
use criterion::{Criterion, criterion_group, criterion_main};
use object_benches::{self as workloads, NativeExpr, Workload};
use object_core::data::deep_copy;
use object_core::json;
use object_core::prelude::*;
use object_core::rewrite::{FreshVars, alpha_rename, mutate, substitute};
use object_core::visit::{WalkOptions, Walker, bound_vars, free_vars, walk, walk_with};
use object_ir::ir::IntImm;

/// Walks to the end without a callback.
struct Nothing;

impl Walker<'_> for Nothing {
    type Break = std::convert::Infallible;
}

/// Selects the integers that a rewrite changes: as many as 1 percent of the nodes, or all if there are fewer.
#[derive(Clone, Copy)]
struct OnePercent {
    every: usize,
    seen: usize,
}

impl OnePercent {
    fn new(nodes: usize, integers: usize) -> Self {
        OnePercent { every: (integers * 100 / nodes).max(1), seen: 0 }
    }

    /// Whether the rewrite changes the next integer.
    fn next(&mut self) -> bool {
        self.seen += 1;
        self.seen.is_multiple_of(self.every)
    }
}

fn integers(root: &Any) -> usize {
    let mut count = 0;
    walk(root, |_: &IntImm, _| count += 1);
    count
}

fn rewrite(root: Any, mut which: OnePercent) -> Any {
    let plus_one = |imm: &IntImm| IntImm::new(imm.base.dtype, imm.value.wrapping_add(1));
    mutate(root, |imm: &IntImm, _| which.next().then(|| plus_one(imm)))
        .expect("an integer is allowed where an integer was")
}

/// Measures an operation that returns a new graph. The time excludes the drop of the graph.
fn measure_new<R>(group: &mut Group<'_>, name: &str, mut work: impl FnMut() -> R) {
    group.bench_function(name, |bencher| bencher.iter_with_large_drop(&mut work));
}

fn operations(group: &mut Group<'_>, workload: &Workload) {
    let root = workload.build(0);
    let which = OnePercent::new(workload.nodes, integers(&root));
    let address = |value: &Any| value.view().as_object().map(|object| object.address());
    measure(group, "walk", || walk_with(black_box(&root), WalkOptions::new(), &mut Nothing));
    measure(group, "walk integers", || {
        let mut sum = 0_i64;
        walk(black_box(&root), |imm: &IntImm, _| sum = sum.wrapping_add(imm.value));
        sum
    });
    let unchanged = || mutate(black_box(&root).clone(), |_: &IntImm, _| None::<IntImm>);
    assert_eq!(unchanged().ok().as_ref().map(address), Some(address(&root)), "{}: a needless copy", workload.name);
    measure(group, "mutate nothing", unchanged);
    let copied = || rewrite(black_box(&root).clone(), which);
    assert_ne!(address(&copied()), address(&root), "{}: nothing to rewrite", workload.name);
    measure_new(group, "mutate 1%, copied", copied);
    let mut owned = workload.build(0);
    let before = address(&owned);
    measure(group, "mutate 1%, in place", || owned = rewrite(mem::replace(&mut owned, Any::None), which));
    // Only the root has to stay at its address: all other nodes may be shared.
    assert_eq!(address(&owned), before, "{}: the root was copied", workload.name);
    measure_new(group, "deep_copy", || deep_copy(black_box(&root)));
    if let Some(var) = free_vars(&root).first() {
        let fresh = FreshVars::new().fresh_copy(var).expect("a variable can be copied");
        measure_new(group, "substitute", || substitute(black_box(&root).clone(), [(var.clone(), fresh.clone())]));
    }
    if !bound_vars(&root).is_empty() {
        measure_new(group, "alpha_rename", || alpha_rename(black_box(&root).clone()));
    }
}

fn native_sum(expr: &NativeExpr) -> i64 {
    match expr {
        NativeExpr::Add(_, a, b) | NativeExpr::Mul(_, a, b) => native_sum(a).wrapping_add(native_sum(b)),
        NativeExpr::Int(_, value) => *value,
        NativeExpr::Var(..) => 0,
    }
}

/// The rewritten `expr`, if it changes.
fn native_copied(expr: &Arc<NativeExpr>, change: &mut impl FnMut() -> bool) -> Option<Arc<NativeExpr>> {
    let new = match &**expr {
        // One arm for both, as above: one unpredictable branch less on a random tree.
        NativeExpr::Add(dtype, a, b) | NativeExpr::Mul(dtype, a, b) => {
            let (a, b) = match (native_copied(a, change), native_copied(b, change)) {
                (None, None) => return None,
                (new_a, new_b) => (new_a.unwrap_or_else(|| Arc::clone(a)), new_b.unwrap_or_else(|| Arc::clone(b))),
            };
            if matches!(**expr, NativeExpr::Add(..)) {
                NativeExpr::Add(*dtype, a, b)
            } else {
                NativeExpr::Mul(*dtype, a, b)
            }
        }
        NativeExpr::Int(dtype, value) if change() => NativeExpr::Int(*dtype, value.wrapping_add(1)),
        NativeExpr::Int(..) | NativeExpr::Var(..) => return None,
    };
    Some(Arc::new(new))
}

/// Changes unshared nodes in place.
fn native_in_place(expr: &mut Arc<NativeExpr>, change: &mut impl FnMut() -> bool) {
    match Arc::get_mut(expr) {
        Some(NativeExpr::Add(_, a, b) | NativeExpr::Mul(_, a, b)) => {
            native_in_place(a, change);
            native_in_place(b, change);
        }
        // A new leaf replaces the old one, as in our rewrite.
        Some(NativeExpr::Int(dtype, value)) if change() => {
            *expr = Arc::new(NativeExpr::Int(*dtype, value.wrapping_add(1)));
        }
        Some(NativeExpr::Int(..) | NativeExpr::Var(..)) => {}
        None => {
            if let Some(new) = native_copied(expr, change) {
                *expr = new;
            }
        }
    }
}

/// The operations on a tree of a plain enum.
fn native(group: &mut Group<'_>, nodes: usize) {
    let steps = workloads::random_tree(nodes, 1);
    let integers = steps.iter().filter(|step| matches!(step, workloads::Step::Int(_))).count();
    let which = OnePercent::new(nodes, integers);
    let root = workloads::native_tree(&steps);
    measure(group, "native walk integers", || native_sum(black_box(&root)));
    measure(group, "native mutate nothing", || native_copied(black_box(&root), &mut || black_box(false)));
    measure_new(group, "native mutate 1%, copied", || {
        let mut which = which;
        native_copied(black_box(&root), &mut || which.next())
    });
    let mut owned = workloads::native_tree(&steps);
    measure(group, "native mutate 1%, in place", || {
        let mut which = which;
        native_in_place(&mut owned, &mut || which.next());
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
        || workloads::relax(1000),
        || workloads::relax(20_000),
        || workloads::shared(100_000),
        || workloads::chain(1_000_000),
    ];
    for make in all {
        let workload = make();
        operations(&mut group(criterion, &workload.name, workload.nodes), &workload);
    }
    let modules = workloads::modules().expect("the modules can be read").into_iter();
    for module in modules.filter(|module| module.name == "decoder") {
        let text = module.text;
        let workload = Workload::new(module.name, move |_| json::from_slice::<Any>(&text).expect("a module"));
        operations(&mut group(criterion, &workload.name, workload.nodes), &workload);
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().with_measurement(CpuTime);
    targets = trees, graphs
}
criterion_main!(benches);
