//! Walks: which values a walk reaches, in which order, at which positions, and how it ends.

use crate::demo::{Add, Expr, Imm, Lambda, Let, Table, Var, add, imm, ladder, var};
use object_core::AsAnyView;
use object_core::object::DefRegionKind;
use object_core::prelude::*;
use object_core::visit::{Position, Walk, WalkOptions, WalkResult, walk};

/// The objects below `root` in the orders of entering and of leaving, each with its path.
fn trace(root: &impl AsAnyView, options: WalkOptions) -> (Vec<String>, Vec<String>) {
    let (mut entered, mut left) = (Vec::new(), Vec::new());
    let show = |object: &ObjectRef, at: &Position<'_>| format!("{} {}", at.path(), object.view().type_key());
    Walk::new()
        .enter(|object: &ObjectRef, at: &Position<'_>| entered.push(show(object, at)))
        .leave(|object: &ObjectRef, at: &Position<'_>| left.push(show(object, at)))
        .options(options)
        .run(root);
    (entered, left)
}

#[test]
fn walks_enter_parents_first_and_leave_them_last() {
    let x = var("x");
    let (entered, left) = trace(&Lambda::new([x.clone()], add(x, imm(1))), WalkOptions::new());
    assert_eq!(
        entered,
        [
            "<root> demo.Lambda",
            "<root>.params ffi.Array",
            "<root>.params[0] demo.Var",
            "<root>.params[0].name ffi.String",
            "<root>.body demo.Add",
            "<root>.body.rhs demo.Imm",
        ]
    );
    assert_eq!(
        left,
        [
            "<root>.params[0].name ffi.String",
            "<root>.params[0] demo.Var",
            "<root>.params ffi.Array",
            "<root>.body.rhs demo.Imm",
            "<root>.body demo.Add",
            "<root> demo.Lambda",
        ]
    );
}

#[test]
fn walks_enter_objects_once_or_at_every_occurrence() {
    let x = var("x");
    let e = add(add(x.clone(), x.clone()), x);
    let (entered, _) = trace(&e, WalkOptions::new());
    assert_eq!(
        entered,
        ["<root> demo.Add", "<root>.lhs demo.Add", "<root>.lhs.lhs demo.Var", "<root>.lhs.lhs.name ffi.String"]
    );
    let (entered, _) = trace(&e, WalkOptions::new().every_occurrence(true));
    assert_eq!(
        entered,
        [
            "<root> demo.Add",
            "<root>.lhs demo.Add",
            "<root>.lhs.lhs demo.Var",
            "<root>.lhs.lhs.name ffi.String",
            "<root>.lhs.rhs demo.Var",
            "<root>.lhs.rhs.name ffi.String",
            "<root>.rhs demo.Var",
            "<root>.rhs.name ffi.String",
        ]
    );
    let mut count = 0;
    walk(&ladder(60), |_: &Expr, _| count += 1);
    assert_eq!(count, 61);
}

#[test]
fn walks_call_the_first_closure_that_accepts_the_object() {
    let mut calls = Vec::new();
    let calls = std::cell::RefCell::new(&mut calls);
    Walk::new()
        .enter(|_: &Var, _: &Position<'_>| calls.borrow_mut().push("var"))
        .enter(|_: &Expr, _: &Position<'_>| calls.borrow_mut().push("expr"))
        .enter(|_: &Var, _: &Position<'_>| calls.borrow_mut().push("never"))
        .run(&add(var("x"), imm(1)));
    assert_eq!(**calls.borrow(), ["expr", "var", "expr"]);
}

#[test]
fn closures_skip_children_or_end_the_walk() {
    let e = add(Lambda::new([var("x")], imm(1)), add(imm(2), imm(3)));
    let mut numbers = Vec::new();
    let mut left = 0;
    Walk::new()
        .enter(|_: &Lambda, _: &Position<'_>| WalkResult::Skip)
        .enter(|number: &Imm, _: &Position<'_>| numbers.push(number.value))
        .leave(|_: &Lambda, _: &Position<'_>| left += 1)
        .run(&e);
    assert_eq!((numbers, left), (vec![2, 3], 1));
    let mut seen = 0;
    let found = Walk::interruptible()
        .enter(|number: &Imm, at: &Position<'_>| {
            seen += 1;
            if number.value < 2 { WalkResult::Advance } else { WalkResult::Interrupt(at.path().to_string()) }
        })
        .run(&e);
    assert_eq!((found.as_deref(), seen), (Some("<root>.rhs.lhs"), 2));
    let error = Walk::interruptible()
        .leave(|number: &Imm, _: &Position<'_>| if number.value < 3 { Ok(()) } else { Err(number.value) })
        .run(&e);
    assert_eq!(error, Some(3));
}

#[test]
fn walks_reach_keys_values_and_plain_values() {
    let x = var("x");
    let map = Map::<Any, Any>::new([
        (Any::from(x.clone()), Any::Int(1)),
        (Any::from("k"), Any::from(imm(2))),
        (Any::Int(7), Any::None),
    ]);
    let mut reached = Vec::new();
    let reached = std::cell::RefCell::new(&mut reached);
    Walk::new()
        .enter(|object: &ObjectRef, at: &Position<'_>| {
            reached.borrow_mut().push(format!("{} {} {}", at.path(), object.view().type_key(), at.is_key()));
        })
        .plain(|value: object_core::AnyView<'_>, at: &Position<'_>| {
            reached.borrow_mut().push(format!("{} {value:?} {}", at.path(), at.is_key()));
        })
        .run(&map);
    assert_eq!(
        **reached.borrow(),
        [
            "<root> ffi.Map false",
            "<root>[%x] demo.Var true",
            "<root>[%x].span None false",
            "<root>[%x].name ffi.String false",
            "<root>[%x].ty None false",
            "<root>[%x] 1 false",
            "<root>[\"k\"] ffi.String true",
            "<root>[\"k\"] demo.Imm false",
            "<root>[\"k\"].span None false",
            "<root>[\"k\"].value 2 false",
            "<root>[7] 7 true",
            "<root>[7] None false",
        ]
    );
}

#[test]
fn walks_reach_a_plain_root() {
    let mut reached = Vec::new();
    Walk::new()
        .plain(|value: object_core::AnyView<'_>, at: &Position<'_>| reached.push(format!("{value:?} {}", at.path())))
        .run(&7i64);
    assert_eq!(reached, ["7 <root>"]);
}

#[test]
fn regions_distinguish_bindings_from_uses() {
    let n = var("n");
    let x = Var::new("x", Some(n.clone().into()));
    let y = Var::new("y", Some(var("m").into()));
    let e = add(Lambda::new([x.clone()], x.clone()), Let::new(imm(1), y.clone(), add(y, n)));
    let mut reached = Vec::new();
    Walk::new()
        .enter(|var: &Var, at: &Position<'_>| {
            reached.push((var.name.to_string(), at.region(), at.field().map(|field| field.name())));
        })
        .options(WalkOptions::new().every_occurrence(true))
        .run(&e);
    use DefRegionKind::{None as Use, Recursive, Simple};
    let expected = [
        ("x", Recursive, None),
        ("n", Recursive, Some("ty")),
        ("x", Use, Some("body")),
        ("n", Use, Some("ty")),
        ("y", Simple, Some("var")),
        ("m", Use, Some("ty")),
        ("y", Use, Some("lhs")),
        ("m", Use, Some("ty")),
        ("n", Use, Some("rhs")),
    ];
    assert_eq!(reached, expected.map(|(name, region, field)| (name.to_owned(), region, field)));
}

#[test]
fn walks_do_not_change_reference_counts() {
    let x = var("x");
    let e = Add::new(x.clone(), Table::new([(Any::from(x.clone()), Any::from(x.clone()))]));
    let before = x.as_object().use_count();
    let mut counts = Vec::new();
    walk(&e, |var: &Var, _| counts.push(var.as_object().use_count()));
    assert_eq!(counts, [before]);
}
