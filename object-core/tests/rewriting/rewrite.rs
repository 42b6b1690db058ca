//! Rewrites: which objects they replace, keep, share and change in place, and which errors they return.

use crate::demo::{Add, Expr, ExprNode, Imm, Lambda, Seq, Table, Var, add, imm, ladder, var};
use object_core::ObjectView;
use object_core::prelude::*;
use object_core::rewrite::{Mutate, Mutation, Mutator, mutate, mutate_with};
use object_core::stats::GraphStats;
use object_core::visit::{Position, walk};

fn nodes(value: &Expr) -> usize {
    let mut nodes = 0;
    walk(value, |_: &Expr, _| nodes += 1);
    nodes
}

#[test]
fn unchanged_objects_keep_their_address() {
    let x = var("x");
    let left = add(x.clone(), imm(1));
    let e = add(left.clone(), add(x, imm(2)));
    let same = mutate(e.clone(), |_: &Expr, _| None::<Expr>).unwrap();
    assert!(same.ptr_eq(&e));
    let new = mutate(e.clone(), |number: &Imm, _| (number.value == 2).then(|| imm(3))).unwrap();
    assert!(!new.ptr_eq(&e));
    let new = new.downcast::<Add>().unwrap();
    assert!(new.lhs.ptr_eq(&left));
    assert_eq!(new.rhs.downcast_ref::<Add>().unwrap().rhs.downcast_ref::<Imm>().unwrap().value, 3);
    // The old value does not change.
    assert_eq!(
        e.downcast_ref::<Add>().unwrap().rhs.downcast_ref::<Add>().unwrap().rhs.downcast_ref::<Imm>().unwrap().value,
        2
    );
}

#[test]
fn an_unshared_root_changes_in_place() {
    let e = add(Seq::new([imm(1), add(imm(2), imm(3))]), imm(4));
    let address = e.as_object().view().address();
    let inner = {
        let seq = e.downcast_ref::<Add>().unwrap().lhs.downcast_ref::<Seq>().unwrap();
        (seq.as_object().view().address(), seq.items[1].as_object().view().address())
    };
    let new = mutate(e, |number: &Imm, _| Some(imm(number.value + 10))).unwrap();
    assert_eq!(new.as_object().view().address(), address);
    let seq = new.downcast_ref::<Add>().unwrap().lhs.downcast_ref::<Seq>().unwrap();
    assert_eq!((seq.as_object().view().address(), seq.items[1].as_object().view().address()), inner);
    let expected = add(Seq::new([imm(11), add(imm(12), imm(13))]), imm(14));
    assert!(structural_equal(&new, &expected));
}

fn address(value: &impl ObjectHandle) -> usize {
    value.as_object().view().address()
}

