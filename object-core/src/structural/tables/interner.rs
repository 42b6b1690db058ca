//! [`Interner`]: a table with one object per structure (hash-consing).

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use crate::error::Result;
use crate::hashing::Mixer;
use crate::object::{Any, AnyView, FieldType, ObjectHandle, ObjectRef, ObjectView};
use crate::structural::lexical::hash::{ScopeHash, hash_scope};
use crate::structural::lexical::hash_cache::HashCache;
use crate::structural::options::{Scopes, StructuralOptions};
use crate::structural::tables::intern_table::{Contains, InternTable};
use crate::structural::tables::probe::{secret_mixer, secret_mixers};
use crate::structural::tables::share_parts::{Leaving, Representative, Representatives, share_parts};

/// A table that maps every object to one object of the same structure (hash-consing), so that interned objects are equal
/// exactly if they are one object.
///
/// - **Same structure** means equal under the options of [`StructuralOptions`]. Fields marked `ignore` play no part: the
///   first interned object represents all equal ones, with its own names and source locations. Free variables equal only
///   themselves, so a value with free variables equals only values with the very same variables.
/// - **All parts**: [`intern`](Self::intern) and [`intern_all`](Self::intern_all) replace every object in the compared
///   fields of a value by its representative, and stop at objects that are interned already. So the cost is linear in the
///   objects that are new. Variables and `dag` nodes keep their identity, and so do objects that are keys of maps; the
///   objects below them stay as they are.
/// - **Binders**: under [`Scopes::Lexical`], objects of types marked `scope` that are equal up to the names of their variables
///   become one object wherever they are, unless they bind variables in the fields of variables that may be bound outside.
///   Under [`Scopes::Persistent`], a value that binds one variable twice is not equal to
///   one that binds two variables. So inside of a value, objects that bind variables, `dag` nodes and objects with hooks
///   have one representative only if their parts are the same objects; the whole value has one for its structure.
/// - **Weak**: the table owns its objects, but releases objects that nobody else owns. That happens in
///   [`sweep`](Self::sweep). Insertions call it when the table has doubled, so its cost is a constant per insertion.
/// - **Shared**: threads use one interner through `&Interner`, and any number of threads can look objects up at the same
///   time. Destructors run without a lock and may use the interner; hooks of structural equality must not.
/// - **Immutable**: an interned object has the table as a second owner, so `make_mut` always copies it.
///
/// Objects may come from an untrusted author: the table finds objects by hashes whose key is random in each process, or
/// compares such a hash where it finds several objects by one structural hash. A comparison confirms each match, except of
/// lexical scopes, which two independent hashes of 64 bits identify.
///
/// ```
/// use object_core::{Array, ObjectHandle, structural::Interner};
/// let interner = Interner::new();
/// let pair = |x: i64| Array::from([Array::from([x]), Array::from([x])]);
/// let (a, b) = (interner.intern(pair(1))?, interner.intern(pair(1))?);
/// assert!(a.ptr_eq(&b) && a[0].ptr_eq(&a[1]));
///
/// drop((a, b));
/// assert_eq!(interner.sweep(), 2);
/// assert!(interner.is_empty());
/// # Ok::<(), object_core::Error>(())
/// ```
#[derive(Default)]
pub struct Interner {
    options: StructuralOptions,
    table: RwLock<InternTable>,
    /// The hashes of interned scopes by the two secret mixing functions, under lexical scopes.
    hashes: Mutex<[HashCache; 2]>,
    /// Whether a sweep is running.
    sweeping: AtomicBool,
    /// The number of entries after the last sweep.
    kept: AtomicUsize,
}

/// Below this size, no insertion sweeps.
const SMALLEST_SWEEP: usize = 64;

/// The number of entries that a sweep visits before it releases the lock for other threads.
const SWEEP_BATCH: usize = 1024;

impl Interner {
    /// An interner without objects, under the default options.
    #[must_use]
    pub fn new() -> Self {
        Interner::default()
    }

