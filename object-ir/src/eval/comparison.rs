//! [`compare`]: runs two modules on the same arguments, and finds where their values first differ.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use ndarray::Dimension as _;
use object_core::prelude::*;
use rustc_hash::FxHashMap;

use super::evaluator::Evaluator;
use super::session::Event;
use super::value::{ElementType, Meter, Numbers, Tensor, Value, with_tensors};

/// How far floating-point numbers may be apart to count as the same: by `absolute + relative * |number|`. Integers are the
/// same only if they are equal.
///
/// ```
/// use object_ir::eval::Tolerance;
/// let tolerance = Tolerance::new().relative(1e-3);
/// assert_eq!(tolerance, Tolerance::default().relative(1e-3));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tolerance {
    relative: Option<f64>,
    absolute: Option<f64>,
}

impl Tolerance {
    /// The tolerance of each element type: a few units of its last digits.
    #[must_use]
    pub fn new() -> Self {
        Tolerance::default()
    }

    /// Sets the relative tolerance of all element types.
    #[must_use]
    pub fn relative(mut self, relative: f64) -> Self {
        self.relative = Some(relative);
        self
    }

    /// Sets the absolute tolerance of all element types.
    #[must_use]
    pub fn absolute(mut self, absolute: f64) -> Self {
        self.absolute = Some(absolute);
        self
    }

    /// The relative and the absolute tolerance of an element type.
    fn of(self, element: ElementType) -> (f64, f64) {
        let (relative, absolute) = match element {
            ElementType::F64 => (1e-7, 1e-9),
            ElementType::F32 => (1e-4, 1e-5),
            ElementType::F16 => (1e-2, 1e-3),
            ElementType::BF16 => (2e-2, 1e-2),
            ElementType::F8E4M3 | ElementType::F8E5M2 => (0.15, 0.05),
            _ => return (0.0, 0.0),
        };
        (self.relative.unwrap_or(relative), self.absolute.unwrap_or(absolute))
    }
}

fn is_close(a: f64, b: f64, (relative, absolute): (f64, f64)) -> bool {
    a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= absolute + relative * b.abs().min(f64::MAX)
}

/// The first place where two values differ.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Difference {
    /// The members of tuples that lead to the part, such as `[1][0]`.
    pub member: String,
    /// The index of the element, if both parts are tensors of one shape and type.
    pub element: Option<Vec<usize>>,
    /// The element or the part of the first value, in words.
    pub a: String,
    /// The element or the part of the second value, in words.
    pub b: String,
    /// The number of elements of the part that differ, and the number of all its elements.
    pub counts: Option<(usize, usize)>,
    /// The relative and the absolute tolerance of the element type.
    pub tolerance: Option<(f64, f64)>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.member.is_empty() {
            write!(f, "member {}, ", self.member)?;
        }
        if let Some(element) = &self.element {
            write!(f, "element {element:?}, ")?;
        }
        write!(f, "first {}, second {}", self.a, self.b)?;
        if let (Some((differing, all)), Some((relative, absolute))) = (self.counts, self.tolerance) {
            write!(f, " ({differing} of {all} elements differ by more than {absolute:?} + {relative:?} * |second|)")?;
        }
        Ok(())
    }
}

/// The first place where two values differ, with tensors compared element by element.
///
/// # Errors
/// The errors of [`Tensor::numbers`].
pub fn first_difference(a: &Any, b: &Any, tolerance: Tolerance) -> Result<Option<Difference>, Error> {
    let mut pending = vec![(String::new(), a.clone(), b.clone())];
    while let Some((member, a, b)) = pending.pop() {
        let found = match (Value::of(&a), Value::of(&b)) {
            (Value::Tuple(a), Value::Tuple(b)) if a.len() == b.len() => {
                let members = a.iter().zip(b.iter()).enumerate().rev();
                pending.extend(members.map(|(index, (a, b))| (format!("{member}[{index}]"), a.to_any(), b.to_any())));
                None
            }
            (Value::Tensor(a), Value::Tensor(b)) => of_tensors(a, b, tolerance)?,
            (a_kind, b_kind) => {
                let is_same = match (a_kind, b_kind) {
                    (Value::Float(a), Value::Float(b)) => is_close(a, b, tolerance.of(ElementType::F64)),
                    (Value::Shape(a), Value::Shape(b)) => a == b,
                    (Value::Text(a), Value::Text(b)) => a == b,
                    // Functions and memory have no elements to compare.
                    (Value::Function(_), Value::Function(_)) | (Value::Storage(_), Value::Storage(_)) => true,
                    (Value::Object(a), Value::Object(b)) => a.type_key() == b.type_key(),
                    _ => a == b,
                };
                (!is_same).then(|| parts(a_kind, b_kind))
            }
        };
        if let Some(found) = found {
            return Ok(Some(Difference { member, ..found }));
        }
    }
    Ok(None)
}

/// The difference of two parts as a whole.
fn parts(a: Value<'_>, b: Value<'_>) -> Difference {
    let (a, b) = (a.to_string(), b.to_string());
    Difference { member: String::new(), element: None, a, b, counts: None, tolerance: None }
}

