//! Operations on many files, with all cores of the machine.

use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use object_core::prelude::*;
use object_core::{AsAnyView, Function, function, register_function};
use object_ffi::check_signals;

use crate::failure::Failure;

register_function!(
    /// The results of operations on files, one row for each file. An operation is its name, or a list of the name and of arguments
    /// after the program. A file that fails is a row with its failure.
    "objir.scan"(files, ops) = scan
);

/// The operations, each with the number of its arguments.
const OPS: [(&str, usize); 5] = [("check", 2), ("hash", 1), ("matches", 3), ("operators", 1), ("stats", 1)];

/// An operation, with its arguments after the program.
struct Op {
    function: Function,
    args: Vec<Any>,
}

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
fn scan(files: Array<Str>, ops: Array<Any>) -> Result<Array<ScannedFile>, Error> {
    let ops = ops.iter().map(find_op).collect::<Result<Vec<_>, _>>()?;
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

/// The operation of a name, or of a name and arguments.
fn find_op(op: Any) -> Result<Op, Error> {
    let mut parts = op.clone().cast::<Array<Any>>().unwrap_or_else(|_| Array::new([op])).into_iter();
    let name: Str = parts.next().unwrap_or_default().cast()?;
    let Some((_, count)) = OPS.into_iter().find(|(known, _)| *known == name) else {
        let names = OPS.map(|(name, _)| name).join(", ");
        let message = format!("`{name}` is not an operation; the operations are {names}");
        return Err(Error::new(ErrorKind::UnknownFunction, message));
    };
    let mut args: Vec<Any> = parts.collect();
    args.resize(count - 1, Any::default());
    Ok(Op { function: function::get(&format!("objir.{name}"))?, args })
}

/// Scans files until none is left or nobody receives rows.
fn work(rows: &Sender<(usize, ScannedFile)>, next: &AtomicUsize, files: &[Str], ops: &[Op]) {
    loop {
        let index = next.fetch_add(1, Ordering::Relaxed);
        let Some(file) = files.get(index) else { return };
        if rows.send((index, row(file, ops))).is_err() {
            return;
        }
    }
}

fn row(file: &Str, ops: &[Op]) -> ScannedFile {
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

fn results(file: &Str, ops: &[Op]) -> Result<Array<Any>, Error> {
    let root = function::get("objir.load")?.call(&[file.as_any_view(), AnyView::None])?;
    let result = |op: &Op| {
        let args: Vec<AnyView<'_>> = std::iter::once(&root).chain(&op.args).map(AsAnyView::as_any_view).collect();
        op.function.call(&args)
    };
    ops.iter().map(result).collect()
}
