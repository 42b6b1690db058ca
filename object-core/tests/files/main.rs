//! Files in all formats, and types that only files or schemas declare.

#![allow(missing_docs, reason = "the types of a test explain themselves")]

#[cfg(feature = "binary")]
mod binary;
mod checks;
mod dynamic;
mod kept_types;
mod limits;
mod schema_errors;
mod schema_sets;
mod schema_variants;
#[cfg(feature = "serde")]
mod serde;
mod variant_names;
