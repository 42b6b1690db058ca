//! Walks: what is met, in which order, with which places, and how a walk ends.

mod demo;

use demo::{Add, Expr, Imm, Lambda, Let, Table, Var, add, imm, ladder, var};
use object_core::object::DefRegionKind;
use object_core::prelude::*;
use object_core::visit::{Position, Walk, WalkOptions, WalkResult, walk};

/// The objects below `root` in both orders, each with its path.
fn trace<T: object_core::FieldType>(root: &T, options: WalkOptions) -> (Vec<String>, Vec<String>) {
    let (mut pre, mut post) = (Vec::new(), Vec::new());
    let show = |object: &ObjectRef, at: &Position<'_>| format!("{} {}", at.path(), object.view().type_key());
    Walk::new()
        .enter(|object: &ObjectRef, at: &Position<'_>| pre.push(show(object, at)))
        .leave(|object: &ObjectRef, at: &Position<'_>| post.push(show(object, at)))
        .options(options)
        .run(root);
    (pre, post)
}

#[test]
fn parents_come_first_or_last() {
    let x = var("x");
    let (pre, post) = trace(&Lambda::new([x.clone()], add(x, imm(1))), WalkOptions::new());
    assert_eq!(
        pre,
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
        post,
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
fn each_object_once_or_at_every_place() {
    let x = var("x");
    let e = add(add(x.clone(), x.clone()), x);
    let (pre, _) = trace(&e, WalkOptions::new().skip_ignored(true));
    assert_eq!(pre, ["<root> demo.Add", "<root>.lhs demo.Add", "<root>.lhs.lhs demo.Var"]);
    let (pre, _) = trace(&e, WalkOptions::new().skip_ignored(true).every_occurrence(true));
    assert_eq!(
        pre,
        [
            "<root> demo.Add",
            "<root>.lhs demo.Add",
            "<root>.lhs.lhs demo.Var",
            "<root>.lhs.rhs demo.Var",
            "<root>.rhs demo.Var"
        ]
    );
    let mut count = 0;
    walk(&ladder(60), |_: &Expr| count += 1);
    assert_eq!(count, 61);
}

#[test]
fn the_first_closure_that_fits_is_called() {
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
fn a_closure_skips_or_ends_the_walk() {
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
fn keys_and_values_and_plain_values_are_met() {
    let x = var("x");
    let map = Map::<Any, Any>::new([
        (Any::from(x.clone()), Any::Int(1)),
        (Any::from("k"), Any::from(imm(2))),
        (Any::Int(7), Any::None),
    ]);
    let mut met = Vec::new();
    let met = std::cell::RefCell::new(&mut met);
    Walk::new()
        .enter(|object: &ObjectRef, at: &Position<'_>| {
            met.borrow_mut().push(format!("{} {} {}", at.path(), object.view().type_key(), at.is_key()));
        })
        .plain(|value: object_core::AnyView<'_>, at: &Position<'_>| {
            met.borrow_mut().push(format!("{} {value:?} {}", at.path(), at.is_key()));
        })
        .options(WalkOptions::new().skip_ignored(true))
        .run(&map);
    assert_eq!(
        **met.borrow(),
        [
            "<root> ffi.Map false",
            "<root>[%x] demo.Var true",
            "<root>[%x].ty None false",
            "<root>[%x] 1 false",
            "<root>[\"k\"] ffi.String true",
            "<root>[\"k\"] demo.Imm false",
            "<root>[\"k\"].value 2 false",
            "<root>[7] 7 true",
            "<root>[7] None false",
        ]
    );
}

#[test]
fn a_plain_root_is_met() {
    let mut met = Vec::new();
    Walk::new()
        .plain(|value: object_core::AnyView<'_>, at: &Position<'_>| met.push(format!("{value:?} {}", at.path())))
        .run(&7i64);
    assert_eq!(met, ["7 <root>"]);
}

#[test]
fn regions_say_where_variables_are_bound() {
    let n = var("n");
    let x = Var::new("x", Some(n.clone().into()));
    let y = Var::new("y", Some(var("m").into()));
    let e = add(Lambda::new([x.clone()], x.clone()), Let::new(imm(1), y.clone(), add(y, n)));
    let mut met = Vec::new();
    Walk::new()
        .enter(|var: &Var, at: &Position<'_>| {
            met.push((var.name.to_string(), at.region(), at.field().map(|field| field.name)));
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
    assert_eq!(met, expected.map(|(name, region, field)| (name.to_owned(), region, field)));
}

#[test]
fn nothing_is_counted() {
    let x = var("x");
    let e = Add::new(x.clone(), Table::new([(Any::from(x.clone()), Any::from(x.clone()))]));
    let before = x.as_object().use_count();
    let mut counts = Vec::new();
    walk(&e, |var: &Var| counts.push(var.as_object().use_count()));
    assert_eq!(counts, [before]);
}
