//! [`HashCache`]: the hashes of scopes, kept from one hash to the next.

use crate::object::{ObjectRef, ObjectView};
use crate::structural::scope::scope_stack::LevelSet;
use crate::table::AddressTable;

/// Hashes of objects of types marked `scope`, such as functions, kept from one call of
/// [`StructuralOptions::hash_cached`](crate::structural::StructuralOptions::hash_cached) to the next. After a change of
/// one function of a module, the next call hashes only this function and the objects on the path to it. The cache needs
/// [`Scopes::Lexical`](crate::structural::Scopes::Lexical). Under other options the hash of a function depends on
/// everything before it, and the cache keeps nothing.
///
/// The cache keeps the hash of a scope if no other scope contains the scope, and if every variable in the scope is
/// bound in it or before it. A later call uses the hash where the same variables are bound before the scope. The cache
/// owns a handle of each object, so nothing changes these objects in place. At the end of each call the cache drops the
/// objects that nobody else owns.
///
/// ```
/// use object_core::Array;
/// use object_core::structural::{HashCache, Scopes, StructuralOptions};
/// let (mut cache, value) = (HashCache::new(), Array::from([1, 2]));
/// let hasher = StructuralOptions::new().scopes(Scopes::Lexical);
/// assert_eq!(hasher.hash_cached(&value, &mut cache)?, hasher.hash(&value)?);
/// # Ok::<(), object_core::Error>(())
/// ```
#[derive(Default)]
pub struct HashCache {
    entries: AddressTable<CachedHash>,
}

/// The hash of a scope.
struct CachedHash {
    object: ObjectRef,
    context: Context,
    hash: u64,
    /// The levels of the scopes that the hashed scope refers to.
    used: LevelSet,
}

/// The state on which the hash of a scope depends, apart from the scope itself.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Context {
    /// Whether tensors count without their content.
    pub(crate) skips_tensors: bool,
    /// A hash of the objects that are numbered around the scope, and of their numbers.
    pub(crate) numbered: u64,
}

impl HashCache {
    /// An empty cache.
    #[must_use]
    pub fn new() -> Self {
        HashCache::default()
    }

    /// The number of hashes in the cache.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether the cache is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Drops all hashes, and the handles of their objects.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// The hash of a scope in this context, and the levels that the scope refers to, if the cache has them.
    pub(crate) fn find(&self, scope: ObjectView<'_>, context: Context) -> Option<(u64, LevelSet)> {
        let entry = self.entries.get(&scope.address()).filter(|entry| entry.context == context);
        entry.map(|entry| (entry.hash, entry.used))
    }

    pub(crate) fn insert(&mut self, scope: ObjectView<'_>, context: Context, hash: u64, used: LevelSet) {
        self.entries.insert(scope.address(), CachedHash { object: scope.to_object(), context, hash, used });
    }

    /// Moves all hashes of another cache into this one.
    #[cfg(feature = "rayon")]
    pub(crate) fn extend(&mut self, other: HashCache) {
        self.entries.extend(other.entries);
    }

    /// Drops the objects that nobody else owns.
    pub(crate) fn retain_shared(&mut self) {
        self.entries.retain(|_, entry| entry.object.use_count() > 1);
    }
}
