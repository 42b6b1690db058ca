//! Structural equality, hashing and first mismatches, driven by the annotations of the compared types.
//!
//! The rules follow "Structural Equality and Hashing" of tvm-ffi, except where it breaks one of these laws:
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
mod lexical;
mod map_order;
mod not_comparable;
mod operations;
mod options;
mod pairing;
mod report;
mod scope;
pub(crate) mod tables;

pub(crate) use engine::equal_classes::EqualClasses;
pub(crate) use engine::leaves::LONG_LEAF;
pub(crate) use engine::sharing::is_shared;
pub use lexical::hash_cache::HashCache;
pub(crate) use map_order::{compare_plain, is_plain};
pub use operations::{DIFF_LIMIT, structural_diff, structural_equal, structural_first_mismatch, structural_hash};
pub use options::{Scopes, StructuralOptions};
pub use report::mismatch::{EarlierBinding, Mismatch, MismatchReason};
pub use tables::by_structure::ByStructure;
pub use tables::collections::{StructuralMap, StructuralSet};
pub use tables::interner::Interner;
pub use tables::key::StructuralKey;
