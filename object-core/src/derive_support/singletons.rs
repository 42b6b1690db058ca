//! Types with one instance per key.

pub use crate::registry::singleton::{Instances, instance, singleton};
