//! Fields marked `skip`: no algorithm sees them, and every operation on memory keeps, copies and drops them.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

use object_core::data::{deep_copy, replace, value_equal};
use object_core::dynamic::{Schema, SchemaLoader};
use object_core::json::{self, JsonReader};
use object_core::prelude::*;
use object_core::rewrite::mutate;
use object_core::visit::walk;
use object_core::{ObjectBuilder, structural_diff};

thread_local! {
    /// The number of `Foreign` values.
    static ALIVE: Cell<isize> = const { Cell::new(0) };
    /// The number of calls of `default` and `clone` before one panics.
    static PANIC_IN: Cell<Option<u32>> = const { Cell::new(None) };
}

/// Data of another library: not a field type, with an alignment of its own, and a clone and a default that can panic.
#[repr(align(16))]
struct Foreign {
    id: u64,
}

impl Foreign {
    fn new(id: u64) -> Self {
        if let Some(rest) = PANIC_IN.get() {
            PANIC_IN.set(rest.checked_sub(1));
            assert!(rest > 0, "as the test asks");
        }
        ALIVE.set(ALIVE.get() + 1);
        Foreign { id }
    }

    fn check(&self) {
        assert_eq!(std::ptr::from_ref(self).addr() % 16, 0, "misaligned");
    }
}

impl Default for Foreign {
    fn default() -> Self {
        Foreign::new(1)
    }
}

impl Clone for Foreign {
    fn clone(&self) -> Self {
        self.check();
        Foreign::new(self.id)
    }
}

impl Drop for Foreign {
    fn drop(&mut self) {
        self.check();
        ALIVE.set(ALIVE.get() - 1);
    }
}

/// Base of expressions.
#[derive(Object)]
#[object(type_key = "skip.Expr", base)]
struct ExprNode {
    #[field(skip)]
    ty: OnceLock<Str>,
    #[field(ignore)]
    span: Option<Str>,
    #[field(skip)]
    foreign: Foreign,
}

#[derive(Object)]
#[object(type_key = "skip.Add", parent = ExprNode)]
#[structural_eq(tree)]
struct AddNode {
    base: ExprNode,
    lhs: i64,
    #[field(skip)]
    cached: [Foreign; 2],
    rhs: Any,
}

#[derive(Object)]
#[object(type_key = "skip.Op")]
#[structural_eq(singleton, key = name)]
struct OpNode {
    name: Str,
    #[field(skip)]
    calls: OnceLock<Vec<usize>>,
}

fn add(rhs: impl Into<Any>) -> Add {
    let mut add = Add::new(1, rhs);
    let node = add.make_mut();
    node.foreign.id = 7;
    node.cached[1].id = 9;
    node.ty.set("int".into()).expect("it was empty");
    add
}

fn skipped(add: &Add) -> (u64, u64, u64, Option<&str>) {
    (add.foreign.id, add.cached[0].id, add.cached[1].id, add.ty.get().map(Str::as_str))
}

const SET: (u64, u64, u64, Option<&str>) = (7, 1, 9, Some("int"));
const DEFAULT: (u64, u64, u64, Option<&str>) = (1, 1, 1, None);

/// Runs `test` and checks that all foreign values are dropped.
fn all_dropped(test: impl FnOnce()) {
    let before = ALIVE.get();
    test();
    assert_eq!(ALIVE.get(), before, "each value is dropped once");
}

