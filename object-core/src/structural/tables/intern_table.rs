//! [`InternTable`]: the objects of an interner, found by their parts or by their structure.
//!
//! An object whose equal objects have the same parts is found by its fields and the addresses of its children
//! ([`shallow`](crate::structural::tables::shallow)). Objects that bind variables, with hooks, and `dag` nodes can be equal
//! without the same parts. They are found by their structural hash, and a comparison confirms the match. A lexical scope is
//! found by two hashes with secret keys, because a comparison would walk through the scopes inside of it again.

use std::hash::{Hash, Hasher};

use indexmap::Equivalent;
use indexmap::set::MutableValues;

use crate::object::{AnyView, ObjectRef, ObjectView};
use crate::structural::options::StructuralOptions;
use crate::structural::tables::probe::{Entry, Probe, SharedHashes, secret_mixer};
use crate::structural::tables::shallow::{hash_parts, same_parts};
use crate::table::{AddressTable, OrderedSet};

/// Whether an object and the objects below it can equal others that do not have the same parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Contains {
    /// Whether some bind variables, or have a hook. A lexical scope ends their bindings.
    pub(crate) binders: bool,
    /// Whether some are `dag` nodes.
    pub(crate) dag_nodes: bool,
}

impl Contains {
    /// Whether equal objects can have other parts.
    pub(crate) fn any(self) -> bool {
        self.binders || self.dag_nodes
    }

    /// As the parts of two objects.
    pub(crate) fn or(self, other: Contains) -> Contains {
        Contains { binders: self.binders || other.binders, dag_nodes: self.dag_nodes || other.dag_nodes }
    }
}

/// The objects of an interner, in the order of their insertion.
#[derive(Default)]
pub(crate) struct InternTable {
    options: StructuralOptions,
    entries: OrderedSet<Interned>,
    shared_hashes: SharedHashes,
    /// The objects that the table does not find by parts.
    by_structure: AddressTable<Contains>,
}

/// An object of the table.
struct Interned {
    /// The number by which the table finds the entry: see [`Entry::key`].
    key: u64,
    found_by: FoundBy,
    /// `None` after a sweep has released the object. The sweep removes the entry at its end.
    object: Option<ObjectRef>,
}

/// How the table finds an object.
#[derive(Clone, Copy)]
enum FoundBy {
    /// By its parts, which have these objects.
    Parts(Contains),
    /// By its structural hash.
    Structure(u64),
    /// By two hashes, of which this is the second one.
    Scope(u64),
}

impl Entry for Interned {
    fn key(&self) -> u64 {
        self.key
    }

    fn structural_hash(&self) -> u64 {
        match self.found_by {
            FoundBy::Parts(_) | FoundBy::Scope(_) => self.key,
            FoundBy::Structure(hash) => hash,
        }
    }

    fn value(&self) -> Option<AnyView<'_>> {
        match self.found_by {
            FoundBy::Parts(_) | FoundBy::Scope(_) => None,
            FoundBy::Structure(_) => self.object.as_ref().map(|object| AnyView::Object(object.view())),
        }
    }
}

impl Hash for Interned {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.key);
    }
}

/// The table inserts an object by hashes only if it does not find one, so such entries are never equal.
impl PartialEq for Interned {
    fn eq(&self, other: &Self) -> bool {
        match (self.found_by, &self.object) {
            (FoundBy::Parts(_), Some(object)) => Parts { object: object.view(), hash: self.key }.equivalent(other),
            _ => std::ptr::eq(self, other),
        }
    }
}

impl Eq for Interned {}

/// The parts of an object, for a look-up.
struct Parts<'a> {
    object: ObjectView<'a>,
    hash: u64,
}

impl<'a> Parts<'a> {
    fn of(object: ObjectView<'a>) -> Self {
        Parts { object, hash: hash_parts(secret_mixer(), object) }
    }
}

impl Hash for Parts<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

impl Equivalent<Interned> for Parts<'_> {
    fn equivalent(&self, entry: &Interned) -> bool {
        match (entry.found_by, &entry.object) {
            (FoundBy::Parts(_), Some(object)) => self.hash == entry.key && same_parts(self.object, object.view()),
            _ => false,
        }
    }
}

/// The two hashes of a lexical scope, for a look-up.
struct Scope([u64; 2]);

