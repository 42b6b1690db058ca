//! [`Inputs`]: random values that match structural information.

use std::fmt;

use fastrand::Rng;
use object_core::prelude::*;
use object_core::scalar::TypeCode;
use object_core::table::Table;
use object_ir::ir::{
    PrimExpr, PrimStructInfo, ShapeExpr, ShapeStructInfo, StructInfo, TensorStructInfo, TupleStructInfo,
};
use object_ir::tir;
use object_relax::op::describe;

use super::domains::{Domain, Numbers};
use super::scalar::{Scalar, ScalarCode};
use super::value::{ElementType, Meter, Tensor, Value, room_of, shaped};

/// The most levels of tuples in structural information.
const MAX_LEVELS: usize = 64;

/// The range of random numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Spread {
    /// The greatest magnitude of a floating-point number. Integers range over a part of 0 to 3.
    pub scale: f64,
    /// Whether all numbers are positive.
    pub is_positive: bool,
}

impl Default for Spread {
    fn default() -> Self {
        Spread { scale: 1.0, is_positive: false }
    }
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Spread { scale, is_positive } = *self;
        let least = if is_positive { scale / 4.0 } else { -scale };
        // Three digits identify a range for people.
        let short = |number: f64| format!("{number:.2e}").parse().unwrap_or(number);
        write!(f, "numbers from {:?} to {:?}", short(least), short(scale))
    }
}

impl Spread {
    /// A floating-point number of a domain.
    fn float(self, domain: Numbers, random: &mut Rng) -> f64 {
        let domain = if self.is_positive { domain.max(Numbers::Positive) } else { domain };
        let any = random.f64() * 2.0 - 1.0;
        // From a quarter to one, so that quotients and logarithms stay small.
        let positive = 0.25 + 0.75 * any.abs();
        match domain {
            Numbers::All => self.scale * any,
            Numbers::NonZero => self.scale * positive.copysign(any),
            Numbers::Positive => self.scale * positive,
            Numbers::AtLeastOne => 1.0 + self.scale * positive,
        }
    }

    /// An integer of a domain below `bound`: from 0 to 3 without one.
    fn int(self, domain: &Domain, bound: Option<i64>, random: &mut Rng) -> i64 {
        let count = bound.unwrap_or_else(|| ((4.0 * self.scale).ceil() as i64).clamp(1, 4)).max(1);
        match domain.numbers {
            Numbers::All => random.i64(0..count),
            _ => random.i64(0..count) + 1,
        }
    }
}

/// Makes random values that match structural information: floating-point numbers from -1 to 1, integers from 0 to 3. A
/// shape variable has one size in all values.
///
/// ```
/// use object_eval::{Inputs, Tensor};
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
    sizes: Table<String, i64>,
    default_size: i64,
    spread: Spread,
    meter: Meter,
}