    /// An interner without objects, for bindings that end as `scopes` says.
    ///
    /// ```
    /// use object_core::prelude::*;
    /// use object_core::structural::{Interner, Scopes};
    ///
    /// #[derive(Object)]
    /// #[object(type_key = "doc.interner.Var")]
    /// #[structural_eq(var)]
    /// struct VarNode {
    ///     #[field(ignore)]
    ///     name: Str,
    /// }
    ///
    /// #[derive(Object)]
    /// #[object(type_key = "doc.interner.Lambda")]
    /// #[structural_eq(tree, scope)]
    /// struct LambdaNode {
    ///     #[field(def)]
    ///     param: Var,
    ///     body: Any,
    /// }
    ///
    /// let identity = |name: &str| {
    ///     let var = Var::new(name);
    ///     Lambda::new(&var, Any::from(&var))
    /// };
    /// let both = Interner::with_scopes(Scopes::Lexical).intern(Array::from([identity("x"), identity("y")]))?;
    /// assert!(both[0].ptr_eq(&both[1]));
    /// # Ok::<(), object_core::Error>(())
    /// ```
    #[must_use]
    pub fn with_scopes(scopes: Scopes) -> Self {
        let options = StructuralOptions::new().scopes(scopes);
        let hashes = Mutex::new([HashCache::for_all_objects(), HashCache::for_all_objects()]);
        Interner { options, hashes, table: RwLock::new(InternTable::new(options)), ..Interner::default() }
    }

    /// The object of the table with the structure of `handle`, whose parts are interned too: as
    /// [`intern_all`](Self::intern_all) of a handle.
    ///
    /// If the children of the object are interned already, the call takes the time of one look-up. So a program can intern
    /// each object when it makes it. The exception is an object that the table finds by its structure: see [`Interner`].
    ///
    /// # Errors
    /// As [`intern_all`](Self::intern_all).
    pub fn intern<H: ObjectHandle>(&self, handle: H) -> Result<H> {
        let found = share_parts(handle.as_object(), &LookUps { interner: self, adds: true })?;
        self.sweep_if_due();
        Ok(match found {
            Some(found) => cast_to_type_of(found, handle),
            None => handle,
        })
    }

