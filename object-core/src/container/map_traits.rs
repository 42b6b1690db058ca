//! Conversions, iteration and comparison of [`Map`] by the traits of std.

use std::collections::{BTreeMap, HashMap};
use std::iter::FusedIterator;
use std::marker::PhantomData;
use std::ops::{Index, Range};

use crate::container::map::{Map, MapData};
use crate::container::map_methods::MapKey;
use crate::container::stored::{StoredValue, lend};
use crate::error::{Error, Result};
use crate::object::{Any, FieldType, ObjectRef, try_from_object};

impl<K: FieldType, V: StoredValue, Q: MapKey<K> + ?Sized> Index<&Q> for Map<K, V> {
    type Output = V;

    /// # Panics
    /// If the map does not have the key.
    fn index(&self, key: &Q) -> &V {
        match self.data().look_up(key.lookup()) {
            Some(value) => lend(value),
            None => panic!("the map has no key {}", key.lookup()),
        }
    }
}

/// The entries of a map in insertion order, borrowed. `for (key, value) in &map` makes it.
#[derive(Clone, Debug)]
pub struct MapIter<'a, K, V> {
    data: &'a MapData,
    indices: Range<usize>,
    marker: PhantomData<&'a (K, V)>,
}

impl<'a, K: StoredValue, V: StoredValue> MapIter<'a, K, V> {
    fn at(&self, index: usize) -> Option<(&'a K, &'a V)> {
        self.data.stored_entry(index).map(|(key, value)| (lend(key), lend(value)))
    }
}

impl<'a, K: StoredValue, V: StoredValue> IntoIterator for &'a Map<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = MapIter<'a, K, V>;

    fn into_iter(self) -> MapIter<'a, K, V> {
        MapIter { data: self.data(), indices: 0..self.len(), marker: PhantomData }
    }
}

impl<'a, K: StoredValue, V: StoredValue> Iterator for MapIter<'a, K, V> {
    type Item = (&'a K, &'a V);

    fn next(&mut self) -> Option<Self::Item> {
        let index = self.indices.next()?;
        self.at(index)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.indices.size_hint()
    }
}

impl<K: StoredValue, V: StoredValue> DoubleEndedIterator for MapIter<'_, K, V> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let index = self.indices.next_back()?;
        self.at(index)
    }
}

impl<K: StoredValue, V: StoredValue> ExactSizeIterator for MapIter<'_, K, V> {}
impl<K: StoredValue, V: StoredValue> FusedIterator for MapIter<'_, K, V> {}

/// The entries of a map in insertion order, as owned pairs. `for (key, value) in map` makes it.
#[derive(Clone, Debug)]
pub struct MapIntoIter<K, V> {
    map: Map<K, V>,
    indices: Range<usize>,
}

impl<K: FieldType, V: FieldType> IntoIterator for Map<K, V> {
    type Item = (K, V);
    type IntoIter = MapIntoIter<K, V>;

    fn into_iter(self) -> MapIntoIter<K, V> {
        MapIntoIter { indices: 0..self.len(), map: self }
    }
}

impl<K: FieldType, V: FieldType> Iterator for MapIntoIter<K, V> {
    type Item = (K, V);

    fn next(&mut self) -> Option<(K, V)> {
        self.map.get_index(self.indices.next()?)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.indices.size_hint()
    }
}

impl<K: FieldType, V: FieldType> DoubleEndedIterator for MapIntoIter<K, V> {
    fn next_back(&mut self) -> Option<(K, V)> {
        self.map.get_index(self.indices.next_back()?)
    }
}

impl<K: FieldType, V: FieldType> ExactSizeIterator for MapIntoIter<K, V> {}
impl<K: FieldType, V: FieldType> FusedIterator for MapIntoIter<K, V> {}

impl<K: FieldType, V: FieldType> Default for Map<K, V> {
    fn default() -> Self {
        Map::new([])
    }
}

impl<K: FieldType, V: FieldType> FromIterator<(K, V)> for Map<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        Map::new(entries)
    }
}

impl<K: FieldType, V: FieldType, const N: usize> From<[(K, V); N]> for Map<K, V> {
    fn from(entries: [(K, V); N]) -> Self {
        Map::new(entries)
    }
}

impl<K: FieldType, V: FieldType> From<Vec<(K, V)>> for Map<K, V> {
    fn from(entries: Vec<(K, V)>) -> Self {
        Map::new(entries)
    }
}

impl<K: FieldType + Ord, V: FieldType> From<BTreeMap<K, V>> for Map<K, V> {
    fn from(entries: BTreeMap<K, V>) -> Self {
        Map::new(entries)
    }
}

/// The entries in the order of their keys: the order of a `HashMap` differs from run to run.
impl<K: FieldType + Ord, V: FieldType, S> From<HashMap<K, V, S>> for Map<K, V> {
    fn from(entries: HashMap<K, V, S>) -> Self {
        entries.into_iter().collect::<BTreeMap<K, V>>().into()
    }
}

impl<K: FieldType, V: FieldType> From<&Map<K, V>> for Map<K, V> {
    fn from(map: &Map<K, V>) -> Self {
        map.clone()
    }
}

impl<K: FieldType, V: FieldType> From<Map<K, V>> for Any {
    fn from(map: Map<K, V>) -> Self {
        map.into_any()
    }
}

impl<K: FieldType, V: FieldType> TryFrom<ObjectRef> for Map<K, V> {
    type Error = Error;

    /// # Errors
    /// [`TypeMismatch`](crate::ErrorKind::TypeMismatch) if the object is not a map, or has a key that is not a `K` or a
    /// value that is not a `V`.
    fn try_from(object: ObjectRef) -> Result<Self> {
        try_from_object(object)
    }
}

impl<K: FieldType, V: FieldType> TryFrom<Any> for Map<K, V> {
    type Error = Error;

    /// # Errors
    /// As for the conversion from an [`ObjectRef`].
    fn try_from(value: Any) -> Result<Self> {
        value.cast()
    }
}

/// Maps are equal if they have the same keys, and equal values for each key. The order does not matter.
impl<K: FieldType, V: FieldType + PartialEq> PartialEq for Map<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().all(|(key, value)| other.get(&key).is_some_and(|own| own == value))
    }
}

impl<K: FieldType, V: FieldType + Eq> Eq for Map<K, V> {}
