//! Values that were crafted to have one structural hash: tables distinguish them without comparing them.

use std::cell::Cell;
use std::collections::HashSet;

use object_core::Shape;
use object_core::prelude::*;
use object_core::structural::{Interner, StructuralKey, StructuralMap, StructuralSet};

/// For each extent of a shape of ten extents: two numbers after which the state of the hash is the same, if each extent
/// before it is one of its two numbers. A search for cycles of the mixing function finds such a pair in half a minute.
#[rustfmt::skip]
const PAIRS: [[i64; 2]; 10] = [
    [-3033357555241128663, 2495347878997643236],
    [1734288798825041157, -6751861179659097320],
    [376381932270354386, 5445313353051157426],
    [4348110434663706143, 166345584964645042],
    [4237635730454306101, 7000834546678956605],
    [4634418654487795944, 4312754443435766230],
    [2415848741579358497, -6480865919567645346],
    [-1812659769038443581, -4945142265647069330],
    [8229232191592763728, -3944040882344645082],
    [7543240011827667044, -2317446247769724545],
];

thread_local! {
    static COMPARED: Cell<usize> = const { Cell::new(0) };
}

/// A value that counts how often it is compared.
#[derive(Object)]
#[object(type_key = "crafted.Counted")]
#[structural_eq(tree, custom)]
pub struct CountedNode {
    pub value: Any,
    pub vars: Array<Any>,
}

impl StructuralHook for CountedNode {
    fn structural_contents<'a>(&'a self, contents: &mut HookContents<'a>) {
        contents.add("value", &self.value);
        contents.add("vars", &self.vars);
    }

    fn structural_pairs<'a>(&'a self, other: &'a Self, pairs: &mut HookPairs<'a>) {
        COMPARED.set(COMPARED.get() + 1);
        pairs.require("value", &self.value, &other.value, FieldRole::Content);
        pairs.require("vars", &self.vars, &other.vars, FieldRole::Content);
    }
}

/// Different shapes with one structural hash.
fn shapes() -> Vec<Any> {
    let shape = |choice: usize| -> Any {
        let extents: Vec<i64> = PAIRS.iter().enumerate().map(|(at, pair)| pair[choice >> at & 1]).collect();
        Shape::new(&extents).into()
    };
    (0..1 << PAIRS.len()).map(shape).collect()
}

/// Different values with one structural hash, which count comparisons.
fn crafted() -> Vec<Counted> {
    shapes().into_iter().map(|shape| Counted::new(shape, Array::from([Any::Int(1)]))).collect()
}

/// Checks that `work` compares few values. An analysis of variables also lists the pairs of one value.
#[track_caller]
fn compares_few(values: usize, work: impl FnOnce()) {
    COMPARED.set(0);
    work();
    assert!(COMPARED.get() <= 8 * values, "{} comparisons for {values} values", COMPARED.get());
}

#[test]
fn the_values_have_one_hash_and_differ() {
    let all = shapes();
    let hashes: HashSet<u64> = all.iter().map(structural_hash).collect();
    assert_eq!((hashes.len(), all.len()), (1, 1024));
    assert!(!structural_equal(&all[0], &all[1]));
    // The second half of the hash with 128 bits depends on other constants.
    let wide: HashSet<u128> = all.iter().map(|it| StructuralOptions::new().hash_128(it).expect("comparable")).collect();
    assert_eq!(wide.len(), all.len());
}

#[test]
fn an_interner_compares_few_of_them() {
    let (interner, values) = (Interner::new(), crafted());
    compares_few(values.len(), || {
        let kept: Vec<Counted> = values.iter().map(|value| interner.intern(value.clone()).expect("ok")).collect();
        assert!(kept.iter().zip(crafted()).all(|(kept, again)| interner.intern(again).expect("ok").ptr_eq(kept)));
    });
}

#[test]
fn a_map_and_a_set_compare_few_of_them() {
    let values = crafted();
    let (mut map, mut set) = (StructuralMap::new(), StructuralSet::new());
    compares_few(values.len(), || {
        for (at, value) in values.iter().enumerate() {
            assert_eq!(map.insert(value.clone(), at).expect("comparable"), None);
        }
    });
    compares_few(values.len(), || values.iter().for_each(|value| assert!(set.insert(value.clone()).expect("ok"))));
    compares_few(2 * values.len(), || {
        for (at, value) in crafted().iter().enumerate() {
            assert_eq!(map.get(value), Some(&at));
            assert!(set.contains(value));
        }
    });
    // Without the entry that the table finds by the hash itself, and after all others are removed.
    assert_eq!(map.remove(&values[0]), Some(0));
    assert_eq!((map.get(&values[0]), map.get(&values[1])), (None, Some(&1)));
    assert_eq!(map.insert(values[0].clone(), 7).expect("ok"), None);
    assert_eq!((map.get(&crafted()[0]), map.len()), (Some(&7), values.len()));
    map.retain(|_, at| *at >= 1022);
    assert_eq!(map.values().copied().collect::<Vec<_>>(), [1022, 1023]);
    assert_eq!((map.get(&values[1022]), map.get(&values[1023]), map.get(&values[0])), (Some(&1022), Some(&1023), None));
}

#[test]
fn a_map_compares_few_keys_that_differ_in_their_free_variables() {
    #[derive(Object)]
    #[object(type_key = "crafted.Var")]
    #[structural_eq(var)]
    pub struct VarNode {}

    let mut map = StructuralMap::new();
    let vars: Vec<Var> = (0..500).map(|_| Var::new()).collect();
    let keys: Vec<StructuralKey> =
        vars.iter().map(|var| StructuralKey::new(Array::from([var.clone()])).expect("comparable")).collect();
    assert!(keys.iter().all(|key| key.structural_hash() == keys[0].structural_hash()));
    for (at, key) in keys.iter().enumerate() {
        assert_eq!(map.insert_key(key.clone(), at), None);
    }
    assert!(vars.iter().enumerate().all(|(at, var)| map.get(&Array::from([var.clone()])) == Some(&at)));
}
