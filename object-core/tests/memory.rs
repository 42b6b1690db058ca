//! Memory: each value is released once and in time, also when destructors panic, and safe code cannot read a field as a
//! value of another type. `.ci/sanitize` runs these tests under AddressSanitizer, which also finds leaks.

#![allow(missing_docs, reason = "the types of a test explain themselves")]

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};

use object_core::json::{self, JsonReader};
use object_core::prelude::*;
use object_core::rewrite::mutate;
use object_core::{ErrorKind, Function, ObjectBuilder, registry};

/// Counts how many of its values are dropped.
#[derive(Clone, Default)]
struct Drops(Arc<AtomicUsize>);

impl Drops {
    fn get(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }

    /// A function whose destructor is counted.
    fn function(&self) -> Function {
        let tick = Tick(self.0.clone());
        Function::from_packed(move |_| {
            let _ = &tick;
            Ok(Any::None)
        })
    }

    /// A function that runs `last` when it is released.
    fn function_with(&self, last: impl Fn() + Send + Sync + 'static) -> Function {
        let guard = OnDrop(Tick(self.0.clone()), last);
        Function::from_packed(move |_| {
            let _ = &guard;
            Ok(Any::None)
        })
    }
}

struct Tick(Arc<AtomicUsize>);

impl Drop for Tick {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

struct OnDrop<F: Fn()>(#[allow(dead_code, reason = "only its drop counts")] Tick, F);

impl<F: Fn()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.1)();
    }
}

#[derive(Object)]
#[object(type_key = "memory.Hold", base)]
#[structural_eq(none)]
pub struct HoldNode {
    pub first: Function,
    pub second: Option<Function>,
}

#[derive(Object)]
#[object(type_key = "memory.HoldMore", parent = HoldNode, base_args(first: Function))]
#[structural_eq(none)]
pub struct HoldMoreNode {
    pub base: HoldNode,
    pub small: u8,
    pub any: Any,
}

fn builder(type_key: &str) -> ObjectBuilder {
    ObjectBuilder::new(registry::type_info(type_key).expect("registered")).expect("it has fields")
}

#[test]
fn a_panic_in_a_destructor_does_not_poison_later_releases() {
    let drops = Drops::default();
    for _ in 0..3 {
        let bomb = drops.function_with(|| panic!("a destructor panics"));
        assert!(catch_unwind(AssertUnwindSafe(|| drop(bomb))).is_err());
    }
    assert_eq!(drops.get(), 3, "the other values in the closures are dropped");
    // Two elements of an array panic: the other elements are released, each once.
    let bomb = || drops.function_with(|| panic!("a destructor panics"));
    let array = Array::from([drops.function(), bomb(), drops.function(), bomb(), drops.function()]);
    assert!(catch_unwind(AssertUnwindSafe(|| drop(array))).is_err());
    assert_eq!(drops.get(), 3 + 5);
    let before = drops.get();
    drop(Hold::new(drops.function(), Some(drops.function())));
    assert_eq!(drops.get(), before + 2);
}

#[test]
fn a_destructor_may_make_and_drop_objects() {
    let drops = Drops::default();
    let inner = drops.clone();
    let outer = drops.function_with(move || {
        let chain = (0..1000).fold(inner.function(), |below, _| {
            let inner = inner.clone();
            Function::from_packed(move |_| {
                let _ = (&below, &inner);
                Ok(Any::None)
            })
        });
        drop(Array::from([chain.clone(), chain]));
        assert!(catch_unwind(|| panic!("caught inside of a destructor")).is_err());
    });
    drop(outer);
    assert_eq!(drops.get(), 2);
}

thread_local! {
    static KEPT: RefCell<Vec<Any>> = const { RefCell::new(Vec::new()) };
    static LATE: RefCell<Option<Late>> = const { RefCell::new(None) };
}

/// Makes and drops objects while its thread ends.
struct Late(Drops);

impl Drop for Late {
    fn drop(&mut self) {
        drop(Hold::new(self.0.function(), Some(self.0.function())));
    }
}

#[test]
fn objects_are_released_in_the_destructors_of_thread_locals() {
    let drops = Drops::default();
    let in_thread = drops.clone();
    let thread = std::thread::spawn(move || {
        LATE.set(Some(Late(in_thread.clone())));
        let held = Hold::new(in_thread.function(), None);
        KEPT.with_borrow_mut(|kept| kept.extend([Any::from(held), Array::from([in_thread.function()]).into()]));
        // The first value of this thread is made last, so one of the two destructors runs after the other.
        drop(in_thread.function());
    });
    thread.join().expect("it ends");
    assert_eq!(drops.get(), 5);
}

