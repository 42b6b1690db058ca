//! [`with_tensors`]: values with other tensors in them.

use object_core::prelude::*;

/// The most levels of tuples whose members are replaced.
const MAX_LEVELS: usize = 64;

/// The value with the result of `replace` in place of each object that `replace` returns one for: of the value itself, or of
/// members of tuples.
///
/// # Errors
/// The errors of `replace`.
pub(crate) fn with_tensors(
    value: Any,
    replace: &dyn Fn(&ObjectRef) -> Result<Option<Any>, Error>,
) -> Result<Any, Error> {
    below(value, replace, MAX_LEVELS)
}

fn below(value: Any, replace: &dyn Fn(&ObjectRef) -> Result<Option<Any>, Error>, levels: usize) -> Result<Any, Error> {
    let Any::Object(object) = &value else { return Ok(value) };
    if let Some(new) = replace(object)? {
        return Ok(new);
    }
    match object.view().as_array() {
        Some(array) if levels > 0 => {
            let members = array.iter().map(|member| below(member.to_any(), replace, levels - 1));
            Ok(Array::<Any>::from_anys(members.collect::<Result<_, _>>()?).into())
        }
        _ => Ok(value),
    }
}