impl Inputs {
    /// Random values by a seed; the same seed gives the same values.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let (sizes, spread) = (Table::default(), Spread::default());
        Inputs { random: Rng::with_seed(seed), sizes, default_size: 4, spread, meter: Meter::unlimited() }
    }

    /// Sets the size of a shape variable. Others have the size 4.
    #[must_use]
    pub fn dim(mut self, name: impl Into<String>, size: i64) -> Self {
        self.sizes.insert(name.into(), size);
        self
    }

    /// Sets the range of numbers.
    #[must_use]
    pub fn spread(mut self, spread: Spread) -> Self {
        self.spread = spread;
        self
    }

    /// Counts the memory of the values in an account. By default, it has no limit.
    #[must_use]
    pub fn meter(mut self, meter: &Meter) -> Self {
        self.meter = meter.clone();
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

    /// The least of the sizes below which the elements of a domain lie.
    fn bound(&self, domain: &Domain) -> Result<Option<i64>, Error> {
        let sizes = domain.below.iter().map(|dim| self.size(dim)).collect::<Result<Vec<_>, _>>()?;
        Ok(sizes.into_iter().min())
    }

    /// A tensor of this shape and type, with elements of a domain.
    ///
    /// # Errors
    /// Like [`Tensor::zeros`].
    fn tensor(&mut self, dtype: DataType, shape: &[i64], domain: &Domain) -> Result<Tensor, Error> {
        let dtype = if dtype.is_void() { DataType::float(32) } else { dtype };
        // The tensor and its numbers live at one time.
        let _numbers = self.meter.reserve(room_of(shape)?.saturating_mul(size_of::<f64>()) as u64)?;
        let is_float = ElementType::of(dtype)?.is_float();
        let bound = self.bound(domain)?;
        let number = |_| match is_float {
            true => self.spread.float(domain.numbers, &mut self.random),
            false => self.spread.int(domain, bound, &mut self.random) as f64,
        };
        let dims: Vec<usize> = shape.iter().map(|extent| usize::try_from(*extent).unwrap_or_default()).collect();
        let numbers = shaped(&dims, (0..dims.iter().product::<usize>()).map(number).collect())?;
        Tensor::from_floats(dtype, &numbers, &self.meter)
    }

    /// A value that matches `info`.
    ///
    /// # Errors
    /// [`TypeMismatch`](ErrorKind::TypeMismatch) for structural information of other values than tensors, shapes, scalars
    /// and tuples of them, and for an unknown rank; [`LimitExceeded`](ErrorKind::LimitExceeded) for a tensor that exceeds
    /// the memory budget.
    pub fn value(&mut self, info: &StructInfo) -> Result<Any, Error> {
        self.value_of(info, &Domain::default(), MAX_LEVELS)
    }

    /// The arguments for parameters: the given values, and random ones for the others. A given value fixes the sizes of its
    /// shape variables, unless [`dim`](Self::dim) does.
    ///
    /// # Errors
    /// [`MissingField`](ErrorKind::MissingField) for a parameter without structural information; the errors of
    /// [`value`](Self::value), with the name of the parameter.
    pub fn arguments(
        &mut self,
        parameters: &[(Str, Option<StructInfo>)],
        given: &[(Str, Any)],
    ) -> Result<Vec<Any>, Error> {
        self.arguments_in(parameters, &vec![Domain::default(); parameters.len()], given)
    }

    /// As [`arguments`](Self::arguments), with a domain for each parameter.
    pub(super) fn arguments_in(
        &mut self,
        parameters: &[(Str, Option<StructInfo>)],
        domains: &[Domain],
        given: &[(Str, Any)],
    ) -> Result<Vec<Any>, Error> {
        let value_of = |name: &Str| given.iter().find(|(known, _)| known == name).map(|(_, value)| value);
        for (name, info) in parameters {
            if let (Some(info), Some(value)) = (info, value_of(name)) {
                self.take_sizes(info, value);
            }
        }
        let value = |((name, info), domain): (&(Str, Option<StructInfo>), &Domain)| {
            let value = match (value_of(name), info) {
                (Some(value), _) => Ok(value.clone()),
                (None, Some(info)) => self.value_of(info, domain, MAX_LEVELS),
                (None, None) => {
                    Err(Error::new(ErrorKind::MissingField, "the parameter has no annotation; give a value"))
                }
            };
            value.map_err(|error| error.context(format_args!("argument `{name}`")))
        };
        parameters.iter().zip(domains).map(value).collect()
    }

    /// Takes the sizes of shape variables from a given value for `info`.
    fn take_sizes(&mut self, info: &StructInfo, value: &Any) {
        let shape = match Value::of(value) {
            Value::Tensor(tensor) => tensor.shape().to_vec(),
            Value::Shape(shape) => shape.to_vec(),
            Value::Object(object) => match object.to_handle::<object_core::Tensor>() {
                Some(constant) => constant.shape.to_vec(),
                None => return,
            },
            _ => return,
        };
        for (dim, size) in dims_of(info).into_iter().flatten().zip(shape) {
            if let Some(var) = dim.downcast_ref::<tir::Var>() {
                self.sizes.entry(var.name.to_string()).or_insert(size);
            }
        }
    }

    /// A value that matches `info`, with elements of a domain.
    fn value_of(&mut self, info: &StructInfo, domain: &Domain, levels: usize) -> Result<Any, Error> {
        if let Some(it) = info.downcast_ref::<TensorStructInfo>() {
            let shape = match dims_of(info) {
                Some(dims) => self.sizes(&dims)?,
                None => vec![self.default_size; rank_of(it.ndim, info)?],
            };
            return Ok(self.tensor(it.dtype, &shape, domain)?.into());
        }
        if let Some(it) = info.downcast_ref::<ShapeStructInfo>() {
            let shape = match dims_of(info) {
                Some(dims) => self.sizes(&dims)?,
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
                TypeCode::FLOAT | TypeCode::BFLOAT => Any::Float(self.spread.float(domain.numbers, &mut self.random)),
                _ => Any::Int(self.spread.int(domain, self.bound(domain)?, &mut self.random)),
            });
        }
        match info.downcast_ref::<TupleStructInfo>() {
            Some(it) if levels > 0 => {
                let members = it.fields.iter().map(|field| self.value_of(&field, domain, levels - 1));
                Ok(Array::<Any>::from_anys(members.collect::<Result<_, _>>()?).into())
            }
            _ => Err(unknown(info)),
        }
    }
}

/// The dimensions that the structural information of a tensor or a shape states.
fn dims_of(info: &StructInfo) -> Option<Array<PrimExpr>> {
    if let Some(it) = info.downcast_ref::<TensorStructInfo>() {
        return Some(it.shape.as_ref()?.downcast_ref::<ShapeExpr>()?.values.clone());
    }
    info.downcast_ref::<ShapeStructInfo>()?.values.clone()
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
