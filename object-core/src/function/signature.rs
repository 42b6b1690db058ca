//! [`Signature`]: the types of a function, and whether values of one type can stand for another.

use std::borrow::Cow;
use std::fmt;

use crate::object::TypeSchema;
use crate::registry;

/// The types of the arguments and of the result of a function. It prints as `(lhs: int, demo.Expr) -> demo.Expr`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Signature {
    /// The arguments in order.
    pub args: Vec<ArgInfo>,
    /// The result; `None` of functions that return nothing.
    pub result: TypeSchema,
}

/// An argument of a function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ArgInfo {
    /// The name; empty if it has none.
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

    /// Whether a function of these types can be used as one of the types `wanted`: it takes what that is given and
    /// returns what is expected of that. Where one side says `Any`, each call will tell.
    pub(crate) fn can_stand_for(&self, wanted: &Signature) -> bool {
        self.args.len() == wanted.args.len()
            && wanted.args.iter().zip(&self.args).all(|(given, taken)| is_assignable(&given.schema, &taken.schema))
            && is_assignable(&self.result, &wanted.result)
    }
}

/// Whether every value of the type `from` is one of the type `to`, possibly by one of the conversions of fields: of a
/// truth value to a number and of an integer to a floating point number.
fn is_assignable(from: &TypeSchema, to: &TypeSchema) -> bool {
    match (from.name, to.name) {
        ("Any", _) | (_, "Any") => true,
        ("Optional", "Optional") => all_assignable(from, to),
        ("None", "Optional") => true,
        (_, "Optional") => to.args.iter().all(|to| is_assignable(from, to)),
        ("bool", "int") | ("int", "float") => true,
        ("ffi.Function", "ffi.Function") => match (from.args.split_first(), to.args.split_first()) {
            (Some((from_result, given)), Some((to_result, taken))) => {
                given.len() == taken.len()
                    && taken.iter().zip(given).all(|(taken, given)| is_assignable(taken, given))
                    && is_assignable(from_result, to_result)
            }
            // One of them does not say what it takes.
            _ => true,
        },
        (name, same) if name == same => all_assignable(from, to),
        (object, "ffi.Object") => registry::type_info(object).is_ok(),
        (object, ancestor) => match (registry::type_info(object), registry::type_info(ancestor)) {
            (Ok(object), Ok(ancestor)) => object.is_or_extends(ancestor),
            _ => false,
        },
    }
}

/// The same of the types of elements, where both sides name them. Values cannot change while they are shared, so an
/// array of a descendant is one of the ancestor.
fn all_assignable(from: &TypeSchema, to: &TypeSchema) -> bool {
    from.args.iter().zip(&to.args).all(|(from, to)| is_assignable(from, to))
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
