//! The progress of long work on a terminal.

use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use object_eval::Evaluator;

/// A shorter run shows no progress.
const PATIENCE: Duration = Duration::from_secs(1);

/// The time between two pictures.
const PERIOD: Duration = Duration::from_millis(100);

/// Shows the steps and the time of a run on standard error while the value lives, if that is a terminal.
pub(crate) struct Progress {
    steps: Arc<AtomicU64>,
    shown: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Shows progress unless `hidden`.
    pub(crate) fn new(hidden: bool) -> Self {
        let steps = Arc::new(AtomicU64::new(0));
        let shown = (!hidden && io::stderr().is_terminal()).then(|| {
            let ((stop, stopped), steps) = (channel(), steps.clone());
            (stop, thread::spawn(move || show(&stopped, &steps)))
        });
        Progress { steps, shown }
    }

    /// The evaluator, which reports its steps.
    pub(crate) fn of(&self, evaluator: Evaluator) -> Evaluator {
        if self.shown.is_none() {
            return evaluator;
        }
        let steps = self.steps.clone();
        evaluator.progress(move |taken| steps.store(taken, Ordering::Relaxed))
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((stop, thread)) = self.shown.take() {
            drop(stop);
            // Progress is not a result, so its failure is not one either.
            let _ = thread.join();
        }
    }
}

/// Shows one line about the work on standard error while the value lives, if that is a terminal.
pub(crate) struct ProgressLine(ProgressBar);

impl ProgressLine {
    /// An empty line.
    pub(crate) fn new() -> Self {
        let bar = ProgressBar::new_spinner();
        let style = ProgressStyle::with_template("{spinner} {msg}, {elapsed} ");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        bar.enable_steady_tick(PERIOD);
        ProgressLine(bar)
    }

    /// Shows this text.
    pub(crate) fn show(&self, text: String) {
        self.0.set_message(text);
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Draws until the other end of `stopped` is gone.
fn show(stopped: &Receiver<()>, steps: &AtomicU64) {
    let runs_for = |time| stopped.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
    if !runs_for(PATIENCE) {
        return;
    }
    let style = ProgressStyle::with_template("{spinner} {human_pos} steps, {elapsed} ");
    let bar = ProgressBar::no_length().with_elapsed(PATIENCE);
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    while runs_for(PERIOD) {
        bar.set_position(steps.load(Ordering::Relaxed));
        bar.tick();
    }
    bar.finish_and_clear();
}
