//! Changes of arrays and maps in place: the results of `Vec` and `IndexMap`, at their cost, with the types of elements kept.

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use indexmap::IndexMap;
use object_core::container::ArrayView;
use object_core::prelude::*;
use object_core::{FieldType, steps, structural_equal};
use proptest::prelude::*;

#[derive(Object)]
#[object(type_key = "container_edits.Expr", base)]
#[structural_eq(tree)]
pub struct ExprNode {}

#[derive(Object)]
#[object(type_key = "container_edits.Lit", parent = ExprNode)]
#[structural_eq(tree)]
pub struct LitNode {
    pub base: ExprNode,
    pub value: i64,
}

#[derive(Object)]
#[object(type_key = "container_edits.Add", parent = ExprNode)]
#[structural_eq(tree)]
pub struct AddNode {
    pub base: ExprNode,
    pub args: Array<Expr>,
}

fn any(number: i64) -> Any {
    match number % 4 {
        0 => Any::from(Str::from(number.to_string())),
        1 => Any::from(number),
        2 => Any::None,
        _ => Any::from(expr(number)),
    }
}

/// One call of a method. Indices count modulo the number of elements.
#[derive(Clone, Debug)]
enum Edit {
    Push(i64),
    Insert(usize, i64),
    Set(usize, i64),
    Remove(usize),
    Swap(usize, usize),
    Extend(Vec<i64>),
    Truncate(usize),
    Pop,
    Clear,
    RetainEvery(usize),
    Reverse,
    Share,
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let (number, index) = (-20_i64..20, 0..50_usize);
    let edit = prop_oneof![
        6 => number.clone().prop_map(Edit::Push),
        2 => (index.clone(), number.clone()).prop_map(|(index, number)| Edit::Insert(index, number)),
        2 => (index.clone(), number.clone()).prop_map(|(index, number)| Edit::Set(index, number)),
        2 => index.clone().prop_map(Edit::Remove),
        1 => (index.clone(), index.clone()).prop_map(|(a, b)| Edit::Swap(a, b)),
        1 => prop::collection::vec(number, 0..6).prop_map(Edit::Extend),
        1 => index.prop_map(Edit::Truncate),
        4 => Just(Edit::Pop),
        1 => Just(Edit::Clear),
        1 => (2..5_usize).prop_map(Edit::RetainEvery),
        1 => Just(Edit::Reverse),
        1 => Just(Edit::Share),
    ];
    prop::collection::vec(edit, 0..40)
}

/// Applies `edit` to an array and to a vector. Both return the same elements.
fn apply<T: FieldType + PartialEq>(edit: &Edit, array: &mut Array<T>, vec: &mut Vec<T>, of: fn(i64) -> T) {
    let at = |index: &usize| index % vec.len();
    match edit {
        Edit::Push(number) => {
            let item = of(*number);
            array.push(item.clone());
            vec.push(item);
        }
        Edit::Insert(index, number) => {
            let (item, index) = (of(*number), index % (vec.len() + 1));
            array.insert(index, item.clone());
            vec.insert(index, item);
        }
        Edit::Set(index, number) if !vec.is_empty() => {
            let (item, index) = (of(*number), at(index));
            assert!(array.set(index, item.clone()) == std::mem::replace(&mut vec[index], item));
        }
        Edit::Remove(index) if !vec.is_empty() => {
            let index = at(index);
            assert!(array.remove(index) == vec.remove(index));
        }
        Edit::Swap(a, b) if !vec.is_empty() => {
            let (a, b) = (at(a), at(b));
            array.swap(a, b);
            vec.swap(a, b);
        }
        Edit::Extend(numbers) => {
            let items: Vec<T> = numbers.iter().map(|number| of(*number)).collect();
            array.extend(items.clone());
            vec.extend(items);
        }
        Edit::Truncate(len) => {
            array.truncate(*len);
            vec.truncate(*len);
        }
        Edit::Pop => assert!(array.pop() == vec.pop()),
        Edit::Clear => {
            array.clear();
            vec.clear();
        }
        Edit::RetainEvery(count) => {
            let mut kept = (0..).map(|index| index % count == 0);
            array.retain(|_| kept.next() == Some(true));
            let mut kept = (0..).map(|index| index % count == 0);
            vec.retain(|_| kept.next() == Some(true));
        }
        Edit::Reverse => {
            array.edit(|items| items.reverse());
            vec.reverse();
        }
        Edit::Share | Edit::Set(..) | Edit::Remove(_) | Edit::Swap(..) => {}
    }
}

