//! [`Interner`]: a table with one object per structure (hash-consing).

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use indexmap::set::MutableValues;

use crate::error::Result;
use crate::object::{AnyView, ObjectHandle, ObjectRef};
use crate::structural::options::StructuralOptions;
use crate::structural::tables::probe::{Entry, Probe, SharedHashes, same_entry};
use crate::table::OrderedSet;

/// A table that maps every object to one object of the same structure, so that interned objects are equal exactly if
/// they are one object.
///
/// - **Same structure** means equal under the default options of [`StructuralOptions`]. Fields marked `ignore` play no
///   part: the first interned object represents all equal ones, with its own names and source locations. Free variables
///   equal only themselves, so a value with free variables equals only values with the very same variables. `intern`
///   replaces only the root: its children are interned only if the caller interned them before it built the root.
/// - **Weak**: the table owns its objects, but releases objects that nobody else owns. That happens in
///   [`sweep`](Self::sweep). Insertions call it when the table has doubled, so its cost is a constant per insertion.
/// - **Shared**: threads use one interner through `&Interner`. The interner hashes objects without a lock, and any
///   number of threads can look objects up at the same time. Destructors run without a lock and may use the interner;
///   hooks of structural equality must not.
/// - **Immutable**: an interned object has the table as a second owner, so `make_mut` always copies it.
///
/// Objects may come from an untrusted author, who can craft many objects with one structural hash: a look-up that meets
/// such an object compares a second hash, whose secret key is random in each process. Objects that differ only in *which*
/// free variables they have share one structural hash too. The table distinguishes them by their variables, unless they
/// contain types with hooks: those it compares one after the other.
///
/// ```
/// use object_core::{Array, ObjectHandle, structural::Interner};
/// let interner = Interner::new();
/// let a = interner.intern(Array::from([1, 2]))?;
/// let b = interner.intern(Array::from([1, 2]))?;
/// assert!(a.ptr_eq(&b));
///
/// drop((a, b));
/// assert_eq!(interner.sweep(), 1);
/// assert!(interner.is_empty());
/// # Ok::<(), object_core::Error>(())
/// ```
#[derive(Default)]
pub struct Interner {
    table: RwLock<InternerTable>,
    /// Whether a sweep is running.
    sweeping: AtomicBool,
}

/// Below this size, no insertion sweeps.
const SMALLEST_SWEEP: usize = 64;

/// The number of entries that a sweep visits before it releases the lock for other threads.
const SWEEP_BATCH: usize = 1024;

#[derive(Default)]
struct InternerTable {
    entries: OrderedSet<InternedObject>,
    shared_hashes: SharedHashes,
    /// The number of entries after the last sweep.
    kept: usize,
}

/// An object of the table.
struct InternedObject {
    /// See [`Entry::key`].
    key: u64,
    hash: u64,
    /// `None` after a sweep has released the object. The sweep removes the entry at its end.
    object: Option<ObjectRef>,
}

impl Entry for InternedObject {
    fn key(&self) -> u64 {
        self.key
    }

    fn structural_hash(&self) -> u64 {
        self.hash
    }

    fn value(&self) -> Option<AnyView<'_>> {
        self.object.as_ref().map(|object| AnyView::Object(object.view()))
    }
}

impl Hash for InternedObject {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.key);
    }
}

impl PartialEq for InternedObject {
    fn eq(&self, other: &Self) -> bool {
        same_entry(self, other)
    }
}

impl Eq for InternedObject {}

impl InternerTable {
    /// The object of the table with the structure of `object`.
    ///
    /// # Errors
    /// The key under which to insert `object`, if the table has no such object.
    fn find(&self, object: &ObjectRef, hash: u64) -> Result<ObjectRef, u64> {
        let get = |probe: &Probe<'_>| self.entries.get(probe).and_then(|entry| entry.object.clone());
        self.shared_hashes.find(AnyView::Object(object.view()), hash, get)
    }

    /// Inserts an object that the table does not have.
    fn insert(&mut self, object: ObjectRef, hash: u64, key: u64) {
        let entry = InternedObject { key, hash, object: Some(object) };
        self.shared_hashes.note(&entry);
        self.entries.insert(entry);
    }

    /// Takes the object out of the next entry in `order` whose object has no other owner. Sets `end` when `order` has
    /// no entry left. If `end` is not set, `None` means that all visited entries are still in use.
    fn release_next(&mut self, order: &mut dyn Iterator<Item = usize>, end: &mut bool) -> Option<ObjectRef> {
        for _ in 0..SWEEP_BATCH {
            let Some(index) = order.next() else {
                *end = true;
                return None;
            };
            // The lock is held, so nobody can clone the only handle.
            if let Some(entry) = self.entries.get_index_mut2(index)
                && entry.object.as_ref().is_some_and(ObjectRef::is_unique)
            {
                return entry.object.take();
            }
        }
        None
    }

    /// Removes the entries whose objects were released.
    fn compact(&mut self) {
        self.entries.retain(|entry| entry.object.is_some());
        self.shared_hashes = SharedHashes::of(self.entries.iter());
    }
}

