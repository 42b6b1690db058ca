//! Changes of a [`Map`] in place, by the methods of std's maps. A map that other handles share is copied first.
//!
//! The bounds of the keys and of the values hold after each change. The handle of the changed map is the only one, so no other
//! handle or rule depends on the bounds, and its own types accept every new entry.

use crate::container::elements::ElementBound;
use crate::container::map::{Map, MapData};
use crate::container::map_entry::Entry;
use crate::container::map_methods::MapKey;
use crate::container::stored::{StoredValue, lend_mut};
use crate::object::{Any, FieldType, new_object, node_unchecked_mut};

/// Methods that change the map. If other handles share it, they first replace this handle by a handle of a copy, as
/// [`make_mut`](crate::object::MakeMut::make_mut) does.
impl<K: FieldType, V: FieldType> Map<K, V> {
    /// Sets the value for `key`, and returns the old one, in amortized constant time. A new key is the last one; a key that the map
    /// has keeps its position.
    ///
    /// ```
    /// use object_core::{Map, Str};
    ///
    /// let mut map: Map<Str, i64> = [("a".into(), 1)].into();
    /// let old = map.clone();
    /// assert_eq!(map.insert("b", 2), None);
    /// assert_eq!(map.insert("a", 3), Some(1));
    /// assert_eq!((map.to_string(), old.len()), (r#"{"a": 3, "b": 2}"#.to_owned(), 1));
    /// ```
    pub fn insert(&mut self, key: impl Into<K>, value: impl Into<V>) -> Option<V> {
        self.data_mut().insert(key.into().into_any(), value.into().into_any()).map(owned)
    }

    /// Removes a key, and returns its value. The other entries keep their order, so it takes time linear in the number of entries
    /// after this one; [`pop`](Self::pop) and [`retain`](Self::retain) remove several in linear time.
    pub fn remove<Q: MapKey<K> + ?Sized>(&mut self, key: &Q) -> Option<V> {
        let index = self.data().index_of(key.lookup())?;
        self.data_mut().remove(index).map(|(_, value)| owned(value))
    }

    /// Removes the last entry, in constant time.
    pub fn pop(&mut self) -> Option<(K, V)> {
        let last = self.len().checked_sub(1)?;
        self.data_mut().remove(last).map(|(key, value)| (owned(key), owned(value)))
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        *self = Map::default();
    }

    /// Removes the entries for which `keep` returns `false`.
    ///
    /// ```
    /// use object_core::{Map, Str};
    ///
    /// let mut map: Map<Str, i64> = [("b".into(), 1), ("c".into(), 2), ("a".into(), 3)].into();
    /// map.retain(|_, value| *value != 2);
    /// map.sort_by(|a, _, b, _| a.cmp(b));
    /// assert_eq!(map.to_string(), r#"{"a": 3, "b": 1}"#);
    /// ```
    pub fn retain(&mut self, mut keep: impl FnMut(&K, &V) -> bool) {
        self.edit(|entries| entries.retain(|(key, value)| keep(key, value)));
    }

    /// Sorts the entries by `compare`, which gets a key and its value, and another key and its value.
    pub fn sort_by(&mut self, mut compare: impl FnMut(&K, &V, &K, &V) -> std::cmp::Ordering) {
        self.edit(|entries| entries.sort_by(|(a, x), (b, y)| compare(a, x, b, y)));
    }

    /// The entry for `key`, to look it up once and then read, change or insert its value.
    ///
    /// ```
    /// use object_core::{Map, Str};
    ///
    /// let mut counts = Map::<Str, i64>::default();
    /// for word in ["a", "b", "a"] {
    ///     *counts.entry(word).or_insert(0) += 1;
    /// }
    /// assert_eq!(counts.to_string(), r#"{"a": 2, "b": 1}"#);
    /// ```
    pub fn entry(&mut self, key: impl Into<K>) -> Entry<'_, K, V> {
        let key = key.into().into_any();
        let index = self.data().index_of(crate::container::map::Lookup::Value(key.view()));
        Entry::new(self.data_mut(), key, index)
    }

    /// The value for `key`, for changes. The values of a map that are smaller numbers, enums or `Option` have another form in the
    /// map: use [`insert`](Self::insert).
    ///
    /// ```
    /// use object_core::{Array, Map, Str};
    ///
    /// let mut uses: Map<Str, Array<i64>> = [("x".into(), [1].into())].into();
    /// uses.get_mut("x").expect("the key").push(2);
    /// assert_eq!(uses["x"], [1, 2]);
    /// ```
    pub fn get_mut<Q: MapKey<K> + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        V: StoredValue,
    {
        let index = self.data().index_of(key.lookup())?;
        self.data_mut().value_mut(index)
    }

    /// Changes the entries as a vector. A key that is then repeated has the place of its first entry and the value of its last one.
    fn edit(&mut self, change: impl FnOnce(&mut Vec<(K, V)>)) {
        let mut entries: Vec<(K, V)> = self.iter().collect();
        change(&mut entries);
        *self = entries.into();
    }

    /// The entries of a map that no other handle shares.
    fn data_mut(&mut self) -> &mut MapData {
        if !self.object.is_unique() {
            self.object = new_object(self.data().clone()).object;
        }
        // SAFETY: the handle is the only one and is borrowed mutably. It accepts only maps, whose node is a `MapData`.
        unsafe { node_unchecked_mut(self.object.as_ptr()) }
    }
}

impl<K: FieldType, V: FieldType> Extend<(K, V)> for Map<K, V> {
    /// Adds `entries` as [`insert`](Map::insert) does. If other handles share the map, this handle refers to a copy afterwards.
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl MapData {
    /// Sets the value for `key`, and returns the old one.
    fn insert(&mut self, key: Any, value: Any) -> Option<Any> {
        self.keys = self.keys.with(key.view());
        self.values = self.values.with(value.view());
        self.entries.insert(key, value)
    }

    /// Adds an entry, whose key the map does not have, and returns its index.
    pub(super) fn add(&mut self, key: Any, value: Any) -> usize {
        self.insert(key, value);
        self.len() - 1
    }

    /// Removes the entry with the index `index`.
    fn remove(&mut self, index: usize) -> Option<(Any, Any)> {
        let removed = self.entries.shift_remove_index(index);
        if self.is_empty() {
            (self.keys, self.values) = (ElementBound::Empty, ElementBound::Empty);
        }
        removed
    }

    /// The value of the entry with the index `index`, for changes.
    pub(super) fn value_mut<V: StoredValue>(&mut self, index: usize) -> Option<&mut V> {
        let (_, value) = self.entries.get_index_mut(index)?;
        // The caller may put any value of the type `V` into the map.
        self.values = V::bound().0;
        Some(lend_mut(value))
    }
}

/// A key or a value as its type in the handle of the map. The handle accepts only maps of these types.
fn owned<T: FieldType>(value: Any) -> T {
    match value.cast() {
        Ok(value) => value,
        Err(error) => unreachable!("the handle accepts only maps of its key and value types: {error}"),
    }
}
