//! Arrays and maps with the habits of std: every use that a user of `Vec`, slices and maps expects.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::panic::{RefUnwindSafe, UnwindSafe};

use object_core::container::StoredValue;
use object_core::prelude::*;
use object_core::{Function, Tensor, structural_equal};

#[derive(Object)]
#[object(type_key = "containers.Expr", base)]
#[structural_eq(tree)]
pub struct ExprNode {
    pub span: Option<Str>,
}

#[derive(Object)]
#[object(type_key = "containers.Var", parent = ExprNode, base)]
#[structural_eq(var)]
pub struct VarNode {
    pub base: ExprNode,
    #[field(ignore)]
    pub name: Str,
}

#[derive(Object)]
#[object(type_key = "containers.SizeVar", parent = VarNode, base_args(name: Str))]
#[structural_eq(var)]
pub struct SizeVarNode {
    pub base: VarNode,
}

#[derive(Object)]
#[object(type_key = "containers.Call", parent = ExprNode)]
#[structural_eq(tree)]
pub struct CallNode {
    pub base: ExprNode,
    pub op: Expr,
    pub args: Array<Expr>,
    pub attrs: Map<Str, Expr>,
}

#[derive(Object, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Color {
    Red,
    Blue,
}

fn var(name: &str) -> Var {
    Var::new(name)
}

#[test]
fn an_array_has_the_methods_of_a_slice_for_every_type_of_elements() {
    let ints = Array::from([3, 1, 2]);
    assert_eq!((ints.first(), ints.last(), ints.get(1), ints.get(3)), (Some(3), Some(2), Some(1), None));
    assert!(ints.contains(&1) && !ints.contains(&7));
    assert_eq!(ints.to_vec(), [3, 1, 2]);
    assert_eq!(ints.iter().rev().collect::<Vec<_>>(), [2, 1, 3]);

    let small = Array::<i32>::from([1, 2]);
    assert_eq!((small.first(), small.last(), small.len()), (Some(1), Some(2), 2));
    let colors = Array::from([Color::Red, Color::Blue]);
    assert!(colors.contains(&Color::Blue));
    let options = Array::<Option<Str>>::from([None, Some("x".into())]);
    assert_eq!(options.last(), Some(Some("x".into())));
    let empty = Array::<i64>::default();
    assert_eq!((empty.first(), empty.last(), empty.is_empty()), (None, None, true));
}

#[test]
fn an_array_of_handles_dereferences_to_a_slice() {
    let vars = Array::from([var("a"), var("b"), var("c")]);
    assert_eq!(vars[0].name, "a");
    assert_eq!(vars[1..].len(), 2);
    assert_eq!(vars.windows(2).count(), 2);
    assert!(vars.split_first().is_some_and(|(first, rest)| first.name == "a" && rest.len() == 2));
    let slice: &[Var] = vars.as_ref();
    assert!(slice[2].ptr_eq(&vars[2]));
    if let [a, .., c] = &vars[..] {
        assert_eq!((a.name.as_str(), c.name.as_str()), ("a", "c"));
    }
    let words = Array::<Str>::from(["x".into(), "y".into()]);
    assert_eq!(words.join(", "), "x, y");
    assert_eq!(words.concat(&words).len(), 4);
}

#[test]
#[should_panic(expected = "index out of bounds")]
fn an_index_after_the_end_of_plain_elements_panics() {
    let _ = Array::from([1, 2])[2];
}

#[test]
fn plain_elements_can_be_borrowed() {
    assert_eq!(Array::from([1, 2])[1], 2);
    assert!((Array::from([0.5, 1.5])[0] - 0.5).abs() < f64::EPSILON);
    assert!(Array::from([false, true])[1]);
    assert_eq!(Array::from([DataType::int(8)])[0], DataType::int(8));
    let mut sum = 0;
    for number in &Array::from([1, 2, 3]) {
        sum += number;
    }
    assert_eq!(sum, 6);
    assert_eq!((&Array::from([1, 2, 3])).into_iter().rev().copied().collect::<Vec<_>>(), [3, 2, 1]);
    assert_eq!((&Array::<i64>::default()).into_iter().len(), 0);
}

