//! Work on many files with all cores, with the results in the order of the files.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;

use indicatif::{ProgressBar, ProgressStyle};
use object_core::Result;

use crate::output::{Output, Verdict};
use crate::source::Source;

/// Calls `work` on each item in threads, and `show` on each result in the order of the items. Shows a progress bar on
/// standard error if that is a terminal.
///
/// # Errors
/// The first error of `show`, which ends the work.
pub(crate) fn for_each<T: Sync, R: Send>(
    items: &[T],
    work: impl Fn(&T) -> R + Sync,
    mut show: impl FnMut(R) -> Result<()>,
) -> Result<()> {
    if let [item] = items {
        return show(work(item));
    }
    let bar = progress_bar(items.len());
    let next = AtomicUsize::new(0);
    let (sender, results) = channel();
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(items.len());
    let shown = thread::scope(|scope| {
        for _ in 0..threads {
            let (sender, next, work) = (sender.clone(), &next, &work);
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { break };
                    // If nobody receives results, the work is over.
                    if sender.send((index, work(item))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let (mut early, mut place) = (BTreeMap::new(), 0);
        for (index, result) in results {
            early.insert(index, result);
            while let Some(result) = early.remove(&place) {
                bar.suspend(|| show(result))?;
                place += 1;
            }
            bar.inc(1);
        }
        Ok(())
    });
    bar.finish_and_clear();
    shown
}

/// As [`for_each`], for work that may fail. An error of one file is output, and the other files go on.
///
/// # Errors
/// As [`for_each`].
pub(crate) fn for_each_file<R: Send>(
    files: &[Source],
    output: &Output,
    work: impl Fn(&Source) -> Result<R> + Sync,
    mut show: impl FnMut(R) -> Result<()>,
) -> Result<Verdict> {
    let mut verdict = Verdict::Same;
    for_each(files, work, |result: Result<R>| match result {
        Ok(result) => show(result),
        Err(error) => {
            verdict = Verdict::Failed;
            output.fail(&error);
            Ok(())
        }
    })?;
    Ok(verdict)
}

/// A bar that counts files; hidden if standard error is not a terminal.
fn progress_bar(count: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{wide_bar} {pos} of {len} files, {eta} left");
    let bar = ProgressBar::new(count as u64);
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}
