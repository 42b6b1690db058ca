//! Tables keyed by structure.

use crate::terms::{Expr, Int, Uncomparable, Var, int, lambda, neg};
use object_core::ErrorKind;
use object_core::prelude::*;
use object_core::steps::{COUNTS, count};
use object_core::structural::{Scopes, StructuralKey, StructuralMap, StructuralSet};

#[test]
fn maps_are_keyed_by_structure_and_keep_their_order() {
    let mut map = StructuralMap::new();
    assert!(map.is_empty());
    for (i, key) in [lambda(neg), int(2), neg(int(2)), int(1)].into_iter().enumerate() {
        assert_eq!(map.insert(key, i).expect("comparable"), None);
    }
    assert_eq!(map.insert(lambda(neg), 10).expect("comparable"), Some(0));
    assert_eq!(map.values().copied().collect::<Vec<_>>(), [10, 1, 2, 3]);
    assert_eq!((map.get(&int(2)), map.get(&Int::new(2)), map.get(&int(3))), (Some(&1), Some(&1), None));
    // Keys have a kind: an integer is not an `Int`.
    assert_eq!(map.get(&2i64), None);
    assert!(map.contains_key(&neg(int(2))));

    *map.get_mut(&int(1)).expect("it is there") += 1;
    assert_eq!(map.remove(&int(2)), Some(1));
    assert_eq!(map.remove(&int(2)), None);
    assert_eq!(map.iter().map(|(_, value)| *value).collect::<Vec<_>>(), [10, 2, 4]);

    let key = StructuralKey::new(int(1)).expect("comparable");
    assert_eq!(key.structural_hash(), structural_hash(&int(1)));
    assert_eq!(map.find(&key), Some(&4));
    assert_eq!(map.insert_key(key.clone(), 5), Some(4));
    *map.get_or_insert_with(int(1), || unreachable!("it is there")).expect("comparable") += 1;
    assert_eq!(*map.get_or_insert_with(int(9), || 9).expect("comparable"), 9);
    assert_eq!(map.find(&key), Some(&6));

    map.retain(|key, value| key.type_key() == "terms.Int" && *value < 9);
    let copy: StructuralMap<usize> = map.keys().map(|key| (key.clone(), 0)).collect();
    assert_eq!((map.len(), copy.len(), copy.find(&key)), (1, 1, Some(&0)));
    map.clear();
    assert!(map.is_empty());
}

#[test]
fn uncomparable_values_are_not_keys() {
    let bad = Uncomparable::new(1);
    let mut map = StructuralMap::new();
    assert_eq!(map.insert(bad.clone(), ()).expect_err("not comparable").kind(), ErrorKind::NotComparable);
    assert_eq!(
        map.get_or_insert_with(bad.clone(), || ()).expect_err("not comparable").kind(),
        ErrorKind::NotComparable
    );
    assert!(map.is_empty() && map.get(&bad).is_none() && map.remove(&bad).is_none());
}

#[test]
fn sets_have_one_value_per_structure() {
    let mut set = StructuralSet::new();
    // NaNs are equal. Zeros of different sign are not equal, and numbers of different kinds are not equal.
    for value in [f64::NAN.into(), 0.0.into(), (-0.0).into(), 0i64.into(), Any::None, false.into()] {
        assert!(set.insert(value).expect("comparable"));
    }
    assert!(!set.insert(-f64::NAN).expect("comparable"));
    assert_eq!(set.len(), 6);
    assert!(set.contains(&0i64) && !set.contains(&1i64));
    assert!(matches!(set.get(&0i64), Some(Any::Int(0))));

    let key = StructuralKey::new(1i64).expect("comparable");
    assert!(!set.contains_key(&key) && set.insert_key(key.clone()) && set.contains_key(&key));
    assert!(set.remove(&0.0) && !set.remove(&0.0));
    let kinds: Vec<_> = set.iter().map(Any::type_key).collect();
    assert_eq!(kinds, ["float", "float", "int", "None", "bool", "int"]);

    let mut copy: StructuralSet = [key].into_iter().collect();
    copy.extend([StructuralKey::new(2i64).expect("comparable")]);
    assert_eq!(copy.len(), 2);
    copy.clear();
    assert!(copy.is_empty());
}

/// The steps of the insertion of `neg(neg(.. x))` with each of its parts, `size` levels deep.
fn steps_of_insertions(scopes: Scopes, size: usize) -> u64 {
    let mut keys: Vec<Expr> = vec![Var::new().into()];
    (0..size).for_each(|level| keys.push(neg(keys[level].clone())));
    let mut set = StructuralSet::with_scopes(scopes);
    let steps = count(u64::MAX, || keys.iter().for_each(|key| assert!(set.insert(key.clone()).expect("comparable"))));
    assert!(set.contains(&keys[size]) && set.len() == size + 1);
    steps.expect("there is no limit")
}

#[test]
fn an_insertion_under_lexical_scopes_takes_the_time_of_the_new_parts() {
    if COUNTS {
        let [short, long] = [500, 2000].map(|size| steps_of_insertions(Scopes::Lexical, size));
        assert!(long < 5 * short, "{short} steps for 500 keys, {long} for 2000");
        // Under persistent scopes, each key is hashed as a whole.
        assert!(steps_of_insertions(Scopes::Persistent, 2000) > 20 * long);
    }
}

/// A function whose variable ends with it.
#[derive(Object)]
#[object(type_key = "terms.Closed")]
#[structural_eq(tree, scope)]
struct ClosedNode {
    #[field(def)]
    param: Var,
    body: Expr,
}

#[test]
fn scopes_decide_which_keys_are_equal() {
    // Each of the two functions binds a variable of its own, or both bind one.
    let negation = || {
        let param = Var::new();
        Closed::new(&param, neg(&param))
    };
    let pair = |shared: bool| {
        let first = negation();
        Array::from([first.clone(), if shared { first } else { negation() }])
    };
    for (scopes, equal) in [(Scopes::Persistent, None), (Scopes::Lexical, Some(&1))] {
        let mut map = StructuralMap::with_scopes(scopes);
        map.insert(pair(true), 1).expect("comparable");
        let key = StructuralKey::new(pair(false)).expect("comparable");
        assert_eq!(
            (map.get(&pair(false)), map.find(&key), map.clone().insert_key(key, 2)),
            (equal, equal, equal.copied())
        );
    }
    let [persistent, lexical] = [Scopes::Persistent, Scopes::Lexical]
        .map(|scopes| StructuralKey::with_scopes(1i64, scopes).expect("comparable"));
    assert_ne!(persistent, lexical);
}

#[test]
fn a_map_releases_keys_that_it_does_not_have() {
    let leaf = int(0);
    let deep = || (0..100).fold(leaf.clone(), |term, _| neg(term));
    let mut map = StructuralMap::with_scopes(Scopes::Lexical);
    map.insert(deep(), ()).expect("comparable");
    map.remove(&deep());
    assert_eq!(leaf.as_object().use_count(), 1);
    map.insert(neg(int(1)), ()).expect("comparable");
    (0..1000).for_each(|_| assert_eq!(map.insert(neg(int(1)), ()).expect("comparable"), Some(())));
    map.insert(deep(), ()).expect("comparable");
    (0..20).for_each(|_| assert_eq!(map.insert(deep(), ()).expect("comparable"), Some(())));
    // The table owns one of the equal keys, and the parts of few others.
    assert!(leaf.as_object().use_count() < 6, "{}", leaf.as_object().use_count());
}
