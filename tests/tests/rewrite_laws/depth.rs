//! Depth and sharing: every operation on a chain of a hundred thousand nodes in a thread with a stack of 256 KiB, and on a graph
//! of 61 nodes that unfolds to a quintillion.

use object_core::data::{deep_copy, value_equal};
use object_core::picture::Picture;
use object_core::prelude::*;
use object_core::repr::Repr;
use object_core::rewrite::{Mutate, Mutation, Substitution, alpha_rename, mutate, substitute};
use object_core::visit::{Position, ScopeTypes, Walk, bound_vars, free_vars, walk};

use crate::demo::{Expr, Imm, Lambda, Let, Var, add, imm, ladder, var};

/// Runs every operation on values that have a free variable `x`, a bound variable, and the number 1 once. `nodes` is
/// the number of expressions of a value.
fn every_operation(build: impl Fn() -> Expr, x: &Var, nodes: usize) {
    let root = build();
    let count = |root: &Expr| {
        let mut count = 0;
        walk(root, |_: &Expr, _| count += 1);
        count
    };
    assert_eq!(count(&root), nodes);
    let mut order = (0, 0);
    Walk::new()
        .enter(|_: &Expr, _: &Position<'_>| order.0 += 1)
        .leave(|_: &Expr, _: &Position<'_>| order.1 += 1)
        .run(&root);
    assert_eq!(order, (nodes, nodes));
    let deepest = Walk::interruptible()
        .enter(|number: &Imm, at: &Position<'_>| match number.value {
            1 => object_core::visit::WalkResult::Interrupt(at.path().steps().len()),
            _ => object_core::visit::WalkResult::Advance,
        })
        .run(&root);
    assert!(deepest.is_some_and(|steps| steps > 0));

    let mut calls = 0;
    let changed = mutate(root.clone(), |number: &Imm, _| {
        calls += 1;
        (number.value == 1).then(|| imm(2))
    });
    assert_eq!((calls, count(&changed.unwrap())), (1, nodes));
    assert!(mutate(root.clone(), |_: &Expr, _| None::<Expr>).unwrap().ptr_eq(&root));
    let changed = mutate(build(), |number: &Imm, _| Some(imm(number.value + 1))).unwrap();
    assert_eq!(count(&changed), nodes);
    let top_down = Mutate::new()
        .enter(|number: &Imm, _: &Position<'_>| match number.value {
            1 => Mutation::ReplaceInto(Any::from(add(imm(0), imm(0)))),
            _ => Mutation::Keep,
        })
        .run(build())
        .unwrap();
    assert_eq!(count(&top_down), nodes + 2);
    let failed = mutate(root.clone(), |_: &Imm, _| Some(Str::from("text"))).unwrap_err();
    assert!(failed.path().is_some_and(|path| !path.steps().is_empty()));

    assert_eq!((free_vars(&root).len(), bound_vars(&root).len()), (1, 1));
    let scopes = ScopeTypes::new().closing::<Lambda>().closing::<Let>();
    assert_eq!(scopes.free_vars(&root).len(), 1);
    let put = substitute(root.clone(), [(x.clone(), imm(7))]).unwrap();
    assert_eq!(free_vars(&put).len(), 0);
    let bound = bound_vars(&root)[0].clone().downcast::<Var>().unwrap();
    let captured = Substitution::new().scopes(scopes).replace(x, bound.clone()).run(root.clone()).unwrap();
    assert!(free_vars(&captured)[0].ptr_eq(bound.as_object()) && !bound_vars(&captured)[0].ptr_eq(bound.as_object()));
    assert!(structural_equal(&alpha_rename(root.clone()).unwrap(), &root));

    let copy = deep_copy(&root).unwrap();
    assert!(value_equal(&copy, &root) && count(&copy) == nodes);
    assert!(!value_equal(&copy, &changed));
    assert!(Repr::new(&root).max_values(100).to_string().len() < 10_000);
    assert!(Picture::new(&root).max_boxes(50).to_dot().len() < 100_000);
}

fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(256 * 1024).spawn(test);
    thread.expect("a thread starts").join().expect("the test passes");
}

#[test]
fn a_chain_of_a_hundred_thousand_nodes() {
    on_a_small_stack(|| {
        let (x, y) = (var("x"), var("y"));
        let build = || {
            let body = add(imm(1), add(x.clone(), y.clone()));
            // All levels bind the same variable: the innermost binding counts.
            let chain = (0..100_000).fold(body, |below, _| Let::new(x.clone(), y.clone(), below).into());
            Expr::from(Lambda::new([y.clone()], chain))
        };
        every_operation(build, &x, 100_000 + 6);
    });
}

#[test]
fn a_graph_that_is_huge_when_unfolded() {
    on_a_small_stack(|| {
        let (x, y) = (var("x"), var("y"));
        let build = || {
            let top = (0..60).fold(add(imm(1), add(x.clone(), y.clone())), |below, _| add(below.clone(), below));
            Expr::from(Lambda::new([y.clone()], top))
        };
        every_operation(build, &x, 60 + 6);
        let mut calls = 0;
        walk(&ladder(60), |_: &Expr, _| calls += 1);
        assert_eq!(calls, 61);
    });
}
