//! [`HashCache`]: the hashes of scopes, kept from one hash to the next.

use crate::object::{ObjectRef, ObjectView};
use crate::structural::scope::scope_stack::LevelSet;
use crate::table::AddressTable;

/// Hashes of objects of types marked `scope`, such as functions, kept from one call of
/// [`StructuralOptions::hash_cached`](crate::structural::StructuralOptions::hash_cached) to the next: of a module in which one function
/// was replaced, only that function and the way to it are hashed again. That takes
/// [`Scopes::Lexical`](crate::structural::Scopes::Lexical): otherwise the hash of a function depends on all that comes before it, and
/// nothing is kept.
///
/// Kept are the hashes of scopes that stand in no other scope, and in which every variable is bound, there or before
/// them. They are used again where the same variables are bound before. The cache owns a handle of each object, so
/// nothing in it can be changed in place; objects that nobody else owns are dropped at the end of each call.
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
    /// The levels of the scopes that it refers to.
    used: LevelSet,
}

/// The values that the hash of a scope depends on, beside the scope itself.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Context {
    /// Whether the content of tensors is left out.
    pub(crate) skips_tensors: bool,
    /// Stands for the objects that are numbered around the scope, and their numbers.
    pub(crate) numbered: u64,
}

impl HashCache {
    /// An empty cache.
    #[must_use]
    pub fn new() -> Self {
        HashCache::default()
    }

    /// How many hashes it holds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it holds no hash.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Drops all hashes, and the handles of their objects.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// The hash of a scope in this context, and the levels that it refers to, if the cache has them.
    pub(crate) fn find(&self, scope: ObjectView<'_>, context: Context) -> Option<(u64, LevelSet)> {
        let entry = self.entries.get(&scope.address()).filter(|entry| entry.context == context);
        entry.map(|entry| (entry.hash, entry.used))
    }

    pub(crate) fn insert(&mut self, scope: ObjectView<'_>, context: Context, hash: u64, used: LevelSet) {
        self.entries.insert(scope.address(), CachedHash { object: scope.to_object(), context, hash, used });
    }

    /// Takes over what another cache holds.
    #[cfg(feature = "rayon")]
    pub(crate) fn extend(&mut self, other: HashCache) {
        self.entries.extend(other.entries);
    }

    /// Drops the objects that nobody else owns.
    pub(crate) fn retain_shared(&mut self) {
        self.entries.retain(|_, entry| entry.object.use_count() > 1);
    }
}
