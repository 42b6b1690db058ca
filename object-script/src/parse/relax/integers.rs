//! [`integer`]: constant integers in attributes.

use object_ir::ir::IntImm;

use crate::parse::value::Value;

/// The integer of Python or of an `IntImm`.
pub(crate) fn integer(value: &Value) -> Option<i64> {
    value.as_int().or_else(|| value.to::<IntImm>().map(|imm| imm.value))
}
