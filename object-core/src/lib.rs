//! Schema-first objects for compiler IRs.
//!
//! Annotate plain structs with `#[derive(Object)]` and a few words, and get handles, registration, reflection,
//! structural equality and hashing with alpha-equivalence, first-mismatch paths, serialization and repr.
//!
//! The modules stand in layers, the lowest first; each uses only those before it. `ARCHITECTURE.md` says more.

extern crate self as object_core;

pub mod access_path;
pub mod error;
pub mod scalar;

mod hashing;
mod table;

pub mod container;
mod variants_of;
pub mod object;
pub mod value;

mod graph;

pub mod registry;

pub mod function;
pub mod repr;
pub mod visit;
pub mod stats;
pub mod structural;
pub mod rewrite;
pub mod data;
pub mod picture;

pub mod json;

pub mod dynamic;

pub mod prelude;
#[doc(hidden)]
pub mod derive_support;

pub use container::{Array, Map};
pub use error::{Error, ErrorKind, Result};
pub use function::{Function, TypedFunction};
pub use object::{
    Any, AnyView, AsAnyView, FieldInfo, FieldType, Object, ObjectBuilder, ObjectHandle, ObjectRef, ObjectView,
    SEqHashKind, TypeInfo, TypedHandle,
};
pub use object_derive::{Object, object_methods};
pub use scalar::{DataType, Device};
pub use structural::{
    StructuralOptions, structural_diff, structural_equal, structural_first_mismatch, structural_hash,
};
pub use value::{Bytes, Shape, Str, Tensor};
