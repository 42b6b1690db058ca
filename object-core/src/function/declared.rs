//! What `register_function!` and `#[object_methods]` declare: constants, from which functions are made at start-up.

use super::{Function, Signature};
use crate::error::Result;
use crate::function::closure::Outcome;
use crate::function::method::ObjectMethods;
use crate::object::{Any, AnyView, Object, TypeInfo, TypeSchema, TypedHandle};

pub use crate::function::call::Failure;
pub use crate::function::closure::{Argument, ReturnValue, argument, exactly, returned};
pub use crate::value::Str;

/// A function of a linked crate.
#[cfg(feature = "inventory")]
pub struct FunctionEntry(pub fn() -> Function);

#[cfg(feature = "inventory")]
inventory::collect!(FunctionEntry);

/// The methods of a type of a linked crate.
#[cfg(feature = "inventory")]
pub struct MethodEntry(pub MethodTable);

#[cfg(feature = "inventory")]
inventory::collect!(MethodEntry);

/// A function in a block annotated with `#[object_methods]`.
#[derive(Clone, Copy)]
pub struct MethodSpec {
    /// The name.
    pub name: &'static str,
    /// The documentation comment.
    pub doc: &'static str,
    /// Source file and line of the declaration.
    pub location: (&'static str, u32),
    /// Whether it is called without an object.
    pub is_static: bool,
    /// The names of the arguments, that of the object included.
    pub arg_names: &'static [&'static str],
    /// The types of arguments and result.
    pub types: fn() -> Signature,
    /// The code.
    pub body: fn(&[AnyView<'_>]) -> Result<Any, Failure>,
}

/// The methods that an annotated `impl` block gives a type.
#[derive(Clone, Copy)]
pub struct MethodTable {
    pub(super) owner: &'static TypeInfo,
    pub(super) specs: &'static [MethodSpec],
}

impl MethodTable {
    /// The methods of the handle `H`.
    #[must_use]
    pub const fn of<H: ObjectMethods>() -> Self {
        MethodTable { owner: <<H as TypedHandle>::Node as Object>::TYPE_INFO, specs: H::METHODS }
    }
}

/// The types of a function.
#[must_use]
pub fn signature<const N: usize>(args: [TypeSchema; N], result: TypeSchema) -> Signature {
    Signature::new(args, result)
}

/// The type of the result of a function that returns an `R`.
#[must_use]
pub fn result_schema<R: Outcome>() -> TypeSchema {
    R::Value::schema()
}

/// What `register_function!` makes of a function.
#[must_use]
pub fn declared_function(
    function: &Function,
    name: &'static str,
    doc: &[&str],
    arg_names: &[&'static str],
    location: (&'static str, u32),
) -> Function {
    let lines: Vec<&str> = doc.iter().map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end()).collect();
    function.named(name).with_doc(lines.join("\n")).with_arg_names(arg_names.iter().copied()).declared_at(location)
}

/// Submits a function or a table of methods, where they are collected.
#[cfg(feature = "inventory")]
#[macro_export]
#[doc(hidden)]
macro_rules! __submit_functions {
    ($entry:ident($($value:tt)*)) => {
        $crate::derive_support::inventory::submit! { $crate::derive_support::$entry($($value)*) }
    };
}

/// Without the feature there is nothing to submit to.
#[cfg(not(feature = "inventory"))]
#[macro_export]
#[doc(hidden)]
macro_rules! __submit_functions {
    (FunctionEntry($function:path)) => {
        const _: fn() -> $crate::Function = $function;
    };
    ($($entry:tt)*) => {};
}
