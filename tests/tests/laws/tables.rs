//! The rows of the tables and the examples in the documentation of structural equality.

use object_core::ErrorKind;
use object_core::prelude::*;

use crate::build::expr;
use crate::types::*;

/// A pair of values, the option `map_free_vars`, and the path to the first mismatch.
struct Row {
    says: &'static str,
    a: Any,
    b: Any,
    map_free_vars: bool,
    differs_at: Option<&'static str>,
}

fn row(says: &'static str, a: impl Into<Any>, b: impl Into<Any>, differs_at: Option<&'static str>) -> Row {
    Row { says, a: a.into(), b: b.into(), map_free_vars: false, differs_at }
}

fn free(says: &'static str, a: impl Into<Any>, b: impl Into<Any>, differs_at: Option<&'static str>) -> Row {
    Row { map_free_vars: true, ..row(says, a, b, differs_at) }
}

#[track_caller]
fn check(rows: impl IntoIterator<Item = Row>) {
    for Row { says, a, b, map_free_vars, differs_at } in rows {
        let engine = StructuralOptions::new().map_free_vars(map_free_vars);
        assert_eq!(engine.equal(&a, &b).expect("comparable"), differs_at.is_none(), "{says}: {a} and {b}");
        let mismatch = engine.first_mismatch(&a, &b).expect("comparable");
        assert_eq!(mismatch.map(|found| found.lhs.to_string()).as_deref(), differs_at, "{says}");
    }
}

fn int(value: i64) -> Expr {
    Imm::new(value).into()
}

fn var(name: &str) -> Expr {
    Var::new(name).into()
}

fn typed(ty: i64) -> Expr {
    TypedVar::new("v", Some(int(ty))).into()
}

fn add(a: &Expr, b: &Expr) -> Expr {
    Add::new(a.clone(), Any::None, b.clone()).into()
}

/// `x + 1`
fn next(x: &Expr) -> Expr {
    add(x, &int(1))
}

fn fun(params: &[&Expr], body: &Expr) -> Expr {
    Lambda::new(params.iter().map(|param| (*param).clone()).collect::<Array<Expr>>(), body.clone()).into()
}

fn pair(a: &Expr, b: &Expr) -> Array<Any> {
    Array::from([a.clone().into(), b.clone().into()])
}

fn dag(value: &Expr) -> Expr {
    Dag::new(value.clone()).into()
}

fn constant(any: &Expr) -> Expr {
    BadConst::new(any.clone()).into()
}

#[test]
fn trees_are_equal_by_content() {
    let shared = next(&int(7));
    check([
        row("the same sum", add(&int(1), &int(2)), add(&int(1), &int(2)), None),
        row("another right side", add(&int(1), &int(2)), add(&int(1), &int(3)), Some("<root>.b.value")),
        row("sharing is invisible", pair(&shared, &shared), pair(&next(&int(7)), &next(&int(7))), None),
    ]);
}

#[test]
fn sharing_counts_for_dags_only() {
    let e = || next(&int(7));
    let both = |make: &dyn Fn() -> Expr, differs: Option<&'static str>| {
        let (a, s, t) = (make(), make(), make());
        check([
            row("trees of the same content", pair(&make(), &make()), pair(&make(), &make()), None),
            row("the same sharing", pair(&s, &s), pair(&t, &t), None),
            row("shared, and not shared", pair(&s, &s), pair(&make(), &make()), differs),
            row("not shared, and shared", pair(&a, &make()), pair(&a, &a), differs),
            row("another content", pair(&dag(&int(1)), &a), pair(&dag(&int(2)), &a), Some("<root>[0].value.value")),
        ]);
    };
    both(&e, None);
    both(&|| dag(&e()), Some("<root>[1]"));
}