    /// `value` with each object in its compared fields replaced by the object of the table with the same structure. The
    /// call adds the objects that the table does not have. It copies objects whose children change.
    ///
    /// ```
    /// use object_core::{Any, Array, ObjectHandle, Str, structural::Interner};
    /// let words = Array::from([Str::from("a"), Str::from("b"), Str::from("a")]);
    /// let shared = Interner::new().intern_all(words)?;
    /// assert!(shared[0].ptr_eq(&shared[2]));
    /// # Ok::<(), object_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotComparable`](crate::ErrorKind::NotComparable), with the path, if the value contains a type that takes no part
    /// in structural comparison.
    pub fn intern_all<T: FieldType>(&self, value: T) -> Result<T> {
        match value.into_any() {
            Any::Object(object) => Any::Object(self.intern(object)?).cast(),
            plain => plain.cast(),
        }
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
    /// As [`intern_all`](Self::intern_all), unless the table does not have an earlier part of the value.
    pub fn get<H: ObjectHandle>(&self, handle: &H) -> Result<Option<H>> {
        let found = share_parts(handle.as_object(), &LookUps { interner: self, adds: false })?;
        Ok(found.map(|found| cast_to_type_of(found, handle.clone())))
    }

    /// The number of objects in the table, including objects that nobody else owns and that no sweep has released yet.
    #[must_use]
    pub fn len(&self) -> usize {
        self.read().len()
    }

    /// Whether the table has no objects.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// By what the table finds `object`, and what the objects around it contain because of it.
    fn identity(&self, object: ObjectView<'_>, contains: Contains, leaving: Leaving) -> Result<(Identity, Contains)> {
        let is_lexical = self.options.scopes == Scopes::Lexical;
        let info = object.type_info();
        if is_lexical && info.is_scope && !info.plan.exports && contains.binders && !contains.dag_nodes {
            // The fields around it bind its variables outside of it too.
            if leaving == Leaving::Definition {
                return Ok((Identity::Itself, contains));
            }
            let [hash, second] = self.scope_hashes(object)?;
            if hash.is_independent {
                let hashes = [hash, second].map(|it| secret_mixer().mix(it.hash, it.free));
                return Ok((Identity::Scope(hashes), Contains::default()));
            }
        }
        let found_by = match leaving == Leaving::Root && contains.any() {
            true => Identity::Structure(self.options.hash(&object)?),
            false => Identity::Parts,
        };
        Ok((found_by, contains))
    }

    /// The hashes of a lexical scope by the two secret mixing functions.
    fn scope_hashes(&self, object: ObjectView<'_>) -> Result<[ScopeHash; 2]> {
        let [first, second] = &mut *self.hashes();
        let [a, b] = secret_mixers();
        let value = AnyView::Object(object);
        Ok([hash_scope(self.options, a, value, Some(first))?, hash_scope(self.options, b, value, Some(second))?])
    }

    /// The lexical scope of the table with these hashes. If there is none, adds `object` if `adds`.
    fn scope(&self, object: &ObjectRef, hashes: [u64; 2], adds: bool) -> Option<ObjectRef> {
        let found = self.read().find_scope(hashes);
        if found.is_some() {
            // The hashes of a scope that is not in the table are of no use. The lock is released before the handles.
            let cached = self.hashes().each_mut().map(|hashes| hashes.remove(object.view()));
            drop(cached);
        }
        if found.is_some() || !adds {
            return found;
        }
        let mut table = self.write();
        // Another thread may have been faster.
        Some(table.find_scope(hashes).unwrap_or_else(|| {
            table.insert_scope(object.clone(), hashes, Contains::default());
            object.clone()
        }))
    }

    /// The object of the table with the structure of `object`, which has this hash. If there is none, adds `object` if
    /// `adds`.
    fn by_structure(&self, object: &ObjectRef, hash: u64, contains: Contains, adds: bool) -> Option<ObjectRef> {
        let found = self.read().find_by_structure(object.view(), hash).ok();
        if found.is_some() || !adds {
            return found;
        }
        let mut table = self.write();
        // Another thread may have been faster.
        Some(table.find_by_structure(object.view(), hash).unwrap_or_else(|key| {
            table.insert_by_structure(object.clone(), hash, key, contains);
            object.clone()
        }))
    }

    fn sweep_if_due(&self) {
        if self.len() >= SMALLEST_SWEEP.max(2 * self.kept.load(Ordering::Relaxed)) {
            // The entries that the pass before released pay for each pass; the inserted entries pay for the first one.
            self.sweep_while(|released, left| released > left / 8);
        }
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
        // The hashes own handles of scopes. Their destructors may use the interner.
        let hashes = self.hashes().each_mut().map(HashCache::take);
        drop(hashes);
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
            let left = table.len();
            self.kept.store(left, Ordering::Relaxed);
            if !go_on(released, left) {
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
            let object = release_next(&mut self.write(), &mut *order, &mut end);
            released += usize::from(object.is_some());
            // The lock is released here, because a destructor may use the interner. Dropping the object also releases
            // objects that it alone kept alive, so the pass can then release the entries of its children.
            drop(object);
        }
        released
    }

    fn read(&self) -> RwLockReadGuard<'_, InternTable> {
        self.table.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, InternTable> {
        self.table.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn hashes(&self) -> MutexGuard<'_, [HashCache; 2]> {
        self.hashes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes the object out of the next entry in `order` whose object has no other owner. Sets `end` when `order` has no entry
/// left. If `end` is not set, `None` means that all visited entries are still in use.
fn release_next(table: &mut InternTable, order: &mut dyn Iterator<Item = usize>, end: &mut bool) -> Option<ObjectRef> {
    for _ in 0..SWEEP_BATCH {
        let Some(index) = order.next() else {
            *end = true;
            return None;
        };
        if let Some(object) = table.release(index) {
            return Some(object);
        }
    }
    None
}

/// The look-ups of one call.
struct LookUps<'i> {
    interner: &'i Interner,
    /// Whether the call adds objects that the table does not have.
    adds: bool,
}

impl Representatives for LookUps<'_> {
    fn known(&self, object: ObjectView<'_>, is_root: bool) -> Option<Representative> {
        let table = self.interner.read();
        // A whole that can equal others without the same parts is found by its structure, although the table may have an
        // object with its parts.
        table
            .find(object)
            .filter(|(found, contains)| !(is_root && contains.any()) || table.finds_by_structure(found.view()))
    }

    fn of(&self, object: &ObjectRef, contains: Contains, leaving: Leaving) -> Result<Option<Representative>> {
        let LookUps { interner, adds } = *self;
        let view = object.view();
        let (found_by, outside) = interner.identity(view, contains, leaving)?;
        let found = match found_by {
            Identity::Scope(hashes) => interner.scope(object, hashes, adds),
            Identity::Structure(hash) => interner.by_structure(object, hash, outside, adds),
            Identity::Itself => Some(object.clone()),
            // The fields do not decide whether two of them are equal.
            Identity::Parts if view.type_info().hooks.is_some() => Some(object.clone()),
            Identity::Parts if adds => Some(interner.write().insert_by_parts(object, outside)),
            Identity::Parts => {
                let found = interner.read().find(view).map(|(found, _)| found);
                // Its parts can be new objects although the table has a value with the structure of the whole.
                found.or_else(|| contains.any().then(|| object.clone()))
            }
        };
        Ok(found.map(|found| (found, outside)))
    }
}

/// By what a table finds an object.
enum Identity {
    /// The table does not have the object.
    Itself,
    Parts,
    Structure(u64),
    Scope([u64; 2]),
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
