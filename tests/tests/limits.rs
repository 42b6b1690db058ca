//! Depth and sharing: every operation on a chain of a million nodes in a thread with a stack of 256 KiB, and on graphs
//! that are small in memory and huge when unfolded.

use object_core::data::deep_copy;
use object_core::prelude::*;
use object_core::stats::GraphStats;
use object_core::structural::Scopes;
use object_core::{ObjectRef, StructuralOptions, json};

/// An expression.
#[derive(Object)]
#[object(type_key = "limits.Expr", base)]
#[structural_eq(tree)]
pub struct ExprNode {}

/// A leaf.
#[derive(Object)]
#[object(type_key = "limits.Leaf", parent = ExprNode)]
#[structural_eq(tree)]
pub struct LeafNode {
    /// The base part.
    pub base: ExprNode,
    /// Distinguishes leaves.
    pub value: i64,
}

/// A node with two children.
#[derive(Object)]
#[object(type_key = "limits.Pair", parent = ExprNode)]
#[structural_eq(tree)]
pub struct PairNode {
    /// The base part.
    pub base: ExprNode,
    /// The first child.
    pub first: Expr,
    /// The second child.
    pub second: Option<Expr>,
}

/// A node with any value.
#[derive(Object)]
#[object(type_key = "limits.Holder")]
#[structural_eq(tree)]
pub struct HolderNode {
    /// The value.
    pub value: Any,
}

/// A node with hooks.
#[derive(Object)]
#[object(type_key = "limits.Hooked")]
#[structural_eq(tree, custom)]
pub struct HookedNode {
    /// The value.
    pub value: Any,
}

impl StructuralHook for HookedNode {
    fn structural_contents<'a>(&'a self, contents: &mut HookContents<'a>) {
        contents.add("value", &self.value);
    }
}

const DEPTH: usize = 1_000_000;

fn chain(depth: usize, value: i64) -> Expr {
    (0..depth).fold(Leaf::new(value).into(), |below: Expr, _| Pair::new(below, None).into())
}

fn ladder(depth: usize, value: i64) -> Expr {
    (0..depth).fold(Leaf::new(value).into(), |below: Expr, _| Pair::new(below.clone(), Some(below)).into())
}

/// Runs `test` in a thread with a stack of 256 KiB.
fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
    on_a_stack_of(256, test);
}

fn on_a_stack_of(kib: usize, test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(kib * 1024).spawn(test);
    thread.expect("a thread starts").join().expect("the test passes");
}

#[test]
fn every_operation_takes_a_chain_of_a_million_nodes() {
    on_a_small_stack(|| {
        let (a, b, c) = (chain(DEPTH, 1), chain(DEPTH, 1), chain(DEPTH, 2));
        assert!(structural_equal(&a, &b));
        assert!(!structural_equal(&a, &c));
        assert_eq!(structural_hash(&a), structural_hash(&b));
        assert_ne!(structural_hash(&a), structural_hash(&c));
        let mismatch = structural_first_mismatch(&a, &c).expect("comparable").expect("they differ");
        assert_eq!(mismatch.lhs.steps().len(), DEPTH + 1);
        let text = json::to_string(&a).expect("serializable");
        let back: Expr = json::from_slice(text.as_bytes()).expect("readable");
        assert!(structural_equal(&a, &back));
        assert_eq!(GraphStats::of(&a).depth, DEPTH + 1);
        let repr = format!("{a:?}");
        assert!(repr.contains("...") && repr.len() < 100_000, "the repr of a large graph is cut");
        drop((a, b, c, back));
    });
}

#[test]
fn a_deep_chain_of_containers_needs_no_stack() {
    on_a_small_stack(|| {
        let build = || {
            (0..DEPTH / 4).fold(Any::Int(0), |below, i| match i % 2 {
                0 => Array::<Any>::from([below]).into(),
                _ => Map::<Any, Any>::from([(Any::from("key"), below)]).into(),
            })
        };
        let (a, b) = (build(), build());
        assert!(structural_equal(&a, &b));
        assert_eq!(structural_hash(&a), structural_hash(&b));
        let text = json::to_string(&a).expect("serializable");
        assert!(structural_equal(&a, &json::from_slice::<Any>(text.as_bytes()).expect("readable")));
    });
}

