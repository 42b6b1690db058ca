//! The types of all linked crates, by type key.

use crate::error::{Error, ErrorKind, Result};
use crate::object::TypeInfo;
use crate::registry::collected::Collected;
use crate::table::Table;
use crate::text::brief::brief;
use crate::text::did_you_mean::did_you_mean_or;

/// The declaration of a type in a linked crate. The derive submits one for each type.
pub struct TypeEntry(pub &'static TypeInfo);

#[cfg(feature = "inventory")]
inventory::collect!(TypeEntry);

/// The types of this crate.
static BUILTIN: [&TypeInfo; 9] = [
    &crate::value::STR,
    &crate::value::BYTES,
    &crate::value::SHAPE,
    &crate::value::TENSOR,
    &crate::value::function::FUNCTION,
    &crate::container::ARRAY,
    &crate::container::LIST,
    &crate::container::MAP,
    &crate::container::DICT,
];

/// Types by key.
pub(super) type TypesByKey = Table<&'static str, &'static TypeInfo>;

static TYPES: Collected<TypesByKey> = Collected::new(collect);

fn collect() -> Result<TypesByKey> {
    let mut types: Vec<&'static TypeInfo> = BUILTIN.to_vec();
    #[cfg(feature = "inventory")]
    types.extend(inventory::iter::<TypeEntry>.into_iter().map(|entry| entry.0));
    // The linker decides the order of collection. Sorting makes the order, and so the errors, the same on every machine.
    types.sort_by_key(|info| (info.type_key, info.location));
    let mut table = TypesByKey::default();
    for info in types {
        insert(&mut table, info)?;
    }
    Ok(table)
}

fn insert(table: &mut TypesByKey, info: &'static TypeInfo) -> Result<()> {
    match table.insert(info.type_key, info) {
        Some(old) if !std::ptr::eq(old, info) => {
            table.insert(old.type_key, old);
            Err(duplicate(old, info.location))
        }
        _ => Ok(()),
    }
}

/// The error for a second type with the key of `old`, declared at `location`.
pub(crate) fn duplicate(old: &TypeInfo, location: (&str, u32)) -> Error {
    let message = format!(
        "two types have the type key `{}`: one at {}:{}, one at {}:{}; rename one of them",
        old.type_key, old.location.0, old.location.1, location.0, location.1,
    );
    Error::new(ErrorKind::DuplicateKey, message)
}

/// Adds types: for plugins, and where the feature `inventory` is off. A type that the registry has already stays as it
/// is.
///
/// # Errors
/// [`DuplicateKey`](ErrorKind::DuplicateKey), naming both declarations, if another type has the same key.
pub fn register(types: &[&'static TypeInfo]) -> Result<()> {
    TYPES.write(|table| types.iter().try_for_each(|info| insert(table, info)))
}

/// The type with the given key.
///
/// # Errors
/// [`UnknownType`](ErrorKind::UnknownType), naming the nearest key, and [`DuplicateKey`](ErrorKind::DuplicateKey) if
/// two linked types have the same key.
pub fn type_info(type_key: &str) -> Result<&'static TypeInfo> {
    linked(type_key)?.ok_or_else(|| unknown(type_key, &TypesByKey::default()))
}

/// The type with the given key, if the registry has one.
pub(super) fn linked(type_key: &str) -> Result<Option<&'static TypeInfo>> {
    TYPES.read(|table| table.get(type_key).copied())
}

/// The error for a key that neither `own` nor the registry has.
#[cold]
pub(super) fn unknown(type_key: &str, own: &TypesByKey) -> Error {
    let other = || "link the crate that declares it (`use the_crate as _;`) or call `registry::register`".to_owned();
    let advice = TYPES.read(|table| did_you_mean_or(type_key, table.keys().chain(own.keys()).copied(), other));
    let advice = advice.unwrap_or_else(|_| other());
    Error::new(ErrorKind::UnknownType, format!("no type has the type key `{}`; {advice}", brief(type_key)))
}

/// All types, sorted by key.
///
/// # Errors
/// [`DuplicateKey`](ErrorKind::DuplicateKey) if two linked types have the same key.
pub fn types() -> Result<Vec<&'static TypeInfo>> {
    let mut types = TYPES.read(|table| table.values().copied().collect::<Vec<_>>())?;
    types.sort_by_key(|info| info.type_key);
    Ok(types)
}
