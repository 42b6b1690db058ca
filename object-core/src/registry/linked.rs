//! The types of all linked crates, by type key.

use crate::error::{Error, ErrorKind, Result};
use crate::object::TypeInfo;
use crate::registry::collected::Collected;
use crate::table::Table;
use crate::text::brief::brief;
use crate::text::did_you_mean::{did_you_mean, did_you_mean_or};

/// The declaration of a type in a linked crate. The derive submits one for each type.
pub struct TypeEntry(pub &'static TypeInfo);

#[cfg(feature = "inventory")]
inventory::collect!(TypeEntry);

/// The types of this crate.
pub(super) static BUILTIN: [&TypeInfo; 9] = [
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

/// The types of the registry.
///
/// The first look-up of a key finds a second type with it, and [`types`] finds all such keys. The linker finds them earlier if each
/// key is an exported symbol, but it refuses programs that work: a test of a library that links the library a second
/// time through another crate, and two versions of a crate of which only one is in files. It exports the symbols from each shared
/// library, and misses a type whose object file nothing else pulls out of its archive. A function that runs before `main` sees an
/// incomplete list, because the declarations are collected by such functions too, in an order that the linker chooses.
#[derive(Default)]
struct LinkedTypes {
    by_key: TypesByKey,
    /// The second type with a key, for each key of two linked types.
    duplicates: TypesByKey,
}

static TYPES: Collected<LinkedTypes> = Collected::new(collect);

fn collect() -> Result<LinkedTypes> {
    let mut types: Vec<&'static TypeInfo> = BUILTIN.to_vec();
    #[cfg(feature = "inventory")]
    types.extend(inventory::iter::<TypeEntry>.into_iter().map(|entry| entry.0));
    // The linker decides the order of collection. Sorting makes the order, and so the errors, the same on every machine.
    types.sort_by_key(|info| (info.type_key, info.location));
    let mut linked = LinkedTypes::default();
    for info in types {
        if linked.insert(info).is_err() {
            linked.duplicates.entry(info.type_key).or_insert(info);
        }
    }
    Ok(linked)
}

impl LinkedTypes {
    fn insert(&mut self, info: &'static TypeInfo) -> Result<()> {
        let old = *self.by_key.entry(info.type_key).or_insert(info);
        if std::ptr::eq(old, info) { Ok(()) } else { Err(duplicate(old, info.location)) }
    }

    /// # Errors
    /// If two types have the key.
    fn check(&self, type_key: &str) -> Result<()> {
        match (self.by_key.get(type_key), self.duplicates.get(type_key)) {
            (Some(first), Some(second)) => Err(duplicate(first, second.location)),
            _ => Ok(()),
        }
    }

    fn get(&self, type_key: &str) -> Result<Option<&'static TypeInfo>> {
        self.check(type_key)?;
        Ok(self.by_key.get(type_key).copied())
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
    TYPES.write(|linked| types.iter().try_for_each(|info| linked.insert(info)))
}

/// The type that has or had the given key. A key that a type has counts first.
///
/// # Errors
/// [`UnknownType`](ErrorKind::UnknownType), naming the nearest key, and [`DuplicateKey`](ErrorKind::DuplicateKey) if
/// two linked types have this key.
pub fn type_info(type_key: &str) -> Result<&'static TypeInfo> {
    match linked(type_key)? {
        Some(info) => Ok(info),
        None => renamed(type_key, linked_types()?)?.ok_or_else(|| unknown(type_key, &TypesByKey::default())),
    }
}

/// The type with the given key, if the registry has one.
pub(super) fn linked(type_key: &str) -> Result<Option<&'static TypeInfo>> {
    TYPES.read(|linked| linked.get(type_key))?
}

/// All linked types, of which two may have the same key.
pub(super) fn linked_types() -> Result<Vec<&'static TypeInfo>> {
    TYPES.read(|linked| linked.by_key.values().copied().collect())
}

