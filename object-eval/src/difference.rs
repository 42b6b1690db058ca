//! [`first_difference`]: the first place where two values differ, within a [`Tolerance`].

use std::fmt;

use ndarray::Dimension as _;
use object_core::prelude::*;

use super::value::{ElementType, Numbers, Tensor, Value};

/// How far floating-point numbers may be apart to count as the same: by `absolute + relative * |number|`. Integers are the
/// same only if they are equal.
///
/// ```
/// use object_eval::Tolerance;
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
    pub(super) fn of(self, element: ElementType) -> (f64, f64) {
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
    match (a.numbers(a.meter())?, b.numbers(b.meter())?) {
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