#[test]
fn recursion_uses_at_most_half_of_a_small_stack() {
    // The kinds of levels of the recursion: fields, arrays of objects, arrays of any values, and hooks.
    let levels: [fn(Any) -> Any; 4] = [
        |below| Any::new(Holder::new(below)),
        |below| Array::<ObjectRef>::from([Holder::new(below).into()]).into(),
        |below| Array::<Any>::from([below, Any::Int(1)]).into(),
        |below| Any::new(Hooked::new(below)),
    ];
    for level in levels {
        let build = move |value: i64| (0..1000).fold(Any::Int(value), |below, _| level(below));
        on_a_stack_of(128, move || {
            let (a, b, c) = (build(1), build(1), build(2));
            for scopes in [Scopes::Persistent, Scopes::Lexical] {
                let options = StructuralOptions::new().scopes(scopes);
                assert!(options.equal(&a, &b).expect("comparable"));
                assert!(options.first_mismatch(&a, &c).expect("comparable").is_some());
                assert_eq!(options.hash(&a).expect("comparable"), options.hash(&b).expect("comparable"));
            }
            assert!(structural_equal(&a, &deep_copy(&a).expect("copied")));
        });
    }
}

#[test]
fn deep_graphs_are_copied_with_their_sharing() {
    on_a_small_stack(|| {
        // The shared part is below the levels of the recursion, and above them.
        let below = Array::from([(0..DEPTH).fold(ladder(60, 1), |below, _| Pair::new(below, None).into())]);
        let a = Array::from([below.clone(), below]);
        let copy = deep_copy(&a).expect("copied");
        assert!(structural_equal(&a, &copy));
        let sizes = |stats: GraphStats| (stats.nodes, stats.edges, stats.depth);
        assert_eq!(sizes(GraphStats::of(&a)), sizes(GraphStats::of(&copy)));
        assert!(!copy[0].ptr_eq(&a[0]) && copy[0].ptr_eq(&copy[1]));
        // Deep along elements, values and keys.
        let deep = (0..DEPTH / 4).fold(Any::Int(0), |below, level| match level % 3 {
            0 => Array::<Any>::from([below, Any::Int(1)]).into(),
            1 => Map::<Any, Any>::from([(Any::from("key"), below)]).into(),
            _ => Map::<Any, Any>::from([(Any::new(Holder::new(below)), Any::Int(1))]).into(),
        });
        let copy = deep_copy(&deep).expect("copied");
        assert_eq!(sizes(GraphStats::of(&deep)), sizes(GraphStats::of(&copy)));
    });
}

#[test]
fn nodes_in_the_order_of_use_are_read_without_recursion() {
    on_a_small_stack(|| {
        let nodes: Vec<String> = (0..DEPTH / 4)
            .map(|i| format!(r#"{{"type":"limits.Pair","data":{{"first":{},"second":{}}}}}"#, i + 1, DEPTH / 4 + 1))
            .collect();
        let leaf = r#"{"type":"limits.Leaf","data":{"value":1}},{"type":"None"}"#;
        let text = format!(r#"{{"root_index":0,"nodes":[{},{leaf}]}}"#, nodes.join(","));
        let read = json::from_slice::<Any>(text.as_bytes()).expect("readable");
        assert!(structural_equal(&read, &chain(DEPTH / 4, 1)));
    });
}

#[test]
fn shared_nodes_are_walked_once() {
    on_a_small_stack(|| {
        let (a, b, c) = (ladder(60, 1), ladder(60, 1), ladder(60, 2));
        assert!(structural_equal(&a, &b) && structural_equal(&a, &a));
        assert!(!structural_equal(&a, &c));
        assert_eq!(structural_hash(&a), structural_hash(&b));
        assert!(structural_first_mismatch(&a, &c).expect("comparable").is_some());
        let text = json::to_string(&a).expect("serializable");
        assert_eq!(text.matches(r#""type":"limits.Pair""#).count(), 60, "each node is written once");
        // Sharing on odd levels on one side and on even levels on the other.
        let alternating = |odd: usize| {
            (0..60).fold(Expr::from(Leaf::new(1)), |below, level| {
                let twin = match level % 2 == odd {
                    true => below.clone(),
                    false => below
                        .downcast_ref::<Pair>()
                        .map_or(below.clone(), |pair| Pair::new(pair.first.clone(), pair.second.clone()).into()),
                };
                Pair::new(below, Some(twin)).into()
            })
        };
        assert!(structural_equal(&alternating(0), &alternating(1)));
    });
}

#[test]
fn many_different_pairs_of_shared_nodes_are_compared_once() {
    // Two butterflies, 100 wide and 30 deep, with different edges. 300,000 pairs are equal, and the comparison visits
    // 6,000.
    let butterfly = |seed: usize| {
        let mut layer: Vec<Expr> = (0..100).map(|_| Leaf::new(1).into()).collect();
        for depth in 0..30 {
            let pick = |i: usize, salt: usize| layer[(i * 31 + seed * 17 + depth * 7 + salt * 53) % 100].clone();
            layer = (0..100).map(|i| Pair::new(pick(i, 1), Some(pick(i, 2))).into()).collect();
        }
        Array::from(layer)
    };
    let (a, b) = (butterfly(1), butterfly(2));
    assert!(structural_equal(&a, &b));
    assert_eq!(structural_hash(&a), structural_hash(&b));
}
