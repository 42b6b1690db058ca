//! The operations of [`StructuralOptions`], and the same operations under the default options.

use crate::error::Result;
use crate::object::AsAnyView;
use crate::structural::engine::equal::Comparison;
use crate::structural::engine::hash::Hasher;
use crate::structural::engine::hash_cache::HashCache;
use crate::structural::options::StructuralOptions;

impl StructuralOptions {
    /// Whether `a` and `b` are equal.
    ///
    /// # Errors
    /// [`NotComparable`](crate::ErrorKind::NotComparable), with the path, if before any difference two objects are
    /// reached whose type takes no part in structural comparison.
    pub fn equal(&self, a: &impl AsAnyView, b: &impl AsAnyView) -> Result<bool> {
        Comparison::equal(*self, a.as_any_view(), b.as_any_view())
    }

    /// The hash of `value`: 64 bits, the same in every process. Equal values have the same hash.
    ///
    /// # Errors
    /// [`NotComparable`](crate::ErrorKind::NotComparable), with the path, if an object is reached whose type takes no
    /// part in structural comparison.
    pub fn hash(&self, value: &impl AsAnyView) -> Result<u64> {
        #[cfg(feature = "rayon")]
        if self.parallel {
            return self.hash_cached(value, &mut HashCache::new());
        }
        Hasher::strict(*self, value.as_any_view())
    }

    /// The same hash. The cache gives the hashes of scopes that an earlier call put into it, and keeps the hashes of new
    /// ones. Under [`Scopes::Persistent`](super::Scopes::Persistent) it keeps nothing.
    ///
    /// # Errors
    /// As [`hash`](Self::hash).
    pub fn hash_cached(&self, value: &impl AsAnyView, cache: &mut HashCache) -> Result<u64> {
        let hash = Hasher::cached(*self, value.as_any_view(), cache);
        cache.retain_shared();
        hash
    }
}

/// Whether `a` and `b` are equal under the default options. An object whose type takes no part in structural comparison
/// equals only itself; [`StructuralOptions::equal`] reports an error for it.
///
/// ```
/// use object_core::{Str, structural_equal};
/// assert!(structural_equal(&Str::from("a"), &Str::from("a")));
/// assert!(!structural_equal(&1i64, &1.0));
/// ```
#[must_use]
pub fn structural_equal(a: &impl AsAnyView, b: &impl AsAnyView) -> bool {
    Comparison::lenient(a.as_any_view(), b.as_any_view())
}

/// The hash of `value` under the default options. An object whose type takes no part in structural comparison enters the
/// hash by its type alone; [`StructuralOptions::hash`] reports an error for it.
///
/// ```
/// use object_core::{Array, structural_hash};
/// assert_eq!(structural_hash(&Array::from([1, 2])), structural_hash(&Array::from([1, 2])));
/// ```
#[must_use]
pub fn structural_hash(value: &impl AsAnyView) -> u64 {
    Hasher::lenient(StructuralOptions::new(), value.as_any_view())
}