#[test]
fn an_unfinished_builder_leaks_nothing() {
    let drops = Drops::default();
    let mut one = builder("memory.HoldMore");
    one.set("first", drops.function()).and_then(|it| it.set("any", drops.function())).expect("both fit");
    drop(one);
    assert_eq!(drops.get(), 2, "dropped half-way");

    let mut two = builder("memory.HoldMore");
    two.set("first", drops.function()).and_then(|it| it.set("first", drops.function())).expect("both fit");
    assert_eq!(drops.get(), 3, "the second value replaces the first");
    let error = two.set("first", Any::from(Array::from([drops.function()]))).err().expect("an array is no function");
    assert_eq!(error.kind(), ErrorKind::TypeMismatch);
    assert_eq!(drops.get(), 5, "the value that does not fit, and the one it should have replaced");
    two.set("any", drops.function()).expect("it fits");
    let error = two.build().expect_err("`first` is not set any more");
    assert_eq!(error.kind(), ErrorKind::MissingField);
    assert_eq!(drops.get(), 6);

    let mut three = builder("memory.Hold");
    three.set("first", drops.function_with(|| panic!("a destructor panics"))).expect("it fits");
    assert!(catch_unwind(AssertUnwindSafe(|| three.set("first", drops.function()).is_ok())).is_err());
    let dropped = drops.get();
    assert!(three.build().is_err(), "the field is not set");
    assert_eq!(drops.get(), dropped, "and not dropped again");
}

/// A node whose defaults make a counted function, read another graph, and panic.
#[derive(Object)]
#[object(type_key = "memory.Defaults")]
#[structural_eq(none)]
pub struct DefaultsNode {
    pub first: Array<Any>,
    pub second: Option<Counted>,
    #[field(default = READING.with_borrow(Drops::function))]
    pub made: Function,
    #[field(default = json::from_slice::<Any>(INNER.as_bytes()).expect("it is a graph"))]
    pub read: Any,
    #[field(default = if PANICS.get() { panic!("a default") } else { 1 })]
    pub last: i64,
}

#[derive(Object)]
#[object(type_key = "memory.Counted")]
#[structural_eq(none)]
pub struct CountedNode {
    pub below: Array<Any>,
}

impl Drop for CountedNode {
    fn drop(&mut self) {
        READING.with_borrow(|drops| drops.0.fetch_add(100, Ordering::SeqCst));
    }
}

const INNER: &str = r#"{"root_index":1,"nodes":[{"type":"ffi.Array","data":[]},{"type":"ffi.Array","data":[0,0]}]}"#;

thread_local! {
    static READING: RefCell<Drops> = RefCell::default();
    static PANICS: Cell<bool> = const { Cell::new(false) };
}