#[test]
fn no_algorithm_sees_them() {
    all_dropped(|| {
        let (a, b) = (add(Any::None), Add::new(1, Any::None));
        assert!(structural_equal(&a, &b) && structural_hash(&a) == structural_hash(&b) && value_equal(&a, &b));
        assert_eq!(structural_diff(&a, &b).expect("comparable").len(), 0);
        assert_eq!(a.to_string(), "skip.Add(span=None, lhs=1, rhs=None)");
        let names: Vec<&str> = AddNode::TYPE_INFO.fields().iter().map(|field| field.name()).collect();
        assert_eq!(names, ["span", "lhs", "rhs"]);
        let mut n_objects = 0;
        walk(&a, |_: &ObjectRef, _| n_objects += 1);
        assert_eq!(n_objects, 1);
        assert_eq!(json::to_string(&a).expect("a text"), json::to_string(&b).expect("a text"));
        let schema = Schema::of(&[ExprNode::TYPE_INFO, AddNode::TYPE_INFO]).to_json().expect("a text");
        assert!(!schema.contains("cached") && schema.contains("lhs"), "{schema}");
    });
}

#[test]
fn copies_keep_clones_and_new_objects_have_defaults() {
    all_dropped(|| {
        let a = add(Any::None);
        let mut copy = a.clone();
        copy.make_mut().lhs = 2;
        assert_eq!((skipped(&copy), skipped(&a), copy.lhs), (SET, SET, 2));
        assert_eq!(skipped(&deep_copy(&a).expect("a copy")), SET);
        assert_eq!(skipped(&replace(&a, [("lhs", 3)]).expect("a copy")), SET);
        let outer = add(Str::from("x"));
        let changed = mutate(outer.clone(), |_: &Str, _| Some(Str::from("y"))).expect("an `Any`");
        assert!(skipped(&changed) == SET && changed.rhs == Any::from("y") && outer.rhs == Any::from("x"));

        let loaded: Add = json::from_slice(json::to_string(&a).expect("a text").as_bytes()).expect("what was written");
        assert_eq!(skipped(&loaded), DEFAULT);
        let parsed: Add = object_core::repr::parse(&a.to_string()).and_then(Any::cast).expect("what was written");
        assert_eq!((skipped(&parsed), skipped(&Add::new(1, 2))), (DEFAULT, DEFAULT));
        let mut builder = ObjectBuilder::new(AddNode::TYPE_INFO).expect("a node");
        builder.set("lhs", 1).and_then(|it| it.set("rhs", 2)).and_then(|it| it.set("span", Any::None)).expect("fields");
        assert_eq!(skipped(&builder.build().and_then(|it| Any::from(it).cast()).expect("all fields")), DEFAULT);
        assert!(Op::get("add").expect("open").calls.get().is_none());
    });
}

#[test]
fn a_cache_can_be_filled_while_the_object_is_shared() {
    all_dropped(|| {
        let op = Op::get("sub").expect("open");
        assert_eq!(op.calls.get_or_init(|| vec![1, 2]), &[1, 2]);
        assert_eq!(Op::get("sub").expect("open").calls.get(), Some(&vec![1, 2]));
        // A chain of objects in skipped fields is released without recursion.
        let mut chain = Link::new();
        for _ in 0..200_000 {
            chain = Link::from(LinkNode { next: Some(chain) });
        }
        assert!(chain.next.is_some());
    });
}

#[derive(Object)]
#[object(type_key = "skip.Link")]
#[structural_eq(none)]
struct LinkNode {
    #[field(skip)]
    next: Option<Link>,
}

/// Each operation that makes an object, with each of its calls of user code panicking in turn.
#[test]
fn nothing_leaks_if_a_clone_or_a_default_panics() {
    let quiet = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    all_dropped(|| {
        let a = add("text");
        let text = json::to_string(&a).expect("a text");
        let operations: [(&str, &dyn Fn()); 4] = [
            ("json", &|| drop(json::from_slice::<Add>(text.as_bytes()))),
            ("copy", &|| drop(deep_copy(&a))),
            ("replace", &|| drop(replace(&a, [("lhs", 3)]))),
            ("new", &|| drop(Add::new(1, 2))),
        ];
        for (name, operation) in operations {
            let panics = (0..10).take_while(|calls| {
                PANIC_IN.set(Some(*calls));
                let result = catch_unwind(AssertUnwindSafe(operation));
                PANIC_IN.set(None);
                result.is_err()
            });
            assert_eq!(panics.count(), 3, "{name}: three foreign values");
        }
    });
    std::panic::set_hook(quiet);
}

