//! The removal of an element and the splice of several values into its place.
//!
//! Such values move through a rewrite as one object of the type [`SPLICE`]. The rewrite checks the place of each reference for
//! which it is the result, and the edit of the array puts the values there.

use crate::container::{SPLICE, sequence_of, spliced_values};
use crate::error::{Error, ErrorKind, Result};
use crate::graph::ChildSlot;
use crate::object::Any;
use crate::visit::Position;

/// The value that puts `values` into the place `at`.
///
/// # Errors
/// As [`check_place`].
#[cold]
pub(super) fn splice(values: Vec<Any>, at: &Position<'_>) -> Result<Any> {
    let value = Any::Object(sequence_of(&SPLICE, values));
    check_place(&value, at)?;
    Ok(value)
}

/// Checks that the place `at` can hold as many values as `value` stands for.
///
/// # Errors
/// [`TypeMismatch`](ErrorKind::TypeMismatch) if `value` is a splice, and the place is the root, a field, or, for values to insert, in
/// a map.
pub(super) fn check_place(value: &Any, at: &Position<'_>) -> Result<()> {
    let Some(values) = spliced_values(value.view()) else { return Ok(()) };
    let place = match at.source().last_slot() {
        Some(ChildSlot::Item(_)) => return Ok(()),
        Some(ChildSlot::Key(_) | ChildSlot::Value(_)) if values.is_empty() => return Ok(()),
        Some(ChildSlot::Key(_) | ChildSlot::Value(_)) => "in a map",
        Some(ChildSlot::Field(_)) => "in a field",
        None => "the root of the rewrite",
    };
    let (done, fix) = match values.len() {
        0 => ("removed".to_owned(), "an optional field takes `Replace(Any::None)`"),
        count => (format!("replaced with {count} values"), "`Replace` puts one value there"),
    };
    let message = format!(
        "expected an element of an array{} to be {done}, but the object is {place}; {fix}",
        if values.is_empty() { " or an entry of a map" } else { "" }
    );
    Err(Error::new(ErrorKind::TypeMismatch, message))
}
