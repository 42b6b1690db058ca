//! Structural equality, hashing and first mismatches, driven by the annotations of the compared types.
//!
//! The rules are those of tvm-ffi's "Structural Equality and Hashing", except where that breaks one of these laws:
//! equality is reflexive, symmetric and transitive; equal values hash equal; a mismatch exists exactly for unequal
//! values; hashes are the same in every process. `ARCHITECTURE.md` lists the differences.
//!
//! ```
//! use object_core::{Array, Any, structural_equal, structural_hash, structural_first_mismatch};
//! let (a, b) = (Array::from([1, 2, 3]), Array::from([1, 2, 4]));
//! assert!(structural_equal(&a, &a.clone()) && !structural_equal(&a, &b));
//! let mismatch = structural_first_mismatch(&a, &b)?.expect("they differ");
//! assert_eq!(mismatch.lhs.to_string(), "<root>[2]");
//! # Ok::<(), object_core::Error>(())
//! ```

mod engine;
mod report;
mod scope;
mod tables;
mod map_order;
mod operations;
mod options;
pub(crate) mod pairing;

pub(crate) use crate::structural::engine::equal_classes::EqualClasses;
pub use crate::structural::engine::hash_cache::HashCache;
pub use crate::structural::report::diff::{DIFF_LIMIT, structural_diff};
pub use crate::structural::report::mismatch::{EarlierBinding, Mismatch, MismatchReason, structural_first_mismatch};
pub use crate::structural::tables::collections::{StructuralMap, StructuralSet};
pub use crate::structural::tables::interner::Interner;
pub use crate::structural::tables::key::StructuralKey;
pub(crate) use map_order::{compare_plain, is_plain};
pub use operations::{structural_equal, structural_hash};
pub use options::{Scopes, StructuralOptions};

use crate::access_path::AccessPath;
use crate::error::{Error, ErrorKind};

/// The error for an object whose type takes no part in structural comparison.
fn not_comparable(type_key: &str, path: AccessPath) -> Error {
    let message = format!(
        "`{type_key}` takes no part in structural comparison; annotate it with `#[structural_eq(...)]`, or the field that \
         leads to it with `#[field(ignore)]`",
    );
    Error::new(ErrorKind::NotComparable, message).at(path)
}