/// The type among `types` that had the given key.
///
/// # Errors
/// [`DuplicateKey`](ErrorKind::DuplicateKey) if two of them had this key.
#[cold]
pub(super) fn renamed(
    type_key: &str,
    types: impl IntoIterator<Item = &'static TypeInfo>,
) -> Result<Option<&'static TypeInfo>> {
    let mut found: Vec<_> = types.into_iter().filter(|info| info.evolution().aliases.contains(&type_key)).collect();
    found.sort_by_key(|info| (info.type_key, info.location));
    match found[..] {
        [] => Ok(None),
        [info] => Ok(Some(info)),
        [first, second, ..] => {
            let message = format!(
                "two types have the alias `{}`: `{}` at {}:{} and `{}` at {}:{}; leave one of them out",
                brief(type_key),
                first.type_key,
                first.location.0,
                first.location.1,
                second.type_key,
                second.location.0,
                second.location.1,
            );
            Err(Error::new(ErrorKind::DuplicateKey, message))
        }
    }
}

/// Checks that a file that names the key of `info` means this type.
///
/// # Errors
/// [`DuplicateKey`](ErrorKind::DuplicateKey) if two linked types have the key, and `info` is one of them.
pub(crate) fn check_key(info: &'static TypeInfo) -> Result<()> {
    TYPES.read(|linked| {
        let same = |types: &TypesByKey| types.get(info.type_key).is_some_and(|it| std::ptr::eq(*it, info));
        if same(&linked.by_key) || same(&linked.duplicates) { linked.check(info.type_key) } else { Ok(()) }
    })?
}

/// The linked types that extend `base`, directly or through others, sorted by key.
///
/// # Errors
/// [`DuplicateKey`](ErrorKind::DuplicateKey) if two of them have the same key.
pub(super) fn extending(base: &TypeInfo) -> Result<Vec<&'static TypeInfo>> {
    let mut types = TYPES.read(|linked| -> Result<Vec<&'static TypeInfo>> {
        let all = linked.by_key.values().chain(linked.duplicates.values());
        let found: Vec<_> =
            all.copied().filter(|info| info.is_or_extends(base) && !std::ptr::eq(*info, base)).collect();
        found.iter().try_for_each(|info| linked.check(info.type_key))?;
        Ok(found)
    })??;
    types.sort_by_key(|info| info.type_key);
    Ok(types)
}

/// The type of this crate with the given key.
pub(super) fn builtin(type_key: &str) -> Option<&'static TypeInfo> {
    BUILTIN.into_iter().find(|info| info.type_key == type_key)
}

/// The error for a key that `own`, a set of its own, does not have.
#[cold]
pub(super) fn unknown_among(type_key: &str, own: &TypesByKey) -> Error {
    let hint = did_you_mean(type_key, own.keys().copied());
    Error::new(ErrorKind::UnknownType, format!("no type has the type key `{}`{hint}", brief(type_key)))
}

/// The error for a key that neither `own` nor the registry has.
#[cold]
pub(super) fn unknown(type_key: &str, own: &TypesByKey) -> Error {
    let other = || "link the crate that declares it (`use the_crate as _;`) or call `registry::register`".to_owned();
    let advice = TYPES.read(|linked| did_you_mean_or(type_key, linked.by_key.keys().chain(own.keys()).copied(), other));
    let advice = advice.unwrap_or_else(|_| other());
    Error::new(ErrorKind::UnknownType, format!("no type has the type key `{}`; {advice}", brief(type_key)))
}

/// All types, sorted by key.
///
/// # Errors
/// [`DuplicateKey`](ErrorKind::DuplicateKey) if two linked types have the same key.
pub fn types() -> Result<Vec<&'static TypeInfo>> {
    let mut types = TYPES.read(|linked| -> Result<Vec<&'static TypeInfo>> {
        linked.duplicates.keys().try_for_each(|key| linked.check(key))?;
        Ok(linked.by_key.values().copied().collect())
    })??;
    types.sort_by_key(|info| info.type_key);
    Ok(types)
}
