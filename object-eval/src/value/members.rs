//! [`with_tensors`]: values with other tensors in them.

use object_core::meter::Meter;
use object_core::prelude::*;
use object_core::table::Table;

use super::tensor::Tensor;

/// The most levels of tuples whose members are replaced.
const MAX_LEVELS: usize = 64;

/// A function that returns the value in the place of an object, if it replaces the object.
type Replace<'a> = dyn Fn(&ObjectRef) -> Result<Option<Any>, Error> + 'a;

/// The value with the result of `replace` in place of each object that `replace` returns one for: of the value itself, or of
/// members of tuples. An object that occurs twice is replaced once.
///
/// # Errors
/// The errors of `replace`.
pub(crate) fn with_tensors(value: Any, replace: &Replace<'_>) -> Result<Any, Error> {
    below(value, replace, &mut Table::default(), MAX_LEVELS)
}

fn below(value: Any, replace: &Replace<'_>, met: &mut Table<usize, Any>, levels: usize) -> Result<Any, Error> {
    let Any::Object(object) = &value else { return Ok(value) };
    let address = object.view().address();
    if let Some(known) = met.get(&address) {
        return Ok(known.clone());
    }
    let new = match (replace(object)?, object.view().as_array()) {
        (Some(new), _) => new,
        (None, Some(array)) if levels > 0 => {
            let members = array.iter().map(|member| below(member.to_any(), replace, met, levels - 1));
            let members: Vec<Any> = members.collect::<Result<_, _>>()?;
            let is_same = |(old, new): (AnyView<'_>, &Any)| match (old.as_object(), new.view().as_object()) {
                (Some(old), Some(new)) => old.address() == new.address(),
                _ => true,
            };
            match array.iter().zip(&members).all(is_same) {
                true => value.clone(),
                false => Array::<Any>::from_anys(members).into(),
            }
        }
        (None, _) => return Ok(value),
    };
    met.insert(address, new.clone());
    Ok(new)
}

/// The value with tensors in place of constants.
///
/// # Errors
/// Like [`Tensor::from_constant`].
pub(crate) fn from_constants(value: Any, meter: &Meter) -> Result<Any, Error> {
    with_tensors(value, &|object| match object.downcast_ref::<object_core::Tensor>() {
        Some(constant) => Ok(Some(Tensor::from_constant(constant, meter)?.into())),
        None => Ok(None),
    })
}

/// The value with constants in place of tensors.
///
/// # Errors
/// Like [`Tensor::to_constant`].
pub(crate) fn to_constants(value: Any) -> Result<Any, Error> {
    with_tensors(value, &|object| match object.downcast_ref::<Tensor>() {
        Some(tensor) => Ok(Some(tensor.to_constant()?.into())),
        None => Ok(None),
    })
}
