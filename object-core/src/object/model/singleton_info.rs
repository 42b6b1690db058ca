//! [`SingletonInfo`]: the part of a type table that leads to the instances of a singleton type.

use std::collections::BTreeMap;
use std::sync::RwLock;
use std::sync::atomic::AtomicBool;

use crate::error::Result;
use crate::object::model::any::Any;
use crate::object::model::object_ref::ObjectRef;
use crate::object::model::type_info::TypeInfo;

/// The part of a type table that leads to the instances of a singleton type. Only generated code makes one.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct SingletonInfo {
    /// The index of the key field in [`TypeInfo::fields`].
    pub(crate) key_field: usize,
    /// The instances.
    pub(crate) source: &'static dyn InstanceSource,
}

/// The instances of one singleton type, and the functions that make them.
pub(crate) trait InstanceSource: Send + Sync {
    /// The instances that exist.
    fn instances(&self) -> &InstanceMap;

    /// Whether the type has a fixed set of keys.
    fn is_closed(&self) -> bool;

    /// The instances that linked crates declare: new objects of the type `info`, and the instances of the types that extend
    /// it.
    ///
    /// # Errors
    /// If this is the source of another type, and if two declarations have one key.
    fn make_all(&self, info: &'static TypeInfo) -> Result<Vec<ObjectRef>>;

    /// A new object of the type `info`, whose field `key_field` has the value `key`.
    ///
    /// # Errors
    /// A type mismatch if the key is not text, and if this is the source of another type.
    fn make(&self, info: &'static TypeInfo, key_field: usize, key: Any) -> Result<ObjectRef>;
}

/// The instances that exist of one singleton type. Code of users never runs while the lock is held.
pub(crate) struct InstanceMap {
    /// The instances by key.
    pub(crate) by_key: RwLock<BTreeMap<String, ObjectRef>>,
    /// Whether the map has all declared instances.
    pub(crate) has_declared: AtomicBool,
}

impl InstanceMap {
    /// No instances.
    pub(crate) const fn new() -> Self {
        InstanceMap { by_key: RwLock::new(BTreeMap::new()), has_declared: AtomicBool::new(false) }
    }
}
