//! [`StructuralMap`] and [`StructuralSet`]: tables in insertion order that compare their keys by structure.

use std::fmt;
use std::hash::{Hash, Hasher};

use crate::error::Result;
use crate::object::{Any, AnyView, FieldType};
use crate::structural::lexical::hash_cache::HashCache;
use crate::structural::options::{Scopes, StructuralOptions};
use crate::structural::tables::key::StructuralKey;
use crate::structural::tables::probe::{Entry, SharedHashes};
use crate::table::OrderedTable;

/// A key of a table.
#[derive(Clone)]
struct MapKey {
    /// See [`Entry::key`].
    key: u64,
    value: StructuralKey,
}

impl Entry for MapKey {
    fn key(&self) -> u64 {
        self.key
    }

    fn structural_hash(&self) -> u64 {
        self.value.structural_hash()
    }

    fn value(&self) -> Option<AnyView<'_>> {
        Some(self.value.value().view())
    }
}

impl Hash for MapKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.key);
    }
}

/// The table inserts a key only if it does not find it, so its keys are never equal.
impl PartialEq for MapKey {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for MapKey {}

/// A table in insertion order that compares its keys by structure, under the default options of [`StructuralOptions`] or
/// under lexical scopes ([`with_scopes`](Self::with_scopes)).
///
/// The table hashes a key once, at insertion. A look-up hashes the value and copies nothing. A look-up by
/// [`StructuralKey`] also saves this hash: [`insert_key`](Self::insert_key), [`find`](Self::find).
///
/// Under lexical scopes, an insertion takes the time of the objects that no earlier key contains: the table keeps the hashes
/// of the parts of its keys, until a removal. Under persistent scopes, a hash depends on everything before, so an insertion takes the time of
/// the whole key. For a language without bindings, both compare in the same way. Another way is to
/// [`intern`](crate::structural::Interner::intern) the keys: interned values are equal if they are one object, so a `HashMap`
/// of their handles compares them by structure.
///
/// Fields marked `ignore` play no part, so a value can find a key with another name or source location.
///
/// Keys may come from an untrusted author, who can craft many values with one structural hash: a look-up that meets such
/// a value compares a second hash, whose secret key is random in each process. Keys that differ only in *which* free
/// variables they have share one structural hash too. The table distinguishes them by their variables, unless they
/// contain types with hooks: those it compares one after the other.
///
/// ```
/// use object_core::{Array, structural::StructuralMap};
/// let mut costs = StructuralMap::new();
/// costs.insert(Array::from([1, 2]), "cheap")?;
/// costs.insert(Array::from([3]), "dear")?;
/// assert_eq!(costs.get(&Array::from([1, 2])), Some(&"cheap"));
/// assert_eq!(costs.insert(Array::from([1, 2]), "free")?, Some("cheap"));
/// assert_eq!(costs.values().collect::<Vec<_>>(), [&"free", &"dear"]);
/// # Ok::<(), object_core::Error>(())
/// ```
pub struct StructuralMap<V> {
    scopes: Scopes,
    entries: OrderedTable<MapKey, V>,
    shared_hashes: SharedHashes,
    /// The hashes of the parts of keys, under lexical scopes.
    hashes: HashCache,
    /// The number of objects with hashes that were found in no new key.
    stale: usize,
}

/// Up to this number of stale hashes, no insertion drops hashes.
const FEW_HASHES: usize = 64;

impl<V> StructuralMap<V> {
    /// A table without entries, whose keys have bindings that persist.
    #[must_use]
    pub fn new() -> Self {
        StructuralMap::with_scopes(Scopes::Persistent)
    }

