//! [`Numbers`]: the elements of a tensor as an array of numbers, for operators that compute.

use ndarray::{ArrayD, IxDyn};
use object_core::prelude::*;

use super::element::{Element, ElementType, with_element};
use super::storage::no_memory;
use super::tensor::Tensor;
use object_core::meter::Meter;

/// The elements of a tensor as numbers of one of two kinds, which hold each value of each element type.
#[derive(Clone, Debug)]
pub enum Numbers {
    /// Floating-point numbers.
    Float(ArrayD<f64>),
    /// Integers and truth values.
    Int(ArrayD<i128>),
}

/// The nearest value to `number` that elements of a floating-point type have.
#[must_use]
pub fn round_to(element: ElementType, number: f64) -> f64 {
    match element {
        ElementType::F32 => f64::from(number as f32),
        ElementType::F16 => half::f16::from_f64(number).to_f64(),
        ElementType::BF16 => half::bf16::from_f64(number).to_f64(),
        ElementType::F8E4M3 => super::F8E4M3::to_float(super::F8E4M3::from_float(number)),
        ElementType::F8E5M2 => super::F8E5M2::to_float(super::F8E5M2::from_float(number)),
        _ => number,
    }
}

impl Tensor {
    /// The elements as numbers of the kind of their type.
    ///
    /// # Errors
    /// [`OutOfRange`](ErrorKind::OutOfRange) if no array has the shape, and [`LimitExceeded`](ErrorKind::LimitExceeded) if the
    /// meter has no room for the array.
    pub fn numbers(&self, meter: &Meter) -> Result<Numbers, Error> {
        Ok(if self.element().is_float() {
            Numbers::Float(self.floats(meter)?)
        } else {
            Numbers::Int(self.ints(meter)?)
        })
    }

    /// The elements as floating-point numbers.
    ///
    /// # Errors
    /// Like [`numbers`](Self::numbers).
    pub fn floats(&self, meter: &Meter) -> Result<ArrayD<f64>, Error> {
        with_element!(self.element(), T => {
            counted(&self.dims(), self.read::<T>()?.iter().map(|bits| <T as Element>::to_float(*bits)), meter)
        })
    }

    /// The elements as integers.
    ///
    /// # Errors
    /// Like [`numbers`](Self::numbers).
    pub fn ints(&self, meter: &Meter) -> Result<ArrayD<i128>, Error> {
        with_element!(self.element(), T => {
            counted(&self.dims(), self.read::<T>()?.iter().map(|bits| <T as Element>::to_int(*bits)), meter)
        })
    }

    /// The elements as indices.
    ///
    /// # Errors
    /// Like [`numbers`](Self::numbers).
    pub fn indices(&self, meter: &Meter) -> Result<ArrayD<i64>, Error> {
        with_element!(self.element(), T => {
            counted(&self.dims(), self.read::<T>()?.iter().map(|bits| <T as Element>::to_int(*bits) as i64), meter)
        })
    }

    /// A tensor of type `dtype` with the nearest values to `numbers`.
    ///
    /// # Errors
    /// Like [`zeros`](Tensor::zeros).
    pub fn from_floats(dtype: DataType, numbers: &ArrayD<f64>, meter: &Meter) -> Result<Self, Error> {
        with_element!(ElementType::of(dtype)?, T => {
            converted::<T, f64>(numbers, <T as Element>::from_float, meter)
        })
    }

    /// A tensor of type `dtype` with the values of `numbers`, modulo the range of the type.
    ///
    /// # Errors
    /// Like [`zeros`](Tensor::zeros).
    pub fn from_ints(dtype: DataType, numbers: &ArrayD<i128>, meter: &Meter) -> Result<Self, Error> {
        with_element!(ElementType::of(dtype)?, T => {
            converted::<T, i128>(numbers, <T as Element>::from_int, meter)
        })
    }

    /// A tensor of type `dtype` with the values of `numbers`.
    ///
    /// # Errors
    /// Like [`zeros`](Tensor::zeros).
    pub fn from_numbers(dtype: DataType, numbers: &Numbers, meter: &Meter) -> Result<Self, Error> {
        match numbers {
            Numbers::Float(numbers) => Tensor::from_floats(dtype, numbers, meter),
            Numbers::Int(numbers) => Tensor::from_ints(dtype, numbers, meter),
        }
    }
}

/// A tensor of the elements that `convert` makes of numbers.
fn converted<T: Element, N: Copy>(
    numbers: &ArrayD<N>,
    convert: impl Fn(N) -> T::Bits,
    meter: &Meter,
) -> Result<Tensor, Error> {
    let tensor = Tensor::zeros(T::TYPE.dtype(), &shape_of(numbers), meter)?;
    {
        let mut places = tensor.write::<T>()?;
        match numbers.as_slice() {
            // A loop over slices becomes vector instructions.
            Some(numbers) => places.iter_mut().zip(numbers).for_each(|(place, number)| *place = convert(*number)),
            None => places.iter_mut().zip(numbers).for_each(|(place, number)| *place = convert(*number)),
        }
    }
    Ok(tensor)
}

/// An array of the shape `dims` with the given elements, in C order. It counts until the end of the operator at hand.
///
/// # Errors
/// [`LimitExceeded`](ErrorKind::LimitExceeded) if the meter refuses the memory, or the machine does not have it, and
/// [`OutOfRange`](ErrorKind::OutOfRange) for another number of elements.
pub(crate) fn counted<T>(
    dims: &[usize],
    elements: impl ExactSizeIterator<Item = T>,
    meter: &Meter,
) -> Result<ArrayD<T>, Error> {
    let bytes = (elements.len() as u64).saturating_mul(size_of::<T>() as u64);
    meter.hold(bytes)?;
    let mut array = Vec::new();
    array.try_reserve_exact(elements.len()).map_err(|error| no_memory(bytes, &error))?;
    array.extend(elements);
    shaped(dims, array)
}

/// An array of the shape `dims`, whose elements count already.
///
/// # Errors
/// [`OutOfRange`](ErrorKind::OutOfRange) for another number of elements.
#[allow(clippy::disallowed_methods, reason = "the elements count already")]
pub(crate) fn shaped<T>(dims: &[usize], elements: Vec<T>) -> Result<ArrayD<T>, Error> {
    let count = elements.len();
    ArrayD::from_shape_vec(IxDyn(dims), elements).map_err(|error| {
        Error::new(ErrorKind::OutOfRange, format!("{count} elements do not have the shape {dims:?}: {error}"))
    })
}

/// The shape of an array as extents.
pub(super) fn shape_of<T>(array: &ArrayD<T>) -> Vec<i64> {
    array.shape().iter().map(|extent| *extent as i64).collect()
}
