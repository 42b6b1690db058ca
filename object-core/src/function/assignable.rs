//! Whether a function of one signature can stand for a function of another.

use crate::object::TypeSchema;
use crate::registry;
use crate::value::function::Signature;

/// Whether a function with the signature `given` can be called by the signature `wanted`: it accepts the arguments of
/// such calls, and callers accept its result. Where one side says `Any`, this is true, and each call checks the value.
pub(super) fn can_stand_for(given: &Signature, wanted: &Signature) -> bool {
    given.args.len() == wanted.args.len()
        && wanted.args.iter().zip(&given.args).all(|(from, to)| is_assignable(&from.schema, &to.schema))
        && is_assignable(&given.result, &wanted.result)
}

/// Whether every value of the type `from` is also a value of the type `to`, or converts to one as fields convert it: a
/// truth value to an integer, and an integer to a floating point number.
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
            // One of the two does not state its signature.
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

/// The same for each pair of element types, where both sides state them. Shared containers cannot change, so an array of a
/// descendant is an array of the ancestor as well.
fn all_assignable(from: &TypeSchema, to: &TypeSchema) -> bool {
    from.args.iter().zip(&to.args).all(|(from, to)| is_assignable(from, to))
}