#[test]
fn the_three_loops_over_an_array() {
    let vars = Array::from([var("a"), var("b")]);
    let mut seen = Vec::new();
    for var in &vars {
        seen.push(var.name.clone());
    }
    for var in vars.iter() {
        seen.push(var.name.clone());
    }
    for var in vars {
        seen.push(var.name.clone());
    }
    assert_eq!(seen, ["a", "b", "a", "b", "a", "b"]);
    let mut owned = Array::<i8>::from([1, 2, 3]).into_iter();
    assert_eq!((owned.len(), owned.next_back(), owned.next(), owned.len()), (3, Some(3), Some(1), 1));
}

#[test]
fn changes_of_an_array_make_a_new_one() {
    let old = Array::from([1, 2, 3]);
    let mut new = old.clone();
    new.extend([4, 5]);
    new.extend(&[6]);
    assert_eq!(new, [1, 2, 3, 4, 5, 6]);
    assert_eq!(old.with(9), [1, 2, 3, 9]);
    assert_eq!(old.slice(1..2), [2]);
    assert!(old.slice(3..).is_empty());
    assert_eq!(old.map(|number| number % 2 == 0), [false, true, false]);
    assert_eq!(old, [1, 2, 3]);
    let mut exprs = Array::<Expr>::default();
    exprs.extend([var("a").into()]);
    exprs.extend(&mut [Expr::from(&var("b"))].into_iter());
    assert_eq!(exprs.len(), 2);
}

#[test]
#[should_panic(expected = "ends at 4, but the array has 3 elements")]
fn a_slice_after_the_end_panics() {
    let _ = Array::from([1, 2, 3]).slice(2..4);
}

#[test]
#[should_panic(expected = "begins at 2 but ends at 1")]
#[expect(clippy::reversed_empty_ranges, reason = "the test is about such a range")]
fn a_reversed_slice_panics() {
    let _ = Array::from([1, 2, 3]).slice(2..1);
}