/// A type from a schema extends a linked type with skipped fields: its objects have them too.
#[test]
fn types_from_schemas_inherit_them() {
    let schema = r#"{"format": "object-schema", "version": 1, "types": [
        {"key": "skip.Neg", "parent": "skip.Expr", "kind": "tree", "fields": [{"name": "arg", "type": "int"}]}]}"#;
    let types =
        Schema::parse(schema.as_bytes()).and_then(|schema| SchemaLoader::new().load(&schema)).expect("a schema");
    all_dropped(|| {
        let mut builder = types.get("skip.Neg").and_then(ObjectBuilder::new).expect("a node");
        builder.set("arg", 1).and_then(|it| it.set("span", Any::None)).expect("fields");
        let neg: Expr = builder.build().and_then(|it| Any::from(it).cast()).expect("all fields");
        assert_eq!((neg.foreign.id, neg.ty.get()), (1, None));
        let mut copy = neg.clone();
        copy.make_mut().foreign.id = 5;
        let copy = deep_copy(&copy).expect("a copy");
        assert_eq!((copy.foreign.id, neg.foreign.id), (5, 1));
        let text = json::to_string(&copy).expect("a text");
        let read: Expr = JsonReader::new()
            .types(&types)
            .read(text.as_bytes())
            .and_then(|it| it.root.cast())
            .expect("what was written");
        assert_eq!(read.foreign.id, 1);
    });
}

/// A tree with the number of its nodes, which is computed once.
#[derive(Object)]
#[object(type_key = "skip.Tree", base)]
#[structural_eq(tree)]
struct TreeNode {
    children: Array<Tree>,
    leaf: Any,
    #[field(cache)]
    size: OnceLock<usize>,
}

#[derive(Object)]
#[object(type_key = "skip.NamedTree", parent = TreeNode, base_args(children: Array<Tree>, leaf: Any))]
#[structural_eq(tree)]
struct NamedTreeNode {
    base: TreeNode,
    name: Str,
}

impl Tree {
    fn size(&self) -> usize {
        *self.size.get_or_init(|| 1 + self.children.as_slice().iter().map(Tree::size).sum::<usize>())
    }
}

/// The cached size of every node is the size.
fn check_sizes(tree: &Tree) {
    assert_eq!(tree.size(), 1 + tree.children.as_slice().iter().map(Tree::size).sum::<usize>());
    tree.children.as_slice().iter().for_each(check_sizes);
}

fn tree(depth: usize) -> Tree {
    let children: Vec<Tree> = (0..depth).map(tree).collect();
    Tree::from(NamedTree::new(children, depth as i64, "x"))
}

#[test]
fn a_change_empties_the_caches_of_all_objects_above() {
    let original = tree(4);
    check_sizes(&original);
    let mut changed = original.clone();
    let node = changed.make_mut();
    assert!(node.size.get().is_none());
    node.children = node.children.with(tree(1));
    check_sizes(&changed);
    // An object with one handle, too.
    let size = changed.size();
    let node = changed.make_mut();
    node.children = node.children.slice(..1);
    assert!(changed.size() < size);

    // A rewrite of an unshared graph, which changes objects without caches in place.
    for is_shared in [true, false] {
        let root = tree(4);
        check_sizes(&root);
        let kept = is_shared.then(|| root.clone());
        let grown = mutate(root, |tree: &Tree, _| {
            tree.children.is_empty().then(|| Tree::new([Tree::new([], 0), Tree::new([], 0)], Any::None))
        });
        let grown = grown.expect("trees are trees");
        check_sizes(&grown);
        assert_eq!(grown.size(), 16 + 8 * 2);
        assert!(kept.is_none_or(|kept| kept.size() == 16));
    }
    assert_eq!(deep_copy(&original).map(|copy| copy.size.get().copied()).ok(), Some(None));
}
