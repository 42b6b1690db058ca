//! [`View`]: a tensor whose dimensions have another order than in memory.

use ndarray::IxDyn;
use object_core::meter::Meter;
use object_core::prelude::*;

use super::dimensions::PerDimension;
use super::numbers::Numbers;
use super::strided::Strided;
use super::tensor::Tensor;

/// The data of a [`View`].
///
/// A view shows the memory of its tensor, so a write into the tensor changes it. Programs get no views: an operator returns
/// one only to an operator that reads it before anything can write ([`Instruction::Operator`]).
///
/// [`Instruction::Operator`]: crate::code::Instruction::Operator
#[derive(Object, Clone)]
#[object(type_key = "object_ir.eval.View", opaque)]
pub struct ViewNode {
    tensor: Tensor,
    /// For each dimension of the view a dimension of the tensor; each of them once.
    order: PerDimension,
}

/// A tensor whose dimensions may have another order than in memory.
#[derive(Clone, Copy)]
pub(crate) struct Ordered<'a> {
    tensor: &'a Tensor,
    /// For each dimension a dimension of the tensor; `None` for the order in memory.
    order: Option<&'a [usize]>,
}

impl View {
    /// The tensor with its dimensions in the order `order`, which names each of them once.
    pub(crate) fn of(tensor: &Tensor, order: PerDimension) -> View {
        ViewNode { tensor: tensor.clone(), order }.into()
    }
}

impl ViewNode {
    /// The tensor and its order.
    pub(crate) fn ordered(&self) -> Ordered<'_> {
        Ordered { tensor: &self.tensor, order: Some(&self.order) }
    }
}

impl<'a> Ordered<'a> {
    /// A tensor as it is.
    pub(crate) fn whole(tensor: &'a Tensor) -> Self {
        Ordered { tensor, order: None }
    }

    /// The tensor with its dimensions in the order `order`, which names each of them once.
    pub(crate) fn new(tensor: &'a Tensor, order: &'a [usize]) -> Self {
        Ordered { tensor, order: Some(order) }
    }

    /// The dimension of the tensor that is the dimension `axis`.
    pub(crate) fn axis(&self, axis: usize) -> usize {
        self.order.map_or(axis, |order| order[axis])
    }

    /// The tensor as it is in memory.
    pub(crate) fn tensor(&self) -> &'a Tensor {
        self.tensor
    }

    /// The number of dimensions.
    pub(crate) fn rank(&self) -> usize {
        self.tensor.rank()
    }

    /// The extent of a dimension.
    pub(crate) fn size(&self, axis: usize) -> usize {
        usize::try_from(self.tensor.shape()[self.axis(axis)]).unwrap_or_default()
    }

    /// The distance of two neighbours along a dimension in memory, in elements.
    pub(crate) fn stride(&self, axis: usize) -> usize {
        let inner = &self.tensor.shape()[self.axis(axis) + 1..];
        inner.iter().map(|extent| usize::try_from(*extent).unwrap_or_default().max(1)).product()
    }

    /// The extents.
    pub(crate) fn dims(&self) -> PerDimension {
        (0..self.rank()).map(|axis| self.size(axis)).collect()
    }

    /// The elements as numbers of the kind of their type.
    ///
    /// # Errors
    /// Like [`Tensor::numbers`].
    pub(crate) fn numbers(&self, meter: &Meter) -> Result<Numbers, Error> {
        let numbers = self.tensor.numbers(meter)?;
        let Some(order) = self.order else { return Ok(numbers) };
        Ok(match numbers {
            Numbers::Float(numbers) => Numbers::Float(numbers.permuted_axes(IxDyn(order))),
            Numbers::Int(numbers) => Numbers::Int(numbers.permuted_axes(IxDyn(order))),
        })
    }

    /// A tensor with the elements in C order and with as many, but of the shape `shape`.
    ///
    /// # Errors
    /// Like [`Tensor::zeros`].
    pub(crate) fn copied_as(&self, shape: Shape, meter: &Meter) -> Result<Tensor, Error> {
        match self.order {
            Some(order) if order.iter().enumerate().any(|(position, axis)| position != *axis) => {
                self.tensor.strided_as(&Strided::new(&self.tensor.sizes()).permuted(order), shape, meter)
            }
            _ => self.tensor.copied_as(shape, meter),
        }
    }
}