#[test]
fn unshared_arrays_and_maps_change_in_place() {
    let seq = Seq::new([imm(1), imm(2), var("x").into()]);
    let before = (address(&seq), address(&seq.items));
    // Numbers replace numbers first, and then texts, which are of another type than the old elements.
    let seq = mutate(seq, |number: &Imm, _| (number.value == 2).then(|| imm(3))).unwrap();
    let seq = mutate(seq, |number: &Imm, _| (number.value == 3).then(|| add(imm(4), imm(5)))).unwrap();
    assert_eq!((address(&seq), address(&seq.items)), before);
    assert!(seq.items[1].is::<Add>() && seq.items[2].is::<Var>());

    let table = Table::new([(Any::from("a"), Any::from(imm(1))), (Any::from("b"), Any::Int(2))]);
    let before = (address(&table), address(&table.entries));
    let table = mutate(table, |_: &Imm, _| Some(Str::from("one"))).unwrap();
    assert_eq!((address(&table), address(&table.entries)), before);
    assert_eq!(format!("{table:?}"), r#"demo.Table(span=None, entries={"a": "one", "b": 2})"#);
    // A map of which a key changes is copied; the node that holds it changes in place.
    let table = mutate(table, |text: &Str, _| (*text == *"b").then(|| Str::from("c"))).unwrap();
    assert_eq!(address(&table), before.0);
    assert_eq!(table.entries.get(&Any::from("c")).map(|value| value.cast::<i64>().unwrap()), Some(2));

    // An array as the root, and arrays in an array.
    let inner = Array::from([imm(1)]);
    let at = address(&inner);
    let root = Array::<Any>::from([Any::from(inner), Any::from("text")]);
    let before = address(&root);
    let root = mutate(root, |_: &Imm, _| Some(imm(2))).unwrap();
    assert_eq!((address(&root), address(&root.get(0).unwrap().cast::<ObjectRef>().unwrap())), (before, at));
    let root = mutate(root, |_: &Str, _| Some(imm(3))).unwrap();
    assert_eq!(address(&root), before);
    // Both the old and the new elements are objects, so the array changes in place.
    let root = mutate(root, |array: &Array<Any>, _| (array.len() == 1).then(|| imm(4))).unwrap();
    let root: Array<Expr> = Any::from(root).cast().unwrap();
    assert_eq!(format!("{:?}", root.as_slice()), format!("{:?}", [imm(4), imm(3)]));
}

#[test]
fn arrays_and_maps_with_other_handles_do_not_change() {
    let items = Array::from([imm(1), imm(2)]);
    let kept = items.clone();
    let new = mutate(Seq::new(items), |number: &Imm, _| Some(imm(number.value + 10))).unwrap();
    assert!(!new.items.ptr_eq(&kept));
    assert_eq!(format!("{kept:?}"), format!("{:?}", Array::from([imm(1), imm(2)])));
    assert_eq!(format!("{:?}", new.items), format!("{:?}", Array::from([imm(11), imm(12)])));
    // The array has one handle, but an object above it is shared.
    let seq = Seq::new([imm(1)]);
    let new = mutate(add(seq.clone(), imm(2)), |number: &Imm, _| Some(imm(number.value + 10))).unwrap();
    assert!(structural_equal(&seq, &Seq::new([imm(1)])));
    assert!(structural_equal(&new, &add(Seq::new([imm(11)]), imm(12))));
    // The callback stores a handle of the map.
    let mut stolen = None;
    let new = Mutate::new()
        .enter(|map: &Map<Any, Any>, _: &Position<'_>| {
            stolen = Some(map.clone());
            Mutation::Keep
        })
        .leave(|number: &Imm, _: &Position<'_>| Some(imm(number.value + 10)))
        .run(Table::new([(Any::from("a"), Any::from(imm(1)))]))
        .unwrap();
    assert!(structural_equal(&new, &Table::new([(Any::from("a"), Any::from(imm(11)))])));
    assert!(structural_equal(&stolen.unwrap(), &Map::from([(Str::from("a"), imm(1))])));
}

/// Rows of numbers, which the drop adds up.
#[derive(Object)]
#[object(type_key = "rewrite.Rows")]
#[structural_eq(none)]
struct RowsNode {
    first: Array<Imm>,
    rows: Array<Array<Imm>>,
    named: Map<Str, Imm>,
}

impl Drop for RowsNode {
    fn drop(&mut self) {
        let rows = self.rows.iter().flat_map(|row| row.as_slice().to_vec());
        let named = self.named.iter().map(|(_, number)| number);
        let sum: i64 = self.first.as_slice().iter().cloned().chain(rows).chain(named).map(|imm| imm.value).sum();
        SUM.set(SUM.get() + sum);
    }
}

thread_local! {
    static SUM: std::cell::Cell<i64> = const { std::cell::Cell::new(0) };
}

#[test]
fn arrays_never_hold_elements_that_their_handle_rejects() {
    let rows = || {
        let row = |from: i64| Array::from([Imm::new(from), Imm::new(from + 1)]);
        Rows::new(row(1), [row(10), row(20)], [(Str::from("a"), Imm::new(100))])
    };
    for (number, place, message) in [
        (2, "first", "element 1 of a `ffi.Array<demo.Imm>`: expected `demo.Imm`, got `demo.Var`"),
        (
            20,
            "rows",
            "element 1 of a `ffi.Array<ffi.Array<demo.Imm>>`: expected `ffi.Array<demo.Imm>`, got `ffi.Array`",
        ),
        (100, "named", "entry 0 of a `ffi.Map<ffi.String,demo.Imm>`: value: expected `demo.Imm`, got `demo.Var`"),
    ] {
        SUM.set(0);
        let error = mutate(rows(), |imm: &Imm, _| (imm.value == number).then(|| var("x"))).unwrap_err();
        assert_eq!(error.to_string(), format!("field `{place}` of `rewrite.Rows`: {message} (at <root>.{place})"));
        assert_eq!(SUM.get(), 1 + 2 + 10 + 11 + 20 + 21 + 100, "the drop reads the old numbers");
    }
    let own = rows();
    let before = (address(&own.first), address(&own.rows), address(&own.rows[1]), address(&own.named));
    let own = mutate(own, |imm: &Imm, _| Some(Imm::new(-imm.value))).unwrap();
    assert_eq!((address(&own.first), address(&own.rows), address(&own.rows[1]), address(&own.named)), before);
    SUM.set(0);
    drop(own);
    assert_eq!(SUM.get(), -165);
}

#[test]
fn objects_with_handles_from_a_callback_are_copied() {
    let inner = add(imm(1), imm(2));
    let e = add(inner.clone(), imm(3));
    let new = mutate(e, |number: &Imm, _| Some(imm(number.value + 10))).unwrap();
    assert!(structural_equal(&inner, &add(imm(1), imm(2))));
    assert!(structural_equal(&new, &add(add(imm(11), imm(12)), imm(13))));

    let mut stolen: Vec<Expr> = Vec::new();
    let new = Mutate::new()
        .enter(|sum: &Add, _: &Position<'_>| {
            stolen.push(sum.clone().into());
            Mutation::Keep
        })
        .leave(|number: &Imm, _: &Position<'_>| Some(imm(number.value + 10)))
        .run(add(add(imm(1), imm(2)), imm(3)))
        .unwrap();
    assert!(structural_equal(&new, &add(add(imm(11), imm(12)), imm(13))));
    assert!(structural_equal(&stolen[0], &add(add(imm(1), imm(2)), imm(3))));
    assert!(structural_equal(&stolen[1], &add(imm(1), imm(2))));
}

#[test]
fn rewrites_keep_sharing() {
    let mut calls = 0;
    let new = mutate(ladder(60), |number: &Imm, _| {
        calls += 1;
        Some(imm(number.value + 1))
    })
    .unwrap();
    assert_eq!((calls, nodes(&new)), (1, 61));
    let mut calls = 0;
    let same = mutate(new, |sum: &Add, _| {
        calls += 1;
        Some(add(sum.lhs.clone(), sum.rhs.clone()))
    })
    .unwrap();
    assert_eq!((calls, nodes(&same)), (60, 61));
    // Fifteen nodes stay fifteen, even if the test keeps a handle of the root.
    let dag = ladder(14);
    assert_eq!(nodes(&mutate(dag.clone(), |_: &Imm, _| Some(imm(2))).unwrap()), 15);
}

#[test]
fn a_changed_variable_is_one_new_variable_everywhere() {
    let n = var("n");
    let x = Var::new("x", Some(n.into()));
    let f = Lambda::new([x.clone()], add(x.clone(), Table::new([(Any::from(x.clone()), Any::from(x))])));
    let new = mutate(f.clone(), |var: &Var, _| (var.name == *"n").then(|| imm(8))).unwrap();
    let param = &new.params[0];
    let body = new.body.downcast_ref::<Add>().unwrap();
    assert!(body.lhs.ptr_eq(param));
    let (key, value) = body.rhs.downcast_ref::<Table>().unwrap().entries.iter().next().unwrap();
    assert!(key.cast::<Var>().unwrap().ptr_eq(param) && value.cast::<Var>().unwrap().ptr_eq(param));
    assert!(param.ty.as_ref().unwrap().is::<Imm>());
    assert!(!f.params[0].ty.as_ref().unwrap().is::<Imm>());
}

#[test]
fn replace_into_goes_to_the_children_of_the_new_value() {
    // Each number becomes a sum of two smaller numbers, down to one.
    let mut order = Vec::new();
    let new = Mutate::new()
        .enter(|number: &Imm, _: &Position<'_>| {
            order.push(number.value);
            match number.value {
                0 | 1 => Mutation::Keep,
                value => Mutation::ReplaceInto(Any::from(add(imm(value / 2), imm(value - value / 2)))),
            }
        })
        .run(imm(3))
        .unwrap();
    assert!(structural_equal(&new, &add(imm(1), add(imm(1), imm(1)))));
    assert_eq!(order, [3, 1, 2, 1, 1]);
    let kept = Mutate::new()
        .enter(|_: &Lambda, _: &Position<'_>| Mutation::Skip)
        .leave(|_: &Imm, _: &Position<'_>| Some(imm(0)))
        .run(add(Lambda::new([], imm(1)), imm(1)))
        .unwrap();
    assert!(structural_equal(&kept, &add(Lambda::new([], imm(1)), imm(0))));
}

#[test]
fn enter_is_not_called_again_for_an_object_inside_of_its_replacement() {
    let chain = (0..60).fold(imm(1), |below, _| Seq::new([below]).into());
    let mut calls = 0;
    let new: Expr = Mutate::new()
        .enter(|seq: &Seq, _: &Position<'_>| {
            calls += 1;
            Mutation::ReplaceInto(Any::from(add(seq.clone(), seq.clone())))
        })
        .run(chain)
        .unwrap();
    assert_eq!(calls, 60);
    let sums = GraphStats::of(&new).types.into_iter().find(|entry| entry.type_key == "demo.Add");
    assert_eq!(sums.map(|entry| entry.nodes), Some(60));
}

#[test]
fn errors_of_fields_that_reject_a_value_have_the_path() {
    let e = add(imm(0), Seq::new([imm(1), add(imm(2), var("x"))]));
    for root in [e.clone(), mutate(e.clone(), |number: &Imm, _| Some(imm(number.value))).unwrap()] {
        let error = mutate(root, |number: &Imm, _| (number.value == 2).then(|| Str::from("two"))).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TypeMismatch);
        assert_eq!(
            error.to_string(),
            "field `lhs` of `demo.Add`: expected `demo.Expr`, got `ffi.String` (at <root>.rhs.items[1].lhs)"
        );
    }
    let error = mutate(e.clone(), |number: &Imm, _| (number.value == 1).then(|| Str::from("one"))).unwrap_err();
    assert_eq!(
        error.to_string(),
        "field `items` of `demo.Seq`: element 0 of a `ffi.Array<demo.Expr>`: expected `demo.Expr`, got `ffi.String` \
         (at <root>.rhs.items)"
    );
    let error = mutate(e.clone(), |_: &Var, _| Err::<Option<Expr>, _>(Error::new(ErrorKind::Call, "no"))).unwrap_err();
    assert_eq!(error.to_string(), "no (at <root>.rhs.items[1].rhs)");
    let error = mutate(e, |_: &Add, _| Some(Str::from("root"))).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TypeMismatch);
}

