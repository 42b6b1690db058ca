//! Copies, comparison by value, and the text form.

use std::cmp::Ordering;

use crate::demo::{Add, Expr, Lambda, Var, add, imm, ladder, var};
use object_core::data::{deep_copy, replace, value_equal, value_order};
use object_core::prelude::*;
use object_core::repr::Repr;
use object_core::visit::walk;

#[test]
fn deep_copies_have_no_object_in_common_and_the_same_sharing() {
    let x = var("x");
    let table = Map::<Any, Any>::new([(Any::from(x.clone()), Any::from(Array::from([1, 2])))]);
    let f = Array::<Any>::from([Any::from(Lambda::new([x.clone()], add(x.clone(), x))), Any::from(table)]);
    let copy = deep_copy(&f).unwrap();
    let objects = |root: &Array<Any>| {
        let mut objects = Vec::new();
        walk(root, |object: &ObjectRef, _| objects.push(object.clone()));
        objects
    };
    let (old, new) = (objects(&f), objects(&copy));
    assert_eq!(old.len(), new.len());
    for (old, new) in old.iter().zip(&new) {
        assert_eq!(old.type_info().type_key(), new.type_info().type_key());
        assert_eq!(old.ptr_eq(new), old.view().as_str().is_some());
    }
    assert!(value_equal(&f, &copy) && structural_equal(&f, &copy));
    let mut sums = 0;
    walk(&deep_copy(&ladder(60)).unwrap(), |_: &Add, _| sums += 1);
    assert_eq!(sums, 60);
}

#[test]
fn replace_shares_all_other_fields() {
    let sum = Add::new(imm(1), imm(2));
    let new = replace(&sum, [("rhs", imm(3))]).unwrap();
    assert!(new.lhs.ptr_eq(&sum.lhs) && value_equal(&new.rhs, &imm(3)) && value_equal(&sum.rhs, &imm(2)));
    assert_eq!(replace(&sum, [("rhs", Str::from("x"))]).unwrap_err().kind(), ErrorKind::TypeMismatch);
}

#[test]
fn value_order_is_total() {
    let map = |entries: &[(Any, i64)]| {
        Any::from(Map::<Any, Any>::new(entries.iter().map(|(key, value)| (key.clone(), Any::Int(*value)))))
    };
    let x = var("x");
    let sorted = [
        Any::None,
        Any::Bool(false),
        Any::Bool(true),
        Any::Int(-1),
        Any::Int(2),
        Any::Float(f64::NEG_INFINITY),
        Any::Float(-0.0),
        Any::Float(0.0),
        Any::Float(f64::NAN),
        Any::from(add(imm(1), imm(2))),
        Any::from(add(imm(1), imm(3))),
        Any::from(imm(1)),
        Any::from(var("a")),
        Any::from(var("b")),
        Any::from(Array::<i64>::from([])),
        Any::from(Array::from([1])),
        Any::from(Array::from([1, 0])),
        Any::from(Array::from([2])),
        map(&[]),
        map(&[(Any::from(x), 1)]),
        map(&[(Any::from("a"), 1)]),
        map(&[(Any::from("b"), 1), (Any::from("a"), 2)]),
        Any::from(Shape::from([1, 2])),
        Any::from(Shape::from([1, 3])),
        Any::from("a"),
        Any::from("ab"),
        Any::from("b"),
    ];
    for (i, a) in sorted.iter().enumerate() {
        for (j, b) in sorted.iter().enumerate() {
            assert_eq!(value_order(a, b), i.cmp(&j), "{a:?} and {b:?}");
        }
    }
    assert_eq!(value_order(&Any::Float(f64::NAN), &Any::Float(-f64::NAN)), Ordering::Equal);
    let ab = map(&[(Any::from("a"), 1), (Any::from("b"), 2)]);
    assert!(value_equal(&ab, &map(&[(Any::from("b"), 2), (Any::from("a"), 1)])));
}

#[test]
fn value_equal_compares_ignored_fields_and_names_of_variables() {
    let (f, g) = (Lambda::new([var("x")], imm(1)), Lambda::new([var("y")], imm(1)));
    assert!(structural_equal(&f, &g) && !value_equal(&f, &g));
    // The comparison by value ignores sharing.
    let x = var("x");
    assert!(value_equal(&add(x.clone(), x), &add(var("x"), var("x"))));
}

#[test]
fn pairs_of_shared_objects_are_compared_once() {
    assert!(value_equal(&ladder(60), &ladder(60)));
    let other = (0..60).fold(add(imm(1), imm(2)), |below, _| add(below.clone(), below));
    assert_eq!(value_order(&ladder(61), &other), Ordering::Less);
    // 30 layers of 100 objects, connected in two ways: a table of pairs would have 300,000 entries.
    let butterfly = |seed: usize| {
        let mut layer: Vec<Expr> = (0..100).map(|_| imm(1)).collect();
        for depth in 0..30 {
            let pick = |i: usize, salt: usize| layer[(i * 31 + seed * 17 + depth * 7 + salt * 53) % 100].clone();
            layer = (0..100).map(|i| add(pick(i, 1), pick(i, 2))).collect();
        }
        Array::from(layer)
    };
    assert!(value_equal(&butterfly(1), &butterfly(2)));
}

#[test]
fn repr_numbers_shared_objects() {
    let x = var("x");
    let text = format!("{:?}", Lambda::new([x.clone()], add(x, imm(1))));
    assert_eq!(
        text,
        "demo.Lambda(span=None, params=[%0 = demo.Var(span=None, name=\"x\", ty=None)], \
         body=demo.Add(span=None, lhs=%0, rhs=demo.Imm(span=None, value=1)))"
    );
    let text = ladder(60).to_string();
    assert_eq!((text.matches("demo.Add").count(), text.matches("demo.Imm").count()), (60, 1));
    // The numbers follow the order of occurrence.
    let (a, b) = (Any::from(var("a")), Any::from(Array::from([1])));
    let list = Array::<Any>::from([b.clone(), a.clone(), a, b]);
    let text = format!("{list:?}").replace("demo.Var(span=None, name=\"a\", ty=None)", "a");
    assert_eq!(text, "[%0 = [1], %1 = a, %1, %0]");
}

#[test]
fn repr_limits_shorten_the_text() {
    let e = add(add(imm(1), var("a long name")), Lambda::new([], imm(2)));
    assert_eq!(Repr::new(&e).max_depth(0).to_string(), "demo.Add(...)");
    assert_eq!(Repr::new(&e).max_depth(1).to_string(), "demo.Add(span=None, lhs=demo.Add(...), rhs=demo.Lambda(...))");
    assert_eq!(
        Repr::new(&e).max_values(3).to_string(),
        "demo.Add(span=None, lhs=demo.Add(span=..., lhs=..., rhs=...), rhs=...)"
    );
    assert_eq!(Repr::new(&Str::from("a\u{e4}\"long")).max_text(3).to_string(), "\"a\u{e4}\\\"\"...");
    assert_eq!(Repr::new(&Bytes::from(vec![0, 1, 2])).max_text(2).to_string(), r#"b"\x00\x01"..."#);
    let map: Map<Str, i64> = (0..5).map(|i| (Str::from(i.to_string()), i)).collect();
    assert_eq!(Repr::new(&map).max_items(2).to_string(), r#"{"0": 0, "1": 1, ... 3 more}"#);
    let x = Any::from(Var::new("x", None));
    let list = Array::<Any>::from([x.clone(), x]);
    assert!(!Repr::new(&list).sharing(false).to_string().contains('%'));
}
