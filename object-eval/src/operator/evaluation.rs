//! [`Evaluation`]: a call of an operator whose result is computed, with access to the values of its arguments.

use std::fmt::Display;

use crate::controls::Controls;
use crate::scalar::Scalar;
use crate::value::{Meter, Numbers, Ordered, Places, Tensor, Value, View, counted, room_of};
use ndarray::ArrayD;
use object_core::container::ArrayView;
use object_core::prelude::*;
use object_ir::ir::{
    Call, FloatImm, PrimStructInfo, PrimValue, RelaxExpr, ShapeExpr, StructInfo, TensorStructInfo, Tuple, Var,
};
use object_ir::table::rows;
use object_relax::arith::Analyzer;
use object_relax::op::axes::{self, Positions};
use object_relax::op::dims::{constant, shape_values};
use object_relax::op::{InferContext, Operator, infer_with_args, struct_info_of};
use smallvec::SmallVec;

/// The function that computes the result of a call.
pub(crate) type Evaluate = fn(&Evaluation<'_>) -> Result<Any, Error>;

/// A call of an operator whose result is computed.
pub(crate) struct Evaluation<'a> {
    operator: &'static Operator,
    call: &'a Call,
    slots: &'a [Any],
    args: &'a [u32],
    controls: &'a Controls,
    returns_view: bool,
}

impl<'a> Evaluation<'a> {
    /// A call of the operator. The values of the arguments are in the slots that
    /// `args` names.
    pub(crate) fn new(
        operator: &'static Operator,
        call: &'a Call,
        slots: &'a [Any],
        args: &'a [u32],
        controls: &'a Controls,
    ) -> Self {
        Evaluation { operator, call, slots, args, controls, returns_view: false }
    }

    /// Lets the operator return a [`View`](crate::value::View), because only operators that take views read the result.
    pub(crate) fn with_view(self, returns_view: bool) -> Self {
        Evaluation { returns_view, ..self }
    }

    /// Whether the operator may return a view.
    pub(crate) fn returns_view(&self) -> bool {
        self.returns_view
    }

    /// The result of the call.
    ///
    /// # Errors
    /// [`Call`](ErrorKind::Call) for a wrong number of arguments, and for an operator that the evaluator cannot run; else the
    /// error of the operator, with its name.
    pub(crate) fn run(&self, evaluate: Option<Evaluate>) -> Result<Any, Error> {
        let (least, most) = self.operator.signature.arity();
        if self.len() < least || most.is_some_and(|most| self.len() > most) {
            let message = format!("expected at least {least} arguments, got {}", self.len());
            return Err(self.error(ErrorKind::Call, message));
        }
        let Some(evaluate) = evaluate else {
            let exceptions = rows(include_str!("../../data/eval_exceptions.txt"));
            let reason = exceptions
                .into_iter()
                .find(|[name, _]| *name == self.operator.signature.name)
                .map(|[_, reason]| reason);
            let reason = reason.unwrap_or("it has no definition");
            return Err(self.error(ErrorKind::Call, format!("the evaluator does not run this operator: {reason}")));
        };
        // The arrays inside of the operator count until its end.
        let _arrays = self.meter().scope();
        evaluate(self)
    }