    /// A table without entries, for keys whose bindings end as `scopes` says.
    ///
    /// ```
    /// use object_core::prelude::*;
    /// use object_core::structural::{Scopes, StructuralMap};
    ///
    /// #[derive(Object)]
    /// #[object(type_key = "doc.structural_map.Var")]
    /// #[structural_eq(var)]
    /// struct VarNode {}
    ///
    /// #[derive(Object)]
    /// #[object(type_key = "doc.structural_map.Lambda")]
    /// #[structural_eq(tree, scope)]
    /// struct LambdaNode {
    ///     #[field(def)]
    ///     param: Var,
    ///     body: Any,
    /// }
    ///
    /// let (x, y, z) = (Var::new(), Var::new(), Var::new());
    /// let identity = |var: &Var| Any::from(Lambda::new(var, Any::from(var)));
    /// let mut seen = StructuralMap::with_scopes(Scopes::Lexical);
    /// seen.insert(Array::from([identity(&x), identity(&x)]), 1)?;
    /// assert_eq!(seen.get(&Array::from([identity(&y), identity(&z)])), Some(&1));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn with_scopes(scopes: Scopes) -> Self {
        StructuralMap {
            scopes,
            entries: OrderedTable::default(),
            shared_hashes: SharedHashes::default(),
            hashes: HashCache::for_all_objects(),
            stale: 0,
        }
    }

    /// The key of `value`, hashed with the hashes of earlier keys, and the index of its entry, as of
    /// [`index_of`](Self::index_of).
    fn find_or_place<K: FieldType>(&mut self, value: K) -> Result<(StructuralKey, Result<usize, u64>)> {
        let before = self.hashes.objects();
        let key = StructuralKey::cached(value, self.scopes, &mut self.hashes)?;
        let found = self.index_of(key.value().view(), key.structural_hash());
        if found.is_ok() {
            self.stale += self.hashes.objects() - before;
        }
        // The stale hashes have paid for hashing the others again.
        if self.stale > FEW_HASHES.max(self.hashes.objects() / 2) {
            self.forget_hashes();
        }
        Ok((key, found))
    }

    fn forget_hashes(&mut self) {
        self.hashes.clear();
        self.stale = 0;
    }

    /// `key` under the scopes of this table. The key was hashed before, so every type in it can be compared.
    fn in_scopes(&self, key: StructuralKey) -> StructuralKey {
        match key.scopes() == self.scopes {
            true => key,
            false => StructuralKey::with_scopes(key.value().clone(), self.scopes).unwrap_or(key),
        }
    }

    /// The number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether the table is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Makes `value` the value for `key`. If there was a value, the entry keeps its key and its place, and the earlier
    /// value is returned.
    ///
    /// # Errors
    /// [`NotComparable`](crate::ErrorKind::NotComparable), with the path, if the key contains a type that takes no part
    /// in structural comparison.
    pub fn insert<K: FieldType>(&mut self, key: K, value: V) -> Result<Option<V>> {
        let (key, found) = self.find_or_place(key)?;
        Ok(self.insert_at(found, key, value))
    }

    /// As [`insert`](Self::insert), for a key that is hashed already. A table with other scopes hashes it again.
    ///
    /// ```
    /// use object_core::structural::{StructuralKey, StructuralMap};
    /// let mut map = StructuralMap::new();
    /// let key = StructuralKey::new(1i64)?;
    /// assert_eq!(map.insert_key(key.clone(), 'a'), None);
    /// assert_eq!(map.find(&key), Some(&'a'));
    /// # Ok::<(), object_core::Error>(())
    /// ```
    pub fn insert_key(&mut self, key: StructuralKey, value: V) -> Option<V> {
        let key = self.in_scopes(key);
        let found = self.index_of(key.value().view(), key.structural_hash());
        self.insert_at(found, key, value)
    }

    /// As [`insert`](Self::insert), where [`index_of`](Self::index_of) returned `found` for the key.
    fn insert_at(&mut self, found: Result<usize, u64>, key: StructuralKey, value: V) -> Option<V> {
        match found {
            Ok(index) => Some(std::mem::replace(&mut self.entries[index], value)),
            Err(place) => {
                self.insert_new(MapKey { key: place, value: key }, value);
                None
            }
        }
    }

    fn options(&self) -> StructuralOptions {
        StructuralOptions::new().scopes(self.scopes)
    }

