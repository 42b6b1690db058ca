//! [`HashCache`]: the hashes of scopes, kept from one hash to the next.

use crate::object::{DefRegionKind, ObjectRef, ObjectView};
use crate::structural::lexical::hash_memo::{MAX_REMEMBERED, Remembered};
use crate::structural::lexical::statuses::Statuses;
use crate::table::AddressTable;

/// Hashes of objects of types marked `scope`, such as functions, kept from one call of
/// [`StructuralOptions::hash_cached`](crate::structural::StructuralOptions::hash_cached) to the next. After a change of
/// one function of a module, the next call hashes only this function and the objects on the path to it. The cache needs
/// [`Scopes::Lexical`](crate::structural::Scopes::Lexical). Under other options the hash of a function depends on
/// everything before it, and the cache keeps nothing.
///
/// The cache keeps the hash of a scope if no other scope contains the scope. The hash of a scope depends on few facts
/// about its surroundings, and the cache keeps hashes for several combinations of them: whether the scope is in a
/// definition region, and which of the `dag` nodes and of the free variables with fields that occur in the scope occur
/// before it. The cache owns a handle of each object, so nothing changes these objects in place. At the end of each call
/// the cache drops the objects that nobody else owns. It does not keep the hash of a scope for which a hook computes
/// objects.
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
    scopes: AddressTable<CachedScope>,
    /// Whether the cache keeps the hash of each object that is costly to hash again, and not of outermost scopes only.
    keeps_all: bool,
}

/// The hashes of a scope.
struct CachedScope {
    object: ObjectRef,
    hashes: Vec<CachedHash>,
}

/// A hash of a scope in a region.
struct CachedHash {
    region: DefRegionKind,
    /// Whether tensors count without their content.
    skips_tensors: bool,
    found: Remembered,
}

impl HashCache {
    /// An empty cache.
    #[must_use]
    pub fn new() -> Self {
        HashCache::default()
    }

    /// An empty cache for the hashes of all objects that are costly to hash again.
    pub(crate) fn for_all_objects() -> Self {
        HashCache { keeps_all: true, ..HashCache::default() }
    }

    /// Whether the cache keeps the hash of a scope, or of another object, at this number of scopes around it.
    pub(crate) fn keeps(&self, is_scope: bool, depth: u32) -> bool {
        self.keeps_all || is_scope && depth == 0
    }

    /// Whether the cache can have the hash of a scope, or of another object.
    pub(crate) fn looks_up(&self, is_scope: bool) -> bool {
        self.keeps_all || is_scope
    }

    /// The number of hashes in the cache.
    #[must_use]
    pub fn len(&self) -> usize {
        self.scopes.values().map(|scope| scope.hashes.len()).sum()
    }

    /// The number of objects in the cache.
    pub(crate) fn objects(&self) -> usize {
        self.scopes.len()
    }

    /// Whether the cache is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.scopes.is_empty()
    }

    /// Drops all hashes, and the handles of their objects.
    pub fn clear(&mut self) {
        self.scopes.clear();
    }

    /// The hash of a scope in this region that is valid under `statuses`, if the cache has it.
    pub(crate) fn find(
        &self,
        scope: ObjectView<'_>,
        region: DefRegionKind,
        skips_tensors: bool,
        statuses: &mut Statuses,
        steps: &mut u32,
    ) -> Option<&Remembered> {
        let mut hashes = self.scopes.get(&scope.address())?.hashes.iter();
        let is_asked_for = |it: &&CachedHash| it.region == region && it.skips_tensors == skips_tensors;
        hashes.find(|it| is_asked_for(it) && it.found.is_valid(statuses, steps)).map(|it| &it.found)
    }

    pub(crate) fn insert(
        &mut self,
        scope: ObjectView<'_>,
        region: DefRegionKind,
        skips_tensors: bool,
        found: Remembered,
    ) {
        self.insert_hash(scope.to_object(), CachedHash { region, skips_tensors, found });
    }

    fn insert_hash(&mut self, object: ObjectRef, hash: CachedHash) {
        let scope = self.scopes.entry(object.view().address());
        let hashes = &mut scope.or_insert_with(|| CachedScope { object, hashes: Vec::new() }).hashes;
        if hashes.len() == MAX_REMEMBERED {
            hashes.remove(0);
        }
        hashes.push(hash);
    }

    /// Empties the cache, and returns its content.
    pub(crate) fn take(&mut self) -> Self {
        HashCache { scopes: std::mem::take(&mut self.scopes), ..*self }
    }

    /// Drops the hashes of a scope, and returns the handle.
    pub(crate) fn remove(&mut self, scope: ObjectView<'_>) -> Option<ObjectRef> {
        self.scopes.remove(&scope.address()).map(|cached| cached.object)
    }

    /// Drops the objects that nobody else owns.
    pub(crate) fn retain_shared(&mut self) {
        self.scopes.retain(|_, scope| scope.object.use_count() > 1);
    }
}
