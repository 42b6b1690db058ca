//! [`Inputs`]: random values that match structural information.

use fastrand::Rng;
use ndarray::ArrayD;
use object_core::prelude::*;
use object_core::scalar::TypeCode;
use rustc_hash::FxHashMap;

use super::scalar::{Scalar, ScalarCode};
use super::value::{ElementType, Meter, Tensor, room_of};
use crate::ir::expr::{PrimExpr, StructInfo};
use crate::ir::shape::ShapeExpr;
use crate::ir::struct_info::{PrimStructInfo, ShapeStructInfo, TensorStructInfo, TupleStructInfo};
use crate::op::describe;

/// The most levels of tuples in structural information.
const MAX_LEVELS: usize = 64;

/// Makes random values that match structural information: floating-point numbers from -1 to 1, integers from 0 to 3. A
/// shape variable has one size in all values.
///
/// ```
/// use object_ir::eval::{Inputs, Tensor};
/// use object_ir::ir::TensorStructInfo;
/// use object_ir::tir::Var;
///
/// let n = Var::dim("n");
/// let mut inputs = Inputs::new(7).dim("n", 3);
/// let x: Tensor = inputs.value(&TensorStructInfo::of([&n + 0, &n * 2], "float32")?.into())?.cast()?;
/// assert_eq!(**x.shape(), [3, 6]);
/// # Ok::<(), object_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Inputs {
    random: Rng,
    sizes: FxHashMap<String, i64>,
    default_size: i64,
    meter: Meter,
}

impl Inputs {
    /// Random values by a seed; the same seed gives the same values.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Inputs { random: Rng::with_seed(seed), sizes: FxHashMap::default(), default_size: 4, meter: Meter::unlimited() }
    }

    /// Sets the size of a shape variable. Others have the size 4.
    #[must_use]
    pub fn dim(mut self, name: impl Into<String>, size: i64) -> Self {
        self.sizes.insert(name.into(), size);
        self
    }

    /// Sets the memory budget: the bytes of all values that live at one time. By default, there is none.
    #[must_use]
    pub fn max_bytes(mut self, bytes: u64) -> Self {
        self.meter = Meter::with_limit(bytes);
        self
    }

    /// The value of a dimension.
    fn size(&self, dim: &PrimExpr) -> Result<i64, Error> {
        let mut slots = Vec::new();
        let code = ScalarCode::compile(dim, &mut |var| {
            slots.push(Some(Scalar::Int(self.sizes.get(&*var.name).copied().unwrap_or(self.default_size))));
            Ok(u32::try_from(slots.len() - 1).unwrap_or(u32::MAX))
        })?;
        Ok(code.run(&slots)?.int())
    }

    fn sizes(&self, dims: &Array<PrimExpr>) -> Result<Vec<i64>, Error> {
        dims.iter().map(|dim| self.size(&dim)).collect()
    }

    /// A tensor of this shape and type.
    ///
    /// # Errors
    /// Like [`Tensor::zeros`].
    fn tensor(&mut self, dtype: DataType, shape: &[i64]) -> Result<Tensor, Error> {
        let dtype = if dtype.is_void() { DataType::float(32) } else { dtype };
        // The tensor and its numbers live at one time.
        self.meter.check(room_of(shape)?.saturating_mul(size_of::<f64>()) as u64)?;
        let zeros = Tensor::zeros(dtype, shape, &self.meter)?;
        let is_float = ElementType::of(dtype)?.is_float();
        let number = |_: ndarray::IxDyn| match is_float {
            true => self.random.f64() * 2.0 - 1.0,
            false => self.random.u8(0..4).into(),
        };
        let numbers = ArrayD::from_shape_fn(zeros.dims(), number);
        Tensor::from_floats(dtype, &numbers, &self.meter)
    }

    /// A value that matches `info`.
    ///
    /// # Errors
    /// [`TypeMismatch`](ErrorKind::TypeMismatch) for structural information of other values than tensors, shapes, scalars
    /// and tuples of them, and for an unknown rank; [`LimitExceeded`](ErrorKind::LimitExceeded) for a tensor that exceeds
    /// the memory budget.
    pub fn value(&mut self, info: &StructInfo) -> Result<Any, Error> {
        self.value_of(info, MAX_LEVELS)
    }

    fn value_of(&mut self, info: &StructInfo, levels: usize) -> Result<Any, Error> {
        if let Some(it) = info.downcast_ref::<TensorStructInfo>() {
            let shape = match it.shape.as_ref().and_then(|shape| shape.downcast_ref::<ShapeExpr>()) {
                Some(shape) => self.sizes(&shape.values)?,
                None => vec![self.default_size; rank_of(it.ndim, info)?],
            };
            return Ok(self.tensor(it.dtype, &shape)?.into());
        }
        if let Some(it) = info.downcast_ref::<ShapeStructInfo>() {
            let shape = match &it.values {
                Some(values) => self.sizes(values)?,
                None => vec![self.default_size; rank_of(it.ndim, info)?],
            };
            return Ok(Shape::from(shape).into());
        }
        if let Some(it) = info.downcast_ref::<PrimStructInfo>() {
            if let Some(value) = &it.value {
                return Ok(Any::Int(self.size(value)?));
            }
            return Ok(match it.dtype.code {
                TypeCode::BOOL => Any::Bool(self.random.bool()),
                TypeCode::FLOAT | TypeCode::BFLOAT => Any::Float(self.random.f64() * 2.0 - 1.0),
                _ => Any::Int(self.random.i64(0..4)),
            });
        }
        match info.downcast_ref::<TupleStructInfo>() {
            Some(it) if levels > 0 => {
                let members = it.fields.iter().map(|field| self.value_of(&field, levels - 1));
                Ok(Array::<Any>::from_anys(members.collect::<Result<_, _>>()?).into())
            }
            _ => Err(unknown(info)),
        }
    }
}

/// The greatest rank of a random tensor: more dimensions of the default size have no memory.
const MAX_RANK: usize = 64;

fn rank_of(ndim: i64, info: &StructInfo) -> Result<usize, Error> {
    usize::try_from(ndim).ok().filter(|rank| *rank <= MAX_RANK).ok_or_else(|| unknown(info))
}

fn unknown(info: &StructInfo) -> Error {
    let message = format!("no random value is known for {}; give one", describe::describe(info));
    Error::new(ErrorKind::TypeMismatch, message)
}
