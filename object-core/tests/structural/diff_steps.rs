//! The cost of first mismatches and diffs of shared graphs: the number of visited objects, per object of the graphs.

use std::cell::Cell;
use std::collections::HashSet;

use object_core::prelude::*;

thread_local! {
    static STEPS: Cell<usize> = const { Cell::new(0) };
}

/// A node that counts how often an operation lists its parts. The parts are an array, two fields or both.
#[derive(Object)]
#[object(type_key = "steps.Node")]
#[structural_eq(tree, custom)]
pub struct StepNode {
    pub value: i64,
    pub first: Any,
    pub second: Any,
}

#[derive(Object)]
#[object(type_key = "steps.Dag")]
#[structural_eq(dag, custom)]
pub struct DagStepNode {
    pub value: i64,
    pub first: Any,
    pub second: Any,
}

macro_rules! counted {
    ($node:ident) => {
        impl StructuralHook for $node {
            fn structural_contents<'a>(&'a self, contents: &mut HookContents<'a>) {
                STEPS.set(STEPS.get() + 1);
                contents.add("value", &self.value);
                contents.add("first", &self.first);
                contents.add("second", &self.second);
            }
        }
    };
}
counted!(StepNode);
counted!(DagStepNode);

fn node(value: i64, first: Any, second: Any) -> Any {
    Step::new(value, first, second).into()
}

/// A copy of the topmost node.
fn copy(value: &Any) -> Any {
    match value.clone().cast::<Step>() {
        Ok(it) => node(it.value, it.first.clone(), it.second.clone()),
        Err(_) => value.clone(),
    }
}

/// The levels on which an object is shared.
type Shares = fn(usize) -> bool;

/// A ladder of `depth` nodes over a leaf with `value`. Its twins are one object on the levels that `shares` selects.
fn ladder(depth: usize, value: i64, shares: Shares) -> Any {
    (0..depth).fold(node(value, Any::None, Any::None), |below, level| {
        let twin = if shares(level) { below.clone() } else { copy(&below) };
        node(0, below, twin)
    })
}

/// As [`ladder`], of arrays of two nodes.
fn arrays(depth: usize, value: i64, shares: Shares) -> Any {
    (0..depth).fold(node(value, Any::None, Any::None), |below, level| {
        let twin = if shares(level) { below.clone() } else { copy(&below) };
        node(0, Array::from([below, twin]).into(), Any::None)
    })
}

/// Layers of `width` nodes, each over two nodes of the layer below.
fn butterfly(width: usize, depth: usize, seed: usize, leaf: impl Fn(usize) -> i64) -> Any {
    let mut layer: Vec<Any> = (0..width).map(|at| node(leaf(at), Any::None, Any::None)).collect();
    for level in 0..depth {
        let pick = |at: usize, salt: usize| layer[(at * 31 + seed * 17 + level * 7 + salt * 53) % width].clone();
        layer = (0..width).map(|at| node(0, pick(at, 1), pick(at, 2))).collect();
    }
    Array::from_iter(layer).into()
}

/// A ladder whose levels are `dag` nodes.
fn dags(depth: usize, value: i64) -> Any {
    (0..depth).fold(node(value, Any::None, Any::None), |below, _| DagStep::new(0, below.clone(), below).into())
}

/// A variable that counts steps.
#[derive(Object)]
#[object(type_key = "steps.Var")]
#[structural_eq(var)]
pub struct VarNode {
    pub ty: Any,
}

#[derive(Object)]
#[object(type_key = "steps.Bind")]
#[structural_eq(tree)]
pub struct BindNode {
    #[field(def)]
    pub var: Var,
}

/// Lists each of its parts.
#[derive(Object)]
#[object(type_key = "steps.Wide")]
#[structural_eq(tree, custom)]
pub struct WideNode {
    pub parts: Array<Any>,
}

impl StructuralHook for WideNode {
    fn structural_contents<'a>(&'a self, contents: &mut HookContents<'a>) {
        for part in self.parts.as_object().view().as_array().into_iter().flat_map(|parts| parts.iter()) {
            STEPS.set(STEPS.get() + 1);
            contents.add_view("part", part, FieldRole::Content);
        }
    }
}

/// A chain of `length` nodes over `value`.
fn chain(length: usize, value: Any) -> Any {
    (0..length).fold(value, |below, level| node(level as i64, below, Any::None))
}

