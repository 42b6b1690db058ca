//! [`View`]: a tensor whose dimensions have another order than in memory.

use ndarray::IxDyn;
use object_core::prelude::*;
use smallvec::SmallVec;

use super::meter::Meter;
use super::numbers::Numbers;
use super::strided::Strided;
use super::tensor::Tensor;

/// A number for each dimension of a tensor.
pub(crate) type PerDimension = SmallVec<[usize; 6]>;

/// The data of a [`View`].
///
/// A view shows the memory of its tensor, so a write into the tensor changes it. Programs get no views: an operator returns
/// one only to an operator that reads it before anything can write ([`Instruction::Operator`]).
///
/// [`Instruction::Operator`]: crate::eval::code::Instruction::Operator
#[derive(Object, Clone)]
#[object(type_key = "object_ir.eval.View", opaque)]
pub struct ViewNode {
    tensor: Tensor,
    /// For each dimension of the view a dimension of the tensor; each of them once.
    order: PerDimension,
}

/// A tensor whose dimensions may have another order than in memory.
pub(crate) struct Ordered<'a> {
    tensor: &'a Tensor,
    order: PerDimension,
}

impl ViewNode {
    /// The tensor and its order.
    pub(crate) fn ordered(&self) -> Ordered<'_> {
        Ordered { tensor: &self.tensor, order: self.order.clone() }
    }
}

impl<'a> Ordered<'a> {
    /// A tensor as it is.
    pub(crate) fn whole(tensor: &'a Tensor) -> Self {
        Ordered { tensor, order: (0..tensor.rank()).collect() }
    }

    /// The tensor with its dimensions in another order, which names each of them once.
    pub(crate) fn permuted(&self, order: &[usize]) -> Self {
        Ordered { tensor: self.tensor, order: order.iter().map(|axis| self.order[*axis]).collect() }
    }

    /// The tensor as a value.
    pub(crate) fn to_view(&self) -> View {
        ViewNode { tensor: self.tensor.clone(), order: self.order.clone() }.into()
    }

    /// The tensor as it is in memory.
    pub(crate) fn tensor(&self) -> &'a Tensor {
        self.tensor
    }

    /// The number of dimensions.
    pub(crate) fn rank(&self) -> usize {
        self.order.len()
    }

    /// The extent of a dimension.
    pub(crate) fn size(&self, axis: usize) -> usize {
        usize::try_from(self.tensor.shape()[self.order[axis]]).unwrap_or_default()
    }

    /// The distance of two neighbours along a dimension in memory, in elements.
    pub(crate) fn stride(&self, axis: usize) -> usize {
        let inner = &self.tensor.shape()[self.order[axis] + 1..];
        inner.iter().map(|extent| usize::try_from(*extent).unwrap_or_default().max(1)).product()
    }

    /// The extents.
    pub(crate) fn dims(&self) -> PerDimension {
        (0..self.rank()).map(|axis| self.size(axis)).collect()
    }

    /// The distances of neighbours along all dimensions.
    pub(crate) fn strides(&self) -> PerDimension {
        (0..self.rank()).map(|axis| self.stride(axis)).collect()
    }

    /// The elements as numbers of the kind of their type.
    ///
    /// # Errors
    /// Like [`Tensor::numbers`].
    pub(crate) fn numbers(&self) -> Result<Numbers, Error> {
        let order = IxDyn(&self.order);
        Ok(match self.tensor.numbers()? {
            Numbers::Float(numbers) => Numbers::Float(numbers.permuted_axes(order)),
            Numbers::Int(numbers) => Numbers::Int(numbers.permuted_axes(order)),
        })
    }

    /// A tensor with the elements in C order and with as many, but of the shape `shape`.
    ///
    /// # Errors
    /// Like [`Tensor::zeros`].
    pub(crate) fn copied_as(&self, shape: &[i64], meter: &Meter) -> Result<Tensor, Error> {
        if self.order.iter().enumerate().all(|(position, axis)| position == *axis) {
            return self.tensor.copied_as(shape, meter);
        }
        self.tensor.strided_as(&Strided::new(&self.tensor.dims()).permuted(&self.order), shape, meter)
    }
}
