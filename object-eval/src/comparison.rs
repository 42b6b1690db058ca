//! [`compare`]: runs two modules on the same arguments, and finds where their values first differ.

use std::sync::{Arc, Mutex, PoisonError};

use object_core::prelude::*;
use object_core::table::Table;

use super::coverage::Coverage;
use super::difference::{Difference, Tolerance, first_difference};
use super::evaluator::Evaluator;
use super::session::Event;
use super::value::{Meter, Tensor, with_tensors};

/// A variable that both runs bind, and whose values differ.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct BindingDifference {
    /// The function and the variable, such as `main.h`.
    pub name: String,
    /// The number of earlier bindings of the variable in the run.
    pub earlier: usize,
    /// The operator of the second module.
    pub operation: String,
    /// The difference of the values.
    pub difference: Difference,
}

/// The result of [`compare`].
#[derive(Debug)]
#[non_exhaustive]
pub struct Comparison {
    /// The results of both runs.
    pub results: [Result<Any, Error>; 2],
    /// The difference of the results, if both runs succeed.
    pub difference: Option<Difference>,
    /// The first value of a variable that differs, in the order of the second run. Variables correspond by the names of
    /// their functions and their own names.
    pub binding: Option<BindingDifference>,
    /// The numbers in both results.
    pub coverage: [Coverage; 2],
    /// The function, the variable and the operator of the first value with NaN or infinity, such as
    /// `main.y = relax.exp`: of the first run, or else of the second one.
    pub non_finite: Option<String>,
    /// The number of values of variables that were compared.
    pub shared: usize,
    /// The number of values of the first run that the memory budget left no room for.
    pub skipped: usize,
}

/// The values of variables of the first run, by the names of the function and the variable.
#[derive(Default)]
struct Record {
    values: Table<(String, String), Vec<Option<Any>>>,
    skipped: usize,
    non_finite: Option<String>,
}

/// The findings of the second run so far.
#[derive(Default)]
struct Found {
    seen: Table<(String, String), usize>,
    first: Option<BindingDifference>,
    shared: usize,
}

fn key(event: &Event<'_>) -> Option<(String, String)> {
    Some((event.function.to_owned(), event.variable?.to_owned()))
}

/// Keeps the name of the first value with NaN or infinity.
fn note_non_finite(first: &mut Option<String>, (function, variable): &(String, String), event: &Event<'_>) {
    // A value that has no numbers has no NaN either.
    if first.is_none() && Coverage::of(event.value, Tolerance::new()).is_ok_and(|coverage| coverage.non_finite > 0) {
        *first = Some(format!("{function}.{variable} = {}", event.operation));
    }
}

/// A copy of a value, which later writes into its tensors do not change.
fn snapshot(value: &Any, meter: &Meter) -> Result<Any, Error> {
    with_tensors(value.clone(), &|object| match object.downcast_ref::<Tensor>() {
        Some(tensor) => Ok(Some(tensor.copied(meter)?.into())),
        None => Ok(None),
    })
}

/// Calls the entry `name` of two modules with copies of the same arguments, and compares the results and the values of
/// variables that have one name in both modules. `meter` counts the copies of the arguments, and the values of the first run.
/// The comparison skips values while more than half of the account is in use, so that the rest remains for the runs.
///
/// # Errors
/// [`LimitExceeded`](ErrorKind::LimitExceeded) if the memory does not suffice for copies of the arguments. An error
/// of a run is a part of the comparison.
pub fn compare(
    [a, b]: [&Evaluator; 2],
    name: &str,
    args: &[Any],
    tolerance: Tolerance,
    meter: &Meter,
) -> Result<Comparison, Error> {
    let copies = || args.iter().map(|arg| snapshot(arg, meter)).collect::<Result<Vec<_>, _>>();
    // The values of the first run leave room for the arguments of the second one.
    let second_args = copies()?;
    let (record, found) = (Arc::new(Mutex::new(Record::default())), Arc::new(Mutex::new(Found::default())));
    let (writer, meter) = (record.clone(), meter.clone());
    let first = a.clone().observe(move |event| {
        let Some(key) = key(event) else { return };
        let mut record = writer.lock().unwrap_or_else(PoisonError::into_inner);
        note_non_finite(&mut record.non_finite, &key, event);
        let value = if meter.is_half_full() { None } else { snapshot(event.value, &meter).ok() };
        record.skipped += usize::from(value.is_none());
        record.values.entry(key).or_default().push(value);
    });
    let first_result = first.run(name, copies()?);
    let (reader, writer) = (record.clone(), found.clone());
    let second = b.clone().observe(move |event| {
        let Some(key) = key(event) else { return };
        let (mut record, mut found) = (
            reader.lock().unwrap_or_else(PoisonError::into_inner),
            writer.lock().unwrap_or_else(PoisonError::into_inner),
        );
        note_non_finite(&mut record.non_finite, &key, event);
        let seen = found.seen.entry(key.clone()).or_default();
        let earlier = *seen;
        *seen += 1;
        let Some(Some(value)) = record.values.get(&key).and_then(|values| values.get(earlier)) else { return };
        found.shared += 1;
        if found.first.is_some() {
            return;
        }
        if let Ok(Some(difference)) = first_difference(value, event.value, tolerance) {
            let (name, operation) = (format!("{}.{}", key.0, key.1), event.operation.to_owned());
            found.first = Some(BindingDifference { name, earlier, operation, difference });
        }
    });
    let second_result = second.run(name, second_args);
    let (difference, coverage) = match (&first_result, &second_result) {
        (Ok(a), Ok(b)) => {
            (first_difference(a, b, tolerance)?, [Coverage::of(a, tolerance)?, Coverage::of(b, tolerance)?])
        }
        _ => (None, [Coverage::default(); 2]),
    };
    let mut record = record.lock().unwrap_or_else(PoisonError::into_inner);
    let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(Comparison {
        results: [first_result, second_result],
        difference,
        binding: found.first.take(),
        coverage,
        non_finite: record.non_finite.take(),
        shared: found.shared,
        skipped: record.skipped,
    })
}
