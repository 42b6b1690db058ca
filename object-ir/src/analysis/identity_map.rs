//! [`IdentityMap`]: values for objects, by the identity of the objects, in the order of insertion.

use object_core::ObjectHandle;
use rustc_hash::FxHashMap;

use crate::recursive_rule::ById;

/// Values for objects. Two objects are the same key only if they are one object. The order is the order of insertion.
///
/// ```
/// use object_ir::analysis::var_values;
/// use object_ir::ir::{BindingBlock, SeqExpr, Var, VarBinding};
///
/// let (x, y) = (Var::named("x"), Var::named("y"));
/// let sequence = SeqExpr::new([BindingBlock::new([VarBinding::new(&y, &x).into()])], &y);
/// let values = var_values(&sequence);
/// assert!(values.get(&y).is_some() && values.get(&x).is_none());
/// assert_eq!(values.len(), 1);
/// ```
#[derive(Clone, Debug)]
pub struct IdentityMap<K, T> {
    entries: Vec<(K, T)>,
    index: FxHashMap<ById<K>, usize>,
}

impl<K, T> Default for IdentityMap<K, T> {
    fn default() -> Self {
        IdentityMap { entries: Vec::new(), index: FxHashMap::default() }
    }
}

impl<K: ObjectHandle, T> IdentityMap<K, T> {
    /// The value of an object.
    #[must_use]
    pub fn get(&self, key: &K) -> Option<&T> {
        Some(&self.entries.get(self.position(key)?)?.1)
    }

    /// Whether an object has a value.
    #[must_use]
    pub fn contains(&self, key: &K) -> bool {
        self.position(key).is_some()
    }

    /// The place of an object in the order of insertion.
    #[must_use]
    pub fn position(&self, key: &K) -> Option<usize> {
        self.index.get(&ById(key.clone())).copied()
    }

    /// The objects with their values.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&K, &T)> + ExactSizeIterator {
        self.entries.iter().map(|(key, value)| (key, value))
    }

    /// The objects.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + ExactSizeIterator {
        self.entries.iter().map(|(key, _)| key)
    }

    /// The number of objects.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no object.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The value of an object; a new one if it has none.
    pub(crate) fn entry(&mut self, key: &K, value: impl FnOnce() -> T) -> &mut T {
        let at = *self.index.entry(ById(key.clone())).or_insert(self.entries.len());
        if at == self.entries.len() {
            self.entries.push((key.clone(), value()));
        }
        &mut self.entries[at].1
    }

    /// The entries in order.
    pub(crate) fn into_entries(self) -> Vec<(K, T)> {
        self.entries
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
        self.into_entries().into_iter().map(|(key, ())| key).collect()
    }
}
