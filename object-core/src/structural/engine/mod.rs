//! Comparing and hashing graphs.

pub(crate) mod hash_stack;
#[cfg(feature = "rayon")]
pub(crate) mod parallel;
pub(crate) mod equal_stack;
pub(crate) mod dispatch;
pub(crate) mod leaves;
pub(crate) mod scoped_pairs;
pub(crate) mod sharing;
pub(crate) mod hash;
pub(crate) mod equal;
pub(crate) mod equal_classes;
pub(crate) mod hash_leaves;
pub(crate) mod hash_cache;
