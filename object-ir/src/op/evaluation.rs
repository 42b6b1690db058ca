//! [`Evaluation`]: a call of an operator whose result is computed, with access to the values of its arguments.

use std::fmt::Display;

use ndarray::ArrayD;
use object_core::container::ArrayView;
use object_core::prelude::*;

use super::axes;
use super::operator::Operator;
use super::signature::Signature;
use crate::eval::controls::Controls;
use crate::eval::scalar::Scalar;
use crate::eval::value::{Meter, Numbers, Places, Tensor, Value};
use crate::ir::call::Call;

/// The function that computes the result of a call.
pub(crate) type Evaluate = fn(&Evaluation<'_>) -> Result<Any, Error>;

/// A call of an operator whose result is computed.
pub(crate) struct Evaluation<'a> {
    signature: &'static Signature,
    call: &'a Call,
    values: &'a [Any],
    controls: &'a Controls,
}

impl<'a> Evaluation<'a> {
    pub(crate) fn new(
        signature: &'static Signature,
        call: &'a Call,
        values: &'a [Any],
        controls: &'a Controls,
    ) -> Self {
        Evaluation { signature, call, values, controls }
    }

    /// The result of the call.
    ///
    /// # Errors
    /// [`Call`](ErrorKind::Call) for a wrong number of arguments, and for an operator that the evaluator cannot run; else the
    /// error of the operator, with its name.
    pub(crate) fn run(&self, operator: &Operator) -> Result<Any, Error> {
        let (least, most) = self.signature.arity();
        if self.len() < least || most.is_some_and(|most| self.len() > most) {
            let message = format!("expected at least {least} arguments, got {}", self.len());
            return Err(self.error(ErrorKind::Call, message));
        }
        let Some(evaluate) = operator.evaluate else {
            let message = "the evaluator does not run this operator; `data/eval_exceptions.txt` has the reason";
            return Err(self.error(ErrorKind::Call, message));
        };
        evaluate(self)
    }

