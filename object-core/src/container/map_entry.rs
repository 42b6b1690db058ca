//! [`Entry`]: the place of a key in a map.

use std::fmt;
use std::marker::PhantomData;

use crate::container::map::MapData;
use crate::container::stored::StoredValue;
use crate::object::{Any, FieldType};

/// The place of a key in a [`Map`](crate::Map), which [`Map::entry`](crate::Map::entry) makes.
pub struct Entry<'a, K, V> {
    data: &'a mut MapData,
    key: Any,
    /// The index of the entry, if the map has the key.
    index: Option<usize>,
    marker: PhantomData<fn() -> (K, V)>,
}

impl<'a, K: FieldType, V: FieldType> Entry<'a, K, V> {
    pub(super) fn new(data: &'a mut MapData, key: Any, index: Option<usize>) -> Self {
        Entry { data, key, index, marker: PhantomData }
    }
}

impl<'a, K: FieldType, V: StoredValue> Entry<'a, K, V> {
    /// The value for the key, for changes. If the map does not have the key, it gets `value` for it.
    pub fn or_insert(self, value: impl Into<V>) -> &'a mut V {
        self.or_insert_with(|| value.into())
    }

    /// As [`or_insert`](Self::or_insert), with the value that `make` returns.
    pub fn or_insert_with(self, make: impl FnOnce() -> V) -> &'a mut V {
        let index = match self.index {
            Some(index) => index,
            None => self.data.add(self.key, make().into_any()),
        };
        match self.data.value_mut(index) {
            Some(value) => value,
            None => unreachable!("the map has the entry"),
        }
    }

    /// As [`or_insert`](Self::or_insert), with the default value of the type.
    ///
    /// ```
    /// use object_core::{Array, Map, Str};
    ///
    /// let mut words = Map::<i64, Array<Str>>::default();
    /// for word in ["a", "bc", "d"] {
    ///     words.entry(word.len() as i64).or_default().push(word);
    /// }
    /// assert_eq!(words[&1], ["a", "d"]);
    /// ```
    pub fn or_default(self) -> &'a mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }
}

impl<K, V> fmt::Debug for Entry<'_, K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.index.and_then(|index| self.data.stored_entry(index)).map(|(_, value)| value);
        f.debug_struct("Entry").field("key", &self.key).field("value", &value).finish()
    }
}
