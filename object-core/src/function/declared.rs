//! The constants that `register_function!` and `#[object_methods]` declare. The first look-up makes functions of them.

use crate::error::Result;
use crate::function::conversions::{Outcome, ReturnValue};
use crate::object::{Any, AnyView, Object, TypeInfo, TypeSchema, TypedHandle};
use crate::value::function::{Failure, Function, Signature};

/// The declaration of a function in a linked crate.
#[cfg(feature = "inventory")]
pub struct FunctionEntry(pub fn() -> Function);

#[cfg(feature = "inventory")]
inventory::collect!(FunctionEntry);

/// The declaration of the methods of a type in a linked crate.
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
    /// Whether the function takes no object.
    pub is_static: bool,
    /// The names of the arguments, with the name of the object first.
    pub arg_names: &'static [&'static str],
    /// Makes the types of arguments and result.
    pub types: fn() -> Signature,
    /// The code.
    pub body: fn(&[AnyView<'_>]) -> Result<Any, Failure>,
}

/// A handle with an `impl` block that is annotated with `#[object_methods]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no table of methods",
    note = "annotate an `impl` block of the handle with `#[object_methods]`"
)]
pub trait ObjectMethods: TypedHandle {
    /// The functions of the block.
    #[doc(hidden)]
    const METHODS: &'static [MethodSpec];
}

/// The methods in the annotated `impl` block of a type.
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

/// Makes a signature without names of arguments.
#[must_use]
pub fn signature<const N: usize>(args: [TypeSchema; N], result: TypeSchema) -> Signature {
    Signature::new(args, result)
}

/// The result type of a function that returns an `R`.
#[must_use]
pub fn result_schema<R: Outcome>() -> TypeSchema {
    R::Value::schema()
}

/// Adds the parts of a `register_function!` declaration to `function`.
#[must_use]
pub fn declared_function(
    function: &Function,
    name: &'static str,
    doc: &[&str],
    arg_names: &[&'static str],
    location: (&'static str, u32),
    purity: Option<bool>,
) -> Function {
    let lines: Vec<&str> = doc.iter().map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end()).collect();
    let named = function.with_name(name).with_doc(lines.join("\n")).with_arg_names(arg_names.iter().copied());
    let declared = named.declared_at(location);
    purity.map_or_else(|| declared.clone(), |is_pure| declared.with_purity(is_pure))
}
