//! The references to objects, and folds: their results on every graph, and their cost on shared and on deep ones.

use std::collections::HashMap;

use crate::demo::{Add, Expr, Lambda, Let, Seq, Var, VarNode, add, imm, var};
use object_core::object::DefRegionKind;
use object_core::prelude::*;
use object_core::visit::{Results, UseDef, Walk, WalkOptions, WalkResult, fold};
use object_core::{ObjectView, steps};
use proptest::prelude::*;

/// A doubling for each level: 2 references for each, and 2 to the power of the levels paths.
fn doubled(levels: usize, leaf: Expr) -> Expr {
    (0..levels).fold(leaf, |expr, _| add(expr.clone(), expr))
}

#[test]
fn references_are_counted_once_however_many_paths_lead_to_them() {
    let x = var("x");
    let steps = |levels: usize| {
        let root = doubled(levels, x.clone().into());
        let steps = steps::count(u64::MAX, || {
            let uses = UseDef::of(&root);
            assert_eq!(uses.uses(&x).count(), 2);
            assert_eq!(uses.definitions(&x).count(), 0);
        });
        steps.expect("the limit is not reached")
    };
    assert!(steps(60) <= 3 * steps(30), "{} and {}", steps(60), steps(30));
}

#[test]
fn a_place_that_binds_is_a_definition() {
    let (x, y) = (var("x"), var("y"));
    let body = add(x.clone(), x.clone());
    let lambda = Lambda::new([&x, &y].into_iter(), &body);
    let uses = UseDef::of(&lambda);
    let paths = |var: &Var| {
        let text = |it| uses.path(&it).to_string();
        (uses.definitions(var).map(text).collect::<Vec<_>>(), uses.uses(var).map(text).collect::<Vec<_>>())
    };
    assert_eq!(paths(&x), (vec!["<root>.params[0]".into()], vec!["<root>.body.lhs".into(), "<root>.body.rhs".into()]));
    assert_eq!(paths(&y), (vec!["<root>.params[1]".into()], vec![]));
    let first = uses.uses(&x).next().expect("a use");
    assert_eq!(first.field().map(|field| field.name()), Some("lhs"));
    assert!(first.parent().as_handle::<Add>().is_some_and(|parent| parent.ptr_eq(&body)));
    assert_eq!(uses.definitions(&x).next().and_then(|it| it.index()), Some(0));
    // The array of the parameters, and an object that is not in the graph.
    assert_eq!(uses.uses(&lambda.params).count(), 1);
    assert_eq!((uses.uses(&lambda).count(), uses.uses(&var("x")).count()), (0, 0));
}

#[test]
fn a_reference_can_be_a_use_and_a_definition() {
    // The type of both variables is one object with a reference to `n`: one variable is bound, the other one is used.
    let n = var("n");
    let ty = add(n.clone(), imm(1));
    let typed = |name: &str| var(name).with_changes(|node: &mut VarNode| node.ty = Some(ty.clone()));
    let (x, y) = (typed("x"), typed("y"));
    let uses_of_n = |root: &Expr| {
        let uses = UseDef::of(root);
        (uses.definitions(&n).count(), uses.uses(&n).count())
    };
    assert_eq!(uses_of_n(&Lambda::new([&x].into_iter(), &x).into()), (1, 1));
    assert_eq!(uses_of_n(&Lambda::new([&x].into_iter(), &y).into()), (1, 1));
    assert_eq!(uses_of_n(&Lambda::new([&x].into_iter(), imm(1)).into()), (1, 0));
    assert_eq!(uses_of_n(&y.into()), (0, 1));
    // A simple binding does not bind the variables in the fields of its variable.
    assert_eq!(uses_of_n(&Let::new(imm(1), &x, &x).into()), (0, 1));
}

#[test]
fn deep_graphs_need_no_stack() {
    let x = var("x");
    let deep = (0..200_000).fold(Expr::from(x.clone()), |expr, _| Seq::new([expr]).into());
    let uses = UseDef::of(&deep);
    let only = uses.uses(&x).next().expect("one use");
    assert_eq!(uses.path(&only).steps().len(), 2 * 200_000);
}

#[test]
fn a_fold_is_linear_on_shared_and_on_deep_graphs() {
    fn value(expr: &Expr) -> u64 {
        fold(expr, |expr: &Expr, values: &Results<u64>| match expr.downcast_ref::<Add>() {
            Some(add) => values[&add.lhs].wrapping_add(values[&add.rhs]),
            None => 1,
        })
    }
    let steps = |levels: usize| {
        let root = doubled(levels, imm(1));
        steps::count(u64::MAX, || assert_eq!(value(&root), 1 << levels)).expect("the limit is not reached")
    };
    // A table that doubles hashes its keys again.
    assert!(steps(60) <= 3 * steps(30), "{} and {}", steps(60), steps(30));
    let deep = (0..200_000).fold(imm(1), |expr, _| add(expr, imm(1)));
    assert_eq!(value(&deep), 200_001);
}