#[test]
fn rewrites_change_keys_and_never_unite_two_keys() {
    let (x, y, z) = (var("x"), var("y"), var("z"));
    let table = Table::new([(Any::from(x.clone()), Any::Int(1)), (Any::from(y.clone()), Any::Int(2))]);
    let new = mutate(table.clone(), |var: &Var, _| var.ptr_eq(&x).then(|| z.clone())).unwrap();
    assert_eq!(new.entries.get(&Any::from(z.clone())).map(|value| value.cast::<i64>().unwrap()), Some(1));
    assert!(new.entries.get(&Any::from(x)).is_none() && new.entries.len() == 2);
    let error = mutate(table, |_: &Var, _| Some(z.clone())).unwrap_err();
    assert_eq!(
        (error.kind(), error.path().map(ToString::to_string).as_deref()),
        (ErrorKind::DuplicateKey, Some("<root>.entries"))
    );
}

#[test]
fn none_empties_an_optional_field() {
    let e = Var::new("x", Some(imm(1)));
    let new = mutate(e, |_: &Imm, _| Some(Any::None)).unwrap();
    assert!(new.ty.is_none());
    let base = ExprNode::new_base();
    assert!(base.span.is_none());
}

/// The error of a program, with room for the errors of this crate.
#[derive(Debug)]
enum Refused {
    Text(String),
    Other(object_core::Error),
}