fn of_tensors(a: &Tensor, b: &Tensor, tolerance: Tolerance) -> Result<Option<Difference>, Error> {
    if a.dtype() != b.dtype() || a.shape() != b.shape() {
        return Ok(Some(parts(Value::Tensor(a), Value::Tensor(b))));
    }
    let tolerance = tolerance.of(a.element());
    let mut first = None;
    let mut differing = 0;
    let mut note = |at: ndarray::IxDyn, a: String, b: String| {
        differing += 1;
        first.get_or_insert_with(|| (at.slice().to_vec(), a, b));
    };
    match (a.numbers()?, b.numbers()?) {
        (Numbers::Float(a), Numbers::Float(b)) => {
            for ((at, a), b) in a.indexed_iter().zip(&b).filter(|((_, a), b)| !is_close(**a, **b, tolerance)) {
                note(at, format!("{a:?}"), format!("{b:?}"));
            }
        }
        (Numbers::Int(a), Numbers::Int(b)) => {
            for ((at, a), b) in a.indexed_iter().zip(&b).filter(|((_, a), b)| a != b) {
                note(at, a.to_string(), b.to_string());
            }
        }
        _ => return Ok(Some(parts(Value::Tensor(a), Value::Tensor(b)))),
    }
    let counts = Some((differing, a.len()));
    Ok(first.map(|(at, a, b)| Difference {
        member: String::new(),
        element: Some(at),
        a,
        b,
        counts,
        tolerance: Some(tolerance),
    }))
}

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
    /// The number of values of variables that were compared.
    pub shared: usize,
    /// The number of values of the first run that the memory budget left no room for.
    pub skipped: usize,
}

impl Comparison {
    /// Whether the results are the same, or both runs fail with errors of one kind.
    #[must_use]
    pub fn is_same(&self) -> bool {
        match &self.results {
            [Ok(_), Ok(_)] => self.difference.is_none(),
            [Err(a), Err(b)] => a.kind() == b.kind(),
            _ => false,
        }
    }
}

/// The values of variables of the first run, by the names of the function and the variable.
#[derive(Default)]
struct Record {
    values: FxHashMap<(String, String), Vec<Option<Any>>>,
    skipped: usize,
}

/// The findings of the second run so far.
#[derive(Default)]
struct Found {
    seen: FxHashMap<(String, String), usize>,
    first: Option<BindingDifference>,
    shared: usize,
}

fn key(event: &Event<'_>) -> Option<(String, String)> {
    Some((event.function.to_owned(), event.variable?.to_owned()))
}

/// A copy of a value, which later writes into its tensors do not change.
fn snapshot(value: &Any, meter: &Meter) -> Result<Any, Error> {
    with_tensors(value.clone(), &|object| match object.downcast_ref::<Tensor>() {
        Some(tensor) => Ok(Some(tensor.copied(meter)?.into())),
        None => Ok(None),
    })
}

/// Calls the entry `name` of two modules with copies of the same arguments, and compares the results and the values of
/// variables that have one name in both modules. `max_bytes` bounds the memory for copies of the arguments, and for values of
/// the first run. The comparison skips a value for which no memory remains.
///
/// # Errors
/// [`LimitExceeded`](ErrorKind::LimitExceeded) if copies of the arguments take more than `max_bytes`. An error of a run is a
/// part of the comparison.
pub fn compare(
    [a, b]: [&Evaluator; 2],
    name: &str,
    args: &[Any],
    tolerance: Tolerance,
    max_bytes: u64,
) -> Result<Comparison, Error> {
    let meter = Meter::with_limit(max_bytes);
    let copies = || args.iter().map(|arg| snapshot(arg, &meter)).collect::<Result<Vec<_>, _>>();
    // The values of the first run leave room for the arguments of the second one.
    let second_args = copies()?;
    let (record, found) = (Arc::new(Mutex::new(Record::default())), Arc::new(Mutex::new(Found::default())));
    let (writer, meter) = (record.clone(), meter.clone());
    let first = a.clone().observe(move |event| {
        let Some(key) = key(event) else { return };
        let mut record = writer.lock().unwrap_or_else(PoisonError::into_inner);
        let value = snapshot(event.value, &meter).ok();
        record.skipped += usize::from(value.is_none());
        record.values.entry(key).or_default().push(value);
    });
    let first_result = first.run(name, copies()?);
    let (reader, writer) = (record.clone(), found.clone());
    let second = b.clone().observe(move |event| {
        let Some(key) = key(event) else { return };
        let (record, mut found) = (
            reader.lock().unwrap_or_else(PoisonError::into_inner),
            writer.lock().unwrap_or_else(PoisonError::into_inner),
        );
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
    let difference = match (&first_result, &second_result) {
        (Ok(a), Ok(b)) => first_difference(a, b, tolerance)?,
        _ => None,
    };
    let skipped = record.lock().unwrap_or_else(PoisonError::into_inner).skipped;
    let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(Comparison {
        results: [first_result, second_result],
        difference,
        binding: found.first.take(),
        shared: found.shared,
        skipped,
    })
}