    /// The call itself.
    pub(crate) fn call(&self) -> &'a Call {
        self.call
    }

    /// The count of the memory.
    pub(crate) fn meter(&self) -> &'a Meter {
        self.controls.meter()
    }

    /// The number of arguments.
    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    /// The argument at `index`; none if the call leaves it out.
    pub(crate) fn value(&self, index: usize) -> &'a Any {
        static NONE: Any = Any::None;
        self.values.get(index).unwrap_or(&NONE)
    }

    /// All arguments.
    pub(crate) fn values(&self) -> &'a [Any] {
        self.values
    }

    /// The tensor at `index`.
    pub(crate) fn tensor(&self, index: usize) -> Result<&'a Tensor, Error> {
        match Value::of(self.value(index)) {
            Value::Tensor(tensor) => Ok(tensor),
            _ => Err(self.wrong(index, "a tensor")),
        }
    }

    /// The tensor at `index`, if the call gives it.
    pub(crate) fn optional_tensor(&self, index: usize) -> Result<Option<&'a Tensor>, Error> {
        if matches!(self.value(index), Any::None) { Ok(None) } else { self.tensor(index).map(Some) }
    }

    /// The members of the tuple at `index`.
    pub(crate) fn tuple(&self, index: usize) -> Result<ArrayView<'a>, Error> {
        match Value::of(self.value(index)) {
            Value::Tuple(members) => Ok(members),
            _ => Err(self.wrong(index, "a tuple")),
        }
    }

    /// The members of the tuple of tensors at `index`.
    pub(crate) fn tensors(&self, index: usize) -> Result<Vec<Tensor>, Error> {
        let members = self.tuple(index)?.iter().map(|member| member.as_object()?.to_handle::<Tensor>());
        members.collect::<Option<_>>().ok_or_else(|| self.wrong(index, "a tuple of tensors"))
    }

    /// The shape at `index`.
    pub(crate) fn shape(&self, index: usize) -> Result<&'a [i64], Error> {
        match Value::of(self.value(index)) {
            Value::Shape(shape) => Ok(shape),
            _ => Err(self.wrong(index, "a shape")),
        }
    }

    /// The integers of the tuple or shape at `index`.
    pub(crate) fn ints(&self, index: usize) -> Result<Vec<i64>, Error> {
        match Value::of(self.value(index)) {
            Value::Shape(shape) => Ok(shape.to_vec()),
            Value::Tuple(members) => {
                let members = members.iter().map(|member| Scalar::of(&member.to_any()).map(Scalar::int));
                members.collect::<Option<_>>().ok_or_else(|| self.wrong(index, "a tuple of integers"))
            }
            _ => Err(self.wrong(index, "a tuple of integers")),
        }
    }

    /// The scalar at `index`, which may be a tensor of one element.
    pub(crate) fn scalar(&self, index: usize) -> Result<Scalar, Error> {
        if let Value::Tensor(tensor) = Value::of(self.value(index))
            && tensor.len() == 1
        {
            return Ok(match tensor.numbers()? {
                Numbers::Float(numbers) => Scalar::Float(numbers.iter().copied().next().unwrap_or_default()),
                Numbers::Int(numbers) => Scalar::Int(numbers.iter().copied().next().unwrap_or_default() as i64),
            });
        }
        Scalar::of(self.value(index)).ok_or_else(|| self.wrong(index, "a scalar"))
    }

    /// The data type at `index`.
    pub(crate) fn dtype(&self, index: usize) -> Result<DataType, Error> {
        match self.value(index) {
            Any::DataType(dtype) => Ok(*dtype),
            _ => Err(self.wrong(index, "a data type")),
        }
    }

    /// The attributes, of the type `A` that the signature names.
    pub(crate) fn attrs<A: TypedHandle>(&self) -> Result<&'a A, Error> {
        self.call.attrs.as_ref().and_then(|attrs| attrs.downcast_ref()).ok_or_else(|| {
            let expected = A::Node::TYPE_INFO.type_key();
            self.error(ErrorKind::TypeMismatch, format!("attributes: expected `{expected}`"))
        })
    }

    /// The position of the dimension `axis` among `rank` dimensions.
    pub(crate) fn axis(&self, axis: i64, rank: usize) -> Result<usize, Error> {
        axes::position(axis, rank).map_err(|expected| self.invalid(format!("expected {expected}, got {axis}")))
    }

    /// The positions of the dimensions `axes` among `rank` dimensions; all of them if there is no list.
    pub(crate) fn axes(&self, axes: Option<&Array<i64>>, rank: usize) -> Result<Vec<usize>, Error> {
        match axes {
            None => Ok((0..rank).collect()),
            Some(axes) => axes::positions(&axes.to_vec(), rank).map_err(|reason| self.invalid(reason)),
        }
    }

    /// Checks that there is memory for a tensor of the shape `dims`, with elements of `dtype`.
    pub(crate) fn room(&self, dims: &[i64], dtype: DataType) -> Result<Vec<usize>, Error> {
        let bytes = Shape::new(dims).elements().and_then(|elements| dtype.byte_size(elements));
        let bytes = bytes.ok_or_else(|| self.invalid(format!("a tensor of shape {dims:?} does not exist")))?;
        self.meter().check(bytes as u64)?;
        Ok(dims.iter().map(|size| usize::try_from(*size).unwrap_or_default()).collect())
    }

    /// A tensor of floating-point numbers.
    pub(crate) fn floats(&self, dtype: DataType, numbers: &ArrayD<f64>) -> Result<Any, Error> {
        Ok(Tensor::from_floats(dtype, numbers, self.meter())?.into())
    }

    /// A tensor of integers.
    pub(crate) fn integers(&self, dtype: DataType, numbers: &ArrayD<i128>) -> Result<Any, Error> {
        Ok(Tensor::from_ints(dtype, numbers, self.meter())?.into())
    }

    /// A tensor of numbers.
    pub(crate) fn numbers(&self, dtype: DataType, numbers: &Numbers) -> Result<Any, Error> {
        Ok(Tensor::from_numbers(dtype, numbers, self.meter())?.into())
    }

    /// A tensor of truth values.
    pub(crate) fn truths(&self, truths: &ArrayD<bool>) -> Result<Any, Error> {
        self.integers(DataType::boolean(), &truths.mapv(i128::from))
    }

    /// A tensor with the elements of `operands` at `places`.
    pub(crate) fn moved(&self, operands: &[Tensor], places: &Places) -> Result<Any, Error> {
        self.padded(operands, places, 0.0)
    }

    /// Like [`moved`](Self::moved), with a number for places without an operand.
    pub(crate) fn padded(&self, operands: &[Tensor], places: &Places, padding: f64) -> Result<Any, Error> {
        Ok(Tensor::at_places(operands, places, padding, self.meter())?.into())
    }

    /// A tuple.
    pub(crate) fn pack(&self, members: Vec<Any>) -> Any {
        Array::<Any>::from_anys(members).into()
    }

    /// An error about the call.
    pub(crate) fn error(&self, kind: ErrorKind, message: impl Display) -> Error {
        Error::new(kind, format!("`{}`: {message}", self.signature.name))
    }

    /// An error about values that the operator does not accept.
    pub(crate) fn invalid(&self, message: impl Display) -> Error {
        self.error(ErrorKind::OutOfRange, message)
    }

    fn wrong(&self, index: usize, expected: &str) -> Error {
        let name = self.signature.argument(index).map_or("?", |(name, _)| name);
        let given = Value::of(self.value(index));
        self.error(ErrorKind::TypeMismatch, format!("argument {index} (`{name}`): expected {expected}, got {given}"))
    }
}