impl From<object_core::Error> for Refused {
    fn from(error: object_core::Error) -> Self {
        Refused::Other(error)
    }
}

/// Refuses the text `no`, and replaces the text `1` by a number.
struct Texts;

impl Mutator<Refused> for Texts {
    fn enter(&mut self, object: ObjectView<'_>, at: &Position<'_>) -> Result<Mutation, Refused> {
        match object.as_str() {
            Some("no") => Err(Refused::Text(at.path().to_string())),
            Some("1") => Ok(Mutation::Replace(Any::Int(1))),
            _ => Ok(Mutation::Keep),
        }
    }
}

#[test]
fn callbacks_return_errors_of_the_program() {
    let texts = |texts: [&str; 2]| Array::from(texts.map(Str::from));
    assert!(matches!(mutate_with(texts(["a", "no"]), &mut Texts), Err(Refused::Text(path)) if path == "<root>[1]"));
    assert!(mutate_with(texts(["a", "b"]), &mut Texts).is_ok());
    // An error of the rewrite itself becomes one of the program, with its path.
    match mutate_with(texts(["a", "1"]), &mut Texts) {
        Err(Refused::Other(error)) => {
            let message = "element 1 of a `ffi.Array<ffi.String>`: expected `ffi.String`, got `int`";
            assert_eq!((error.kind(), error.message()), (ErrorKind::TypeMismatch, message));
        }
        other => panic!("{other:?}"),
    }
    let closures = |text: &Str, _: &Position<'_>| {
        (text.as_str() != "b").then_some(Mutation::Keep).ok_or(Refused::Text("b".into()))
    };
    let run = Mutate::with_error().leave(closures).run(texts(["a", "b"]));
    assert!(matches!(run, Err(Refused::Text(text)) if text == "b"));
}

