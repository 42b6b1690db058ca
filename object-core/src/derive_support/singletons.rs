//! Types with one instance per key.

pub use crate::registry::singleton::{
    DeclaredInstances, Instances, declared_instances, inherited_key_index, instance, instances, singleton,
};
pub use std::vec::Vec;
