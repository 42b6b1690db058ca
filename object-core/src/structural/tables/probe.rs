//! [`Probe`]: a look-up in a table that compares its keys by structure, and stays fast if its keys are crafted.
//!
//! The structural hash is public and the same in every process, so anybody can search for values with one hash. Values
//! that differ only in *which* free variables they have share a hash as well. A table finds one value by each structural
//! hash. It finds every further value with this hash by a second number, which depends on a hash under a secret mixing
//! function and on the free variables. So a look-up compares its value with few others by structure.

use std::cell::Cell;
use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

use indexmap::Equivalent;

use crate::hashing::{KeyedMixer, Mixer};
use crate::object::AnyView;
use crate::structural::options::StructuralOptions;
use crate::structural::tables::free_var_key::free_vars;
use crate::table::{Set, random_seeds};

/// An entry of a table.
pub(crate) trait Entry {
    /// The number by which the table finds the entry: the structural hash, or the second number.
    fn key(&self) -> u64;
    /// The structural hash.
    fn structural_hash(&self) -> u64;
    /// The value; `None` if it was released.
    fn value(&self) -> Option<AnyView<'_>>;
}

/// A value for a look-up.
pub(crate) struct Probe<'a> {
    options: StructuralOptions,
    value: AnyView<'a>,
    hash: u64,
    key: u64,
    /// Whether the look-up found another value with this key.
    met_another: Cell<bool>,
}

impl<'a> Probe<'a> {
    fn new(options: StructuralOptions, value: AnyView<'a>, hash: u64, key: u64) -> Self {
        Probe { options, value, hash, key, met_another: Cell::new(false) }
    }
}

impl Hash for Probe<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.key);
    }
}

impl<E: Entry> Equivalent<E> for Probe<'_> {
    fn equivalent(&self, entry: &E) -> bool {
        if (self.key, self.hash) != (entry.key(), entry.structural_hash()) {
            return false;
        }
        let Some(value) = entry.value() else { return false };
        let is_same = match (self.value, value) {
            // Equality is reflexive.
            (AnyView::Object(a), AnyView::Object(b)) if a.ptr_eq(b) => true,
            // Both values have been hashed, so every type in them can be compared.
            (a, b) => self.options.equal(&a, &b).unwrap_or(false),
        };
        self.met_another.set(self.met_another.get() || !is_same);
        is_same
    }
}

/// The structural hashes that several values of a table have.
#[derive(Clone, Default)]
pub(crate) struct SharedHashes {
    hashes: Set<u64>,
}

impl SharedHashes {
    /// The shared hashes of a table with these entries.
    pub(crate) fn of<'a, E: Entry + 'a>(entries: impl Iterator<Item = &'a E>) -> Self {
        let mut found = SharedHashes::default();
        entries.for_each(|entry| found.note(entry));
        found
    }

    /// Records that the table has an entry.
    pub(crate) fn note(&mut self, entry: &impl Entry) {
        if entry.key() != entry.structural_hash() {
            self.hashes.insert(entry.structural_hash());
        }
    }

    /// The result of `get` for the entry whose value has the structure of `value`.
    ///
    /// # Errors
    /// The key under which to insert `value`, if the table has no such entry.
    pub(crate) fn find<R>(
        &self,
        options: StructuralOptions,
        value: AnyView<'_>,
        hash: u64,
        get: impl Fn(&Probe<'_>) -> Option<R>,
    ) -> Result<R, u64> {
        let by_hash = Probe::new(options, value, hash, hash);
        if let Some(found) = get(&by_hash) {
            return Ok(found);
        }
        if !by_hash.met_another.get() && !self.hashes.contains(&hash) {
            return Err(hash);
        }
        let key = second_key(options, value);
        get(&Probe::new(options, value, hash, key)).ok_or(key)
    }
}

/// A number that values of one structure have in common, and that nobody outside of the process can predict.
pub(crate) fn second_key(options: StructuralOptions, value: AnyView<'_>) -> u64 {
    let mixer = secret_mixer();
    let hash = options.hash_leniently_with(mixer, value);
    value.as_object().map_or(hash, |object| mixer.mix(hash, free_vars(options.scopes, object)))
}

/// A mixing function that nobody outside of the process knows.
pub(crate) fn secret_mixer() -> KeyedMixer {
    secret_mixers()[0]
}

/// Two such functions.
pub(crate) fn secret_mixers() -> [KeyedMixer; 2] {
    static MIXERS: OnceLock<[KeyedMixer; 2]> = OnceLock::new();
    *MIXERS.get_or_init(|| {
        let [a, b, c, d] = random_seeds();
        [KeyedMixer::new([a, b]), KeyedMixer::new([c, d])]
    })
}
