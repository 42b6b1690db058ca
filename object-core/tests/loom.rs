//! The reference count under every interleaving of two and three threads. Without `--cfg loom`, this file is empty:
//! `RUSTFLAGS="--cfg loom" cargo test -p object-core --release --test loom`.
//!
//! The tests use objects of the crate whose node contains a cell that loom checks. Loom reports a read and a write
//! without an order between them, a release that overlaps a use, and a use after the release.
#![cfg(loom)]
#![allow(missing_docs, reason = "the types of a test explain themselves")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use loom::cell::UnsafeCell;
use loom::thread;
use object_core::object::MakeMut;
use object_core::prelude::*;
use object_core::visit::walk;

/// A number that loom watches, and a count of releases.
pub struct Watched {
    value: UnsafeCell<u32>,
    releases: Arc<AtomicUsize>,
}

// SAFETY: writes go through `&mut`, and loom checks that no read overlaps them.
unsafe impl Sync for Watched {}

impl Watched {
    fn get(&self) -> u32 {
        // SAFETY: loom checks that no write overlaps the read.
        self.value.with(|value| unsafe { *value })
    }

    fn set(&mut self, new: u32) {
        // SAFETY: loom checks that no other access overlaps the write.
        self.value.with_mut(|value| unsafe { *value = new });
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        // A write, so loom reports each access to the object that is not ordered before the drop.
        self.set(u32::MAX);
        // An atomic of std, which loom does not track, so it cannot hide a missing order between threads.
        self.releases.fetch_add(1, Relaxed);
    }
}

#[derive(Object)]
#[object(type_key = "loom.Cell", opaque)]
pub struct CellNode {
    watched: Watched,
}

impl Clone for CellNode {
    fn clone(&self) -> Self {
        let value = UnsafeCell::new(self.watched.get());
        CellNode { watched: Watched { value, releases: self.watched.releases.clone() } }
    }
}

/// An object that contains others: its release adds them to the list of dead objects.
#[derive(Object)]
#[object(type_key = "loom.Outer")]
#[structural_eq(none)]
pub struct OuterNode {
    inner: Cell,
    twin: Cell,
}

/// Runs `threads` with a handle each under all interleavings, and asserts how many objects are released at the end.
fn model<const N: usize>(releases: impl Fn(&[u32]) -> usize + Send + Sync + 'static, threads: [fn(Cell) -> u32; N]) {
    bounded_model(None, releases, threads);
}

/// As [`model`], under the interleavings with at most `interruptions` of a thread that could go on; `None` is all.
fn bounded_model<const N: usize>(
    interruptions: Option<usize>,
    releases: impl Fn(&[u32]) -> usize + Send + Sync + 'static,
    threads: [fn(Cell) -> u32; N],
) {
    let releases = Arc::new(releases);
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = interruptions;
    builder.check(move || {
        let released = Arc::new(AtomicUsize::new(0));
        let watched = Watched { value: UnsafeCell::new(7), releases: released.clone() };
        let cell = Cell::from(CellNode { watched });
        let mut handles: Vec<Cell> = (1..N).map(|_| cell.clone()).collect();
        handles.push(cell);
        let mut threads = handles.into_iter().zip(threads);
        let (own, here) = threads.next().expect("there is one at least");
        let others: Vec<_> = threads.map(|(cell, run)| thread::spawn(move || run(cell))).collect();
        let mut results = vec![here(own)];
        results.extend(others.into_iter().map(|other| other.join().expect("it ends")));
        assert_eq!(released.load(Relaxed), releases(&results));
    });
}

fn read_and_drop(cell: Cell) -> u32 {
    assert_eq!(cell.watched.get(), 7);
    0
}

fn clone_and_drop(cell: Cell) -> u32 {
    let copy = cell.clone();
    drop(cell);
    assert_eq!(copy.watched.get(), 7);
    0
}

/// `1` if the object had to be copied first.
fn change(mut cell: Cell) -> u32 {
    let before = cell.as_object().view().address();
    cell.make_mut().watched.set(8);
    assert_eq!(cell.watched.get(), 8);
    u32::from(cell.as_object().view().address() != before)
}

/// The original and each copy are released.
fn original_and_copies(copied: &[u32]) -> usize {
    1 + copied.iter().sum::<u32>() as usize
}

#[test]
fn two_threads_drop() {
    model(|_| 1, [read_and_drop, read_and_drop]);
    model(|_| 1, [read_and_drop, clone_and_drop]);
}

#[test]
fn three_threads_clone_and_drop() {
    model(|_| 1, [read_and_drop, clone_and_drop, clone_and_drop]);
}

/// Walks an array with two references to the object, after `others`, and checks how often the walk enters the object.
fn enter_once(cell: Cell, others: &[Any]) {
    let mut entered = 0;
    let cells = [Any::from(cell.clone()), Any::from(cell)];
    walk(&Array::<Any>::from_iter(others.iter().cloned().chain(cells)), |_: &Cell, _| entered += 1);
    assert_eq!(entered, 1, "a walk enters an object once");
}

fn walk_once(cell: Cell) -> u32 {
    enter_once(cell, &[]);
    0
}

/// Walks twice. While another operation has the marks, the first walk does not get them, and this must not let the second
/// walk write marks. The second walk gives the object another number, because it meets another shared object first.
fn walk_twice(cell: Cell) -> u32 {
    enter_once(cell.clone(), &[]);
    let first = Any::from(Str::from("first"));
    enter_once(cell, &[first.clone(), first]);
    0
}

#[test]
fn walks_of_two_threads_do_not_mix_their_marks() {
    model(|_| 1, [walk_once, walk_once]);
    // One interruption is enough: one thread stops in its walk, and goes on after the walks of the other. All interleavings
    // take many minutes.
    bounded_model(Some(2), |_| 1, [walk_once, walk_twice]);
}

#[test]
fn a_change_in_place_comes_after_the_last_read_of_others() {
    model(original_and_copies, [change, read_and_drop]);
    model(original_and_copies, [change, clone_and_drop]);
    model(original_and_copies, [change, read_and_drop, read_and_drop]);
}

#[test]
fn at_most_one_of_two_threads_changes_an_object_in_place() {
    model(original_and_copies, [change, change]);
    model(original_and_copies, [change, change, read_and_drop]);
}

#[test]
fn children_are_released_once_by_the_last_owner() {
    loom::model(|| {
        let released = Arc::new(AtomicUsize::new(0));
        let cell = || {
            let watched = Watched { value: UnsafeCell::new(7), releases: released.clone() };
            Cell::from(CellNode { watched })
        };
        let inner = cell();
        let outer = Outer::new(inner.clone(), cell());
        let other = outer.clone();
        let thread = thread::spawn(move || {
            assert_eq!(other.inner.watched.get() + other.twin.watched.get(), 14);
        });
        drop(outer);
        assert_eq!(inner.watched.get(), 7);
        drop(inner);
        thread.join().expect("it ends");
        assert_eq!(released.load(Relaxed), 2);
    });
}
