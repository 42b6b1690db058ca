//! Functions: closures of Rust types as [`Function`]s, calls with static types, functions by name, and methods of types.
//!
//! A [`Function`] is an object around one `dyn Fn(&[AnyView]) -> Result`. [`IntoFunction`] is implemented for closures
//! of each number of arguments; its conversions are the conversions of fields, so a function accepts exactly what a
//! field of the type of the argument accepts. A call catches panics, and its errors name the function and the argument.
//! Calls hold no locks: a look-up returns a handle and releases its lock before the call.
//!
//! `#[object_methods]` writes a constant table, as the derive does: name, documentation, types and a function pointer
//! for each method. The methods of a type are not in its `TypeInfo` but in a table by the address of the `TypeInfo`,
//! because another place declares them, and dynamic types get theirs at run time. A look-up goes from the type to its
//! ancestors.

mod assignable;
mod by_name;
mod closure;
pub(crate) mod conversions;
pub(crate) mod declared;
mod method;
mod method_table;
mod typed;

pub use by_name::{all, get, look_elsewhere, purity, register, remove};
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
