//! The methods of [`Map`], which have the names of the methods of std's maps.

use crate::container::map::{Lookup, Map};
use crate::object::{Any, FieldType, ObjectRef};
use crate::value::{Bytes, Str};

/// A borrowed form of the key `K` of a [`Map`]: `K` itself; `str`, `&str` and [`String`] for a [`Str`]; and a slice of
/// bytes for [`Bytes`]. A map with keys of any type accepts texts, too.
#[diagnostic::on_unimplemented(
    message = "a map with keys of type `{K}` has no key that is a `{Self}`",
    label = "not a form of the key `{K}`",
    note = "look up a reference to a `{K}`; a map with keys of type `Str` also accepts a `&str`"
)]
pub trait MapKey<K> {
    /// The key for the table of the map.
    #[doc(hidden)]
    fn lookup(&self) -> Lookup<'_>;
}

impl<K: FieldType> MapKey<K> for K {
    fn lookup(&self) -> Lookup<'_> {
        Lookup::Value(self.view())
    }
}

macro_rules! text_keys {
    ($($K:ty: $($Text:ty),*;)*) => {$($(
        impl MapKey<$K> for $Text {
            fn lookup(&self) -> Lookup<'_> {
                Lookup::Text(self)
            }
        }
    )*)*};
}

text_keys! {
    Str: str, &str, String;
    ObjectRef: str, &str, String;
    Any: str, &str, String;
}

impl MapKey<Bytes> for [u8] {
    fn lookup(&self) -> Lookup<'_> {
        Lookup::Bytes(self)
    }
}

impl<K: FieldType, V: FieldType> Map<K, V> {
    /// The number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.data().len()
    }

    /// Whether there are no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.data().is_empty()
    }

    /// The value for `key`, if the map has this key.
    #[must_use]
    pub fn get<Q: MapKey<K> + ?Sized>(&self, key: &Q) -> Option<V> {
        self.data().look_up(key.lookup()).map(|value| owned(value.view().cast()))
    }

    /// Whether the map has this key.
    #[must_use]
    pub fn contains_key<Q: MapKey<K> + ?Sized>(&self, key: &Q) -> bool {
        self.data().look_up(key.lookup()).is_some()
    }

    /// The key and the value with index `index` in insertion order; `None` if the index is out of bounds.
    pub(crate) fn get_index(&self, index: usize) -> Option<(K, V)> {
        self.data().entry(index).map(|(key, value)| (owned(key.cast()), owned(value.cast())))
    }

    /// The entries in insertion order, as owned pairs. `for (key, value) in &map` borrows them instead.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (K, V)> + ExactSizeIterator + '_ {
        self.data().iter().map(|(key, value)| (owned(key.cast()), owned(value.cast())))
    }

    /// The keys in insertion order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = K> + ExactSizeIterator + '_ {
        self.data().iter().map(|(key, _)| owned(key.cast()))
    }

    /// The values in the insertion order of their keys.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = V> + ExactSizeIterator + '_ {
        self.data().iter().map(|(_, value)| owned(value.cast()))
    }

    /// A new map with `value` for `key`, and the other entries of this one. A new key is the last one; a key that this map
    /// has keeps its position. It copies the entries, in time linear in their number; [`insert`](Self::insert)
    /// changes the map in place.
    #[must_use]
    pub fn with(&self, key: impl Into<K>, value: impl Into<V>) -> Self {
        self.iter().chain(std::iter::once((key.into(), value.into()))).collect()
    }

    /// A new map of the entries of this one with other keys, in the same order. If the map does not have the key, the
    /// result is the same map.
    #[must_use]
    pub fn without<Q: MapKey<K> + ?Sized>(&self, key: &Q) -> Self {
        match self.data().index_of(key.lookup()) {
            Some(index) => self.iter().enumerate().filter(|(i, _)| *i != index).map(|(_, entry)| entry).collect(),
            None => self.clone(),
        }
    }
}

/// A key or a value, converted to its type in the handle of the map. The handle accepts only maps of these types.
fn owned<T>(value: crate::error::Result<T>) -> T {
    match value {
        Ok(value) => value,
        Err(error) => unreachable!("the handle accepts only maps of its key and value types: {error}"),
    }
}