/// A chain of sums, `depth` deep, with a function around the number 0 at its end.
fn deep_chain(depth: usize) -> (Expr, Vec<usize>) {
    let x = var("x");
    let end: Expr = Lambda::new([x.clone()], add(x, imm(0))).into();
    let mut addresses = Vec::new();
    let root = (0..depth).fold(end, |below, _| {
        let sum = add(below, imm(1));
        addresses.push(address(&sum));
        sum
    });
    (root, addresses)
}

#[test]
fn a_deep_graph_changes_in_place_and_has_its_positions_at_all_levels() {
    let depth = 20_000;
    let (root, mut addresses) = deep_chain(depth);
    let mut places = Vec::new();
    let root = Mutate::new()
        .leave(|number: &Imm, at: &Position<'_>| {
            if number.value == 0 {
                places.push((at.depth(), at.path().steps().len(), at.region().binds()));
            }
            (number.value == 0).then(|| imm(2))
        })
        .enter(|_: &Var, at: &Position<'_>| {
            assert!(at.region().binds() && at.depth() == depth + 2 && at.path().to_string().ends_with(".params[0]"));
            Mutation::Keep
        })
        .run(root)
        .unwrap();
    // The number is below a sum below the function.
    assert_eq!(places, [(depth + 2, depth + 2, false)]);
    let mut sum = root.clone();
    while let Some(address_before) = addresses.pop() {
        assert_eq!(address(&sum), address_before);
        let below = sum.downcast_ref::<Add>().unwrap().lhs.clone();
        sum = below;
    }
    let function = sum.downcast_ref::<Lambda>().unwrap();
    assert!(structural_equal(&function.body.downcast_ref::<Add>().unwrap().rhs, &imm(2)));
    // The same chain with another handle of the object in the middle changes in place above that object only.
    drop(root);
    let (root, addresses) = deep_chain(depth);
    let mut middle = root.clone();
    for _ in 0..depth / 2 {
        let below = middle.downcast_ref::<Add>().unwrap().lhs.clone();
        middle = below;
    }
    let before = address(&middle);
    let root = mutate(root, |number: &Imm, _| (number.value == 0).then(|| imm(2))).unwrap();
    let mut sum = root.clone();
    for level in 0..depth / 2 {
        assert_eq!(address(&sum), addresses[depth - 1 - level]);
        let below = sum.downcast_ref::<Add>().unwrap().lhs.clone();
        sum = below;
    }
    assert!(address(&sum) != before && address(&middle) == before);
    let mut zeros = 0;
    walk(&middle, |number: &Imm, _| zeros += usize::from(number.value == 0));
    assert_eq!(zeros, 1, "the part with another handle does not change");
}

#[test]
fn objects_that_a_rewrite_frees_lend_their_addresses_to_no_result() {
    // Each replacement has a new object with two references. The rewrite of the next replacement may have an object at the
    // address of the last one.
    let items = |first: i64| -> Vec<Expr> { (first..first + 200).map(|value| Seq::new([imm(value)]).into()).collect() };
    for has_other_handle in [false, true] {
        let root = Seq::new(items(0));
        let other = has_other_handle.then(|| root.clone());
        let new = Mutate::new()
            .enter(|seq: &Seq, _: &Position<'_>| {
                let Some(number) = seq.items.as_slice().first().and_then(|first| first.downcast_ref::<Imm>()) else {
                    return Mutation::Keep;
                };
                let number = imm(number.value);
                Mutation::ReplaceInto(Any::from(add(number.clone(), number)))
            })
            .leave(|number: &Imm, _: &Position<'_>| Some(imm(number.value + 1000)))
            .run(root)
            .unwrap();
        for (value, item) in (1000..).zip(new.items.as_slice()) {
            let sum = item.downcast_ref::<Add>().unwrap();
            assert!(sum.lhs.ptr_eq(&sum.rhs));
            assert_eq!(sum.lhs.downcast_ref::<Imm>().unwrap().value, value);
        }
        assert!(other.is_none_or(|other| structural_equal(&other, &Seq::new(items(0)))));
    }
}
