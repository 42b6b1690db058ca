//! [`Signature`]: the types of a function's arguments and of its result.

use std::borrow::Cow;
use std::fmt;

use crate::object::TypeSchema;

/// The types of the arguments and of the result of a function. It prints as `(lhs: int, demo.Expr) -> demo.Expr`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Signature {
    /// The arguments in order.
    pub args: Vec<ArgInfo>,
    /// The result; `None` for functions that return nothing.
    pub result: TypeSchema,
}

/// An argument of a function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ArgInfo {
    /// The name; empty if the argument has none.
    pub name: Cow<'static, str>,
    /// The type.
    pub schema: TypeSchema,
}

impl Signature {
    /// The types of a function with unnamed arguments.
    pub(crate) fn new(args: impl IntoIterator<Item = TypeSchema>, result: TypeSchema) -> Self {
        let args = args.into_iter().map(|schema| ArgInfo { name: Cow::default(), schema }).collect();
        Signature { args, result }
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for (i, arg) in self.args.iter().enumerate() {
            f.write_str(if i == 0 { "" } else { ", " })?;
            if !arg.name.is_empty() {
                write!(f, "{}: ", arg.name)?;
            }
            write!(f, "{}", arg.schema)?;
        }
        write!(f, ") -> {}", self.result)
    }
}
