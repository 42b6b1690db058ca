//! Parameters of a function as tensors by name, and tensors as their values.

use std::collections::BTreeMap;

use object_core::Result;
use object_core::meter::{Charge, Meter};
use object_core::prelude::*;
use object_core::scalar::TypeCode;
use object_core::stack_budget::with_stack;
use object_eval::Tensor;
use object_eval::value::ElementType;
use object_ir::ir::{PrimStructInfo, ShapeStructInfo, StructInfo, TensorStructInfo, TupleStructInfo};

/// A parameter, or a member of a tuple, that a tensor is the value of.
#[derive(Clone, Copy)]
pub(crate) struct Parameter<'a>(Option<&'a StructInfo>);

impl<'a> Parameter<'a> {
    /// A parameter with this annotation.
    pub(crate) fn of(info: Option<&'a StructInfo>) -> Self {
        Parameter(info)
    }

    /// The type of the elements, if the annotation states it.
    pub(crate) fn dtype(self) -> Option<DataType> {
        let dtype = self.0?.downcast_ref::<TensorStructInfo>()?.dtype;
        Some(dtype).filter(|dtype| !dtype.is_void())
    }

    /// The value that a tensor of a file is for the parameter: the tensor; for a shape, its elements; for a number, its only
    /// element. Integers of four bits may have eight in a file, because most formats have none of four.
    ///
    /// # Errors
    /// [`TypeMismatch`](ErrorKind::TypeMismatch) for a tensor of another rank or type, and
    /// [`OutOfRange`](ErrorKind::OutOfRange) for a number that four bits do not have.
    pub(crate) fn value(self, tensor: &Tensor, meter: &Meter) -> Result<Any> {
        let is = |expected: &str, rank: usize| {
            let is_expected = tensor.rank() == rank && (rank == 0 || !tensor.element().is_float());
            let message =
                || format!("expected {expected} in the file, got {:?} of type {}", tensor.shape(), tensor.dtype());
            if is_expected { Ok(()) } else { Err(Error::new(ErrorKind::TypeMismatch, message())) }
        };
        let Some(info) = self.0 else { return Ok(tensor.clone().into()) };
        if info.downcast_ref::<ShapeStructInfo>().is_some() {
            is("a vector of integers as a shape", 1)?;
            return Ok(Shape::from(tensor.indices(meter)?.iter().copied().collect::<Vec<i64>>()).into());
        }
        if let Some(info) = info.downcast_ref::<PrimStructInfo>() {
            is("one number without dimensions", 0)?;
            return Ok(match info.dtype.code {
                TypeCode::BOOL => Any::Bool(tensor.ints(meter)?.sum() != 0),
                TypeCode::INT | TypeCode::UINT => Any::Int(tensor.indices(meter)?.sum()),
                _ => Any::Float(tensor.floats(meter)?.sum()),
            });
        }
        let (given, stated) = (tensor.element(), self.dtype().and_then(|dtype| ElementType::of(dtype).ok()));
        match (given, stated) {
            (ElementType::I8, Some(to @ ElementType::I4)) | (ElementType::U8, Some(to @ ElementType::U4)) => {
                Ok(narrowed(tensor, to, meter)?.into())
            }
            _ => Ok(tensor.clone().into()),
        }
    }
}

/// The tensor with elements of a type with fewer bits.
fn narrowed(tensor: &Tensor, to: ElementType, meter: &Meter) -> Result<Tensor> {
    let (numbers, (least, greatest)) = (tensor.ints(meter)?, to.int_range());
    if let Some(number) = numbers.iter().find(|number| !(least..=greatest).contains(*number)) {
        let message = format!("expected numbers of {to} from {least} to {greatest}, got {number}");
        return Err(Error::new(ErrorKind::OutOfRange, message));
    }
    Tensor::from_ints(to.dtype(), &numbers, meter)
}

/// The parameters of a function that tensors of a file are the values of. A member of a tuple `t` is `t.0`, `t.1` and so on.
pub(crate) struct Parameters {
    parameters: Vec<(Str, Option<StructInfo>)>,
    leaves: BTreeMap<String, Option<StructInfo>>,
    _charge: Charge,
}

impl Parameters {
    /// Takes parameters apart; `meter` counts the names, because a type may stand in many tuples.
    ///
    /// # Errors
    /// [`LimitExceeded`](ErrorKind::LimitExceeded) if the meter refuses the names.
    pub(crate) fn of<'a>(
        parameters: impl Iterator<Item = &'a (Str, Option<StructInfo>)>,
        meter: &Meter,
    ) -> Result<Self> {
        let parameters: Vec<_> = parameters.cloned().collect();
        let mut leaves = Leaves { found: BTreeMap::new(), charge: meter.nothing(), bytes: 0 };
        for (name, info) in &parameters {
            leaves.add(name.to_string(), info.as_ref())?;
        }
        Ok(Parameters { parameters, leaves: leaves.found, _charge: leaves.charge })
    }

    /// The names of the tensors.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.leaves.keys().map(|name| &**name)
    }

    /// The parameter, or the member of one, with this name.
    pub(crate) fn get(&self, name: &str) -> Option<Parameter<'_>> {
        self.leaves.get(name).map(|info| Parameter::of(info.as_ref()))
    }

    /// The values of the parameters; `tensors` has all their names.
    ///
    /// # Errors
    /// Errors of [`Parameter::value`], with the name.
    pub(crate) fn values(&self, tensors: &BTreeMap<String, Tensor>, meter: &Meter) -> Result<Vec<(Str, Any)>> {
        let value =
            |(name, info): &(Str, Option<StructInfo>)| Ok((name.clone(), value(name, info.as_ref(), tensors, meter)?));
        self.parameters.iter().map(value).collect()
    }
}

fn value(name: &str, info: Option<&StructInfo>, tensors: &BTreeMap<String, Tensor>, meter: &Meter) -> Result<Any> {
    if let Some(tuple) = info.and_then(|info| info.downcast_ref::<TupleStructInfo>()) {
        let member = |(index, field): (usize, StructInfo)| {
            with_stack(|| value(&format!("{name}.{index}"), Some(&field), tensors, meter))
        };
        let members = tuple.fields.iter().enumerate().map(member);
        return Ok(Array::<Any>::from_anys(members.collect::<Result<_>>()?).into());
    }
    let missing = || Error::new(ErrorKind::MissingField, "the file has no tensor of this name");
    let value = tensors.get(name).ok_or_else(missing).and_then(|tensor| Parameter::of(info).value(tensor, meter));
    value.map_err(|error| error.context(format_args!("`{name}`")))
}

/// The members of tuples while they are found.
struct Leaves {
    found: BTreeMap<String, Option<StructInfo>>,
    charge: Charge,
    bytes: u64,
}

impl Leaves {
    fn add(&mut self, name: String, info: Option<&StructInfo>) -> Result<()> {
        // A name counts with its place in the map.
        self.bytes += name.len() as u64 + 64;
        self.charge.cover(self.bytes)?;
        let Some(tuple) = info.and_then(|info| info.downcast_ref::<TupleStructInfo>()) else {
            self.found.insert(name, info.cloned());
            return Ok(());
        };
        let mut fields = tuple.fields.iter().enumerate();
        fields.try_for_each(|(index, field)| with_stack(|| self.add(format!("{name}.{index}"), Some(&field))))
    }
}
