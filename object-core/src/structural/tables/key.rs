//! [`StructuralKey`]: a value as a key of hash maps, compared by structure.

use std::hash::{Hash, Hasher};

use crate::error::Result;
use crate::object::{Any, FieldType};
use crate::structural::lexical::hash_cache::HashCache;
use crate::structural::options::{Scopes, StructuralOptions};

/// A value with its structural hash, which compares by structure: a key that [`StructuralMap`](crate::structural::StructuralMap)
/// does not hash again, and a key of `HashMap` and `IndexMap`. For tables of std, [`ByStructure`](crate::structural::ByStructure)
/// keeps the type of the value, and is faster for values with free variables.
///
/// ```
/// use std::collections::HashSet;
/// use object_core::{Array, structural::StructuralKey};
/// let mut seen = HashSet::new();
/// assert!(seen.insert(StructuralKey::new(Array::from([1, 2]))?));
/// assert!(!seen.insert(StructuralKey::new(Array::from([1, 2]))?));
/// # Ok::<(), object_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct StructuralKey {
    value: Any,
    scopes: Scopes,
    hash: u64,
}

impl StructuralKey {
    /// The key of `value`, whose bindings persist.
    ///
    /// # Errors
    /// [`NotComparable`](crate::ErrorKind::NotComparable) if `value` contains a type that takes no part in structural
    /// comparison.
    pub fn new<T: FieldType>(value: T) -> Result<Self> {
        StructuralKey::with_scopes(value, Scopes::Persistent)
    }

    /// The key of `value`, whose bindings end as `scopes` says. It equals keys with the same `scopes` only.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_scopes<T: FieldType>(value: T, scopes: Scopes) -> Result<Self> {
        let hash = StructuralOptions::new().scopes(scopes).hash(&value)?;
        Ok(StructuralKey { value: value.into_any(), scopes, hash })
    }

    /// As [`with_scopes`](Self::with_scopes), with a cache of hashes.
    pub(super) fn cached<T: FieldType>(value: T, scopes: Scopes, hashes: &mut HashCache) -> Result<Self> {
        let hash = StructuralOptions::new().scopes(scopes).hash_and_keep(value.view(), hashes)?;
        Ok(StructuralKey { value: value.into_any(), scopes, hash })
    }

    /// How bindings end in the value.
    pub(super) fn scopes(&self) -> Scopes {
        self.scopes
    }

    /// The value.
    #[must_use]
    pub fn value(&self) -> &Any {
        &self.value
    }

    /// The structural hash of the value.
    #[must_use]
    pub fn structural_hash(&self) -> u64 {
        self.hash
    }
}

impl PartialEq for StructuralKey {
    fn eq(&self, other: &Self) -> bool {
        if self.scopes != other.scopes {
            return false;
        }
        if let (Any::Object(a), Any::Object(b)) = (&self.value, &other.value)
            && a.ptr_eq(b)
        {
            return true;
        }
        // Both values have been hashed, so every type in them can be compared.
        let options = StructuralOptions::new().scopes(self.scopes);
        self.hash == other.hash && options.equal(&self.value, &other.value).unwrap_or(false)
    }
}

impl Eq for StructuralKey {}

impl Hash for StructuralKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}