#[test]
fn a_fold_lists_the_children_with_their_fields() {
    let (one, two) = (imm(1), imm(2));
    let seq = Seq::new([add(one.clone(), two.clone()), one.clone(), two, one]);
    let mut listed = Vec::new();
    fold(&Expr::from(seq.clone()), |expr: &Expr, sizes: &Results<usize>| {
        listed = sizes.children(expr).map(|(name, size)| (name, *size)).collect();
        1 + listed.iter().map(|(_, size)| size).sum::<usize>()
    });
    assert_eq!(listed, [("items", 3), ("items", 1), ("items", 1), ("items", 1)], "elements, as often as they occur");
    // With results for all objects, the array is the child.
    let mut listed = Vec::new();
    fold(&ObjectRef::from(seq), |object: &ObjectRef, counts| {
        listed.push(counts.children(object).map(|(name, ())| name).collect::<Vec<_>>());
    });
    assert_eq!(listed[2..], [vec!["lhs", "rhs"], vec![""; 4], vec!["items"]]);
}

#[test]
fn a_display_by_a_fold_survives_200_000_levels() {
    fn text(expr: &Expr) -> String {
        let rope = fold(expr, |expr: &Expr, texts| match expr.downcast_ref::<Add>() {
            Some(add) => Array::<Any>::from([
                Any::from("("),
                Any::from(&texts[&add.lhs]),
                Any::from(" + "),
                Any::from(&texts[&add.rhs]),
                Any::from(")"),
            ]),
            None => Array::from([Any::from("1")]),
        });
        let mut text = String::new();
        let every = WalkOptions::new().every_occurrence(true);
        Walk::new().enter(|piece: &Str, _| text.push_str(piece)).options(every).run(&rope);
        text
    }
    assert_eq!(text(&doubled(2, imm(1))), "((1 + 1) + (1 + 1))");
    let deep = (0..200_000).fold(imm(1), |expr, _| add(imm(1), expr));
    assert_eq!(text(&deep), format!("{}1{}", "(1 + ".repeat(200_000), ")".repeat(200_000)));
}

#[test]
fn a_fold_of_all_objects_has_a_result_for_each() {
    let leaf = imm(1);
    let root = Expr::from(Seq::new([leaf.clone(), add(leaf.clone(), leaf)]));
    let mut calls = 0;
    let depth = fold(&root, |object: &Expr, depths: &Results<usize>| {
        calls += 1;
        let below = object.as_object().view().object_children().map(|child| depths.get(&child).copied().unwrap_or(0));
        1 + below.max().unwrap_or(0)
    });
    // The array between `Seq` and its elements is not an expression, so it has no result.
    assert_eq!((depth, calls), (1, 3));
    let depth = fold(root.as_object(), |object: &ObjectRef, depths| {
        1 + object.view().object_children().map(|child: ObjectView<'_>| depths[&child]).max().unwrap_or(0)
    });
    assert_eq!(depth, 4);
}

#[test]
#[should_panic(expected = "the fold has no result for a `demo.Imm`")]
fn a_result_that_the_fold_does_not_have_is_a_panic() {
    let other = imm(7);
    fold(&imm(1), |_: &Expr, results| if results.get(&other).is_none() { results[&other] } else { 0 });
}

/// Programs over three variables: `Lambda`, `Let`, `Add` and lists, with sharing.
fn programs() -> impl Strategy<Value = (Vec<Var>, Expr)> {
    let choices = prop::collection::vec((0..5_usize, 0..100_usize, 0..100_usize, 0..3_usize), 1..30);
    choices.prop_map(|choices| {
        let vars = ["x", "y", "z"].map(var);
        let mut made: Vec<Expr> = vars.iter().map(Expr::from).collect();
        for (kind, a, b, number) in choices {
            let (a, b) = (made[a % made.len()].clone(), made[b % made.len()].clone());
            let bound = &vars[number];
            made.push(match kind {
                0 => Lambda::new([bound].into_iter(), a).into(),
                1 => Let::new(a, bound, b).into(),
                2 => Seq::new([a, b]).into(),
                3 => vars[number].clone().with_changes(|node| node.ty = Some(a)).into(),
                _ => add(a, b),
            });
        }
        (vars.to_vec(), made.pop().expect("a program"))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_references_are_the_places_of_a_walk_over_every_occurrence((vars, root) in programs()) {
        // By parent, slot and kind: a walk over every occurrence meets each pair as often as there are paths.
        let mut expected: HashMap<(usize, bool), Vec<String>> = HashMap::new();
        let mut met = 0;
        Walk::interruptible()
            .enter(|var: &Var, at| {
                met += 1;
                let binds = at.region() != DefRegionKind::None;
                expected.entry((address(var), binds)).or_default().push(at.path().to_string());
                if met > 20_000 { WalkResult::Interrupt(()) } else { WalkResult::Advance }
            })
            .options(WalkOptions::new().every_occurrence(true))
            .run(&root);
        prop_assume!(met <= 20_000);
        let uses = UseDef::of(&root);
        for var in &vars {
            for binds in [false, true] {
                let found: Vec<_> = match binds {
                    true => uses.definitions(var).collect(),
                    false => uses.uses(var).collect(),
                };
                let all = expected.get(&(address(var), binds)).map_or(&[][..], |paths| paths);
                let root_itself = usize::from(root.ptr_eq(var) && !binds);
                prop_assert_eq!(found.is_empty(), all.len() == root_itself);
                prop_assert!(found.len() <= all.len());
                // Each reference is at a place of the walk, and no two are the same.
                let mut parents: Vec<_> = found.iter().map(|it| (it.parent().address(), format!("{:?}", it.field().map(|f| f.name())), it.index())).collect();
                parents.sort();
                parents.dedup();
                prop_assert_eq!(parents.len(), found.len());
            }
        }
    }
}

fn address(value: &impl ObjectHandle) -> usize {
    value.as_object().view().address()
}