#[test]
fn arrays_come_from_and_go_to_the_sequences_of_std() {
    let vec = vec![1, 2];
    for array in [
        Array::from(vec.clone()),
        Array::from(&vec),
        Array::from(vec.as_slice()),
        Array::from([1, 2]),
        Array::from(&[1, 2]),
        Array::from(vec.clone().into_boxed_slice()),
        vec.iter().copied().collect(),
        Array::from(&Array::from([1, 2])),
    ] {
        assert_eq!(array, vec);
        assert_eq!(vec, array);
        assert_eq!(array, [1, 2]);
        assert_eq!([1, 2], array);
        assert_eq!(array, &[1, 2]);
        assert_eq!(array, vec[..]);
        assert_eq!(Vec::from(array), vec);
    }
    assert_eq!(Array::<Str>::from(["a".into(), "b".into()]), ["a", "b"]);
    assert_eq!(Any::from(vec).to_string(), "[1, 2]");
    assert!(matches!(Any::from(()), Any::None));
    assert_eq!(Any::from([Str::from("a")]).to_string(), r#"["a"]"#);
    assert_ne!(Array::from([1, 2]), [1]);
    assert_ne!(Array::from([1, 2]), [1, 3]);
}

#[test]
fn arrays_with_ordered_elements_are_keys() {
    let set: HashSet<Array<i64>> = [[1, 2].into(), [2, 1].into(), [1, 2].into()].into();
    assert_eq!(set.len(), 2);
    let sorted: BTreeSet<Array<Str>> = [["b".into()].into(), ["a".into(), "z".into()].into()].into();
    assert_eq!(sorted.iter().map(Array::len).collect::<Vec<_>>(), [2, 1]);
    assert_eq!(Array::from([1, 2]).partial_cmp(&[1, 3].into()), Some(Ordering::Less));
    assert_eq!(Array::from([1.0, 0.0]).partial_cmp(&[1.0].into()), Some(Ordering::Greater));
    assert_eq!(Array::from([f64::NAN]).partial_cmp(&[1.0].into()), None);
}

#[test]
fn a_handle_upcasts_by_reference() {
    fn span(expr: &Expr) -> Option<Str> {
        expr.span.clone()
    }
    fn spans(exprs: &Array<Expr>) -> usize {
        exprs.into_iter().filter_map(span).count()
    }
    fn general(expr: impl AsRef<Expr>) -> bool {
        expr.as_ref().is::<Var>()
    }
    let size = SizeVar::new("n");
    assert_eq!(span(size.as_ref()), None);
    let var: &Var = size.as_ref();
    assert!(var.ptr_eq(&size) && size.as_object().use_count() == 1);
    assert!(general(&size) && general(Expr::from(&size)) && general(size.clone()));
    let (var, expr, same): (Var, Expr, SizeVar) = ((&size).into(), (&size).into(), (&size).into());
    assert!(var.ptr_eq(&size) && expr.ptr_eq(&size) && same.ptr_eq(&size));
    let expr_again = Expr::from(&expr);
    assert!(expr_again.ptr_eq(&expr));
    assert!(Any::from(&size).cast::<SizeVar>().is_ok_and(|it| it.ptr_eq(&size)));
    assert!(ObjectRef::from(&size).ptr_eq(size.as_object()));

    let vars = Array::from([var.clone(), var]);
    assert_eq!(spans(vars.as_ref()), 0);
    let exprs: Array<Expr> = vars.clone().upcast();
    assert!(exprs.ptr_eq(&vars));
    let objects: Array<ObjectRef> = vars.clone().into();
    let values: Array<Any> = vars.clone().into();
    assert!(objects.ptr_eq(&vars) && values.ptr_eq(&vars) && values.len() == 2);
    assert!(vars.downcast::<Array<SizeVar>>().is_ok());
}

#[test]
fn constructors_take_references_iterators_and_containers_of_more_specific_handles() {
    let (a, b) = (var("a"), var("b"));
    let vars = Array::from([a.clone(), b.clone()]);
    let moved = Call::new(&a, vars.clone(), []);
    assert!(moved.args.ptr_eq(&vars));
    let borrowed = Call::new(&a, &vars, []);
    assert!(borrowed.args.ptr_eq(&vars));
    let collected = Call::new(&a, [&a, &b].into_iter(), std::iter::once(("k", &a)));
    assert_eq!(collected.args.len(), 2);
    assert!(collected.attrs["k"].ptr_eq(&a));
    let exact = Call::new(a.clone(), vec![Expr::from(&a)], [("k".into(), b.clone().into())]);
    assert!(structural_equal(&exact.args[0], &a));
    let literals = Call::new(a.clone(), [a.clone().into(), b.clone().into()], []);
    assert_eq!(literals.args.len(), 2);
    let attrs = Map::<Str, Var>::from([("k".into(), b.clone())]);
    let shared = Call::new(a, vars.iter().filter(|var| var.name == "b"), &attrs);
    assert!(shared.attrs.ptr_eq(&attrs) && shared.args.len() == 1);
    let empty = Call::new(b, vec![], Vec::new());
    assert!(empty.args.is_empty() && empty.attrs.is_empty());
}

#[derive(Object)]
#[object(type_key = "containers.Numbers", base)]
#[structural_eq(tree)]
pub struct NumbersNode {
    pub a: i8,
    pub b: i16,
    pub c: i32,
    pub d: i64,
    pub e: u8,
    pub f: u16,
    pub g: u32,
    pub h: f32,
    pub i: f64,
    pub j: bool,
}

#[derive(Object)]
#[object(type_key = "containers.Width", base)]
#[structural_eq(tree)]
pub struct WidthNode {
    pub bits: Bits,
    pub lanes: u16,
}

type Bits = u8;

/// The parent names the type of `bits` by an alias, and this type does not; for `lanes` it is the other way around.
#[derive(Object)]
#[object(type_key = "containers.Wide", parent = WidthNode, base_args(bits: u8, lanes: Lanes))]
#[structural_eq(tree)]
pub struct WideNode {
    pub base: WidthNode,
}

type Lanes = u16;

#[test]
fn constructors_take_literals_for_numbers_of_every_width() {
    let numbers = Numbers::new(32, 32, 32, 1 << 40, 255, 65_535, 4_000_000_000, 1.5, 2.5, true);
    assert_eq!((numbers.a, numbers.d, numbers.e, numbers.f, numbers.g), (32, 1 << 40, 255, 65_535, 4_000_000_000));
    assert!((numbers.h - 1.5).abs() < f32::EPSILON);
    let wide = Wide::new(8, 4u16);
    assert_eq!((wide.bits, wide.lanes), (8, 4));
}

#[test]
fn a_map_has_the_methods_of_the_maps_of_std() {
    let map = Map::<Str, i64>::from([("b".into(), 1), ("a".into(), 2), ("b".into(), 3)]);
    assert_eq!(map.len(), 2);
    assert_eq!(
        (map.get("b"), map.get(&Str::from("a")), map.get(&String::from("a")), map.get("c")),
        (Some(3), Some(2), Some(2), None)
    );
    assert!(map.contains_key("a") && !map.contains_key(""));
    assert_eq!(map.keys().collect::<Vec<_>>(), ["b", "a"]);
    assert_eq!(map.values().collect::<Vec<_>>(), [3, 2]);
    assert_eq!(map.iter().next_back(), Some(("a".into(), 2)));
    assert_eq!(map["a"], 2);
    for name in &["a", "b"] {
        assert!(map.contains_key(name));
    }
    let numbers = Map::<i64, Color>::from([(1, Color::Red)]);
    assert_eq!((numbers.get(&1), numbers.get(&2)), (Some(Color::Red), None));
    let bytes = Map::<Bytes, i64>::from([(Bytes::new(b"key"), 1)]);
    assert_eq!(bytes.get(b"key".as_slice()), Some(1));
    let mixed = Map::<Any, Any>::from([("a".into(), 1.into()), (7.into(), "x".into())]);
    assert!(mixed.get("a").is_some_and(|value| matches!(value, Any::Int(1))));
    assert!(matches!(&mixed[&Any::from(7)], Any::Object(text) if text.view().as_str() == Some("x")));
    assert!(matches!(mixed["a"], Any::Int(1)));
    assert!(!mixed.contains_key(&Any::from(Bytes::new(b"a"))), "bytes are not text");
}

#[test]
#[should_panic(expected = "the map has no key \"x\"")]
fn an_unknown_key_panics() {
    let _ = Map::<Str, i64>::default()["x"];
}

#[test]
fn the_three_loops_over_a_map() {
    let map = Map::<Str, Expr>::from([("a".into(), var("a").into()), ("b".into(), var("b").into())]);
    let mut seen = String::new();
    for (key, value) in &map {
        assert!(value.is::<Var>());
        seen.push_str(key);
    }
    for (key, _) in map.iter() {
        seen.push_str(&key);
    }
    assert_eq!((&map).into_iter().rev().len(), 2);
    assert_eq!(map.clone().into_iter().next_back().map(|(key, _)| key), Some("b".into()));
    for (key, _) in map {
        seen.push_str(&key);
    }
    assert_eq!(seen, "ababab");
    let numbers = Map::from([(1, Str::from("a"))]);
    assert_eq!(format!("{:?}", numbers.data()), r#"{1: "a"}"#);
}

#[test]
fn changes_of_a_map_make_a_new_one_in_the_documented_order() {
    let old = Map::<Str, i64>::from([("a".into(), 1), ("b".into(), 2), ("c".into(), 3)]);
    assert_eq!(old.with("d", 4).to_string(), r#"{"a": 1, "b": 2, "c": 3, "d": 4}"#);
    assert_eq!(old.with("a", 9).to_string(), r#"{"a": 9, "b": 2, "c": 3}"#);
    assert_eq!(old.without("b").to_string(), r#"{"a": 1, "c": 3}"#);
    assert!(old.without("x").ptr_eq(&old));
    let mut new = old.clone();
    new.extend([("b".into(), 7), ("e".into(), 5)]);
    assert_eq!(new.to_string(), r#"{"a": 1, "b": 7, "c": 3, "e": 5}"#);
    assert_eq!(old.len(), 3);
}

#[test]
fn maps_come_from_the_maps_of_std_and_compare_without_order() {
    let entries = [(2, Str::from("b")), (1, Str::from("a"))];
    let map = Map::from(entries.clone());
    assert_eq!(map, Map::from(entries.to_vec()));
    assert_eq!(map, Map::from(BTreeMap::from(entries.clone())));
    assert_eq!(Map::from(HashMap::from(entries.clone())).keys().collect::<Vec<_>>(), [1, 2]);
    assert_eq!(map, entries.into_iter().collect());
    assert_eq!(map, Map::from(&map));
    assert_ne!(map, map.with(1, "x"));
    assert_ne!(map, map.without(&1));
    assert_ne!(map, map.without(&1).with(3, "a"));
}

#[test]
fn a_map_of_handles_upcasts_without_a_copy() {
    let vars = Map::<Str, Var>::from([("a".into(), var("a"))]);
    let exprs: Map<Str, Expr> = vars.clone().upcast();
    assert!(exprs.ptr_eq(&vars) && exprs["a"].is::<Var>());
    assert_eq!(vars.values().map(|var| var.name.clone()).collect::<Vec<_>>(), ["a"]);
}

#[test]
fn every_built_in_type_converts_from_any_value() {
    fn all<T: TryFrom<Any, Error = Error> + Into<Any> + Clone>(value: &T) {
        let any: Any = value.clone().into();
        let key = any.type_key();
        let back: Any = T::try_from(any).expect("the value has the type").into();
        assert_eq!(back.type_key(), key);
        assert_eq!(T::try_from(Any::None).err().map(|error| error.kind()), Some(ErrorKind::TypeMismatch), "{key}");
    }
    fn handle<T: TryFrom<ObjectRef, Error = Error> + Into<ObjectRef> + Clone>(value: &T) {
        let object: ObjectRef = value.clone().into();
        assert!(T::try_from(object.clone()).is_ok_and(|same| same.into().ptr_eq(&object)));
        assert!(T::try_from(ObjectRef::from(var("x"))).is_err());
    }
    all(&true);
    all(&1i64);
    all(&1i32);
    all(&1i16);
    all(&1i8);
    all(&1u32);
    all(&1u16);
    all(&1u8);
    all(&1.5f64);
    all(&1.5f32);
    all(&DataType::int(8));
    all(&object_core::Device::cpu(0));
    all(&ObjectRef::from("x"));
    all(&String::from("x"));
    let shape = Shape::from([2]);
    let tensor = Tensor::new(DataType::int(8), &shape, vec![1, 2]).expect("the sizes match");
    let function = Function::new(|x: i64| x);
    let (text, bytes) = (Str::from("x"), Bytes::new(b"x"));
    let (array, map) = (Array::from([1]), Map::from([(1, 2)]));
    handle(&text);
    handle(&bytes);
    handle(&shape);
    handle(&tensor);
    handle(&function);
    handle(&array);
    handle(&map);
    all(&text);
    all(&bytes);
    all(&shape);
    all(&tensor);
    all(&function);
    all(&array);
    all(&map);
    let error = Array::<i64>::try_from(Any::from(Array::from([Str::from("x")]))).expect_err("an element is text");
    assert!(error.to_string().contains("element 0"), "{error}");
    assert!(u8::try_from(Any::Int(300)).is_err());
}

#[test]
fn handles_cross_catch_unwind() {
    fn safe<T: UnwindSafe + RefUnwindSafe>() {}
    safe::<ObjectRef>();
    safe::<Any>();
    safe::<Call>();
    safe::<Array<Call>>();
    safe::<Map<Str, Option<Call>>>();
    safe::<(Str, Bytes, Shape, Tensor, Function)>();
    let call = Call::new(var("f"), [], []);
    let caught = std::panic::catch_unwind(|| {
        assert!(!call.args.is_empty());
    });
    assert!(caught.is_err() && call.args.is_empty());
}

#[test]
fn built_in_types_are_declared_where_their_code_is() {
    for (key, file) in [
        ("ffi.Array", "container/array.rs"),
        ("ffi.List", "container/array.rs"),
        ("ffi.Map", "container/map.rs"),
        ("ffi.Dict", "container/map.rs"),
        ("ffi.String", "value/str.rs"),
        ("ffi.Bytes", "value/bytes.rs"),
        ("ffi.Shape", "value/shape.rs"),
        ("ffi.Tensor", "value/tensor.rs"),
        ("ffi.Function", "value/function/handle.rs"),
    ] {
        let (found, line) = object_core::registry::type_info(key).expect("a built-in type").location();
        assert!(found.replace('\\', "/").ends_with(file) && line > 1, "{key}: {found}:{line}");
    }
}

#[test]
fn containers_lend_the_values_that_they_store() {
    fn lends<T: StoredValue>() {}
    lends::<Expr>();
    lends::<Str>();
    lends::<Array<i32>>();
    lends::<Any>();
    lends::<i64>();
    lends::<bool>();
}
