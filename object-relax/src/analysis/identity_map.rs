//! [`IdentityMap`]: values for objects, by the identity of the objects, in the order of insertion.

use indexmap::IndexMap;
use object_core::ObjectHandle;
use rustc_hash::FxBuildHasher;

use crate::addresses::ById;

/// Values for objects. Two objects are the same key only if they are one object. The order is the order of insertion.
///
/// ```
/// use object_relax::analysis::var_values;
/// use object_ir::ir::{BindingBlock, SeqExpr, Var, VarBinding};
///
/// let (x, y) = (Var::named("x"), Var::named("y"));
/// let sequence = SeqExpr::new([BindingBlock::new([VarBinding::new(&y, &x).into()])], &y);
/// let values = var_values(&sequence);
/// assert!(values.get(&y).is_some() && values.get(&x).is_none());
/// assert_eq!(values.len(), 1);
/// ```
#[derive(Clone, Debug)]
pub struct IdentityMap<K, T>(IndexMap<ById<K>, T, FxBuildHasher>);

impl<K, T> Default for IdentityMap<K, T> {
    fn default() -> Self {
        IdentityMap(IndexMap::default())
    }
}

impl<K: ObjectHandle, T> IdentityMap<K, T> {
    /// The value of an object.
    #[must_use]
    pub fn get(&self, key: &K) -> Option<&T> {
        self.0.get(key.as_object())
    }

    /// Whether an object has a value.
    #[must_use]
    pub fn contains(&self, key: &K) -> bool {
        self.0.contains_key(key.as_object())
    }

    /// The place of an object in the order of insertion.
    #[must_use]
    pub fn position(&self, key: &K) -> Option<usize> {
        self.0.get_index_of(key.as_object())
    }

    /// The objects with their values.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&K, &T)> + ExactSizeIterator {
        self.0.iter().map(|(ById(key), value)| (key, value))
    }

    /// The objects.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + ExactSizeIterator {
        self.0.keys().map(|ById(key)| key)
    }

    /// The number of objects.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the map is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of an object; a new one if it has none.
    pub(crate) fn entry(&mut self, key: &K, value: impl FnOnce() -> T) -> &mut T {
        self.0.entry(ById(key.clone())).or_insert_with(value)
    }
}

/// Objects without repetitions, in the order of their first occurrence.
pub(crate) type IdentitySet<K> = IdentityMap<K, ()>;

impl<K: ObjectHandle> IdentitySet<K> {
    /// Adds an object unless it is there.
    pub(crate) fn insert(&mut self, key: &K) {
        self.entry(key, || ());
    }

    /// The objects.
    pub(crate) fn into_keys(self) -> Vec<K> {
        self.0.into_keys().map(|ById(key)| key).collect()
    }
}
