//! Singletons: one instance for each key, whatever the program does with it, and code of the user that makes instances.

#![forbid(unsafe_code)]
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use object_core::data::{deep_copy, replace};
use object_core::dynamic::{Schema, SchemaLoader};
use object_core::json::{self, JsonReader};
use object_core::prelude::*;
use object_core::rewrite::mutate;
use object_core::{ErrorKind, FieldType, ObjectBuilder, registry};

#[derive(Object)]
#[object(type_key = "singletons.Expr", base)]
#[structural_eq(tree)]
pub struct ExprNode {
    #[field(ignore, default)]
    pub span: Option<Str>,
}

#[derive(Object)]
#[object(type_key = "singletons.Op", parent = ExprNode)]
#[structural_eq(singleton, key = name)]
pub struct OpNode {
    pub base: ExprNode,
    pub name: Str,
}

#[derive(Object)]
#[object(type_key = "singletons.Call", parent = ExprNode)]
#[structural_eq(tree)]
pub struct CallNode {
    pub base: ExprNode,
    pub op: Expr,
    pub args: Array<Expr>,
}

#[derive(Object)]
#[object(type_key = "singletons.Level")]
#[structural_eq(singleton, key = name)]
pub struct LevelNode {
    pub name: Str,
    #[field(default = 3)]
    pub number: i64,
}

fn add() -> Op {
    Op::get("add").expect("an open set")
}

#[test]
fn a_rewrite_does_not_visit_the_key_of_an_instance() {
    let call = Call::new(add(), Array::<Expr>::new(Vec::new()));
    let renamed = mutate(call.clone(), |name: &Str, _| (name == "add").then(|| Str::from("sub")));
    assert!(renamed.expect("nothing changes").ptr_eq(&call) && call.op.ptr_eq(&Expr::from(add())));
}

#[test]
fn a_handle_of_an_ancestor_does_not_change_the_instance() {
    let mut open: Expr = add().into();
    let error = open.try_make_mut().err().expect("it is a singleton");
    assert_eq!(error.kind(), ErrorKind::NotConstructible);
    assert!(error.message().contains("cannot change a `singletons.Op` through this handle"), "{error}");
    assert!(catch_unwind(AssertUnwindSafe(|| open.make_mut().span = Some("here".into()))).is_err());
    assert!(open.ptr_eq(&add()) && add().span.is_none());
    let mut call = Call::new(open.clone(), [open]);
    let other = call.clone();
    let changed = call.make_mut();
    assert!(changed.op.try_make_mut().is_err());
    assert!(call.op.ptr_eq(&add()) && other.op.ptr_eq(&add()));
    // Other objects change through such a handle.
    let mut open: Expr = Call::new(add(), []).into();
    open.make_mut().span = Some("here".into());
    assert_eq!(open.span.as_ref().map(Str::as_str), Some("here"));
}

#[test]
fn no_operation_makes_a_second_instance() {
    let op = add();
    let level = Level::get("high").expect("an open set");
    let root = Call::new(op.clone(), [Expr::from(op.clone())]);
    let same = |root: &Call| root.op.ptr_eq(&op) && root.args[0].ptr_eq(&op);
    assert!(same(&deep_copy(&root).expect("it can be copied")));
    assert!(deep_copy(&op).expect("it stays the same").ptr_eq(&op));
    let text = json::to_string(&root).expect("it can be written");
    assert!(same(&json::from_slice::<Call>(text.as_bytes()).expect("it can be read")));
    let streamed: Call = json::from_reader(text.as_bytes()).expect("it can be read");
    assert!(same(&streamed));
    let renamed = mutate(root.clone(), |call: &Call, _| Some(Call::new(call.op.clone(), call.args.clone())));
    assert!(same(&renamed.expect("it fits")));
    for object in [op.as_object(), level.as_object()] {
        let kinds = [
            ObjectBuilder::from_object(object.view()).err().map(|error| error.kind()),
            ObjectBuilder::new(object.type_info()).err().map(|error| error.kind()),
            replace(object, [("span", "there")]).err().map(|error| error.kind()),
        ];
        assert_eq!(kinds, [Some(ErrorKind::NotConstructible); 3]);
    }
    assert!(op.span.is_none());
}

#[test]
fn a_changed_copy_of_a_file_leads_to_the_same_instance() {
    let level = Level::get("high").expect("an open set");
    let text = json::to_string(&level).expect("it can be written");
    let read: Level = json::from_slice(text.as_bytes()).expect("it can be read");
    assert!(read.ptr_eq(&level));
    assert_eq!(Any::from("high").cast::<Level>().err().map(|error| error.kind()), Some(ErrorKind::TypeMismatch));
}

