//! Conversions between Rust types and the arguments and results of a [`Function`](super::Function).

use crate::error::{Error, Result};
use crate::object::{Any, AnyView, FieldType, TypeSchema};
use crate::value::function::Failure;

/// A type of arguments of a function: every field type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a `Function`",
    label = "not a field type",
    note = "arguments are bool, integers, floats, DataType, Device, Str, Bytes, Shape, Tensor, Function, \
            TypedFunction, Any, ObjectRef, handles made by `#[derive(Object)]`, and Array, Map and Option of these",
    note = "if `{Self}` is a node struct, take its handle (the name without `Node`)"
)]
pub trait Argument: Sized {
    /// Converts `value` to this type.
    ///
    /// # Errors
    /// As [`FieldType::from_any`].
    fn from_view(value: AnyView<'_>) -> Result<Self>;

    /// The type as a schema writes it.
    fn schema() -> TypeSchema;
}

#[diagnostic::do_not_recommend]
impl<T: FieldType> Argument for T {
    #[inline]
    fn from_view(value: AnyView<'_>) -> Result<Self> {
        T::from_any(value.to_any())
    }

    fn schema() -> TypeSchema {
        <T as FieldType>::schema()
    }
}

/// A type of results of a function: every field type, and `()`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of a `Function`",
    label = "not a field type",
    note = "results are nothing, bool, integers, floats, DataType, Device, Str, Bytes, Shape, Tensor, Function, \
            TypedFunction, Any, ObjectRef, handles made by `#[derive(Object)]`, and Array, Map and Option of these",
    note = "if `{Self}` is a node struct, return its handle (the name without `Node`)"
)]
pub trait ReturnValue: Sized + 'static {
    /// Converts the value to an [`Any`].
    fn into_any(self) -> Any;

    /// A copy of the value as an [`Any`]; objects are shared.
    fn to_any(&self) -> Any;

    /// Converts `value` to this type.
    ///
    /// # Errors
    /// As [`FieldType::from_any`].
    fn from_any(value: Any) -> Result<Self>;

    /// The type as a schema writes it.
    fn schema() -> TypeSchema;
}

#[diagnostic::do_not_recommend]
impl<T: FieldType> ReturnValue for T {
    #[inline]
    fn into_any(self) -> Any {
        FieldType::into_any(self)
    }

    #[inline]
    fn to_any(&self) -> Any {
        self.view().to_any()
    }

    #[inline]
    fn from_any(value: Any) -> Result<Self> {
        FieldType::from_any(value)
    }

    fn schema() -> TypeSchema {
        <T as FieldType>::schema()
    }
}

impl ReturnValue for () {
    fn into_any(self) -> Any {
        Any::None
    }

    fn to_any(&self) -> Any {
        Any::None
    }

    fn from_any(value: Any) -> Result<Self> {
        match value {
            Any::None => Ok(()),
            other => Err(Error::type_mismatch("None", other.type_key())),
        }
    }

    fn schema() -> TypeSchema {
        TypeSchema::leaf("None")
    }
}

/// A return type of closures: a [`ReturnValue`], or a `Result` of one with an error that converts into [`Error`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of a `Function`",
    label = "not a field type, and not a `Result` of one",
    note = "results are nothing, bool, integers, floats, DataType, Device, Str, Bytes, Shape, Tensor, Function, \
            TypedFunction, Any, ObjectRef, handles made by `#[derive(Object)]`, Array, Map and Option of these, and \
            `Result` of all these with an error that converts into `object_core::Error`",
    note = "if `{Self}` is a node struct, return its handle (the name without `Node`)"
)]
pub trait Outcome {
    /// The type of the result of a successful call.
    type Value: ReturnValue;

    /// Converts the value to a `Result`.
    ///
    /// # Errors
    /// The error of the value, if the value is a `Result`.
    fn into_result(self) -> Result<Self::Value>;
}

#[diagnostic::do_not_recommend]
impl<T: ReturnValue> Outcome for T {
    type Value = T;

    #[inline]
    fn into_result(self) -> Result<T> {
        Ok(self)
    }
}

#[diagnostic::do_not_recommend]
impl<T: ReturnValue, E: Into<Error>> Outcome for Result<T, E> {
    type Value = T;

    #[inline]
    fn into_result(self) -> Result<T> {
        self.map_err(Into::into)
    }
}

/// The `N` arguments of a call.
///
/// # Errors
/// [`Failure::Arity`] if there is another number of arguments.
#[inline]
pub fn exactly<'a, 'b, const N: usize>(args: &'a [AnyView<'b>]) -> Result<&'a [AnyView<'b>; N], Failure> {
    args.as_array().ok_or(Failure::Arity(N))
}

/// Converts the argument with the index `index` to an `A`.
///
/// # Errors
/// [`Failure::Argument`] if the argument has another type.
#[inline]
pub fn argument<A: Argument>(index: usize, value: AnyView<'_>) -> Result<A, Failure> {
    A::from_view(value).map_err(|error| Failure::Argument(index, error))
}

/// Converts the return value of a closure.
///
/// # Errors
/// [`Failure::Returned`] with the error that the closure returned.
#[inline]
pub fn returned<R: Outcome>(outcome: R) -> Result<Any, Failure> {
    outcome.into_result().map(ReturnValue::into_any).map_err(Failure::Returned)
}
