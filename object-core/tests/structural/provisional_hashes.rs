//! Hashes of maps whose keys have no number: equal for every sharing, and computed once for each change of the numbers.

use std::cell::Cell;

use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "provisional.Var")]
#[structural_eq(var)]
pub struct VarNode {
    pub ty: Any,
}

#[derive(Object)]
#[object(type_key = "provisional.Dag")]
#[structural_eq(dag)]
pub struct DagNode {
    pub value: Any,
}

#[derive(Object)]
#[object(type_key = "provisional.Key")]
#[structural_eq(tree)]
pub struct KeyNode {}

/// A leaf that counts how often it is hashed.
#[derive(Object)]
#[object(type_key = "provisional.Counted")]
#[structural_eq(tree, custom)]
pub struct CountedNode {
    pub value: Any,
}

thread_local! {
    static HASHED: Cell<usize> = const { Cell::new(0) };
}

impl StructuralHook for CountedNode {
    fn structural_contents<'a>(&'a self, contents: &mut HookContents<'a>) {
        HASHED.set(HASHED.get() + 1);
        contents.add("value", &self.value);
    }
}

/// The hash of a value, and the number of hashed `Counted` nodes.
fn hash_and_count(value: &Any) -> (u64, usize) {
    HASHED.set(0);
    (structural_hash(value), HASHED.get())
}

fn var() -> Var {
    Var::new(Any::None)
}

/// A map from an object without a number to `counted` counted leaves and to `value`.
fn map_of(counted: usize, value: Any) -> Any {
    let leaves = (0..counted).map(|number| Counted::new(number as i64).into()).chain([value]);
    Map::<Any, Any>::from([(Key::new().into(), Array::from_iter(leaves.collect::<Vec<Any>>()).into())]).into()
}

#[test]
fn a_new_number_elsewhere_does_not_change_a_shared_map() {
    const SIZE: usize = 2000;
    for wrap in [|map| map, |map| Array::from([map]).into(), |map| map_of(0, map)] {
        let map: Any = wrap(map_of(SIZE, var().into()));
        let items = (0..SIZE).flat_map(|_| [Any::from(var()), map.clone()]);
        let (_, count) = hash_and_count(&Array::from_iter(items.collect::<Vec<Any>>()).into());
        assert_eq!(count, SIZE);
    }
}

#[test]
fn a_new_number_inside_changes_only_the_maps_that_contain_the_object() {
    let vars: Vec<Var> = (0..50).map(|_| var()).collect();
    let maps: Vec<Any> = vars.iter().map(|var| map_of(20, var.clone().into())).collect();
    let all: Any = Array::from_iter(maps.clone()).into();
    let items = vars.iter().flat_map(|var| [all.clone(), var.clone().into()]).chain([all.clone()]);
    let (_, count) = hash_and_count(&Array::from_iter(items.collect::<Vec<Any>>()).into());
    // Each map twice: before and after its variable has a number.
    assert_eq!(count, 2 * 20 * maps.len());
}

/// A random value over the values before it, which it may share.
fn random(next: &mut impl FnMut(usize) -> usize, keys: &[Any], before: &[Any]) -> Any {
    let pick = |next: &mut dyn FnMut(usize) -> usize| before[before.len() - 1 - next(before.len().min(6))].clone();
    match next(6) {
        0 => Dag::new(pick(next)).into(),
        1 => Var::new(pick(next)).into(),
        2 | 3 => {
            let entries = (0..next(4)).map(|_| {
                let key = match next(3) {
                    0 => Any::Int(next(3) as i64),
                    1 => keys[next(keys.len())].clone(),
                    _ => pick(next),
                };
                (key, pick(next))
            });
            Map::<Any, Any>::new(entries.collect::<Vec<_>>()).into()
        }
        _ => Array::from_iter((0..next(4)).map(|_| pick(next)).collect::<Vec<Any>>()).into(),
    }
}

/// `value` with an array and a map of its own in each place.
fn unshared(value: &Any) -> Any {
    if let Ok(items) = value.clone().cast::<Array<Any>>() {
        return Array::from_iter(items.iter().map(|item| unshared(&item)).collect::<Vec<Any>>()).into();
    }
    match value.clone().cast::<Map<Any, Any>>() {
        Ok(map) => {
            Map::<Any, Any>::new(map.iter().map(|(key, value)| (key, unshared(&value))).collect::<Vec<_>>()).into()
        }
        Err(_) => value.clone(),
    }
}

#[test]
fn sharing_of_arrays_and_maps_does_not_change_a_hash() {
    let mut state = 5u64;
    let mut next = |below: usize| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (state >> 33) as usize % below
    };
    for case in 0..5_000 {
        let keys: Vec<Any> = vec![Key::new().into(), var().into(), Dag::new(1i64).into()];
        let mut all = keys.clone();
        for _ in 0..14 {
            all.push(random(&mut next, &keys, &all));
        }
        let root: Any = Array::from_iter(all[all.len() - 5..].to_vec()).into();
        let copy = unshared(&root);
        assert_eq!(structural_hash(&root), structural_hash(&copy), "case {case}: {root}");
        assert!(structural_equal(&root, &copy), "case {case}: {root}");
    }
}
