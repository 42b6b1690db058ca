//! Hooks that list objects from elsewhere than their own fields: neither verdicts nor hashes depend on the depth of an
//! object, on handles outside of the value, or on the order in which a walk meets the objects.

use object_core::FieldType;
use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "elsewhere.Leaf")]
#[structural_eq(dag)]
pub struct LeafNode {
    pub value: i64,
}

#[derive(Object)]
#[object(type_key = "elsewhere.Pair")]
#[structural_eq(dag)]
pub struct PairNode {
    pub first: Leaf,
    pub second: Leaf,
}

/// How a hook reaches a leaf of its pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Field,
    View,
    Computed,
}

const WAYS: [Way; 3] = [Way::Field, Way::View, Way::Computed];

fn list<'a>(contents: &mut HookContents<'a>, pair: &'a Pair, way: i64, is_second: bool) {
    let leaf = if is_second { &pair.second } else { &pair.first };
    match WAYS[way as usize] {
        Way::Field => contents.add("leaf", leaf),
        Way::View => contents.add_view("leaf", leaf.view(), FieldRole::Content),
        Way::Computed => contents.add_computed("leaf", Array::from([leaf.clone()]), FieldRole::Content),
    }
}

/// Compares its pair, and then one leaf of the pair.
#[derive(Object)]
#[object(type_key = "elsewhere.Dag")]
#[structural_eq(dag, custom)]
pub struct DagNode {
    pub pair: Pair,
    pub way: i64,
    pub is_second: bool,
}

impl StructuralHook for DagNode {
    fn structural_contents<'a>(&'a self, contents: &mut HookContents<'a>) {
        contents.add("pair", &self.pair);
        list(contents, &self.pair, self.way, self.is_second);
    }
}

/// As [`Dag`], as a tree.
#[derive(Object)]
#[object(type_key = "elsewhere.Tree")]
#[structural_eq(tree, custom)]
pub struct TreeNode {
    pub pair: Pair,
    pub way: i64,
    pub is_second: bool,
}

impl StructuralHook for TreeNode {
    fn structural_contents<'a>(&'a self, contents: &mut HookContents<'a>) {
        contents.add("pair", &self.pair);
        list(contents, &self.pair, self.way, self.is_second);
    }
}

/// Compares a leaf of a pair that it does not compare itself.
#[derive(Object)]
#[object(type_key = "elsewhere.Late")]
#[structural_eq(tree, custom)]
pub struct LateNode {
    pub pair: Pair,
    pub way: i64,
    pub is_second: bool,
}

impl StructuralHook for LateNode {
    fn structural_contents<'a>(&'a self, contents: &mut HookContents<'a>) {
        list(contents, &self.pair, self.way, self.is_second);
    }
}

fn pair() -> Pair {
    Pair::new(Leaf::new(1), Leaf::new(1))
}

/// A value in which a hook reaches the first or the second leaf of a pair.
fn value(shape: usize, way: i64, is_second: bool) -> Any {
    match shape {
        0 => Dag::new(pair(), way, is_second).into(),
        1 => Tree::new(pair(), way, is_second).into(),
        2 => {
            let pair = pair();
            Array::from([Any::from(pair.clone()), Late::new(pair, way, is_second).into()]).into()
        }
        _ => {
            let pair = pair();
            Array::from([Any::from(Late::new(pair.clone(), way, is_second)), pair.into()]).into()
        }
    }
}

fn below(value: Any, depth: usize) -> Any {
    (0..depth).fold(value, |value, _| Array::from([value]).into())
}

/// All objects below a value, so that each of them has a handle from outside.
fn handles(value: &Any) -> Vec<ObjectRef> {
    let mut found = Vec::new();
    object_core::visit::walk(value, |object: &ObjectRef, _| found.push(object.clone()));
    found
}

#[test]
fn verdicts_and_hashes_do_not_depend_on_the_depth_or_on_handles() {
    for shape in 0..4 {
        for way in 0..3 {
            let hashes: Vec<[u64; 2]> = [0, 1, 30, 47, 48, 60]
                .into_iter()
                .map(|depth| {
                    let [first, again, second] =
                        [false, false, true].map(|is_second| below(value(shape, way, is_second), depth));
                    let case = format!("shape {shape}, {:?}, depth {depth}", WAYS[way as usize]);
                    for options in [StructuralOptions::new(), StructuralOptions::new().map_free_vars(true)] {
                        assert!(options.equal(&first, &again).expect("comparable"), "{case}");
                        assert!(!options.equal(&first, &second).expect("comparable"), "{case}");
                        assert!(!options.equal(&second, &first).expect("comparable"), "{case}");
                        assert!(!options.diff(&first, &second, 9).expect("comparable").is_empty(), "{case}");
                    }
                    let before = [structural_hash(&first), structural_hash(&second)];
                    let _outside = [handles(&first), handles(&second)];
                    assert_eq!(before, [structural_hash(&first), structural_hash(&second)], "{case}");
                    assert!(structural_equal(&first, &again) && !structural_equal(&first, &second), "{case}");
                    assert_eq!(structural_hash(&again), before[0], "{case}");
                    before
                })
                .collect();
            assert!(hashes.iter().all(|[first, second]| first != second), "shape {shape}, way {way}");
        }
    }
}