/// The laws of an array that has been changed: it is as a new array of the same elements, in every respect.
fn check<T: FieldType + PartialEq>(array: &Array<T>, vec: &[T]) {
    assert!(array.len() == vec.len() && array.iter().eq(vec.iter().cloned()));
    let new = Array::from(vec);
    assert!(structural_equal(array, &new));
    // The layout follows the elements, as in a new array.
    assert_eq!(matches!(array.view(), ArrayView::Objects(_)), matches!(new.view(), ArrayView::Objects(_)));
    // Handles of other types accept the same arrays.
    let (array, new) = (Any::from(array), Any::from(new));
    assert_eq!(Array::<Expr>::try_from(array.clone()).is_ok(), Array::<Expr>::try_from(new.clone()).is_ok());
    assert_eq!(Array::<Lit>::try_from(array.clone()).is_ok(), Array::<Lit>::try_from(new.clone()).is_ok());
    assert_eq!(Array::<i64>::try_from(array.clone()).is_ok(), Array::<i64>::try_from(new.clone()).is_ok());
    assert_eq!(Array::<Option<Str>>::try_from(array).is_ok(), Array::<Option<Str>>::try_from(new).is_ok());
}

fn run<T: FieldType + PartialEq>(edits: &[Edit], of: fn(i64) -> T) {
    let (mut array, mut vec) = (Array::<T>::default(), Vec::new());
    let mut shared: Vec<(Array<T>, Vec<T>)> = Vec::new();
    for edit in edits {
        apply(edit, &mut array, &mut vec, of);
        if matches!(edit, Edit::Share) {
            shared.push((array.clone(), vec.clone()));
        }
        check(&array, &vec);
    }
    // A change of one handle is not visible through another.
    for (array, vec) in &shared {
        check(array, vec);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if cfg!(miri) { 8 } else { 256 }, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_array_changes_as_a_vector_does(edits in edits()) {
        run::<i64>(&edits, |number| number);
        run::<i8>(&edits, |number| number as i8);
        run::<Str>(&edits, |number| number.to_string().into());
        run::<Expr>(&edits, expr);
        run::<Option<Str>>(&edits, |number| (number % 3 != 0).then(|| number.to_string().into()));
        run::<Any>(&edits, any);
    }

    #[test]
    fn a_map_changes_as_an_index_map_does(edits in edits()) {
        run_map::<i64, i64>(&edits, |number| number % 7, |number| number);
        run_map::<Str, Any>(&edits, |number| (number % 7).to_string().into(), any);
        run_map::<Any, Option<i64>>(&edits, |number| any(number % 7), |number| (number > 0).then_some(number));
    }
}

thread_local! {
    /// One expression for each number, because `==` of expressions compares identity.
    static EXPRS: RefCell<HashMap<i64, Expr>> = RefCell::default();
}

fn expr(number: i64) -> Expr {
    let new = || match number % 2 {
        0 => Lit::new(number).into(),
        _ => Add::new([Expr::from(Lit::new(number))]).into(),
    };
    EXPRS.with_borrow_mut(|exprs| exprs.entry(number).or_insert_with(new).clone())
}

/// Applies `edit` to a map and to an `IndexMap`. Both return the same entries.
fn apply_to_map<K: FieldType + Eq + Hash, V: FieldType + PartialEq>(
    edit: &Edit,
    map: &mut Map<K, V>,
    model: &mut IndexMap<K, V>,
    key: fn(i64) -> K,
    value: fn(i64) -> V,
) {
    match edit {
        Edit::Push(number) => {
            assert!(map.insert(key(*number), value(*number)) == model.insert(key(*number), value(*number)));
        }
        Edit::Insert(index, number) | Edit::Set(index, number) => {
            let of = key(*index as i64);
            assert!(map.insert(of.clone(), value(*number)) == model.insert(of, value(*number)));
        }
        Edit::Remove(index) => {
            let of = key(*index as i64);
            assert!(map.remove(&of) == model.shift_remove(&of));
        }
        Edit::Swap(..) | Edit::Reverse => {
            // Each sort is stable, so one by the values shows whether both have the same order.
            map.sort_by(|a, _, b, _| hash(a).cmp(&hash(b)));
            model.sort_by(|a, _, b, _| hash(a).cmp(&hash(b)));
        }
        Edit::Extend(numbers) => {
            let entries = || numbers.iter().map(|number| (key(*number), value(*number)));
            map.extend(entries());
            model.extend(entries());
        }
        Edit::Truncate(len) => {
            while map.len() > *len {
                assert!(map.pop() == model.pop());
            }
        }
        Edit::Pop => assert!(map.pop() == model.pop()),
        Edit::Clear => {
            map.clear();
            model.clear();
        }
        Edit::RetainEvery(count) => {
            let (mut kept, mut expected) = [(); 2].map(|()| (0..).map(|index| index % count == 0)).into();
            map.retain(|_, _| kept.next() == Some(true));
            model.retain(|_, _| expected.next() == Some(true));
        }
        Edit::Share => {}
    }
}

fn hash(value: &impl Hash) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(value)
}

