//! The registry: every type of every linked crate, by type key.

use std::sync::{LazyLock, RwLock};

use crate::error::{Error, ErrorKind, Result};
use crate::object::TypeInfo;
use crate::table::Table;
use crate::text::did_you_mean::did_you_mean_or;

mod singleton;
mod types;

pub use types::Types;

pub use singleton::{ClosedSingletons, Singletons, closed_singletons, open_singletons};

/// A type of a linked crate, collected at start-up.
pub struct TypeEntry(pub &'static TypeInfo);

#[cfg(feature = "inventory")]
inventory::collect!(TypeEntry);

/// The types of this crate.
static BUILTIN: [&TypeInfo; 9] = [
    &crate::value::STR,
    &crate::value::BYTES,
    &crate::value::SHAPE,
    &crate::value::TENSOR,
    &crate::container::ARRAY,
    &crate::container::LIST,
    &crate::container::MAP,
    &crate::container::DICT,
    &crate::function::FUNCTION,
];

type ByKey = Table<&'static str, &'static TypeInfo>;

/// Types by key. Filled on first use with all collected types; an error of that is kept and returned by every look-up.
static TYPES: LazyLock<RwLock<Result<ByKey>>> = LazyLock::new(|| RwLock::new(collect()));

fn collect() -> Result<ByKey> {
    let mut types: Vec<&'static TypeInfo> = BUILTIN.to_vec();
    #[cfg(feature = "inventory")]
    types.extend(inventory::iter::<TypeEntry>.into_iter().map(|entry| entry.0));
    // The order of collection is the linker's; by key it is everywhere the same.
    types.sort_by_key(|info| (info.type_key, info.location));
    let mut table = ByKey::default();
    for info in types {
        insert(&mut table, info)?;
    }
    Ok(table)
}

fn insert(table: &mut ByKey, info: &'static TypeInfo) -> Result<()> {
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

fn read<R>(look: impl FnOnce(&ByKey) -> R) -> Result<R> {
    let table = TYPES.read().unwrap_or_else(std::sync::PoisonError::into_inner);
    match &*table {
        Ok(table) => Ok(look(table)),
        Err(error) => Err(error.clone()),
    }
}

/// Adds types by hand: for plugins, and where the `inventory` feature is off. Types that are there already are left
/// alone.
///
/// # Errors
/// [`DuplicateKey`](ErrorKind::DuplicateKey), naming both declarations, if another type has the same key.
pub fn register(types: &[&'static TypeInfo]) -> Result<()> {
    let mut table = TYPES.write().unwrap_or_else(std::sync::PoisonError::into_inner);
    match &mut *table {
        Ok(table) => types.iter().try_for_each(|info| insert(table, info)),
        Err(error) => Err(error.clone()),
    }
}

/// The type with the given key.
///
/// # Errors
/// [`UnknownType`](ErrorKind::UnknownType), naming the nearest key, and [`DuplicateKey`](ErrorKind::DuplicateKey) if
/// two linked types have the same key.
pub fn type_info(type_key: &str) -> Result<&'static TypeInfo> {
    linked(type_key)?.ok_or_else(|| unknown(type_key, &ByKey::default()))
}

/// The type with the given key, if there is one.
fn linked(type_key: &str) -> Result<Option<&'static TypeInfo>> {
    read(|table| table.get(type_key).copied())
}

/// The error for a key that neither `own` nor the registry has.
#[cold]
fn unknown(type_key: &str, own: &ByKey) -> Error {
    let other = || "link the crate that declares it (`use the_crate as _;`) or call `registry::register`".to_owned();
    let advice = read(|table| did_you_mean_or(type_key, table.keys().chain(own.keys()).copied(), other));
    let advice = advice.unwrap_or_else(|_| other());
    Error::new(ErrorKind::UnknownType, format!("no type has the type key `{type_key}`; {advice}"))
}

/// All types, sorted by key.
///
/// # Errors
/// [`DuplicateKey`](ErrorKind::DuplicateKey) if two linked types have the same key.
pub fn types() -> Result<Vec<&'static TypeInfo>> {
    let mut types = read(|table| table.values().copied().collect::<Vec<_>>())?;
    types.sort_by_key(|info| info.type_key);
    Ok(types)
}
