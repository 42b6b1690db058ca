//! [`Foreign`]: the types that another library of the process owns, whose objects are converted.

use std::borrow::Cow;
use std::sync::OnceLock;

use object_core::error::Result;
use object_core::registry::Types;
use object_core::{Any, Str, TypeInfo};

/// The types of another library, of which this library has counterparts with the same keys.
///
/// The other library owns the keys in tvm-ffi. So the counterparts have keys with a [`prefix`](Self::prefix) there, whether the
/// other library is loaded or not. An argument that holds objects of the other library is converted: object by object, by the
/// reflection of tvm-ffi, with sharing.
pub struct Foreign {
    /// The beginnings of the keys: `ir.`.
    pub namespaces: &'static [&'static str],
    /// The text before the keys of the counterparts: `objir.`.
    pub prefix: &'static str,
    /// The name of the function that converts an object to an object of the other library: `objir.to_tvm`.
    pub export: &'static str,
    /// The name of the function that compares two objects of the other library: `objir.live_difference`. Its third argument is
    /// `map_free_vars` of tvm-ffi. The result is `True` for equal objects, and `None` if tvm-ffi has to compare them; for objects that
    /// differ, it is the list of both as objects of this library, without [`parts`](Self::parts) that are equal.
    pub difference: &'static str,
    /// The parts of modules that are compared and converted one by one.
    pub parts: Option<ModuleParts>,
    /// The types of the other library in the process whose tvm-ffi has the types with these keys.
    pub types: fn(&[Str]) -> Result<ForeignTypes>,
}

/// The functions of modules of another library.
pub struct ModuleParts {
    /// The type of modules: `ir.IRModule`.
    pub module: &'static str,
    /// The field with the map of the functions: `functions`.
    pub functions: &'static str,
    /// The fields that lead from a function to the map of its attributes.
    pub attributes: &'static [&'static str],
    /// The attribute of functions on which the conversion of other functions depends.
    pub attribute_that_stays: &'static str,
}

/// The types of another library as types of object-core.
pub struct ForeignTypes {
    /// The types by the keys of the other library.
    pub types: &'static Types,
    /// The conversions of graphs between these types and the linked types; `None` if these are the linked types.
    pub conversions: Option<Conversions>,
}

/// The conversions of graphs between the types of another library and the linked types.
pub struct Conversions {
    /// From the types of the other library.
    pub to_linked: fn(Any) -> Result<Any>,
    /// To the types of the other library.
    pub from_linked: fn(Any) -> Result<Any>,
}

/// The request of a crate to export its types and functions: see [`export!`](crate::export).
pub struct Export {
    /// The types of another library that the crate has counterparts of.
    pub foreign: Option<&'static Foreign>,
}

inventory::collect!(Export);

/// Whether the library exports its types and functions.
pub(crate) fn is_exported() -> bool {
    inventory::iter::<Export>.into_iter().next().is_some()
}

/// The foreign types, if the library has counterparts of some.
pub(crate) fn foreign() -> Option<&'static Foreign> {
    static FOREIGN: OnceLock<Option<&'static Foreign>> = OnceLock::new();
    *FOREIGN.get_or_init(|| inventory::iter::<Export>.into_iter().find_map(|export| export.foreign))
}

/// Whether the type `key` belongs to the other library.
pub(crate) fn is_foreign(key: &str) -> bool {
    foreign().is_some_and(|foreign| foreign.namespaces.iter().any(|namespace| key.starts_with(namespace)))
}

/// The key of `info` in tvm-ffi.
pub(crate) fn key_of(info: &TypeInfo) -> Cow<'static, str> {
    prefixed(info.type_key())
}

/// The type key `key` in tvm-ffi.
pub(crate) fn prefixed(key: &str) -> Cow<'_, str> {
    match foreign() {
        Some(foreign) if is_foreign(key) => Cow::Owned(format!("{}{key}", foreign.prefix)),
        _ => Cow::Borrowed(key),
    }
}
