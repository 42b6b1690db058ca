//! [`Singletons`]: the one instance per key of a singleton type.

use std::collections::BTreeMap;
use std::sync::{LazyLock, PoisonError, RwLock};

use crate::error::{Error, ErrorKind, Result};
use crate::object::{Any, FieldType, Object, ObjectHandle, ObjectRef, TypedHandle, new_object};
use crate::text::brief::brief;
use crate::text::did_you_mean::did_you_mean;
use crate::value::Str;

/// The instances of a singleton type `H`, by key. The derive makes one static of this type for each singleton type.
pub struct Singletons<H: TypedHandle> {
    instances: RwLock<BTreeMap<Str, H>>,
    /// Makes the node for a new key. `None` if the set of instances is closed.
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
        let key = Str::from(key);
        // Code of the user makes and drops nodes, so both happen without the lock. If two threads make the instance of
        // one key, both return the instance that is stored first.
        let new: H = new_object(make(key.clone()));
        let mut instances = self.instances.write().unwrap_or_else(PoisonError::into_inner);
        let stored = instances.entry(key).or_insert_with(|| new.clone()).clone();
        drop(instances);
        Ok(stored)
    }

    /// The instance for a key given as any value.
    ///
    /// # Errors
    /// As [`get`](Self::get), and a type mismatch if `key` is not a text.
    pub fn get_any(&self, key: Any) -> Result<ObjectRef> {
        let key = Str::from_any(key)?;
        self.get(&key).map(ObjectHandle::into_object)
    }

    fn unknown(&self, key: &str) -> Error {
        let type_key = H::Node::TYPE_INFO.type_key;
        let instances = self.instances.read().unwrap_or_else(PoisonError::into_inner);
        let hint = did_you_mean(key, instances.keys().map(Str::as_str));
        Error::new(ErrorKind::UnknownSingleton, format!("`{type_key}` has no instance `{}`{hint}", brief(key)))
    }
}

/// A table that makes the instance of a key at the first [`get`](Singletons::get) of the key.
#[must_use]
pub const fn open_singletons<H: TypedHandle>(make: fn(Str) -> H::Node) -> Singletons<H> {
    Singletons { instances: RwLock::new(BTreeMap::new()), make: Some(make) }
}

/// A table of exactly the given nodes. If two nodes have one key, the table holds the first.
#[must_use]
pub fn closed_singletons<H: TypedHandle>(nodes: Vec<H::Node>, key: fn(&H::Node) -> Str) -> Singletons<H> {
    let mut instances = BTreeMap::new();
    for node in nodes {
        instances.entry(key(&node)).or_insert_with(|| new_object(node));
    }
    Singletons { instances: RwLock::new(instances), make: None }
}

/// The type of the static that holds a closed table.
pub type ClosedSingletons<H> = LazyLock<Singletons<H>>;
