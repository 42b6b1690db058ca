//! [`StructuralMap`] and [`StructuralSet`]: tables in insertion order that compare their keys by structure.

use std::fmt;
use std::hash::{Hash, Hasher};

use crate::error::Result;
use crate::object::{Any, AnyView, FieldType};
use crate::structural::options::StructuralOptions;
use crate::structural::tables::key::StructuralKey;
use crate::structural::tables::probe::{Entry, SharedHashes, same_entry};
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

impl PartialEq for MapKey {
    fn eq(&self, other: &Self) -> bool {
        same_entry(self, other)
    }
}

impl Eq for MapKey {}

/// A table in insertion order that compares its keys by structure, under the default options of [`StructuralOptions`].
///
/// The table hashes a key once, at insertion. A look-up hashes the value and copies nothing. A look-up by
/// [`StructuralKey`] also saves this hash: [`insert_key`](Self::insert_key), [`find`](Self::find).
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
#[derive(Clone)]
pub struct StructuralMap<V> {
    entries: OrderedTable<MapKey, V>,
    shared_hashes: SharedHashes,
}

impl<V> StructuralMap<V> {
    /// A table without entries.
    #[must_use]
    pub fn new() -> Self {
        StructuralMap { entries: OrderedTable::default(), shared_hashes: SharedHashes::default() }
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
        Ok(self.insert_key(StructuralKey::new(key)?, value))
    }

    /// As [`insert`](Self::insert), for a key that is hashed already.
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
        match self.index_of(key.value().view(), key.structural_hash()) {
            Ok(index) => Some(std::mem::replace(&mut self.entries[index], value)),
            Err(place) => {
                self.insert_new(MapKey { key: place, value: key }, value);
                None
            }
        }
    }

    /// The index of the entry for a value with this structural hash.
    ///
    /// # Errors
    /// The number by which the table would find a new entry for the value.
    fn index_of(&self, value: AnyView<'_>, hash: u64) -> Result<usize, u64> {
        self.shared_hashes.find(StructuralOptions::new(), value, hash, |probe| self.entries.get_index_of(probe))
    }

    /// As [`index_of`](Self::index_of); `None` also if the value contains a type that takes no part in structural
    /// comparison, because it equals no key.
    fn find_index<K: FieldType>(&self, key: &K) -> Option<usize> {
        let hash = StructuralOptions::new().hash(key).ok()?;
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
        let key = StructuralKey::new(key)?;
        let index = match self.index_of(key.value().view(), key.structural_hash()) {
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
        Some(value)
    }

    /// Removes the entries for which `keep` is false.
    pub fn retain(&mut self, mut keep: impl FnMut(&Any, &mut V) -> bool) {
        self.entries.retain(|key, value| keep(key.value.value(), value));
        self.shared_hashes = SharedHashes::of(self.entries.keys());
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.shared_hashes = SharedHashes::default();
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