#[test]
fn misused_const_trees_lose_bindings() {
    let (x, y) = (var("x"), var("y"));
    let (tree, bad) = (next(&x), constant(&x));
    check([
        free("a tree is walked", pair(&tree, &x), pair(&tree, &y), Some("<root>[1]")),
        free("a constant is not, if it is one object", pair(&bad, &x), pair(&bad, &y), None),
        free("it is, if it is two", pair(&constant(&x), &x), pair(&constant(&x), &y), Some("<root>[1]")),
        free("different ones bind", pair(&constant(&x), &x), pair(&constant(&y), &y), None),
    ]);
    // The same holds in the region of every binder, and for `dag` nodes.
    let bound = |sum: &Expr, v: &Expr| fun(&[sum, v], v);
    let (d, e) = (dag(&int(1)), dag(&int(1)));
    let bad_dag = constant(&d);
    check([
        row("a tree", bound(&tree, &x), bound(&tree, &y), Some("<root>.params[1]")),
        row("a constant", bound(&bad, &x), bound(&bad, &y), None),
        row("over a dag", pair(&bad_dag, &d), pair(&bad_dag, &e), None),
        row("over a dag, two", pair(&constant(&d), &d), pair(&constant(&d), &e), Some("<root>[1]")),
        row("rightly used", Const::new([1, 2], []), Const::new([1, 2], []), None),
        row("another content", Const::new([1, 2], []), Const::new([1, 3], []), Some("<root>.extents[1]")),
    ]);
}

#[test]
fn variables_are_equal_by_their_binding() {
    let [x, y, a, b] = ["x", "y", "a", "b"].map(var);
    let (ab, ba) = (add(&a, &b), add(&b, &a));
    check([
        row("renamed", fun(&[&x], &next(&x)), fun(&[&y], &next(&y)), None),
        row("free in one body", fun(&[&x], &next(&x)), fun(&[&y], &next(&x)), Some("<root>.body.a")),
        row("two renamed", fun(&[&x, &y], &add(&x, &y)), fun(&[&a, &b], &ab), None),
        row("the other way round", fun(&[&x, &y], &add(&x, &y)), fun(&[&a, &b], &ba), Some("<root>.body.a")),
        row("used inconsistently", fun(&[&x, &y], &add(&x, &x)), fun(&[&a, &b], &ab), Some("<root>.body.b")),
        row("no binder", next(&x), next(&y), Some("<root>.a")),
        row("one object", next(&x), next(&x), None),
        free("free ones may correspond", next(&x), next(&y), None),
    ]);
}

#[test]
fn fields_of_variables_are_compared_where_they_are_bound() {
    let (x, y, z) = (typed(1), typed(1), typed(2));
    check([
        row("the same type", fun(&[&x], &next(&x)), fun(&[&y], &next(&y)), None),
        row("another type", fun(&[&x], &next(&x)), fun(&[&z], &next(&z)), Some("<root>.params[0].ty.value")),
        row("bound before", fun(&[&x, &x], &add(&x, &x)), fun(&[&y, &y], &add(&y, &y)), None),
        row("another one later", fun(&[&x], &add(&x, &x)), fun(&[&y], &add(&y, &typed(1))), Some("<root>.body.b")),
    ]);
}

#[test]
fn singletons_are_equal_by_identity() {
    let op = |name| Any::from(Op::get(name).expect("the set is open"));
    check([row("one object", op("conv2d"), op("conv2d"), None), row("two", op("conv2d"), op("relu"), Some("<root>"))]);
}

#[test]
fn flags_of_fields() {
    let sum = |note: Any| Add::new(int(1), note, int(2));
    let (x, y) = (var("x"), var("y"));
    check([
        row("ignored", sum(Any::from("a.py:1")), sum(Any::from("b.py:5")), None),
        row("ignored, and not comparable", sum(Opaque::new(1).into()), sum(Any::None), None),
        row("def", fun(&[&x], &x), fun(&[&y], &y), None),
        row("no flag", Tuple::new(pair(&x, &x)), Tuple::new(pair(&y, &y)), Some("<root>.items[0]")),
    ]);
}

#[test]
fn hooks_list_the_compared_values_and_their_regions() {
    let hook = |x: &Expr, body: &Expr, comment: &str| Hook::new(body.clone(), [x.clone()], comment);
    let (x, y) = (var("x"), var("y"));
    check([
        row("renamed", hook(&x, &next(&x), "a"), hook(&y, &next(&y), "b"), None),
        row("another body", hook(&x, &next(&x), "a"), hook(&y, &next(&x), "a"), Some("<root>.body.a")),
    ]);
    assert_eq!(structural_hash(&hook(&x, &next(&x), "a")), structural_hash(&hook(&y, &next(&y), "b")));
}