#[test]
fn a_failed_read_of_a_graph_leaks_nothing() {
    // The object takes the only handles of its children; a third child shares one of them.
    let start = concat!(
        r#"{"root_index":3,"nodes":[{"type":"ffi.Array","data":[]},{"type":"ffi.Array","data":[0,0]},"#,
        r#"{"type":"memory.Counted","data":{"below":1}},{"type":"memory.Defaults","data":{"first":0,"second":2"#
    );
    let drops = READING.with_borrow(Drops::clone);
    let whole = format!("{start}}}}}]}}");
    let graph = JsonReader::new().read(whole.as_bytes()).expect("it is a graph");
    assert_eq!(graph.root.clone().cast::<Defaults>().expect("the type is said").read.to_string(), "[%0 = [], %0]");
    assert_eq!(drops.get(), 0);
    drop(graph);
    assert_eq!(drops.get(), 101);
    // A panic in the last default, and errors after the object, inside of it, and in its last field.
    PANICS.set(true);
    assert!(catch_unwind(|| JsonReader::new().read(whole.as_bytes())).is_err());
    assert_eq!(drops.get(), 202);
    PANICS.set(false);
    for (end, made) in [("}},{", true), ("", false), (r#","second":2}}]}"#, false), (r#","read":9}}]}"#, false)] {
        let before = drops.get();
        JsonReader::new().read(format!("{start}{end}").as_bytes()).expect_err("it is no graph");
        // The general reader, which reports the fault, starts again from the beginning. It does not build all objects
        // then.
        let counted = drops.get() - before;
        assert!(counted >= 100 && counted.is_multiple_of(100) != made, "{end}: {counted}");
    }
}

#[test]
fn a_failed_rewrite_leaks_nothing_and_drops_nothing_twice() {
    let drops = Drops::default();
    let graph = |held: &Function| {
        let array = Array::<Any>::from([Any::from(drops.function()), Any::from("a"), drops.function().into()]);
        let map = Map::<Str, Any>::from([("a".into(), Any::from(drops.function())), ("b".into(), held.clone().into())]);
        Array::<Any>::from([Any::from(array), Any::from(map), drops.function().into()])
    };
    let held = drops.function();
    // The value contains five functions. Each call before the last one replaces one.
    for end in 0..=5 {
        for panics in [false, true] {
            let before = drops.get();
            let mut calls = 0;
            let result = catch_unwind(AssertUnwindSafe(|| {
                mutate(graph(&held), |_: &Function, _| {
                    calls += 1;
                    assert!(calls <= end || !panics, "a callback panics");
                    if calls > end { Err(Error::new(ErrorKind::Call, "no")) } else { Ok(Some(drops.function())) }
                })
            }));
            assert_eq!(result.is_err(), panics && end < 5);
            assert_eq!(result.as_ref().is_ok_and(Result::is_ok), end == 5);
            let of_result = if end == 5 { 5 } else { 0 };
            assert_eq!(drops.get() - before, 4 + end - of_result, "{end}: all but `held`, and what is in the result");
            drop(result);
            assert_eq!(drops.get() - before, 4 + end);
        }
    }
    // The replaced value panics when it is dropped, in an array and in a map. Every other value is dropped once.
    for key in [None, Some("a")] {
        let before = drops.get();
        let bomb = Any::from(drops.function_with(|| panic!("a destructor panics")));
        let root = match key {
            None => Any::from(Array::<Any>::from([Any::from(drops.function()), bomb])),
            Some(key) => Any::from(Map::<Str, Any>::from([(key.into(), bomb), ("b".into(), drops.function().into())])),
        };
        let made = catch_unwind(AssertUnwindSafe(|| mutate(root, |_: &Function, _| Some(drops.function()))));
        assert!(made.is_err());
        assert_eq!(drops.get() - before, 4);
    }
    drop(held);
}

#[test]
fn copies_own_their_children() {
    let drops = Drops::default();
    let original: HoldMore = HoldMoreNode {
        base: HoldNode { first: drops.function(), second: Some(drops.function()) },
        small: 1,
        any: drops.function().into(),
    }
    .into();
    let mut copy: Hold = original.clone().into();
    copy.make_mut().second = None;
    assert_eq!(drops.get(), 0);
    drop(original);
    assert_eq!(drops.get(), 1, "`second` of the original");
    drop(copy);
    assert_eq!(drops.get(), 3);
}

#[test]
fn the_last_thread_releases_a_graph() {
    let drops = Drops::default();
    for _ in 0..100 {
        let shared = Array::from([drops.function(), drops.function()]);
        let barrier = Barrier::new(4);
        std::thread::scope(|scope| {
            for handle in [shared.clone(), shared.clone(), shared.clone(), shared] {
                let barrier = &barrier;
                scope.spawn(move || {
                    barrier.wait();
                    assert_eq!(handle.len(), 2);
                });
            }
        });
    }
    assert_eq!(drops.get(), 200);
}

/// A node with a field that has the name and the offset of a field of [`TextNode`], but another type.
#[derive(Object)]
#[object(type_key = "memory.Number")]
#[structural_eq(tree)]
pub struct NumberNode {
    pub value: i64,
}

#[derive(Object)]
#[object(type_key = "memory.Text")]
#[structural_eq(tree)]
pub struct TextNode {
    pub value: Str,
}

#[test]
fn a_field_of_another_type_is_refused() {
    let field = |key: &str| registry::type_info(key).expect("registered").field("value").expect("a field").1;
    let (number, text) = (Number::new(0x4141_4141), Text::new("text"));
    assert!(field("memory.Number").get(text.as_object().view()).is_none());
    assert!(field("memory.Text").get(number.as_object().view()).is_none());
    assert!(field("memory.Number").get(number.as_object().view()).is_some());
    // The field of an ancestor is found at any position of the base part.
    let first = registry::type_info("memory.Hold").expect("registered").field("first").expect("a field").1;
    let more: HoldMore =
        HoldMoreNode { base: HoldNode { first: Drops::default().function(), second: None }, small: 0, any: Any::None }
            .into();
    assert!(first.get(more.as_object().view()).is_some_and(|value| value.type_key() == "ffi.Function"));
}

/// A node whose fields are not in the table, so a builder cannot make it.
#[derive(Object)]
#[object(type_key = "memory.Hidden", opaque)]
pub struct HiddenNode {
    pub bytes: Vec<u8>,
}

impl Clone for HiddenNode {
    fn clone(&self) -> Self {
        HiddenNode { bytes: self.bytes.clone() }
    }
}

#[test]
fn an_opaque_object_is_copied_by_clone() {
    let mut hidden = Hidden::from(HiddenNode { bytes: vec![1; 100] });
    let other = hidden.clone();
    hidden.make_mut().bytes.push(2);
    assert_eq!((hidden.bytes.len(), other.bytes.len()), (101, 100));
    let info = registry::type_info("memory.Hidden").expect("registered");
    assert_eq!(ObjectBuilder::new(info).err().map(|error| error.kind()), Some(ErrorKind::NotConstructible));
}

/// An opaque base.
#[derive(Object, Clone)]
#[object(type_key = "memory.HiddenBase", base, opaque)]
pub struct HiddenBaseNode {
    pub bytes: Vec<u8>,
}

/// A type that extends an opaque type must be declared opaque.
#[derive(Object, Clone)]
#[object(type_key = "memory.MoreHidden", parent = HiddenBaseNode, base_args(bytes: Vec<u8>), opaque)]
#[structural_eq(none)]
pub struct MoreHiddenNode {
    pub base: HiddenBaseNode,
    pub number: i64,
}

#[test]
fn types_that_extend_an_opaque_type_are_opaque() {
    let info = registry::type_info("memory.MoreHidden").expect("registered");
    assert_eq!(ObjectBuilder::new(info).err().map(|error| error.kind()), Some(ErrorKind::NotConstructible));
    let mut more = MoreHidden::new(vec![1; 100], 2);
    more.make_mut().number = 3;
    let other = more.clone();
    more.make_mut().number = 4;
    assert_eq!((more.number, other.number), (4, 3), "both parts are copied");
    assert_eq!((more.bytes.len(), other.bytes.len()), (100, 100));
}

#[derive(Object)]
#[object(type_key = "memory.Empty", base)]
#[structural_eq(tree)]
pub struct EmptyNode {}

/// A node with the largest alignment.
#[derive(Object)]
#[object(type_key = "memory.Wide", parent = EmptyNode)]
#[structural_eq(tree)]
#[repr(align(16))]
pub struct WideNode {
    pub base: EmptyNode,
    pub flag: bool,
    pub number: i64,
}

#[test]
fn empty_and_aligned_nodes_are_objects_like_others() {
    let mut empty: Empty = builder("memory.Empty").build().expect("there is no field").try_into().expect("it is one");
    let other = empty.clone();
    let _: &mut EmptyNode = empty.make_mut();
    assert!(!empty.ptr_eq(&other) && structural_equal(&empty, &other));
    let mut wide = builder("memory.Wide");
    wide.set("flag", true).and_then(|it| it.set("number", 7)).expect("both fit");
    let wide: Wide = wide.build().expect("all are set").try_into().expect("it is one");
    assert_eq!((&raw const *wide as usize % 16, wide.flag, wide.number), (0, true, 7));
    let mut base: Empty = wide.clone().into();
    let _: &mut EmptyNode = base.make_mut();
    assert!(structural_equal(&base, &wide));
}

/// An enum that accepts the smallest and the largest integer, and no other.
#[derive(Object, Clone, Copy, PartialEq, Debug)]
#[repr(i64)]
pub enum Extreme {
    Least = i64::MIN,
    Most = i64::MAX,
}

#[test]
fn every_element_is_checked_not_only_the_extremes() {
    let ints = Any::from(Array::from([i64::MIN, 0, i64::MAX]));
    assert!(ints.clone().cast::<Array<Extreme>>().is_err());
    assert!(ints.clone().cast::<Array<i32>>().is_err());
    assert!(ints.cast::<Array<i64>>().is_ok());
    let extremes = Any::from(Array::from([i64::MIN, i64::MAX])).cast::<Array<Extreme>>().expect("both are variants");
    assert_eq!(extremes.iter().collect::<Vec<_>>(), [Extreme::Least, Extreme::Most]);
}

#[test]
fn look_ups_in_the_registry_run_side_by_side() {
    let barrier = Barrier::new(8);
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let barrier = &barrier;
            scope.spawn(move || {
                barrier.wait();
                for round in 0..200 {
                    let info = registry::type_info("memory.Text").expect("registered");
                    assert_eq!(info.type_key(), "memory.Text");
                    assert!(registry::type_info("memory.Txt").is_err());
                    if (round + thread) % 50 == 0 {
                        registry::register(&[info]).expect("it is there already");
                        assert!(registry::types().expect("no duplicates").len() > 7);
                    }
                }
            });
        }
    });
}
