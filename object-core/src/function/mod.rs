//! Functions: closures of Rust types as [`Function`]s, calls with static types, functions by name, and methods of types.

mod assignable;
mod by_name;
mod closure;
pub(crate) mod conversions;
pub(crate) mod declared;
mod method;
mod method_table;
mod typed;

pub use by_name::{all, get, register, remove};
pub use closure::IntoFunction;
#[doc(hidden)]
pub use conversions::{Argument, Outcome, ReturnValue};
#[doc(hidden)]
pub use declared::MethodSpec;
pub use declared::{MethodTable, ObjectMethods};
pub use method::Method;
pub use method_table::{CallMethod, register_method, register_methods};
pub use typed::{FunctionType, TypedFunction};

pub use crate::value::function::{ArgInfo, Function, Signature};
