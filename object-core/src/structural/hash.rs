//! [`StructuralHash`]: a 64-bit hash of a value by structure, equal for equal values.

use crate::error::Result;
use crate::object::FieldType;
use crate::structural::engine::hash::Hasher;
use crate::structural::equal::Scopes;
use crate::structural::tables::hash_cache::HashCache;

/// Structural hashing and its options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StructuralHash {
    pub(crate) scopes: Scopes,
    pub(crate) skip_tensor_content: bool,
    #[cfg(feature = "rayon")]
    pub(crate) parallel: bool,
}

impl StructuralHash {
    /// The default options.
    #[must_use]
    pub fn new() -> Self {
        StructuralHash::default()
    }

    /// Accepted for symmetry with [`StructuralEqual`](super::StructuralEqual): a variable always counts by its first
    /// occurrence, so the hash is the same either way.
    #[must_use]
    pub fn map_free_vars(self, _yes: bool) -> Self {
        self
    }

    /// Where the bindings of variables end. Values that are equal under the same choice of
    /// [`StructuralEqual::scopes`](super::StructuralEqual::scopes) hash equal.
    ///
    /// Under [`Scopes::Lexical`] the hash of a scope depends on what is bound around it only as far as it refers to it:
    /// that is what lets scopes be hashed by several threads, and their hashes be kept in a [`HashCache`].
    #[must_use]
    pub fn scopes(mut self, scopes: Scopes) -> Self {
        self.scopes = scopes;
        self
    }

    /// Whether the content of tensors is left out.
    #[must_use]
    pub fn skip_tensor_content(mut self, yes: bool) -> Self {
        self.skip_tensor_content = yes;
        self
    }

    /// Whether the scopes among the children of an object, such as the functions of a module, are hashed by several
    /// threads of the global pool of rayon. The result is the same. It takes effect under [`Scopes::Lexical`] only:
    /// otherwise each function goes on with the numbers of the one before.
    #[cfg(feature = "rayon")]
    #[must_use]
    pub fn parallel(mut self, yes: bool) -> Self {
        self.parallel = yes;
        self
    }

    /// The hash of `value`.
    ///
    /// # Errors
    /// [`NotComparable`](crate::ErrorKind::NotComparable), with the path, if an object is reached whose type takes no
    /// part in structural comparison.
    pub fn hash<T: FieldType>(&self, value: &T) -> Result<u64> {
        #[cfg(feature = "rayon")]
        if self.parallel {
            return self.hash_cached(value, &mut HashCache::new());
        }
        Hasher::strict(*self, value.view())
    }

    /// The same hash, with the help of what was hashed before. Only under [`Scopes::Lexical`] is anything kept.
    ///
    /// # Errors
    /// As [`hash`](Self::hash).
    pub fn hash_cached<T: FieldType>(&self, value: &T, cache: &mut HashCache) -> Result<u64> {
        let hash = Hasher::cached(*self, value.view(), cache);
        cache.retain_shared();
        hash
    }
}

/// The hash of `value` under the default options. Objects whose type takes no part in structural comparison count by
/// their type alone; [`StructuralHash::hash`] reports them.
///
/// ```
/// use object_core::{Array, structural_hash};
/// assert_eq!(structural_hash(&Array::from([1, 2])), structural_hash(&Array::from([1, 2])));
/// ```
#[must_use]
pub fn structural_hash<T: FieldType>(value: &T) -> u64 {
    Hasher::lenient(StructuralHash::new(), value.view())
}
