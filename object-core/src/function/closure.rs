//! [`IntoFunction`]: closures of up to twelve arguments as the body of a [`Function`].

use std::sync::Arc;

use crate::function::conversions::{Outcome, argument, exactly, returned};
use crate::function::typed::FunctionType;
use crate::object::{AnyView, FieldType};
use crate::value::function::{Function, FunctionBody, Signature};

/// A closure or function that can become a [`Function`]. `S` is the function pointer type with the same arguments and
/// the same result.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot become a `Function`",
    label = "not a closure over field types",
    note = "write the types of all arguments (at most twelve), which are field types: `|a: i64, b: Expr| ...`",
    note = "the result is a field type, nothing, or a `Result` of one; what the closure captures is \
            `Send + Sync + 'static`"
)]
pub trait IntoFunction<S> {
    #[doc(hidden)]
    fn make_signature(&self) -> fn() -> Signature;
    #[doc(hidden)]
    #[allow(private_interfaces, reason = "only this module calls it")]
    fn into_body(self) -> Arc<FunctionBody>;
}

impl Function {
    /// A function that calls `closure`, which takes up to twelve arguments of field types and returns a field type,
    /// nothing, or a `Result` of one of these.
    ///
    /// Until the function has a [name](Self::with_name), error messages write the source location of this call instead.
    #[track_caller]
    #[must_use]
    pub fn new<S>(closure: impl IntoFunction<S>) -> Self {
        let make_signature = closure.make_signature();
        Function::from_body(Some(make_signature), closure.into_body())
    }
}

// Rust has no variadic generics, so each number of arguments has an `impl` of its own.
macro_rules! impl_into_function {
    ($($arity:literal: $($arg:ident $index:literal),*;)*) => {$(
        impl<Closure, R: Outcome, $($arg: FieldType),*> IntoFunction<fn($($arg),*) -> R> for Closure
        where
            Closure: Fn($($arg),*) -> R + Send + Sync + 'static,
        {
            fn make_signature(&self) -> fn() -> Signature {
                <fn($($arg),*) -> R::Value as FunctionType>::signature
            }

            #[allow(non_snake_case, private_interfaces, reason = "each argument is named as its type")]
            fn into_body(self) -> Arc<FunctionBody> {
                Arc::new(move |args: &[AnyView<'_>]| {
                    let [$($arg),*] = exactly::<$arity>(args)?;
                    returned(self($(argument::<$arg>($index, *$arg)?),*))
                })
            }
        }
    )*};
}

impl_into_function! {
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