/// The laws of a map that has been changed: it is as a new map of the same entries, in every respect.
fn check_map<K: FieldType + Eq + Hash, V: FieldType + PartialEq>(map: &Map<K, V>, model: &IndexMap<K, V>) {
    assert!(map.len() == model.len());
    assert!(map.iter().eq(model.iter().map(|(key, value)| (key.clone(), value.clone()))));
    assert!(model.iter().all(|(key, value)| map.get(key).as_ref() == Some(value)));
    let new: Map<K, V> = model.clone().into_iter().collect();
    assert!(structural_equal(map, &new));
    let (map, new) = (Any::from(map), Any::from(new));
    assert_eq!(Map::<i64, i64>::try_from(map.clone()).is_ok(), Map::<i64, i64>::try_from(new.clone()).is_ok());
    assert_eq!(Map::<Str, Str>::try_from(map).is_ok(), Map::<Str, Str>::try_from(new).is_ok());
}

fn run_map<K: FieldType + Eq + Hash, V: FieldType + PartialEq>(edits: &[Edit], key: fn(i64) -> K, value: fn(i64) -> V) {
    let (mut map, mut model) = (Map::<K, V>::default(), IndexMap::new());
    let mut shared = Vec::new();
    for edit in edits {
        apply_to_map(edit, &mut map, &mut model, key, value);
        if matches!(edit, Edit::Share) {
            shared.push((map.clone(), model.clone()));
        }
        check_map(&map, &model);
    }
    shared.iter().for_each(|(map, model)| check_map(map, model));
}

/// The number of different addresses that an array has during `changes`, and the steps of all changes.
fn moves<T: FieldType>(array: &mut Array<T>, count: i64, change: impl Fn(&mut Array<T>, i64)) -> (usize, u64) {
    let (mut moves, mut address) = (0, array.as_object().view().address());
    let steps = steps::count(u64::MAX, || {
        for number in 0..count {
            change(array, number);
            let new = array.as_object().view().address();
            moves += usize::from(new != address);
            address = new;
        }
    });
    (moves, steps.expect("the limit is not reached"))
}

#[test]
fn appends_take_amortized_constant_time() {
    let steps_per_append = |count: i64| {
        let mut ints = Array::<i64>::default();
        let (moved, steps) = moves(&mut ints, count, |array, number| array.push(number));
        // The array moves when its room doubles: from 1 element on to the count.
        assert!(moved <= count.ilog2() as usize + 2, "{moved} moves for {count} appends");
        assert_eq!(ints.len(), count as usize);
        steps / count as u64
    };
    assert!(steps_per_append(8_000) <= steps_per_append(500) + 1);
    let mut exprs = Array::<Expr>::default();
    let (moved, _) = moves(&mut exprs, 8_000, |array, number| array.push(Lit::new(number)));
    assert!(moved <= 15, "{moved} moves");
    // An array of objects and of other values, and a stack.
    let mut anys = Array::<Any>::from([Any::None]);
    let (moved, _) = moves(&mut anys, 8_000, |array, number| array.push(any(number)));
    assert!(moved <= 15, "{moved} moves");
    let (moved, _) = moves(&mut exprs, 8_000, |array, number| match number % 2 {
        0 => array.push(expr(number)),
        _ => assert!(array.pop().is_some()),
    });
    assert!(moved <= 1, "{moved} moves");
}

#[test]
fn insertions_into_a_map_take_amortized_constant_time() {
    let steps_per_insertion = |count: i64| {
        let mut map = Map::<i64, Expr>::default();
        let steps = steps::count(u64::MAX, || {
            for number in 0..count {
                map.insert(number, Lit::new(number));
                *map.entry(number).or_insert(Lit::new(0)) = Lit::new(1).into();
            }
        });
        steps.expect("the limit is not reached") / count as u64
    };
    assert!(steps_per_insertion(4_000) <= steps_per_insertion(500) + 1);
}

