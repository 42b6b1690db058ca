//! Rewrites that remove elements of arrays and entries of maps, and put several values into the place of an element.

use crate::demo::{Expr, Seq, Table, add, imm};
use object_core::prelude::*;
use object_core::rewrite::{Mutate, Mutation, mutate};
use object_core::structural_equal;
use proptest::prelude::*;

/// The change of a text in the law: its first letter decides.
fn mutation(text: &Str) -> Mutation {
    match text.chars().next() {
        Some('k') | None => Mutation::Keep,
        Some('r') => Mutation::Remove,
        Some('o') => Mutation::Replace(Any::from(1)),
        _ => Mutation::Splice(pieces(text)),
    }
}

/// The values in the place of a text.
fn pieces(text: &Str) -> Vec<Any> {
    text.chars().skip(1).map(|letter| Any::from(letter.to_string())).collect()
}

/// The law, by plain recursion: the values in the place of `value`.
fn naive(value: &Any) -> Vec<Any> {
    let Any::Object(object) = value else { return vec![value.clone()] };
    if let Some(text) = object.downcast_ref::<Str>() {
        return match mutation(text) {
            Mutation::Remove => Vec::new(),
            Mutation::Replace(value) => vec![value],
            Mutation::Splice(values) => values,
            _ => vec![value.clone()],
        };
    }
    if let Some(map) = object.downcast_ref::<Map<Str, Any>>() {
        let entry = |(key, value): (Str, Any)| naive(&value).pop().map(|value| (key, value));
        return vec![Any::from(map.iter().filter_map(entry).collect::<Map<Str, Any>>())];
    }
    let array = object.downcast_ref::<Array<Any>>().expect("all other values are arrays");
    vec![Any::from(array.iter().flat_map(|item| naive(&item)).collect::<Array<Any>>())]
}

/// Arrays of texts, numbers, arrays and maps. A map has texts that are kept, removed or replaced by one value.
fn values() -> impl Strategy<Value = Any> {
    let leaf = prop_oneof!["[krsot][a-c]{0,3}".prop_map(Any::from), (0..3_i64).prop_map(Any::from), Just(Any::None),];
    let array = leaf.prop_recursive(5, 40, 6, |inner| {
        let entry = (
            "k[a-e]",
            prop_oneof![
                "[kro][a-c]{0,2}".prop_map(Any::from),
                prop::collection::vec(inner.clone(), 0..4).prop_map(array)
            ],
        );
        prop_oneof![
            3 => prop::collection::vec(inner, 0..6).prop_map(array),
            1 => prop::collection::vec(entry, 0..4).prop_map(|entries| {
                Any::from(entries.into_iter().map(|(key, value)| (Str::from(key), value)).collect::<Map<Str, Any>>())
            }),
        ]
    });
    prop::collection::vec(array, 0..6).prop_map(|items| array_of(&items))
}

fn array(items: Vec<Any>) -> Any {
    Any::from(Array::from(items))
}

fn array_of(items: &[Any]) -> Any {
    // Each element stands twice, so the objects in it are shared.
    array(items.iter().chain(items).cloned().collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_rewrite_splices_as_plain_recursion_does(value in values()) {
        let expected = naive(&value).pop().expect("an array");
        // The callback before the children, and the one after them; with other handles of the root, and in place.
        for value in [value.clone(), object_core::data::deep_copy(&value).expect("values are data")] {
            let before = Mutate::new().enter(|text: &Str, _| mutation(text)).run(value.clone()).expect("the places are right");
            prop_assert!(structural_equal(&before, &expected), "{before} and not {expected}");
            let after = mutate(value, |text: &Str, _| mutation(text)).expect("the places are right");
            prop_assert!(structural_equal(&after, &expected), "{after} and not {expected}");
        }
    }
}

#[test]
fn elements_are_removed_and_spliced_in_typed_arrays() {
    let seq = Expr::from(Seq::new([imm(1), imm(2), add(imm(3), imm(4))]));
    let changed = mutate(seq, |expr: &Expr, _| match expr.downcast_ref::<crate::demo::Imm>() {
        Some(number) if number.value == 1 => Mutation::Remove,
        Some(number) if number.value == 2 => Mutation::Splice(vec![imm(5).into(), imm(6).into()]),
        _ => Mutation::Keep,
    });
    assert!(structural_equal(&changed.expect("they are elements"), &Seq::new([imm(5), imm(6), add(imm(3), imm(4))])));
}

#[test]
fn a_place_that_is_no_element_is_an_error_with_its_path() {
    let remove = |value: Any, number: i64, with: Option<Vec<Any>>| {
        let done = mutate(value, move |imm: &crate::demo::Imm, _| match (imm.value == number, with.clone()) {
            (false, _) => Mutation::Keep,
            (true, None) => Mutation::Remove,
            (true, Some(values)) => Mutation::Splice(values),
        });
        let error = done.expect_err("the place is not an element");
        assert_eq!(error.kind(), ErrorKind::TypeMismatch);
        error.to_string()
    };
    let field = Any::from(Seq::new([imm(1), add(imm(2), imm(3))]));
    let message = remove(field, 3, None);
    assert!(message.contains("in a field") && message.contains("<root>.items[1].rhs"), "{message}");
    let message = remove(Any::from(imm(3)), 3, Some(vec![Any::None]));
    assert!(message.contains("the root of the rewrite"), "{message}");
    let map = Any::from(Map::<Str, Expr>::from([("a".into(), imm(3))]));
    let message = remove(map.clone(), 3, Some(vec![Any::None, Any::None]));
    assert!(message.contains("in a map") && message.contains(r#"<root>["a"]"#), "{message}");
    // A shared object at an element first, and then in a field.
    let three = imm(3);
    let shared = Any::from(Seq::new([three.clone(), add(imm(2), three)]));
    let message = remove(shared, 3, None);
    assert!(message.contains("<root>.items[1].rhs"), "{message}");
    // A value that the array does not accept.
    let error = mutate(Seq::new([imm(1)]), |_: &crate::demo::Imm, _| Mutation::Splice(vec![Any::from("text")]));
    let message = error.expect_err("the field takes expressions").to_string();
    assert!(message.contains("<root>.items"), "{message}");
}

#[test]
fn an_entry_of_a_map_goes_with_its_key_or_its_value() {
    let table = |entries: &[(&str, i64)]| Table::new(entries.iter().map(|(key, value)| (*key, imm(*value))));
    let all = table(&[("a", 1), ("b", 2), ("c", 3)]);
    let changed = Mutate::new()
        .leave(|number: &crate::demo::Imm, _| if number.value == 2 { Mutation::Remove } else { Mutation::Keep })
        .leave(|text: &Str, at| if at.is_key() && text.as_str() == "c" { Mutation::Remove } else { Mutation::Keep })
        .run(all)
        .expect("they are entries");
    assert!(structural_equal(&changed, &table(&[("a", 1)])));
}

#[test]
fn a_splice_below_many_levels_needs_no_stack() {
    const LEVELS: usize = 100_000;
    let mut value = array(vec![Any::from("r"), Any::from("sab"), Any::from("k")]);
    for _ in 0..LEVELS {
        value = array(vec![value]);
    }
    let mut changed = mutate(value, |text: &Str, _| mutation(text)).expect("they are elements");
    for _ in 0..LEVELS {
        changed = changed.cast::<Array<Any>>().expect("an array").get(0).expect("one element");
    }
    assert_eq!(changed.to_string(), r#"["a", "b", "k"]"#);
}