impl Hash for Scope {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0[0]);
    }
}

impl Equivalent<Interned> for Scope {
    fn equivalent(&self, entry: &Interned) -> bool {
        matches!(entry.found_by, FoundBy::Scope(second) if self.0 == [entry.key, second])
    }
}

impl InternTable {
    pub(crate) fn new(options: StructuralOptions) -> Self {
        InternTable { options, ..InternTable::default() }
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The object of the table with the parts of `object`, or `object` itself if the table finds it by structure.
    pub(crate) fn find(&self, object: ObjectView<'_>) -> Option<(ObjectRef, Contains)> {
        if let Some(contains) = self.by_structure.get(&object.address()) {
            return Some((object.to_object(), *contains));
        }
        let entry = self.entries.get(&Parts::of(object))?;
        match entry.found_by {
            FoundBy::Parts(contains) => Some((entry.object.clone()?, contains)),
            FoundBy::Structure(_) | FoundBy::Scope(_) => None,
        }
    }

    /// Whether the table has this object, and finds it by its structure.
    pub(crate) fn finds_by_structure(&self, object: ObjectView<'_>) -> bool {
        self.by_structure.contains_key(&object.address())
    }

    /// Inserts `object`, to be found by its parts. If the table has an object with these parts, returns that one.
    pub(crate) fn insert_by_parts(&mut self, object: &ObjectRef, contains: Contains) -> ObjectRef {
        let key = hash_parts(secret_mixer(), object.view());
        let entry = Interned { key, found_by: FoundBy::Parts(contains), object: Some(object.clone()) };
        // The handle of the caller lives on, so a dropped entry releases no object under the lock of the table.
        let (index, _) = self.entries.insert_full(entry);
        self.entries[index].object.as_ref().unwrap_or(object).clone()
    }

    /// The object of the table with the structure of `object`, whose structural hash is `hash`.
    ///
    /// # Errors
    /// The key under which to insert `object`, if the table has no such object.
    pub(crate) fn find_by_structure(&self, object: ObjectView<'_>, hash: u64) -> Result<ObjectRef, u64> {
        let get = |probe: &Probe<'_>| self.entries.get(probe).and_then(|entry| entry.object.clone());
        self.shared_hashes.find(self.options, AnyView::Object(object), hash, get)
    }

    /// The lexical scope with these two hashes.
    pub(crate) fn find_scope(&self, hashes: [u64; 2]) -> Option<ObjectRef> {
        self.entries.get(&Scope(hashes)).and_then(|entry| entry.object.clone())
    }

    /// Inserts a lexical scope whose hashes the table does not have.
    pub(crate) fn insert_scope(&mut self, object: ObjectRef, hashes: [u64; 2], contains: Contains) {
        self.by_structure.insert(object.view().address(), contains);
        self.entries.insert(Interned { key: hashes[0], found_by: FoundBy::Scope(hashes[1]), object: Some(object) });
    }

    /// Inserts an object whose structure the table does not have.
    pub(crate) fn insert_by_structure(&mut self, object: ObjectRef, hash: u64, key: u64, contains: Contains) {
        self.by_structure.insert(object.view().address(), contains);
        let found_by = FoundBy::Structure(hash);
        let entry = Interned { key, found_by, object: Some(object) };
        self.shared_hashes.note(&entry);
        self.entries.insert(entry);
    }

    /// Takes the object out of the entry with number `index`, if the object has no other owner. The entry stays, so the
    /// numbers keep their meaning.
    pub(crate) fn release(&mut self, index: usize) -> Option<ObjectRef> {
        // The table is borrowed mutably, so nobody can clone the only handle.
        let entry = self.entries.get_index_mut2(index)?;
        if !entry.object.as_ref().is_some_and(ObjectRef::is_unique) {
            return None;
        }
        let object = entry.object.take()?;
        self.by_structure.remove(&object.view().address());
        Some(object)
    }

    /// Removes the entries whose objects were released.
    pub(crate) fn compact(&mut self) {
        self.entries.retain(|entry| entry.object.is_some());
        let by_structure = self.entries.iter().filter(|entry| matches!(entry.found_by, FoundBy::Structure(_)));
        self.shared_hashes = SharedHashes::of(by_structure);
    }
}
