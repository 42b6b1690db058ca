//! Comparing and hashing graphs.
//!
//! Comparison and hashing recurse over the compared fields of a type (`ComparedField`, eight bytes each) and select the
//! routine of a type by its `Dispatch`. Deeper objects and maps use frames on the heap. Objects that only one bound
//! object refers to get no entry in any table (`sharing`); if a hook takes such an object from elsewhere than its own
//! fields, the operation begins again without this shortcut. The hash of a map with unnumbered object keys is
//! provisional (`scope/dependencies.rs`).
//!
//! `lexical_hash` is another function of the value than the default hash, unless the value contains neither variables
//! nor `dag` nodes, and no objects as keys of maps. Cached, parallel and plain hashes are the same.
//!
//! # Cost under lexical scopes
//!
//! A comparison and a hash take a few steps for each object and reference, and for each difference between the sets of
//! variables and `dag` nodes that neighbouring objects use, times the logarithm of the number of variables. In the
//! worst case, where these sets have nothing in common, this is a step for each object and each variable of an outer
//! scope that the object uses. The exceptions bind in many combinations what a shared object does not only use: a
//! definition region that many scopes share costs a step for each of its variables in each scope, and an object has a
//! further result for each combination of answers.

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
