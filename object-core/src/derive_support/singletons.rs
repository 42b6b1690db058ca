//! Types with one instance per key.

pub use crate::registry::singleton::{ClosedSingletons, Singletons, closed_singletons, open_singletons};
pub use std::sync::LazyLock;

use crate::error::Result;
use crate::object::{Any, Instances, ObjectRef, SingletonInfo};

/// The entry of a type table for a singleton type: the index of the key field, and the function that finds the instance
/// with a given key.
#[must_use]
pub const fn singleton(key_field: usize, get: fn(Any) -> Result<ObjectRef>) -> SingletonInfo {
    SingletonInfo { key_field, instances: Instances::Linked(get) }
}
