//! Operations in the child of a `fork`: after operations of the parent, in the middle of one, and while another thread of the
//! parent is in the middle of one, which then never ends in the child. The program has no test harness, because its threads
//! would be parts of each `fork`.

#![allow(missing_docs, reason = "the types of a test explain themselves")]

#[cfg(not(all(unix, not(miri), not(loom))))]
fn main() {
    println!("skipped: there is no `fork`");
}

#[cfg(all(unix, not(miri), not(loom)))]
fn main() {
    unix::main();
}

#[cfg(all(unix, not(miri), not(loom)))]
mod unix {
    use std::panic::{UnwindSafe, catch_unwind, resume_unwind};
    use std::sync::Barrier;
    use std::thread;

    use object_core::data::{deep_copy, value_equal};
    use object_core::json;
    use object_core::prelude::*;
    use object_core::rewrite::mutate;
    use object_core::stats::GraphStats;
    use object_core::visit::walk;

    #[derive(Object)]
    #[object(type_key = "fork.Pair")]
    #[structural_eq(tree)]
    pub struct PairNode {
        pub left: Option<Pair>,
        pub right: Option<Pair>,
        pub value: i64,
    }

    /// Pairs that share their halves, so that operations need to know the objects that they have met.
    fn shared(levels: i64) -> Pair {
        (1..levels).fold(Pair::new(None, None, 0), |half, value| Pair::new(Some(half.clone()), Some(half), value))
    }

    /// The results of all kinds of operations on a graph: those that mark objects, that change them, that hash and compare
    /// them, and that make and release them.
    fn results(levels: i64) -> (u64, usize, usize, String, bool) {
        let root = shared(levels);
        let mut visited = 0;
        walk(&root, |_: &Pair, _| visited += 1);
        let changed = mutate(shared(levels), |pair: &Pair, _| Some(pair.clone().with_changes(|it| it.value += 1)));
        let changed = changed.expect("each field accepts a pair");
        let copy = deep_copy(&root).expect("a copy");
        let text = json::to_string(&root).expect("a text");
        let read: Pair = json::from_str(&text).expect("a graph");
        let is_same = structural_equal(&root, &copy) && structural_equal(&copy, &read) && value_equal(&root, &read);
        let is_other = !structural_equal(&root, &changed);
        let nodes = GraphStats::of(&copy).nodes;
        (structural_hash(&changed), visited, nodes, changed.to_string(), is_same && is_other)
    }

    /// Runs `check` in a child of this process. Returns whether it is true there.
    fn in_child(check: impl FnOnce() -> bool + UnwindSafe) -> bool {
        // SAFETY: the child only allocates, which the memory of the C library supports after a `fork`, and runs operations that
        // wait for no other thread; it ends by `_exit`, which runs no code of the parent.
        let child = unsafe { libc::fork() };
        assert!(child >= 0, "a process starts");
        if child == 0 {
            let is_true = catch_unwind(check).unwrap_or(false);
            // SAFETY: the function ends the process.
            unsafe { libc::_exit(if is_true { 0 } else { 1 }) };
        }
        let mut status = 0;
        // SAFETY: the process is a child of this one, and `status` is a place for its state.
        let ended = unsafe { libc::waitpid(child, &raw mut status, 0) };
        ended == child && libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0
    }

    pub(super) fn main() {
        let expected = results(30);
        assert!(expected.4 && expected.1 == 30, "{expected:?}");

        assert!(in_child(|| results(30) == expected), "after the operations of the parent");

        // The walk has the right to write marks, in the child too.
        let (mut visited, mut children) = (0, 0);
        walk(&shared(10), |_: &Pair, _| {
            visited += 1;
            children += usize::from(in_child(|| results(30) == expected));
        });
        assert_eq!((visited, children), (10, 10), "in the middle of a walk");

        // In the child, the right to write marks belongs to a thread that does not exist there.
        let (inside, done) = (Barrier::new(2), Barrier::new(2));
        thread::scope(|scope| {
            scope.spawn(|| {
                walk(&Pair::new(None, None, 0), |_: &Pair, _| {
                    inside.wait();
                    done.wait();
                });
            });
            inside.wait();
            let kept = in_child(|| results(30) == expected);
            done.wait();
            assert!(kept, "during the walk of another thread");
        });

        assert!(
            !in_child(|| results(29) == expected) && !in_child(|| resume_unwind(Box::new(()))),
            "a child that fails"
        );
        println!("the children of 12 forks have the results of their parent, and 2 fail as they should");
    }
}