/// The subject of each kind: content, pointers, sharing and bindings.
#[test]
fn each_kind_compares_its_own_properties() {
    let (x, y) = (var("x"), var("y"));
    let op = |name| Expr::from(Op::get(name).expect("the set is open"));
    let one = dag(&int(1));
    check([
        row("singleton: no content", op("a"), op("b"), Some("<root>")),
        row("singleton: pointers", pair(&op("a"), &op("a")), pair(&op("a"), &op("a")), None),
        row("tree: content", int(1), int(2), Some("<root>.value")),
        row("tree: no sharing", pair(&x, &next(&x)), pair(&x, &next(&x)), None),
        free("tree: no pointers", pair(&next(&x), &x), pair(&next(&x), &y), Some("<root>[1]")),
        row("const_tree: content", Const::new([1], []), Const::new([2], []), Some("<root>.extents[0]")),
        row(
            "const_tree: no sharing",
            pair(&constant(&int(1)), &constant(&int(1))),
            {
                let shared = constant(&int(1));
                pair(&shared, &shared)
            },
            None,
        ),
        row("dag: content", dag(&int(1)), dag(&int(2)), Some("<root>.value.value")),
        row("dag: sharing", pair(&one, &one), pair(&one, &dag(&int(1))), Some("<root>[1]")),
        row("var: content", fun(&[&typed(1)], &x), fun(&[&typed(2)], &x), Some("<root>.params[0].ty.value")),
        row("var: binding", fun(&[&x, &y], &x), fun(&[&y, &x], &x), Some("<root>.body")),
    ]);
    let opaque = || Array::<Any>::from([Opaque::new(1).into()]);
    let error = StructuralOptions::new().equal(&opaque(), &opaque()).expect_err("it takes no part");
    assert_eq!(error.kind(), ErrorKind::NotComparable);
    assert!(StructuralOptions::new().hash(&opaque()).is_err());
}

/// A function with a parameter, a body that calls an operator, and a place in its source.
#[test]
fn worked_example() {
    let function = |name: &str, span: &str, op: &str| {
        let x = var(name);
        let body = Tuple::new([Op::get(op).expect("the set is open").into(), next(&x).into()]);
        Add::new(fun(&[&x], &expr(body.into())), Any::from(span), int(0))
    };
    let (f, g) = (function("x", "a.py:1", "relu"), function("y", "b.py:5", "relu"));
    check([
        row("alpha-equivalent", f.clone(), g.clone(), None),
        row("another operator", f.clone(), function("x", "a.py:1", "tanh"), Some("<root>.a.body.items[0]")),
    ]);
    assert_eq!(structural_hash(&f), structural_hash(&g));
}

/// Consequences of bindings that never end, as in tvm-ffi.
#[test]
fn bindings_outlive_their_scope() {
    let [x, y, z] = ["x", "y", "z"].map(var);
    let id = |v: &Expr| fun(&[v], v);
    let late = |v: &Expr| Late::new(v.clone(), [v.clone()]);
    let keyed = |v: &Expr| Map::<Any, Any>::from([(v.clone().into(), Any::Int(1))]);
    let nan = |bits| Map::<Any, Any>::from([(Any::Float(f64::from_bits(bits)), Any::Int(1))]);
    let shared = id(&x);
    check([
        row("a binding leaks", pair(&id(&x), &x), pair(&id(&y), &y), None),
        row("and shadows", pair(&id(&y), &x), pair(&id(&x), &x), Some("<root>[1]")),
        row("a shared binder", pair(&shared, &shared), pair(&id(&y), &id(&z)), Some("<root>[1].params[0]")),
        row("one variable bound twice", fun(&[&x], &id(&x)), fun(&[&y], &id(&z)), Some("<root>.body.params[0]")),
        row("use before binding", late(&x), late(&y), Some("<root>.body")),
        free("keys do not bind", keyed(&x), keyed(&y), Some("<root>[%x]")),
        row("all NaNs are one key", nan(0x7ff8_0000_0000_0000), nan(0x7ff8_0000_0000_0001), None),
        row("values do not", Any::Float(f64::NAN), Any::Float(-f64::NAN), None),
    ]);
}
