//! Operations on many files, with all cores of the machine.

use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use object_core::prelude::*;
use object_core::{AsAnyView, function, register_function};
use object_ffi::check_signals;

use crate::failure::Failure;

register_function!(
    /// The results of operations on files, one row for each file. A file that fails is a row with its failure.
    "objir.scan"(files, ops) = scan
);

/// The operations, each with the number of its arguments.
const OPS: [(&str, usize); 4] = [("check", 2), ("hash", 1), ("operators", 1), ("stats", 1)];

/// The time between two checks of signals.
const TICK: Duration = Duration::from_millis(50);

/// The results of operations on one file.
#[derive(Object)]
#[object(type_key = "objir.ScannedFile")]
#[structural_eq(tree)]
pub struct ScannedFileNode {
    /// The file.
    pub path: Str,
    /// The result of each operation; nothing after a failure.
    pub results: Array<Any>,
    /// Why the file or an operation failed.
    pub failure: Option<Failure>,
}

#[allow(clippy::needless_pass_by_value, reason = "functions of the registry own their arguments")]
fn scan(files: Array<Str>, ops: Array<Str>) -> Result<Array<ScannedFile>, Error> {
    let ops = ops.iter().map(|name| find_op(&name)).collect::<Result<Vec<_>, _>>()?;
    let files: Vec<Str> = files.iter().collect();
    let (next, (sender, results)) = (AtomicUsize::new(0), channel());
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(files.len());
    thread::scope(|scope| {
        for _ in 0..threads {
            let (sender, next, files, ops) = (sender.clone(), &next, &files, &ops);
            scope.spawn(move || work(&sender, next, files, ops));
        }
        drop(sender);
        let mut rows: Vec<Option<ScannedFile>> = vec![None; files.len()];
        loop {
            match results.recv_timeout(TICK) {
                Ok((index, row)) => rows[index] = Some(row),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Err(error) = check_signals() {
                // The threads end after their files.
                next.store(files.len(), Ordering::Relaxed);
                return Err(error);
            }
        }
        Ok(rows.into_iter().flatten().collect())
    })
}

/// The function of an operation, with the number of its arguments.
fn find_op(name: &str) -> Result<(&'static str, usize), Error> {
    OPS.into_iter().find(|(known, _)| *known == name).ok_or_else(|| {
        let names = OPS.map(|(name, _)| name).join(", ");
        Error::new(ErrorKind::UnknownFunction, format!("`{name}` is not an operation; the operations are {names}"))
    })
}

/// Scans files until none is left or nobody receives rows.
fn work(rows: &Sender<(usize, ScannedFile)>, next: &AtomicUsize, files: &[Str], ops: &[(&str, usize)]) {
    loop {
        let index = next.fetch_add(1, Ordering::Relaxed);
        let Some(file) = files.get(index) else { return };
        if rows.send((index, row(file, ops))).is_err() {
            return;
        }
    }
}

fn row(file: &Str, ops: &[(&str, usize)]) -> ScannedFile {
    // A defect in an operation is the failure of one file.
    let results = catch_unwind(AssertUnwindSafe(|| results(file, ops)));
    match results {
        Ok(Ok(results)) => ScannedFile::new(file, results, None),
        Ok(Err(error)) => ScannedFile::new(file, Array::<Any>::new([]), Some(Failure::of("objir.load", &error))),
        Err(_) => {
            let error = Error::new(ErrorKind::Call, "a defect of this library; the file shows it");
            ScannedFile::new(file, Array::<Any>::new([]), Some(Failure::of("", &error)))
        }
    }
}

fn results(file: &Str, ops: &[(&str, usize)]) -> Result<Array<Any>, Error> {
    let root = call("load", &Any::from(file), 2)?;
    ops.iter().map(|(name, count)| call(name, &root, *count)).collect()
}

/// The result of the function `objir.NAME` for `first` and nothing for its other arguments.
fn call(name: &str, first: &Any, count: usize) -> Result<Any, Error> {
    let mut args = vec![AnyView::None; count];
    args[0] = first.as_any_view();
    function::get(&format!("objir.{name}"))?.call(&args)
}