    /// The index of the entry for a value with this structural hash.
    ///
    /// # Errors
    /// The number by which the table would find a new entry for the value.
    fn index_of(&self, value: AnyView<'_>, hash: u64) -> Result<usize, u64> {
        self.shared_hashes.find(self.options(), value, hash, |probe| self.entries.get_index_of(probe))
    }

    /// As [`index_of`](Self::index_of); `None` also if the value contains a type that takes no part in structural
    /// comparison, because it equals no key.
    fn find_index<K: FieldType>(&self, key: &K) -> Option<usize> {
        let hash = self.options().hash(key).ok()?;
        self.index_of(key.view(), hash).ok()
    }

    /// Inserts an entry that the table does not have, and returns its index.
    fn insert_new(&mut self, key: MapKey, value: V) -> usize {
        self.shared_hashes.note(&key);
        self.entries.insert_full(key, value).0
    }

    /// The value for `key`. If there is none, inserts the result of `make`.
    ///
    /// ```
    /// use object_core::{Str, structural::StructuralMap};
    /// let mut counts = StructuralMap::new();
    /// for word in ["a", "b", "a"] {
    ///     *counts.get_or_insert_with(Str::from(word), || 0)? += 1;
    /// }
    /// assert_eq!(counts.get(&Str::from("a")), Some(&2));
    /// # Ok::<(), object_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`insert`](Self::insert).
    pub fn get_or_insert_with<K: FieldType>(&mut self, key: K, make: impl FnOnce() -> V) -> Result<&mut V> {
        let (key, found) = self.find_or_place(key)?;
        let index = match found {
            Ok(index) => index,
            Err(place) => self.insert_new(MapKey { key: place, value: key }, make()),
        };
        Ok(&mut self.entries[index])
    }

    /// The value for `key`; `None` for a key that contains a type that takes no part in structural comparison.
    #[must_use]
    pub fn get<K: FieldType>(&self, key: &K) -> Option<&V> {
        Some(&self.entries[self.find_index(key)?])
    }

    /// As [`get`](Self::get), but returns a mutable reference.
    #[must_use]
    pub fn get_mut<K: FieldType>(&mut self, key: &K) -> Option<&mut V> {
        let index = self.find_index(key)?;
        Some(&mut self.entries[index])
    }

    /// The value for a key that is hashed already.
    #[must_use]
    pub fn find(&self, key: &StructuralKey) -> Option<&V> {
        let key = self.in_scopes(key.clone());
        let index = self.index_of(key.value().view(), key.structural_hash()).ok()?;
        Some(&self.entries[index])
    }

    /// The key of the table that `key` equals, and its value.
    pub(super) fn get_key_value<K: FieldType>(&self, key: &K) -> Option<(&StructuralKey, &V)> {
        let (key, value) = self.entries.get_index(self.find_index(key)?)?;
        Some((&key.value, value))
    }

    /// Whether there is a value for `key`.
    #[must_use]
    pub fn contains_key<K: FieldType>(&self, key: &K) -> bool {
        self.get(key).is_some()
    }

    /// Removes the entry of `key` and returns its value. The later entries move up, in time linear in their number.
    pub fn remove<K: FieldType>(&mut self, key: &K) -> Option<V> {
        let (_, value) = self.entries.shift_remove_index(self.find_index(key)?)?;
        self.forget_hashes();
        Some(value)
    }

    /// Removes the entries for which `keep` is false.
    pub fn retain(&mut self, mut keep: impl FnMut(&Any, &mut V) -> bool) {
        self.entries.retain(|key, value| keep(key.value.value(), value));
        self.shared_hashes = SharedHashes::of(self.entries.keys());
        self.forget_hashes();
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        *self = StructuralMap::with_scopes(self.scopes);
    }

    /// The entries in insertion order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&Any, &V)> + ExactSizeIterator {
        self.entries.iter().map(|(key, value)| (key.value.value(), value))
    }

    /// The keys in insertion order, with their hashes.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &StructuralKey> + ExactSizeIterator {
        self.entries.keys().map(|key| &key.value)
    }

    /// The values in insertion order of their keys.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + ExactSizeIterator {
        self.entries.values()
    }
}

