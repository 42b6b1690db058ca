//! Structural equality, hashing and first mismatches, driven by the annotations of the compared types.
//!
//! ```
//! use object_core::{Array, Any, structural_equal, structural_hash, structural_first_mismatch};
//! let (a, b) = (Array::from([1, 2, 3]), Array::from([1, 2, 4]));
//! assert!(structural_equal(&a, &a.clone()) && !structural_equal(&a, &b));
//! let mismatch = structural_first_mismatch(&a, &b)?.expect("they differ");
//! assert_eq!(mismatch.lhs.to_string(), "<root>[2]");
//! # Ok::<(), object_core::Error>(())
//! ```
//!
//! # Rules
//!
//! The rules are "Structural Equality and Hashing" of tvm-ffi, with one state: a one-to-one correspondence of variables
//! and `dag` nodes that only grows. Each difference exists because tvm-ffi breaks a law that this crate guarantees:
//! equality is reflexive, symmetric and transitive; equal values hash equal; a mismatch exists exactly for unequal
//! values; hashes are the same in every process.
//!
//! | object-core | tvm-ffi | law |
//! |---|---|---|
//! | compares map entries in a canonical order: sorted plain keys, then bound objects by binding, then others | in the order of the left map | symmetry |
//! | an unbound object key corresponds to itself only if nothing else is bound to it | always | symmetry |
//! | compares the fields of an object key that corresponds to itself, under the correspondence | never | equal values hash equal |
//! | hashes singletons by key | by fields | equal values hash equal |
//! | hashes a free variable by its first occurrence | by address | same hash in every process |
//! | compares shared objects once | once per path | linear cost |
//!
//! A hook lists the values of an object once, and equality and hash both read that list, so equal objects have equal
//! hashes. Types whose values correspond by name write the list of pairs too.
//!
//! With [`Scopes::Lexical`], bindings end with objects of types marked `scope`, and hide outer bindings. Equality is
//! then alpha-equivalence.
//!
//! # Maps whose keys are free objects
//!
//! The comparison decides late which entry of a map comes next, because the comparison of one entry may bind the key of
//! another. When only unbound object keys are left, it first pairs all of them with their counterparts, and then
//! compares these entries in the order of their addresses. This is the one case where a verdict could depend on an
//! address. It needs a map whose keys are objects that nothing else binds, and a value in the map that binds a variable
//! that another value of the map uses. Under lexical scopes, equal values could also hash differently if a scope in
//! such a map binds variables.

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

/// Corresponding objects of two values, for edit scripts.
pub(crate) mod matching {
    pub(crate) use super::report::diff::align::Run;
    pub(crate) use super::report::diff::known::Known;
    pub(crate) use super::report::diff::matcher::{Matcher, is_equal_by, is_equal_plain};
    pub(crate) use super::report::diff::proofs::Proofs;
    pub(crate) use super::report::diff::record::Pair;
}

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
