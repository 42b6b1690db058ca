//! [`Pool`]: runs a check over many items on a few threads.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use indicatif::{ProgressBar, ProgressStyle};

/// The stack size of each thread. It is small, so that recursion over a graph fails.
const STACK: usize = 256 * 1024;

/// A number of threads.
pub(super) struct Pool {
    threads: usize,
}

impl Pool {
    /// A pool of `threads` threads, at least one.
    pub(super) fn new(threads: usize) -> Self {
        Pool { threads: threads.max(1) }
    }

    /// The result of `work` for each item, in order, or the message of its panic. Shows the progress on standard error
    /// if that is a terminal.
    pub(super) fn map<T: Sync, R: Send>(
        &self,
        name: &str,
        items: &[T],
        work: impl Fn(&T) -> R + Sync,
    ) -> Vec<Result<R, String>> {
        let progress = progress(name, items.len());
        let next = AtomicUsize::new(0);
        let run = || {
            let mut results = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(item) = items.get(index) else { return results };
                let result = catch_unwind(AssertUnwindSafe(|| work(item)));
                results.push((index, result.map_err(|panic| message(&*panic))));
                progress.inc(1);
            }
        };
        let mut results = thread::scope(|scope| {
            let spawn = |_| {
                let thread = thread::Builder::new().name(THREAD.into()).stack_size(STACK).spawn_scoped(scope, run);
                thread.expect("the system gives another thread")
            };
            let threads: Vec<_> = (0..self.threads).map(spawn).collect();
            let join = |thread: thread::ScopedJoinHandle<'_, Vec<_>>| thread.join().expect("panics are caught");
            threads.into_iter().flat_map(join).collect::<Vec<_>>()
        });
        progress.finish_and_clear();
        results.sort_unstable_by_key(|(index, _)| *index);
        results.into_iter().map(|(_, result)| result).collect()
    }
}

/// The name of the threads. A panic in one of them is part of the result, so it is not printed.
const THREAD: &str = "corpus";

fn progress(name: &str, len: usize) -> ProgressBar {
    let bar = ProgressBar::new(len as u64).with_message(name.to_owned());
    match ProgressStyle::with_template("{msg:>14} {wide_bar} {pos}/{len}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// The message of a panic.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".into())
}

/// Does not print panics of checks on standard error: the report has them.
pub fn hide_panics_of_checks() {
    let show = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if thread::current().name() != Some(THREAD) {
            show(info);
        }
    }));
}

#[cfg(test)]
mod tests {
    use super::Pool;

    #[test]
    fn keeps_the_order_and_catches_panics() {
        let results = Pool::new(3).map("test", &[1, 2, 3, 4, 5], |item| {
            assert!(item % 2 == 1, "{item} is even");
            item * 10
        });
        let even = |item| Err(format!("{item} is even"));
        assert_eq!(results, [Ok(10), even(2), Ok(30), even(4), Ok(50)]);
    }
}
