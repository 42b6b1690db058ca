//! The names that generated code uses, and nothing else does.
//!
//! `#[derive(Object)]` and `#[object_methods]` write their output in terms of this module, so that renaming or moving an
//! item of the public interface changes no generated code. This module follows the derive of the same version: it has no
//! stability promise, and hand-written code must not use it.
//!
//! - [`types`]: the tables of types and fields, handles, values, and the collection of types at start-up
//! - [`bases`]: types that extend other types
//! - [`singletons`]: types with one instance per key
//! - [`enums`]: enums as field types
//! - [`functions`]: functions and methods
//! - `graphs`: `serde` of handles and values
//! - [`lists`]: lists of handles

pub mod bases;
pub mod enums;
pub mod functions;
#[cfg(feature = "serde")]
pub mod graphs;
pub mod lists;
pub mod singletons;
pub mod types;

pub use bases::*;
pub use enums::*;
pub use functions::*;
#[cfg(feature = "serde")]
pub use graphs::*;
pub use lists::*;
pub use singletons::*;
pub use types::*;

// The macros of this crate that expand in other crates find these here.
#[cfg(feature = "inventory")]
pub use inventory;
