//! Attributes of types in tvm-ffi: any values by name, which each library of the process adds and reads.

use object_core::error::{Error, ErrorKind, Result};
use object_core::{Any, TypeInfo};

use crate::abi::{AttributeColumn, ByteArray, RawAny, index};
use crate::errors::check;
use crate::exchange::from_peer::to_any;
use crate::exchange::to_peer::text;
use crate::exchange::types::find_type;
use crate::runtime::{find, runtime};
use crate::value::Value;

/// The attribute `name` of the type with the key `type_key`, which any library of the process has registered in tvm-ffi: metadata
/// of a type of Python or C++, or a function such as `__ffi_repr__`. `None` if the type does not have it.
///
/// An attribute of a type of Rust is a pair of `meta(key = "value")`, and what other libraries have added. Names that begin with
/// `__` are the attributes that tvm-ffi reads itself.
///
/// # Errors
/// [`Call`](ErrorKind::Call) if the process has no tvm-ffi of a known version, [`UnknownType`](ErrorKind::UnknownType) if it has no
/// type with the key, and [`TypeMismatch`](ErrorKind::TypeMismatch) for a value without a counterpart in Rust.
pub fn type_attribute(type_key: &str, name: &str) -> Result<Option<Any>> {
    find()?;
    let type_index = find_type(type_key).ok_or_else(|| {
        let message = format!("tvm-ffi has no type `{type_key}`; load the library that has it");
        Error::new(ErrorKind::UnknownType, message)
    })?;
    // SAFETY: tvm-ffi keeps attributes for the rest of the process.
    attribute(type_index, name).map(|value| unsafe { to_any(&value) }).transpose()
}

/// The attribute `name` of a type, which tvm-ffi lends for the rest of the process.
pub(crate) fn attribute(type_index: i32, name: &str) -> Option<RawAny> {
    column(name)?.get(type_index)
}

/// The attribute `name` of all types, which tvm-ffi lends for the rest of the process.
pub(crate) fn column(name: &str) -> Option<&'static AttributeColumn> {
    let name = ByteArray::of(name);
    // SAFETY: tvm-ffi lends the column, or null.
    unsafe { (runtime().get_attribute_column)(&raw const name).as_ref() }
}

impl AttributeColumn {
    /// The value of a type, if it has one.
    pub(crate) fn get(&self, type_index: i32) -> Option<RawAny> {
        let at = type_index.checked_sub(self.begin).filter(|at| (0..self.size).contains(at))?;
        // SAFETY: a column has `size` values, from the type `begin` on.
        let value = unsafe { *self.data.add(usize::try_from(at).ok()?) };
        (value.type_index != index::NONE).then_some(value)
    }
}

/// Registers a value as an attribute of a type.
///
/// # Errors
/// The errors that tvm-ffi raises.
pub(crate) fn add(type_index: i32, name: &str, value: &Value) -> Result<()> {
    let (name, value) = (ByteArray::of(name), value.raw());
    // SAFETY: tvm-ffi copies the name and retains the value.
    check(unsafe { (runtime().type_register_attr)(type_index, &raw const name, &raw const value) })
}

/// Registers the pairs of `meta(key = "value")` of a type. A name of an attribute that tvm-ffi reads itself stays out: tvm-ffi
/// expects functions there.
///
/// # Errors
/// The errors that tvm-ffi raises.
pub(crate) fn register(type_index: i32, info: &TypeInfo) -> Result<()> {
    let pairs = info.meta().iter().filter(|(name, _)| !name.starts_with("__"));
    pairs.into_iter().try_for_each(|(name, value)| add(type_index, name, &text(value)?))
}
