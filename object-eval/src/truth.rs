//! [`truth`]: the truth value of a condition.

use object_core::prelude::*;

use super::value::Value;

/// The truth value of a condition: a scalar, or a tensor of rank 0.
pub(super) fn truth(condition: &Any) -> Result<bool, Error> {
    match Value::of(condition) {
        Value::Bool(value) => Ok(value),
        Value::Int(value) => Ok(value != 0),
        Value::Tensor(tensor) if tensor.rank() == 0 && !tensor.element().is_float() => {
            Ok(tensor.ints(tensor.meter())?.iter().any(|it| *it != 0))
        }
        other => Err(Error::new(ErrorKind::TypeMismatch, format!("expected a truth value as condition, got {other}"))),
    }
}
