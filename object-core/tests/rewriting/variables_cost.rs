//! The cost of analyses and substitutions of variables: steps per node do not grow with the graph, and an operation whose
//! result is exponentially large ends with an error.

use crate::demo::{Bind, Expr, Lambda, Let, Seq, Var, add, imm, var};
use object_core::ErrorKind;
use object_core::limits::Limits;
use object_core::prelude::*;
use object_core::rewrite::{Substitution, alpha_rename};
use object_core::steps::{COUNTS, count};
use object_core::visit::{ScopeTypes, free_vars, walk};

fn lexical() -> ScopeTypes {
    ScopeTypes::new().closing::<Lambda>().closing::<Let>().closing::<Seq>()
}

fn nodes(root: &Expr) -> u64 {
    let mut nodes = 0;
    walk(root, |_: &ObjectRef, _| nodes += 1);
    nodes
}

/// Checks that the steps of `operation` per node of its input and output are about the same for a small and a large
/// graph. The cost of sets of variables has a factor that is the logarithm of their number.
#[track_caller]
fn check_linear(build: impl Fn(usize) -> Expr, operation: impl Fn(Expr) -> Option<Expr>) {
    if !COUNTS {
        return;
    }
    let per_node = |size: usize| {
        let root = build(size);
        let mut nodes_before_and_after = nodes(&root);
        let mut result = None;
        let steps = count(u64::MAX, || result = operation(root)).expect("the operation ends");
        nodes_before_and_after += result.map_or(0, |result| nodes(&result));
        steps / nodes_before_and_after
    };
    let (small, large) = (per_node(100), per_node(3_200));
    assert!(large <= 2 * small && large < 500, "{small} steps per node, and {large} in a larger graph");
}

/// Every analysis and substitution, with values for some of the free variables.
#[track_caller]
fn check_all(build: impl Fn(usize) -> Expr, replaced: &Var, value: &Expr) {
    let free = |vars: Vec<ObjectRef>| -> Option<Expr> {
        assert!(!vars.is_empty());
        None
    };
    check_linear(&build, |root| free(free_vars(&root)));
    check_linear(&build, |root| free(lexical().free_vars(&root)));
    for scopes in [ScopeTypes::new(), lexical()] {
        let substitution = Substitution::new().scopes(scopes);
        check_linear(&build, |root| Some(substitution.clone().replace(replaced, value.clone()).run(root).unwrap()));
        check_linear(&build, |root| Some(substitution.clone().rename_bound(true).run(root).unwrap()));
    }
}

fn vars(count: usize) -> Vec<Var> {
    (0..count).map(|number| var(&format!("v{number}"))).collect()
}

fn seq(items: impl IntoIterator<Item = Expr>) -> Expr {
    Seq::new(items.into_iter().collect::<Array<Expr>>()).into()
}

fn doubled(levels: usize, below: Expr) -> Expr {
    (0..levels).fold(below, |below, _| add(below.clone(), below))
}

#[test]
fn many_variables_under_many_doublings() {
    let x = var("x");
    let build = |size: usize| {
        let all = seq(vars(size).into_iter().map(Expr::from));
        add(x.clone(), doubled(size, add(all, x.clone())))
    };
    check_all(build, &x, &imm(7));
    // The same below their binder.
    let build = |size: usize| {
        let all = vars(size);
        let body = doubled(size, seq(all.iter().cloned().map(Expr::from)));
        add(x.clone(), Lambda::new(all, add(body, x.clone())))
    };
    check_all(build, &x, &imm(7));
}

#[test]
fn a_variable_for_each_doubling() {
    let x = var("x");
    let build =
        |size: usize| vars(size).into_iter().fold(x.clone().into(), |below: Expr, v| add(add(below.clone(), v), below));
    check_all(build, &x, &imm(7));
}

/// Two variables are bound around all levels below, so each level frees two more at the one shared term.
fn freed_two_by_two(shared: impl Fn(&[Var]) -> Expr) {
    let build = |size: usize| {
        let all = vars(2 * size);
        let shared = shared(&all);
        let mut pairs = all.chunks_exact(2);
        let tower = pairs.by_ref().fold(shared.clone(), |below, pair| {
            add(Lambda::new(pair.iter().cloned().collect::<Array<Var>>(), below), shared.clone())
        });
        Lambda::new(all, add(tower, var("x"))).into()
    };
    check_linear(build, |root| {
        let inner = &root.downcast_ref::<Lambda>().unwrap().body;
        assert_eq!(lexical().free_vars(inner).len(), lexical().bound_vars(inner).len() + 1);
        None
    });
}

#[test]
fn a_term_that_is_reached_with_two_more_free_variables_each_time() {
    let chain_to_the_left = |all: &[Var]| all.iter().fold(imm(1), |below, v| add(below, v.clone()));
    let chain_to_the_right = |all: &[Var]| all.iter().fold(imm(1), |below, v| add(v.clone(), below));
    let zigzag = |all: &[Var]| {
        all.iter().enumerate().fold(imm(1), |below, (number, v)| match number % 2 {
            0 => add(v.clone(), below),
            _ => add(below, v.clone()),
        })
    };
    let array = |all: &[Var]| seq(all.iter().cloned().map(Expr::from));
    let array_of_chains = |all: &[Var]| seq(all.chunks(40).map(chain_to_the_left));
    let reversed = |all: &[Var]| all.iter().rev().fold(imm(1), |below, v| add(below, v.clone()));
    freed_two_by_two(chain_to_the_left);
    freed_two_by_two(chain_to_the_right);
    freed_two_by_two(zigzag);
    freed_two_by_two(array);
    freed_two_by_two(array_of_chains);
    freed_two_by_two(reversed);
}