    /// The count of the memory.
    pub(crate) fn meter(&self) -> &'a Meter {
        self.controls.meter()
    }

    /// The number of arguments.
    pub(crate) fn len(&self) -> usize {
        self.args.len()
    }

    /// The argument at `index`; none if the call leaves it out.
    pub(crate) fn value(&self, index: usize) -> &'a Any {
        static NONE: Any = Any::None;
        self.args.get(index).and_then(|slot| self.slots.get(*slot as usize)).unwrap_or(&NONE)
    }

    /// All arguments.
    pub(crate) fn values(&self) -> Vec<Any> {
        (0..self.len()).map(|index| self.value(index).clone()).collect()
    }

    /// The tensor at `index`.
    pub(crate) fn tensor(&self, index: usize) -> Result<&'a Tensor, Error> {
        match Value::of(self.value(index)) {
            Value::Tensor(tensor) => Ok(tensor),
            _ => Err(self.wrong(index, "a tensor")),
        }
    }

    /// The tensor at `index`, which may have its dimensions in another order than in memory.
    pub(crate) fn view(&self, index: usize) -> Result<Ordered<'a>, Error> {
        if let Any::Object(object) = self.value(index)
            && let Some(view) = object.downcast_ref::<View>()
        {
            return Ok(view.ordered());
        }
        self.tensor(index).map(Ordered::whole)
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
    pub(crate) fn shape(&self, index: usize) -> Result<&'a Shape, Error> {
        match self.value(index) {
            Any::Object(object) => object.downcast_ref().ok_or_else(|| self.wrong(index, "a shape")),
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
            return Ok(match tensor.numbers(self.meter())? {
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

    /// The positions of the dimensions `axes` among `rank` dimensions; without a list, of all dimensions.
    pub(crate) fn axes(&self, axes: Option<&Array<i64>>, rank: usize) -> Result<Positions, Error> {
        match axes {
            None => Ok((0..rank).collect()),
            Some(axes) => {
                let mut given: SmallVec<[i64; 8]> = SmallVec::new();
                axes.iter().for_each(|axis| given.push(axis));
                axes::positions(&given, rank).map_err(|reason| self.invalid(reason))
            }
        }
    }

    /// Checks that the meter has room for an array of the shape `dims`, whose elements have 64 bits. Returns the extents.
    pub(crate) fn room(&self, dims: &[i64]) -> Result<Vec<usize>, Error> {
        self.check_room(dims)?;
        Ok(dims.iter().map(|size| usize::try_from(*size).unwrap_or_default()).collect())
    }

    /// Like [`room`](Self::room), without the extents. Returns the elements of [`room_of`].
    pub(crate) fn check_room(&self, dims: &[i64]) -> Result<usize, Error> {
        let room = self.extents(dims)?;
        self.meter().check((room * size_of::<u64>()) as u64)?;
        Ok(room)
    }

    /// Like [`room`](Self::room), for extents as indices of arrays. Returns the number of elements.
    pub(crate) fn count(&self, dims: &[usize]) -> Result<usize, Error> {
        self.room_for::<()>(dims)
    }

    /// Counts an array of elements `T` of the shape `dims` until the end of the operator. Returns the number of elements.
    ///
    /// # Errors
    /// Like [`room`](Self::room).
    pub(crate) fn room_for<T>(&self, dims: &[usize]) -> Result<usize, Error> {
        let mut extents: SmallVec<[i64; 6]> = SmallVec::new();
        dims.iter().for_each(|size| extents.push(i64::try_from(*size).unwrap_or(i64::MAX)));
        let room = self.check_room(&extents)?;
        self.meter().hold((room as u64).saturating_mul(size_of::<T>() as u64))?;
        Ok(dims.iter().product())
    }

    /// Checks that a tensor of the shape `dims` exists. Returns the elements of [`room_of`].
    pub(crate) fn extents(&self, dims: &[i64]) -> Result<usize, Error> {
        room_of(dims).map_err(|error| self.invalid(error.message()))
    }

    /// Counts the steps of work that is the product of `factors`.
    ///
    /// # Errors
    /// [`LimitExceeded`](ErrorKind::LimitExceeded) if the step budget is used up, and [`Call`](ErrorKind::Call) if another
    /// thread has cancelled the run.
    pub(crate) fn work(&self, factors: &[usize]) -> Result<(), Error> {
        self.controls.step(factors.iter().fold(1, |product, factor| product.saturating_mul(*factor as u64)))
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
        self.integers(
            DataType::boolean(),
            &counted(truths.shape(), truths.iter().map(|truth| i128::from(*truth)), self.meter())?,
        )
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
        Error::new(kind, format!("`{}`: {message}", self.operator.signature.name))
    }

    /// An error about values that the operator does not accept.
    pub(crate) fn invalid(&self, message: impl Display) -> Error {
        self.error(ErrorKind::OutOfRange, message)
    }

    fn wrong(&self, index: usize, expected: &str) -> Error {
        let name = self.operator.signature.argument(index).map_or("?", |(name, _)| name);
        let given = Value::of(self.value(index));
        self.error(ErrorKind::TypeMismatch, format!("argument {index} (`{name}`): expected {expected}, got {given}"))
    }
}

/// The data type of a scalar.
fn dtype_of(scalar: &RelaxExpr) -> Option<DataType> {
    Some(struct_info_of(scalar)?.downcast_ref::<PrimStructInfo>()?.dtype)
}

/// The structural information of a value, as an expression for inference.
fn described(value: &Any, given: &RelaxExpr) -> Result<RelaxExpr, Error> {
    let variable = |info: StructInfo| RelaxExpr::from(Var::of("value", info));
    Ok(match Value::of(value) {
        Value::Tensor(tensor) => variable(TensorStructInfo::of(tensor.shape().to_vec(), tensor.dtype())?.into()),
        Value::Shape(shape) => ShapeExpr::of(shape.to_vec())?.into(),
        Value::Int(value) => PrimValue::of(value).into(),
        Value::Float(value) => {
            PrimValue::of(FloatImm::new(dtype_of(given).unwrap_or(DataType::float(64)), value)).into()
        }
        Value::Tuple(members) => {
            // Inference looks at tuples of tensors and of numbers only.
            let members = members.iter().map(|member| described(&member.to_any(), given));
            Tuple::new(members.collect::<Result<Array<RelaxExpr>, _>>()?).into()
        }
        _ => given.clone(),
    })
}

impl Evaluation<'_> {
    /// The structural information of the result for the given values.
    ///
    /// # Errors
    /// The error of inference, which shows that the operator does not accept the values.
    pub(crate) fn inferred(&self) -> Result<StructInfo, Error> {
        let given = self.call.args.as_slice().iter().take(self.len()).enumerate();
        let args = given.map(|(index, given)| described(self.value(index), given));
        let args: Vec<RelaxExpr> = args.collect::<Result<_, _>>()?;
        let analyzer = Analyzer::for_shapes();
        let context = InferContext::new(&analyzer);
        if !self.operator.has_inference() {
            return Err(self.invalid("the operator does not define its structural information"));
        }
        let inferred = infer_with_args(self.call, &args, Some(self.operator), &context);
        // The place in this call is not a place in the program.
        inferred.map_err(|error| Error::new(error.kind(), error.message()))
    }

    /// The shape of the result, a tensor.
    ///
    /// # Errors
    /// Like [`inferred`](Self::inferred), and [`LimitExceeded`](ErrorKind::LimitExceeded) if the meter refuses the memory.
    pub(crate) fn result_dims(&self) -> Result<Vec<usize>, Error> {
        let info = self.inferred()?;
        let dims = info
            .downcast_ref::<TensorStructInfo>()
            .and_then(|tensor| shape_values(tensor)?.iter().map(constant).collect::<Option<Vec<i64>>>());
        match dims {
            Some(dims) => self.room(&dims),
            None => Err(self.invalid("the shape of the result depends on values that are unknown")),
        }
    }

    /// The data type of the scalar argument at `index`.
    pub(crate) fn scalar_type(&self, index: usize) -> DataType {
        self.call.args.as_slice().get(index).and_then(dtype_of).unwrap_or(DataType::int(64))
    }
}