#[test]
fn a_type_from_a_schema_has_one_instance_per_key() {
    let schema = br#"{"format": "object-schema", "version": 1, "types": [{"key": "singletons.Made", "kind": "singleton", "singleton_key": "name", "parent": "singletons.Expr",
        "fields": [{"name": "name", "type": "ffi.String"}]}]}"#;
    let schema = Schema::parse(schema).expect("a schema");
    let types = SchemaLoader::new().load(&schema).expect("it fits");
    let text = r#"{"root_index":0,"nodes":[{"type":"singletons.Made","data":"one"}]}"#;
    let read = || JsonReader::new().types(&types).read(text.as_bytes()).expect("it can be read").root;
    let (a, b) = (read().cast::<ObjectRef>().expect("an object"), read().cast::<ObjectRef>().expect("an object"));
    assert!(a.ptr_eq(&b) && deep_copy(&a).expect("it stays the same").ptr_eq(&b));
    assert!(ObjectBuilder::from_object(a.view()).is_err() && ObjectBuilder::new(a.type_info()).is_err());
    let mut open = Any::from(a).cast::<Expr>().expect("it extends the type");
    assert!(open.try_make_mut().is_err() && open.ptr_eq(&b));
}

#[derive(Object)]
#[object(type_key = "singletons.Cyclic")]
#[structural_eq(singleton, key = name)]
pub struct CyclicNode {
    pub name: Str,
    #[field(default = root())]
    pub root: Option<Cyclic>,
}

/// The last error of [`root`].
static ERRORS: AtomicUsize = AtomicUsize::new(0);

fn root() -> Option<Cyclic> {
    let found = Cyclic::get("root");
    if let Err(error) = &found {
        assert_eq!(error.kind(), ErrorKind::NotConstructible);
        assert!(
            error.message().contains("the `default` of the instance `root` of `singletons.Cyclic` looks up"),
            "{error}"
        );
        ERRORS.fetch_add(1, Ordering::SeqCst);
    }
    found.ok()
}

#[test]
fn a_default_may_look_up_instances_but_not_the_one_that_it_is_for() {
    let leaf = Cyclic::get("leaf").expect("its default has a value for the root");
    let root = Cyclic::get("root").expect("an open set");
    assert!(root.root.is_none() && leaf.root.as_ref().is_some_and(|it| it.ptr_eq(&root)));
    assert_eq!(ERRORS.load(Ordering::SeqCst), 1);
}

#[derive(Object)]
#[object(type_key = "singletons.Left")]
#[structural_eq(singleton, key = name, table = left_table)]
pub struct LeftNode {
    pub name: Str,
    pub other: Option<Right>,
}

#[derive(Object)]
#[object(type_key = "singletons.Right")]
#[structural_eq(singleton, key = name, table = right_table)]
pub struct RightNode {
    pub name: Str,
    pub other: Option<Left>,
}

fn left_table() -> Vec<LeftNode> {
    std::thread::yield_now();
    vec![LeftNode { name: "a".into(), other: Right::get("a").ok() }]
}

fn right_table() -> Vec<RightNode> {
    std::thread::yield_now();
    vec![RightNode { name: "a".into(), other: Left::get("a").ok() }]
}

#[test]
fn tables_that_look_each_other_up_do_not_wait_for_each_other() {
    let barrier = Barrier::new(2);
    let (left, right) = std::thread::scope(|scope| {
        let left = scope.spawn(|| {
            barrier.wait();
            Left::get("a").expect("in the table")
        });
        let right = scope.spawn(|| {
            barrier.wait();
            Right::get("a").expect("in the table")
        });
        (left.join().expect("it ends"), right.join().expect("it ends"))
    });
    assert!(left.ptr_eq(&Left::get("a").expect("in the table")));
    assert!(right.ptr_eq(&Right::get("a").expect("in the table")));
    let error = Left::get("b").expect_err("not in the table");
    assert_eq!(error.kind(), ErrorKind::UnknownSingleton);
}

#[derive(Object)]
#[object(type_key = "singletons.Own")]
#[structural_eq(singleton, key = name, table = own_table)]
pub struct OwnNode {
    pub name: Str,
    pub found: bool,
}

fn own_table() -> Vec<OwnNode> {
    let found = Own::get("b").map(|_| ()).map_err(|error| error.kind());
    assert_eq!(found, Err(ErrorKind::NotConstructible));
    vec![OwnNode { name: "a".into(), found: found.is_ok() }]
}

#[test]
fn a_table_that_looks_itself_up_gets_an_error() {
    assert!(!Own::get("a").expect("in the table").found);
}

#[derive(Object)]
#[object(type_key = "singletons.Fragile")]
#[structural_eq(singleton, key = name, table = fragile_table)]
pub struct FragileNode {
    pub name: Str,
}

static PANICS: AtomicBool = AtomicBool::new(true);

fn fragile_table() -> Vec<FragileNode> {
    assert!(!PANICS.swap(false, Ordering::SeqCst), "the first call panics");
    vec![FragileNode { name: "a".into() }, FragileNode { name: "a".into() }]
}

#[test]
fn a_panic_in_a_table_does_not_spoil_the_type() {
    assert!(catch_unwind(|| Fragile::get("a").is_ok()).is_err());
    let a = Fragile::get("a").expect("the second call makes the table");
    assert!(a.ptr_eq(&Fragile::get("a").expect("in the table")), "the first of two nodes with one key counts");
    assert_eq!(registry::type_info("singletons.Fragile").expect("registered").type_key(), "singletons.Fragile");
    assert!(Fragile::accepts(Any::from(a).view()));
}