#[test]
fn many_variables_that_are_bound_and_free() {
    let z = var("z");
    // Each variable is used, bound, and used again, and the value captures all of them.
    let all = vars(3_200);
    let value = seq(all.iter().cloned().map(Expr::from));
    let build = |size: usize| {
        let items = all[..size].iter().flat_map(|v| -> [Expr; 4] {
            let twice = add(v.clone(), v.clone());
            [twice.clone(), Bind::new(imm(1), v.clone()).into(), add(twice.clone(), twice), z.clone().into()]
        });
        seq(items)
    };
    for scopes in [ScopeTypes::new(), lexical()] {
        // The value has as many variables as the largest graph.
        let run = |root: Expr| {
            let size = root.downcast_ref::<Seq>().unwrap().items.len() / 4;
            let value = seq(all[..size].iter().cloned().map(Expr::from));
            Some(Substitution::new().scopes(scopes.clone()).replace(&z, value).run(root).unwrap())
        };
        check_linear(build, run);
    }
    check_linear(build, |root| Some(alpha_rename(root).unwrap()));
    drop(value);
}

#[test]
fn many_values_that_share_one_object() {
    let all = vars(3_200);
    let build = |size: usize| {
        let shared = doubled(size, add(imm(1), var("y")));
        let uses = all[..size].iter().cloned().map(Expr::from);
        add(shared, Lambda::new([var("p")], seq(uses)))
    };
    check_linear(build, |root| {
        let sum = root.downcast_ref::<crate::demo::Add>().unwrap();
        let size = free_vars(&sum.rhs).len();
        let value = sum.lhs.clone();
        let put = all[..size].iter().fold(Substitution::new(), |put, v| put.replace(v, value.clone()));
        Some(put.run(root).unwrap())
    });
}

#[test]
fn values_that_are_used_under_many_sets_of_bindings_that_they_do_not_use() {
    let x = var("x");
    // Each of the variables is bound around one of two references to a level, and free elsewhere.
    let build = |size: usize| {
        let all = vars(size);
        let bottom = add(x.clone(), imm(1));
        let tower = all.iter().fold(bottom, |below, v| add(Lambda::new([v.clone()], below.clone()), below));
        add(tower, seq(all.into_iter().map(Expr::from)))
    };
    check_all(build, &x, &imm(7));
    let all = vars(20);
    let tower = all.iter().fold(imm(1), |below, v| add(Lambda::new([v.clone()], below.clone()), below));
    let root = add(tower, seq(all.into_iter().map(Expr::from)));
    let before = nodes(&root);
    let renamed = Substitution::new().scopes(lexical()).rename_bound(true).run(root).unwrap();
    // A new name and a new variable for each bound variable, and no other new object.
    assert!(nodes(&renamed) <= before + 3 * 20);
}

#[test]
fn each_set_of_bound_variables_has_a_result_of_its_own() {
    let all = vars(8);
    let bottom = seq(all.iter().cloned().map(Expr::from));
    let root = all.iter().fold(bottom, |below, v| add(Lambda::new([v.clone()], below.clone()), below));
    let replacing = all.iter().fold(Substitution::new(), |all, v| all.replace(v, imm(1)));
    let renaming = Substitution::new().rename_bound(true);
    for substitution in [replacing, renaming] {
        let result = substitution.scopes(lexical()).run(root.clone()).unwrap();
        let mut bottoms = Vec::new();
        walk(&result, |seq: &Seq, _| {
            // Which of the elements are the variables of the original.
            let kept = |(item, v): (Expr, &Var)| item.as_object().ptr_eq(v.as_object());
            bottoms.push(seq.items.iter().zip(&all).map(kept).collect::<Vec<bool>>());
        });
        // No two of them have the same elements, so no result has fewer.
        bottoms.sort_unstable();
        bottoms.dedup();
        assert_eq!(bottoms.len(), 1 << 8);
        let mut count = 0;
        walk(&result, |_: &Seq, _| count += 1);
        assert_eq!(count, 1 << 8);
    }
}

#[test]
fn a_result_of_exponential_size_is_an_error() {
    // The bottom uses all variables, each bound or not: all 2^60 combinations are different.
    let all = vars(60);
    let bottom = seq(all.iter().cloned().map(Expr::from));
    let root = all.iter().fold(bottom, |below, v| add(Lambda::new([v.clone()], below.clone()), below));
    let limits = Limits::new().max_steps(20_000);
    let rename = Substitution::new().scopes(lexical()).rename_bound(true).limits(limits);
    let error = rename.run(root.clone()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::LimitExceeded);
    assert!(error.message().contains("`max_steps` is 20000"), "{error}");
    let error = rename.clone().limits(Limits::new().max_nodes(1_000)).run(root.clone()).unwrap_err();
    assert!(error.message().contains("`max_nodes` is 1000"), "{error}");
    // Two variables have four combinations.
    let put = Substitution::new().scopes(lexical()).replace(&all[0], imm(1)).replace(&all[1], imm(2)).limits(limits);
    assert!(nodes(&put.run(root).unwrap()) < 1_000);
}
