//! Structural equality, hashing and first mismatches, driven by the annotations of the compared types.
//!
//! The rules are those of tvm-ffi's "Structural Equality and Hashing", except where that breaks one of these laws:
//! equality is reflexive, symmetric and transitive; equal values hash equal; a mismatch exists exactly for unequal
//! values; hashes are the same in every process. `ARCHITECTURE.md` lists the differences.
//!
//! ```
//! use object_core::{Array, Any, structural_equal, structural_hash, first_mismatch};
//! let (a, b) = (Array::from([1, 2, 3]), Array::from([1, 2, 4]));
//! assert!(structural_equal(&a, &a.clone()) && !structural_equal(&a, &b));
//! let mismatch = first_mismatch(&a, &b)?.expect("they differ");
//! assert_eq!(mismatch.lhs.to_string(), "<root>[2]");
//! # Ok::<(), object_core::Error>(())
//! ```

mod bindings;
mod by_way;
mod collections;
mod comparison;
mod diff;
mod entries;
mod equal;
mod frame;
mod free_vars;
mod hash;
mod hash_cache;
mod hash_frame;
mod hash_plain;
mod hasher;
mod interner;
mod key;
mod map_order;
mod met_once;
mod mismatch;
mod numbers;
#[cfg(feature = "rayon")]
mod parallel;
mod plain;
mod proven;
mod region;
mod scoped_pairs;
mod scopes;

pub use collections::{StructuralMap, StructuralSet};
pub use diff::{DIFF_LIMIT, structural_diff};
pub use equal::{Scopes, StructuralEqual, structural_equal};
pub use hash::{StructuralHash, structural_hash};
pub use hash_cache::HashCache;
pub use interner::Interner;
pub use key::StructuralKey;
pub(crate) use map_order::{compare_plain, is_plain};
pub use mismatch::{EarlierBinding, Mismatch, MismatchReason, first_mismatch};
pub(crate) use proven::Proven;

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