/// The clone keeps no hashes of parts of keys.
impl<V: Clone> Clone for StructuralMap<V> {
    fn clone(&self) -> Self {
        let (entries, shared_hashes) = (self.entries.clone(), self.shared_hashes.clone());
        StructuralMap { entries, shared_hashes, ..StructuralMap::with_scopes(self.scopes) }
    }
}

impl<V> Default for StructuralMap<V> {
    fn default() -> Self {
        StructuralMap::new()
    }
}

impl<V> Extend<(StructuralKey, V)> for StructuralMap<V> {
    fn extend<I: IntoIterator<Item = (StructuralKey, V)>>(&mut self, entries: I) {
        entries.into_iter().for_each(|(key, value)| drop(self.insert_key(key, value)));
    }
}

impl<V> FromIterator<(StructuralKey, V)> for StructuralMap<V> {
    fn from_iter<I: IntoIterator<Item = (StructuralKey, V)>>(entries: I) -> Self {
        let mut map = StructuralMap::new();
        map.extend(entries);
        map
    }
}

impl<V: fmt::Debug> fmt::Debug for StructuralMap<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// A set of values, compared by structure, in insertion order. The values behave like the keys of a [`StructuralMap`].
///
/// ```
/// use object_core::{Array, structural::StructuralSet};
/// let mut seen = StructuralSet::new();
/// assert!(seen.insert(Array::from([1, 2]))?);
/// assert!(!seen.insert(Array::from([1, 2]))?);
/// assert!(seen.contains(&Array::from([1, 2])) && !seen.contains(&1i64));
/// # Ok::<(), object_core::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct StructuralSet {
    entries: StructuralMap<()>,
}

impl StructuralSet {
    /// A set without values.
    #[must_use]
    pub fn new() -> Self {
        StructuralSet::default()
    }

    /// A set without values, for values whose bindings end as `scopes` says.
    #[must_use]
    pub fn with_scopes(scopes: Scopes) -> Self {
        StructuralSet { entries: StructuralMap::with_scopes(scopes) }
    }

    /// The number of values.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Adds `value`, unless the set has an equal value. Returns whether it was added.
    ///
    /// # Errors
    /// As [`StructuralMap::insert`].
    pub fn insert<T: FieldType>(&mut self, value: T) -> Result<bool> {
        Ok(self.entries.insert(value, ())?.is_none())
    }

    /// As [`insert`](Self::insert), for a value that is hashed already.
    pub fn insert_key(&mut self, key: StructuralKey) -> bool {
        self.entries.insert_key(key, ()).is_none()
    }

    /// The value of the set that `value` equals.
    #[must_use]
    pub fn get<T: FieldType>(&self, value: &T) -> Option<&Any> {
        self.entries.get_key_value(value).map(|(key, ())| key.value())
    }

    /// Whether the set has a value that `value` equals.
    #[must_use]
    pub fn contains<T: FieldType>(&self, value: &T) -> bool {
        self.entries.contains_key(value)
    }

    /// Whether the set has a value that equals `key`, which is hashed already.
    #[must_use]
    pub fn contains_key(&self, key: &StructuralKey) -> bool {
        self.entries.find(key).is_some()
    }

    /// Removes the value that `value` equals, and returns whether there was one. The later values move up, in time
    /// linear in their number.
    pub fn remove<T: FieldType>(&mut self, value: &T) -> bool {
        self.entries.remove(value).is_some()
    }

    /// Removes all values.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// The values in insertion order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Any> + ExactSizeIterator {
        self.entries.keys().map(StructuralKey::value)
    }
}

impl Extend<StructuralKey> for StructuralSet {
    fn extend<I: IntoIterator<Item = StructuralKey>>(&mut self, keys: I) {
        self.entries.extend(keys.into_iter().map(|key| (key, ())));
    }
}

impl FromIterator<StructuralKey> for StructuralSet {
    fn from_iter<I: IntoIterator<Item = StructuralKey>>(keys: I) -> Self {
        StructuralSet { entries: keys.into_iter().map(|key| (key, ())).collect() }
    }
}
