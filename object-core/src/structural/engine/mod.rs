//! Comparing and hashing graphs.
//!
//! Comparison and hashing recurse over the compared fields of a type (`ComparedField`, eight bytes each) and select the
//! routine of a type by its `Dispatch`. Deeper objects and maps use frames on the heap. Objects that only one bound
//! object refers to get no entry in any table (`sharing`); if a hook takes such an object from elsewhere than its own
//! fields, the operation begins again without this shortcut. The hash of a map with unnumbered object keys is
//! provisional (`scope/dependencies.rs`).

pub(crate) mod attempt;
pub(crate) mod comparison;
pub(crate) mod dispatch;
pub(crate) mod equal;
pub(crate) mod equal_classes;
pub(crate) mod equal_stack;
pub(crate) mod hash;
pub(crate) mod hash_leaves;
pub(crate) mod hash_stack;
pub(crate) mod hasher;
pub(crate) mod leaves;
pub(crate) mod sharing;
