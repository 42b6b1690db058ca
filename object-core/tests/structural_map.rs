//! Tables keyed by structure.

mod terms;

use object_core::ErrorKind;
use object_core::prelude::*;
use object_core::structural::{StructuralKey, StructuralMap, StructuralSet};
use terms::{Int, Uncomparable, int, lambda, neg};

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
