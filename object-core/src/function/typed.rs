//! [`TypedFunction`]: a function with a static signature.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use crate::error::{Error, ErrorKind, Result};
use crate::function::assignable::can_stand_for;
use crate::function::conversions::{Outcome, ReturnValue};
use crate::object::{Any, FieldType, ObjectHandle, ObjectRef, ObjectView, TypeSchema};
use crate::value::function::{FUNCTION, Function, FunctionData, Signature, WithTypes};

/// The type of a function as a Rust function pointer: `fn(i64, Expr) -> Expr`.
pub trait FunctionType: 'static {
    /// The types of arguments and result.
    fn signature() -> Signature;
}

/// A [`Function`] that takes and returns values of the types in `S`, such as `fn(i64, Expr) -> Expr`. Its `call` takes
/// Rust values. It is a field type, and an argument type of other functions.
///
/// A conversion to this type compares signatures: the function has to accept each argument type of `S`, or an ancestor
/// of it, and `S` has to accept the result of the function in the same way. The comparison finds the ancestors of types
/// in the [registry](crate::registry), which has all types of linked crates. Each call checks the rest: arguments of
/// packed functions, types that one of the two signatures gives as `Any`, and ranges of integers.
///
/// ```
/// use object_core::{Function, function::TypedFunction};
/// let twice = Function::new(|f: TypedFunction<fn(i64) -> i64>, x: i64| f.call(f.call(x)?)).with_name("twice");
/// let double = Function::new(|x: i64| 2 * x);
/// assert!(double.typed::<fn(Function) -> i64>().is_err());
/// let twice = twice.typed::<fn(TypedFunction<fn(i64) -> i64>, i64) -> i64>()?;
/// assert_eq!(twice.call(double.typed()?, 5)?, 20);
/// # Ok::<(), object_core::Error>(())
/// ```
#[repr(transparent)]
pub struct TypedFunction<S> {
    function: Function,
    types: PhantomData<fn() -> S>,
}

#[diagnostic::do_not_recommend]
// SAFETY: a transparent wrapper of `Function`, which is one of `ObjectRef`; it accepts no more than `Function` does.
unsafe impl<S: FunctionType> ObjectHandle for TypedFunction<S> {
    fn accepts_object(object: ObjectView<'_>) -> bool {
        object.node::<FunctionData>().is_some_and(is_usable::<S>)
    }

    fn handle_schema() -> TypeSchema {
        let Signature { args, result } = S::signature();
        let args = std::iter::once(result).chain(args.into_iter().map(|arg| arg.schema)).collect();
        TypeSchema::of(FUNCTION.type_key, args)
    }

    fn rejected(object: ObjectView<'_>) -> Error {
        match object.to_handle::<Function>() {
            Some(function) => wrong_types::<S>(&function),
            None => Error::type_mismatch(FUNCTION.type_key, object.type_key()),
        }
    }
}

/// Whether calls by the type `S` suit the signature of `function`.
fn is_usable<S: FunctionType>(function: &FunctionData) -> bool {
    function.make_signature().is_none_or(|given| {
        // In the common case the two addresses are equal. Functions at different addresses may still agree.
        std::ptr::fn_addr_eq(given, S::signature as fn() -> Signature) || can_stand_for(&given(), &S::signature())
    })
}

#[cold]
fn wrong_types<S: FunctionType>(function: &Function) -> Error {
    let given = WithTypes(function);
    Error::new(ErrorKind::TypeMismatch, format!("expected a function `{}`, got `{given}`", S::signature()))
}

impl Function {
    /// Converts the function to a [`TypedFunction`] with the signature `S`.
    ///
    /// # Errors
    /// [`TypeMismatch`](ErrorKind::TypeMismatch) if the signature of the function does not suit `S`. The message names both
    /// signatures.
    pub fn typed<S: FunctionType>(&self) -> Result<TypedFunction<S>> {
        self.clone().try_into()
    }
}

impl<S: FunctionType> TryFrom<Function> for TypedFunction<S> {
    type Error = Error;

    fn try_from(function: Function) -> Result<Self> {
        if is_usable::<S>(&function) {
            Ok(TypedFunction { function, types: PhantomData })
        } else {
            Err(wrong_types::<S>(&function))
        }
    }
}

impl<S> Clone for TypedFunction<S> {
    fn clone(&self) -> Self {
        TypedFunction { function: self.function.clone(), types: PhantomData }
    }
}

impl<S> Deref for TypedFunction<S> {
    type Target = Function;

    fn deref(&self) -> &Function {
        &self.function
    }
}

impl<S> From<TypedFunction<S>> for Function {
    fn from(typed: TypedFunction<S>) -> Self {
        typed.function
    }
}

impl<S> From<TypedFunction<S>> for ObjectRef {
    fn from(typed: TypedFunction<S>) -> Self {
        typed.function.into()
    }
}

impl<S> From<TypedFunction<S>> for Any {
    fn from(typed: TypedFunction<S>) -> Self {
        typed.function.into()
    }
}

impl<S> fmt::Debug for TypedFunction<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.function.fmt(f)
    }
}

// Rust has no variadic generics, so each number of arguments has an `impl` of its own.
macro_rules! impl_function_type {
    ($(($($arg:ident),*))*) => {$(
        impl<R: Outcome + 'static, $($arg: FieldType),*> FunctionType for fn($($arg),*) -> R {
            fn signature() -> Signature {
                Signature::new([$($arg::schema()),*] as [TypeSchema; _], R::Value::schema())
            }
        }

        impl<R: Outcome + 'static, $($arg: FieldType),*> TypedFunction<fn($($arg),*) -> R> {
            /// Calls the function.
            ///
            /// # Errors
            /// As [`Function::call`], and [`TypeMismatch`](ErrorKind::TypeMismatch) if the result has another type.
            #[allow(non_snake_case, clippy::too_many_arguments, reason = "each argument is named as its type")]
            pub fn call(&self, $($arg: $arg),*) -> Result<R::Value> {
                let value = self.function.call(&[$($arg.view()),*])?;
                R::Value::from_any(value).map_err(|error| wrong_result(&self.function, error))
            }
        }
    )*};
}

#[cold]
fn wrong_result(function: &Function, error: Error) -> Error {
    error.context(format_args!("the result of function `{}`", WithTypes(function)))
}

impl_function_type! {
    () (A) (A, B) (A, B, C) (A, B, C, D) (A, B, C, D, E) (A, B, C, D, E, F) (A, B, C, D, E, F, G)
    (A, B, C, D, E, F, G, H) (A, B, C, D, E, F, G, H, I) (A, B, C, D, E, F, G, H, I, J)
    (A, B, C, D, E, F, G, H, I, J, K) (A, B, C, D, E, F, G, H, I, J, K, L)
}