impl Interner {
    /// An interner without objects.
    #[must_use]
    pub fn new() -> Self {
        Interner::default()
    }

    /// The object of the table with the structure of `handle`. If there is none, adds the object of `handle` to the
    /// table and returns `handle`.
    ///
    /// # Errors
    /// [`NotComparable`](crate::ErrorKind::NotComparable), with the path, if the object contains a type that takes no
    /// part in structural comparison.
    pub fn intern<H: ObjectHandle>(&self, handle: H) -> Result<H> {
        let object = handle.as_object();
        let hash = StructuralOptions::new().hash(object)?;
        if let Ok(found) = self.read().find(object, hash) {
            return Ok(cast_to_type_of(found, handle));
        }
        let (found, is_due) = {
            let mut table = self.write();
            // Another thread may have been faster.
            match table.find(object, hash) {
                Ok(found) => (Some(found), false),
                Err(key) => {
                    table.insert(object.clone(), hash, key);
                    (None, table.entries.len() >= SMALLEST_SWEEP.max(2 * table.kept))
                }
            }
        };
        if is_due {
            // The entries that the pass before released pay for each pass; the inserted entries pay for the first one.
            self.sweep_while(|released, left| released > left / 8);
        }
        Ok(match found {
            Some(found) => cast_to_type_of(found, handle),
            None => handle,
        })
    }

    /// The object in the table with the structure of `handle`.
    ///
    /// ```
    /// use object_core::{Str, structural::Interner};
    /// let interner = Interner::new();
    /// assert!(interner.get(&Str::from("a"))?.is_none());
    /// let _a = interner.intern(Str::from("a"))?;
    /// assert!(interner.get(&Str::from("a"))?.is_some());
    /// # Ok::<(), object_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`intern`](Self::intern).
    pub fn get<H: ObjectHandle>(&self, handle: &H) -> Result<Option<H>> {
        let object = handle.as_object();
        let hash = StructuralOptions::new().hash(object)?;
        Ok(self.read().find(object, hash).ok().map(|found| cast_to_type_of(found, handle.clone())))
    }

    /// The number of objects in the table, including objects that nobody else owns and that no sweep has released yet.
    #[must_use]
    pub fn len(&self) -> usize {
        self.read().entries.len()
    }

    /// Whether the table has no objects.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Releases all objects that only the table owns, and the objects that only such objects own, and returns their
    /// number. While a sweep is running, in another thread or further up on the stack, this does nothing.
    ///
    /// The cost is linear in the size of the table if the program interns all parts before their wholes, or all after
    /// them.
    pub fn sweep(&self) -> usize {
        self.sweep_while(|released, _| released > 0)
    }

    /// Repeats passes until `go_on` returns `false`. Its arguments are the counts of entries that the last pass
    /// released and left.
    fn sweep_while(&self, go_on: impl Fn(usize, usize) -> bool) -> usize {
        /// Ends the sweep also when a destructor panics.
        struct Running<'a>(&'a AtomicBool);
        impl Drop for Running<'_> {
            fn drop(&mut self) {
                self.0.store(false, Ordering::Release);
            }
        }
        if self.sweeping.swap(true, Ordering::Acquire) {
            return 0;
        }
        let running = Running(&self.sweeping);
        let mut total = 0;
        // Most programs intern parts before wholes, so the first pass begins with the last entries. The next pass goes
        // the other way, for parts that were interned after their wholes.
        let mut is_backward = true;
        loop {
            let released = self.pass(is_backward);
            total += released;
            let mut table = self.write();
            if released > 0 {
                table.compact();
            }
            table.kept = table.entries.len();
            if !go_on(released, table.kept) {
                break;
            }
            is_backward = !is_backward;
        }
        drop(running);
        total
    }

    /// Releases the objects of all entries that have no other owner when the pass reaches them, and returns their
    /// number. The entries stay in the table, so indices keep their meaning.
    fn pass(&self, is_backward: bool) -> usize {
        let len = self.len();
        let mut order: Box<dyn Iterator<Item = usize>> =
            if is_backward { Box::new((0..len).rev()) } else { Box::new(0..len) };
        let mut released = 0;
        let mut end = false;
        while !end {
            let object = self.write().release_next(&mut *order, &mut end);
            released += usize::from(object.is_some());
            // The lock is released here, because a destructor may use the interner. Dropping the object also releases
            // objects that it alone kept alive, so the pass can then release the entries of its children.
            drop(object);
        }
        released
    }

    fn read(&self) -> RwLockReadGuard<'_, InternerTable> {
        self.table.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, InternerTable> {
        self.table.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// `found`, which has the structure of `handle`, as a handle of the same type. Equal objects and their contents have
/// the same exact types, so the handle accepts both or neither.
fn cast_to_type_of<H: ObjectHandle>(found: ObjectRef, handle: H) -> H {
    H::try_from_object(found).unwrap_or(handle)
}

impl fmt::Debug for Interner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Interner").field("len", &self.len()).finish()
    }
}
