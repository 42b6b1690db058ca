//! [`Singletons`]: the one instance per key of a singleton type.

use std::collections::BTreeMap;
use std::sync::{LazyLock, PoisonError, RwLock};

use crate::error::{Error, ErrorKind, Result};
use crate::object::{Any, FieldType, Object, ObjectHandle, ObjectRef, TypedHandle, new_object};
use crate::text::did_you_mean::did_you_mean;
use crate::value::Str;

/// The instances of a singleton type `H`, by key. The derive makes one table per type.
pub struct Singletons<H: TypedHandle> {
    instances: RwLock<BTreeMap<Str, H>>,
    /// Makes the node for a key that has no instance yet. `None`: the set is closed.
    make: Option<fn(Str) -> H::Node>,
}

impl<H: TypedHandle> Singletons<H> {
    /// The instance with key `key`.
    ///
    /// # Errors
    /// [`UnknownSingleton`](ErrorKind::UnknownSingleton), naming the nearest key, if the set is closed and has no such
    /// key.
    pub fn get(&self, key: &str) -> Result<H> {
        if let Some(found) = self.instances.read().unwrap_or_else(PoisonError::into_inner).get(key) {
            return Ok(found.clone());
        }
        let Some(make) = self.make else {
            return Err(self.unknown(key));
        };
        let mut instances = self.instances.write().unwrap_or_else(PoisonError::into_inner);
        let key = Str::from(key);
        Ok(instances.entry(key.clone()).or_insert_with(|| new_object(make(key))).clone())
    }

    /// The instance for a key given as any value.
    ///
    /// # Errors
    /// As [`get`](Self::get), and a type mismatch if `key` is no text.
    pub fn get_any(&self, key: Any) -> Result<ObjectRef> {
        let key = Str::from_any(key)?;
        self.get(&key).map(ObjectHandle::into_object)
    }

    fn unknown(&self, key: &str) -> Error {
        let type_key = H::Node::TYPE_INFO.type_key;
        let instances = self.instances.read().unwrap_or_else(PoisonError::into_inner);
        let hint = did_you_mean(key, instances.keys().map(Str::as_str));
        Error::new(ErrorKind::UnknownSingleton, format!("`{type_key}` has no instance `{key}`{hint}"))
    }
}

/// A table that makes the instance of a key when it is first asked for.
#[must_use]
pub const fn open_singletons<H: TypedHandle>(make: fn(Str) -> H::Node) -> Singletons<H> {
    Singletons { instances: RwLock::new(BTreeMap::new()), make: Some(make) }
}

/// A table of exactly the given nodes; of two with one key the first counts.
#[must_use]
pub fn closed_singletons<H: TypedHandle>(nodes: Vec<H::Node>, key: fn(&H::Node) -> Str) -> Singletons<H> {
    let mut instances = BTreeMap::new();
    for node in nodes {
        instances.entry(key(&node)).or_insert_with(|| new_object(node));
    }
    Singletons { instances: RwLock::new(instances), make: None }
}

/// The type of the statics that hold closed tables.
pub type ClosedSingletons<H> = LazyLock<Singletons<H>>;