#[test]
fn an_unshared_array_keeps_its_memory() {
    let mut array = Array::from([1, 2, 3, 4]);
    let address = array.as_object().view().address();
    array.swap(0, 3);
    array.set(1, 7);
    array[2] += 10;
    assert_eq!(array.remove(0), 4);
    array.insert(0, 5);
    assert_eq!(array, [5, 7, 13, 1]);
    assert_eq!(array.as_object().view().address(), address);
    let shared = array.clone();
    array[0] = 0;
    assert_eq!((array, shared), ([0, 7, 13, 1].into(), [5, 7, 13, 1].into()));
}

#[test]
fn elements_change_in_place_below_unshared_objects() {
    let mut add = Add::new([Expr::from(Add::new([Expr::from(Lit::new(1))])), Lit::new(2).into()]);
    let addresses = |add: &Add| {
        let inner = add.args[0].downcast_ref::<Add>().expect("an `Add`");
        [add.as_object(), add.args.as_object(), inner.as_object(), inner.args[0].as_object()]
            .map(|it| it.view().address())
    };
    let edit = |add: &mut Add| {
        let inner = add.make_mut().args[0].downcast_mut::<Add>().expect("an `Add`");
        inner.make_mut().args[0].downcast_mut::<Lit>().expect("a `Lit`").make_mut().value += 1;
    };
    let before = addresses(&add);
    edit(&mut add);
    assert_eq!(addresses(&add), before);
    // A second handle anywhere on the path shares everything below it.
    let old = add.clone();
    edit(&mut add);
    assert_eq!((add.to_string(), old.to_string()), {
        let text = |n: i64| Add::new([Expr::from(Add::new([Expr::from(Lit::new(n))])), Lit::new(2).into()]).to_string();
        (text(3), text(2))
    });
}

#[test]
fn a_changed_element_can_have_another_type() {
    let mut exprs = Array::from([Expr::from(Lit::new(1))]);
    assert!(Array::<Lit>::try_from(Any::from(&exprs)).is_ok());
    exprs[0] = Add::new([]).into();
    assert!(Array::<Lit>::try_from(Any::from(&exprs)).is_err());
    exprs.as_mut_slice()[0] = Lit::new(2).into();
    assert!(Array::<Lit>::try_from(Any::from(&exprs)).is_ok());
    let mut map: Map<Str, Expr> = [("a".into(), Lit::new(1).into())].into();
    *map.get_mut("a").expect("the key") = Add::new([]).into();
    assert!(Map::<Str, Lit>::try_from(Any::from(&map)).is_err());
    let mut anys: Map<Str, Any> = [("a".into(), Any::from(1))].into();
    *anys.entry("a").or_default() = Any::from("text");
    assert!(Map::<Str, i64>::try_from(Any::from(&anys)).is_err());
}

#[test]
fn a_handle_never_becomes_a_wider_one_in_place() {
    let mut words = Array::from([Str::from("a")]);
    assert!(words.downcast_mut::<Array<Any>>().is_none() && words.downcast_mut::<ObjectRef>().is_none());
    assert!(words.downcast_mut::<Array<Str>>().is_some());
    let mut lit = Lit::new(1);
    assert!(lit.downcast_mut::<Expr>().is_none() && lit.downcast_mut::<Lit>().is_some());
    let mut object = ObjectRef::from(&words);
    drop(words);
    object.downcast_mut::<Array<Str>>().expect("an array of texts").push("b");
    assert_eq!(object.to_string(), r#"["a", "b"]"#);
    let mut expr = Expr::from(lit);
    assert!(expr.downcast_mut::<Add>().is_none());
    *expr.downcast_mut::<Lit>().expect("a `Lit`") = Lit::new(7);
    assert_eq!(expr.downcast_ref::<Lit>().map(|lit| lit.value), Some(7));
}

#[test]
fn a_panic_in_an_edit_loses_no_element_of_the_vector() {
    let mut array = Array::from([3, 1, 2]);
    let panic = catch_unwind(AssertUnwindSafe(|| {
        array.edit(|items| {
            items.push(4);
            resume_unwind(Box::new("ends the edit"));
        })
    }));
    assert!(panic.is_err());
    assert_eq!(array, [3, 1, 2, 4]);
}