/// Two values with `count` maps each. All maps have one key, in which a variable is bound to another one.
fn keyed(count: usize) -> [Any; 2] {
    let vars = [Var::new(Any::None), Var::new(Any::None)];
    let key = chain(count, vars[0].clone().into());
    vars.map(|var| {
        let map = |index: usize| Map::<Any, Any>::from([(key.clone(), Any::Int(index as i64))]).into();
        let maps: Vec<Any> = (0..count).map(map).collect();
        Array::from([Any::from(Bind::new(var)), Array::from_iter(maps).into()]).into()
    })
}

/// Two values in which each of `count` free variables meets each of `count` others, all with long fields.
fn free(count: usize) -> [Any; 2] {
    let [lhs, rhs] = [0, 1].map(|_| -> Vec<Var> { (0..count).map(|_| Var::new(chain(count, Any::None))).collect() });
    let pairs = || (0..count * count).map(|place| (place / count, place % count));
    let all = |pick: &dyn Fn((usize, usize)) -> Var| Array::from_iter(pairs().map(pick).collect::<Vec<Var>>()).into();
    [all(&|(row, _)| lhs[row].clone()), all(&|(_, column)| rhs[column].clone())]
}

/// Two arrays of elements that share an object with a long list.
fn wide(count: usize) -> [Any; 2] {
    [1, 2].map(|value| {
        let wide: Any = Wide::new((0..count as i64).map(Any::Int).collect::<Vec<Any>>()).into();
        let element = |index: usize| node(value * 10_000 + index as i64, wide.clone(), Any::None);
        Array::from_iter((0..count).map(element).collect::<Vec<Any>>()).into()
    })
}

/// The number of objects, and of references in arrays.
fn size(value: &Any) -> usize {
    let mut found = HashSet::new();
    let mut references = 0;
    object_core::visit::walk(value, |object: &ObjectRef, _| {
        if found.insert(object.view().address()) {
            references += object.view().as_array().map_or(0, |array| array.len());
        }
    });
    found.len() + references
}

/// The steps of an operation.
fn steps(work: impl FnOnce()) -> usize {
    STEPS.set(0);
    work();
    STEPS.get()
}

#[test]
fn steps_are_linear_in_the_objects() {
    let mut pairs: Vec<(String, Any, Any)> = Vec::new();
    type Make = fn(usize, i64, Shares) -> Any;
    for (name, make) in [("ladder", ladder as Make), ("arrays", arrays as Make)] {
        let shares: [(&str, Shares); 4] = [
            ("all", |_| true),
            ("even", |level| level % 2 == 0),
            ("odd", |level| level % 2 == 1),
            ("some", |level| level % 5 > 1),
        ];
        for (a, left) in shares {
            for (b, right) in shares {
                for depth in [40, 640] {
                    pairs.push((format!("{name} {a} {b} {depth}"), make(depth, 1, left), make(depth, 2, right)));
                }
            }
        }
    }
    for (width, deep) in [(10, 20), (40, 20), (480, 20), (1920, 12), (40, 320)] {
        let leaf = |at: usize| (at % 7) as i64;
        pairs.push((
            format!("butterfly {width} {deep}"),
            butterfly(width, deep, 1, leaf),
            butterfly(width, deep, 2, leaf),
        ));
        let other = |at: usize| leaf(at) + i64::from(at == 0);
        pairs.push((
            format!("butterfly {width} {deep}, one leaf"),
            butterfly(width, deep, 1, leaf),
            butterfly(width, deep, 1, other),
        ));
        let distinct = |at: usize| at as i64;
        pairs.push((
            format!("butterfly {width} {deep}, all leaves"),
            butterfly(width, deep, 1, leaf),
            butterfly(width, deep, 2, distinct),
        ));
    }
    for depth in [40, 640] {
        pairs.push((format!("dags {depth}"), dags(depth, 1), dags(depth, 2)));
    }
    for count in [20, 100] {
        for (name, make) in [("keys", keyed as fn(usize) -> [Any; 2]), ("free", free), ("wide", wide)] {
            let [a, b] = make(count);
            pairs.push((format!("{name} {count}"), a, b));
        }
    }
    for (name, a, b) in &pairs {
        let size = size(a) + size(b);
        let options = StructuralOptions::new();
        let equal = structural_equal(a, b);
        let first = steps(|| assert_eq!(options.first_mismatch(a, b).expect("comparable").is_none(), equal));
        let diff = |limit| steps(|| assert_eq!(options.diff(a, b, limit).expect("comparable").is_empty(), equal));
        let steps = [first, diff(100), diff(usize::MAX)];
        // The hashes that align arrays, the comparison before the walk, and the comparisons of pairs take a few steps each.
        assert!(steps.iter().all(|steps| *steps <= 48 * size), "{name}: size {size}, {steps:?} steps");
    }
}
