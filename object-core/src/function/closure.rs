//! [`IntoFunction`]: Rust closures of any number of arguments as the body of a [`Function`](super::Function).

use std::sync::Arc;

use crate::error::{Error, Result};
use crate::function::call::{Failure, Packed};
use crate::function::signature::Signature;
use crate::function::typed::FunctionType;
use crate::object::{Any, AnyView, FieldType, TypeSchema};

/// What arguments of a function can be: every field type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a `Function`",
    label = "not a field type",
    note = "arguments are bool, integers, floats, DataType, Device, Str, Bytes, Shape, Tensor, Function, \
            TypedFunction, Any, ObjectRef, handles made by `#[derive(Object)]`, and Array, Map and Option of these",
    note = "if `{Self}` is a node struct, take its handle (the name without `Node`)"
)]
pub trait Argument: Sized {
    /// The value of this type that `value` stands for.
    ///
    /// # Errors
    /// As [`FieldType::from_any`].
    fn from_view(value: AnyView<'_>) -> Result<Self>;

    /// The type in schema words.
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

/// What a function can return if it does not fail: every field type, or nothing.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of a `Function`",
    label = "not a field type",
    note = "results are nothing, bool, integers, floats, DataType, Device, Str, Bytes, Shape, Tensor, Function, \
            TypedFunction, Any, ObjectRef, handles made by `#[derive(Object)]`, and Array, Map and Option of these",
    note = "if `{Self}` is a node struct, return its handle (the name without `Node`)"
)]
pub trait ReturnValue: Sized + 'static {
    /// The value as an [`Any`].
    fn into_any(self) -> Any;

    /// A copy of the value as an [`Any`]; objects are shared.
    fn to_any(&self) -> Any;

    /// The value of this type that `value` stands for.
    ///
    /// # Errors
    /// As [`FieldType::from_any`].
    fn from_any(value: Any) -> Result<Self>;

    /// The type in schema words.
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

/// What a closure can return: a [`ReturnValue`], or a `Result` of one whose error converts into [`Error`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of a `Function`",
    label = "not a field type, and not a `Result` of one",
    note = "results are nothing, bool, integers, floats, DataType, Device, Str, Bytes, Shape, Tensor, Function, \
            TypedFunction, Any, ObjectRef, handles made by `#[derive(Object)]`, Array, Map and Option of these, and \
            `Result` of all these with an error that converts into `object_core::Error`",
    note = "if `{Self}` is a node struct, return its handle (the name without `Node`)"
)]
pub trait Outcome {
    /// The value without the error.
    type Value: ReturnValue;

    /// The value, or the error.
    ///
    /// # Errors
    /// That of the `Result`.
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

/// A closure or function that can become a [`Function`](super::Function). `S` is its type as a function pointer.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot become a `Function`",
    label = "not a closure over field types",
    note = "write the types of all arguments (at most twelve), which are field types: `|a: i64, b: Expr| ...`",
    note = "the result is a field type, nothing, or a `Result` of one; what the closure captures is \
            `Send + Sync + 'static`"
)]
pub trait IntoFunction<S> {
    #[doc(hidden)]
    fn types(&self) -> fn() -> Signature;
    #[doc(hidden)]
    #[allow(private_interfaces, reason = "to be called by this module alone")]
    fn into_body(self) -> Arc<Packed>;
}

/// The arguments of a call, which have to be `N`.
///
/// # Errors
/// That they are not.
#[inline]
pub fn exactly<'a, 'b, const N: usize>(args: &'a [AnyView<'b>]) -> Result<&'a [AnyView<'b>; N], Failure> {
    args.as_array().ok_or(Failure::Arity(N))
}

/// The argument with the index `index` as an `A`.
///
/// # Errors
/// That it is none.
#[inline]
pub fn argument<A: Argument>(index: usize, value: AnyView<'_>) -> Result<A, Failure> {
    A::from_view(value).map_err(|error| Failure::Argument(index, error))
}

/// What a function returned, as a value.
///
/// # Errors
/// That it failed.
#[inline]
pub fn returned<R: Outcome>(outcome: R) -> Result<Any, Failure> {
    outcome.into_result().map(ReturnValue::into_any).map_err(Failure::Returned)
}

// Rust has no way to write an `impl` for closures of any number of arguments.
macro_rules! closures {
    ($($arity:literal: $($arg:ident $index:literal),*;)*) => {$(
        impl<Closure, R: Outcome, $($arg: FieldType),*> IntoFunction<fn($($arg),*) -> R> for Closure
        where
            Closure: Fn($($arg),*) -> R + Send + Sync + 'static,
        {
            fn types(&self) -> fn() -> Signature {
                <fn($($arg),*) -> R::Value as FunctionType>::signature
            }

            #[allow(non_snake_case, private_interfaces, reason = "each argument is named as its type")]
            fn into_body(self) -> Arc<Packed> {
                Arc::new(move |args: &[AnyView<'_>]| {
                    let [$($arg),*] = exactly::<$arity>(args)?;
                    returned(self($(argument::<$arg>($index, *$arg)?),*))
                })
            }
        }
    )*};
}

closures! {
    0: ;
    1: A 0;
    2: A 0, B 1;
    3: A 0, B 1, C 2;
    4: A 0, B 1, C 2, D 3;
    5: A 0, B 1, C 2, D 3, E 4;
    6: A 0, B 1, C 2, D 3, E 4, F 5;
    7: A 0, B 1, C 2, D 3, E 4, F 5, G 6;
    8: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7;
    9: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8;
    10: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9;
    11: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10;
    12: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11;
}
