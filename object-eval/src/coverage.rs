//! [`Coverage`]: the kinds of the numbers in a value, which say how much a comparison of it means.

use object_core::prelude::*;

use super::difference::Tolerance;
use super::value::{ElementType, Numbers, Value};

/// How much equal results say about the programs: the kinds of the numbers in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Coverage {
    /// The number of elements and of scalars.
    pub elements: usize,
    /// The number of elements that are NaN or infinite, which every later operation may hide a difference in.
    pub non_finite: usize,
    /// The number of finite elements no greater than the absolute tolerance.
    pub negligible: usize,
}

impl Coverage {
    /// The numbers in a value, and in the members of tuples.
    ///
    /// # Errors
    /// The errors of [`Tensor::numbers`](super::Tensor::numbers).
    pub(super) fn of(value: &Any, tolerance: Tolerance) -> Result<Self, Error> {
        let mut coverage = Coverage::default();
        let mut pending = vec![value.clone()];
        while let Some(value) = pending.pop() {
            match Value::of(&value) {
                Value::Tuple(members) => pending.extend(members.iter().map(|member| member.to_any())),
                Value::Float(number) => coverage.count(&[number], tolerance.of(ElementType::F64).1),
                Value::Tensor(tensor) => match tensor.numbers(tensor.meter())? {
                    Numbers::Float(numbers) => coverage.count(&numbers, tolerance.of(tensor.element()).1),
                    Numbers::Int(numbers) => coverage.elements += numbers.len(),
                },
                Value::Int(_) | Value::Bool(_) | Value::Shape(_) | Value::Text(_) => coverage.elements += 1,
                _ => {}
            }
        }
        Ok(coverage)
    }

    fn count<'a>(&mut self, numbers: impl IntoIterator<Item = &'a f64>, negligible: f64) {
        for number in numbers {
            self.elements += 1;
            self.non_finite += usize::from(!number.is_finite());
            self.negligible += usize::from(number.abs() <= negligible);
        }
    }

    /// Whether all elements are smaller than the tolerance.
    pub(super) fn is_negligible(self) -> bool {
        self.elements > 0 && self.negligible == self.elements
    }
}
