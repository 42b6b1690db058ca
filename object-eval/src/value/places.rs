//! [`Places`]: arrays of places of elements, for operators that move elements and compute nothing.
//!
//! Such an operator is a function from the places of the elements of its operands to the place that each element of the
//! result comes from. So one function serves all element types.

use ndarray::ArrayD;
use object_core::prelude::*;

use super::element::{Element, with_element};
use super::numbers::{counted, shape_of};
use super::tensor::Tensor;
use object_core::meter::Meter;

/// The place of elements of a result that come from no operand.
pub const PADDING: usize = usize::MAX;

/// The places of elements: their positions in the operands, one operand after the other.
pub type Places = ArrayD<usize>;

impl Tensor {
    /// The places of the elements of the tensor, of which the first one is `first`.
    pub(crate) fn places(&self, first: usize, meter: &Meter) -> Result<Places, Error> {
        counted(&self.dims(), first..first + self.len(), meter)
    }

    /// A tensor with the elements of `operands` that `places` names; [`PADDING`] is the number `padding`. The operands have
    /// one element type.
    ///
    /// # Errors
    /// [`TypeMismatch`](ErrorKind::TypeMismatch) for operands of different types, and
    /// [`LimitExceeded`](ErrorKind::LimitExceeded) if the meter refuses the memory.
    ///
    /// # Panics
    /// If a place is outside of the operands, or if `operands` is empty.
    pub fn at_places(operands: &[Tensor], places: &Places, padding: f64, meter: &Meter) -> Result<Self, Error> {
        let shape = shape_of(places);
        with_element!(operands[0].element(), T => {
            let total: usize = operands.iter().map(Tensor::len).sum();
            meter.hold((total * size_of::<<T as Element>::Bits>()) as u64)?;
            let mut elements: Vec<<T as Element>::Bits> = Vec::with_capacity(total);
            for operand in operands {
                elements.extend_from_slice(&operand.read::<T>()?);
            }
            let padding = <T as Element>::from_float(padding);
            let chosen = places.iter().map(|place| if *place == PADDING { padding } else { elements[*place] });
            Tensor::from_elements::<T>(&shape, chosen, meter)
        })
    }
}
