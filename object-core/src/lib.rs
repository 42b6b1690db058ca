//! Reference-counted objects for compiler IRs, declared as annotated structs.
//!
//! `#[derive(Object)]` on a struct generates a handle (a thin, reference-counted pointer) and a constant table that
//! describes the type. Every operation of this crate is one function over these tables: structural equality and hashing up
//! to the renaming of bound variables, paths to differences, JSON, a text form, walks, rewriting, substitution, and
//! reflection by name. No value is too deep for the machine stack, bad input is an [`Error`] and not a panic, and the cost
//! of an operation is linear in the number of objects and references, however objects are shared.
//!
//! ```
//! use object_core::prelude::*;
//!
//! #[derive(Object)]
//! #[object(type_key = "doc.Var")]
//! #[structural_eq(var)]
//! struct VarNode {
//!     #[field(ignore)]
//!     name: Str,
//! }
//!
//! #[derive(Object)]
//! #[object(type_key = "doc.Lambda")]
//! #[structural_eq(tree)]
//! struct LambdaNode {
//!     #[field(def)]
//!     param: Var,
//!     body: Any,
//! }
//!
//! let (x, y) = (Var::new("x"), Var::new("y"));
//! let a = Lambda::new(x.clone(), x);
//! let b = Lambda::new(y.clone(), y.clone());
//! assert!(structural_equal(&a, &b)); // equal up to the names of bound variables
//!
//! let mut c = b.clone();
//! c.make_mut().body = Any::Int(1); // copies the node, because `b` shares it
//! let mismatch = structural_first_mismatch(&b, &c)?.expect("the bodies differ");
//! assert_eq!(mismatch.lhs.to_string(), "<root>.body");
//! # Ok::<(), Error>(())
//! ```
//!
//! # Where to find what
//!
//! | module | contents |
//! |---|---|
//! | [`object`] | objects, handles, values of any kind, and the descriptions of types and fields |
//! | [`value`], [`container`], [`scalar`] | text, bytes, shapes and tensors; arrays and maps; data types and devices |
//! | [`structural`] | structural equality, hashing, the first difference, and diffs |
//! | [`visit`], [`rewrite`], [`data`] | walks and visitors; rewriting and substitution; deep copies and comparison by value |
//! | [`reduce`] | smaller values for which a test still holds |
//! | [`trace`] | records of the passes over a program |
//! | [`lexical`] | comparison, variables and substitution for languages in which a binding ends with the object that makes it |
//! | [`json`], [`repr`], [`print`](mod@print), [`picture`], [`stats`] | JSON graphs; the text form; texts of printers with places; drawings of graphs; counts of objects |
//! | [`registry`], [`function`] | types by key, traits that types implement; functions by name, and methods of types |
//! | [`dynamic`] | schemas, and types that a program makes from a schema at run time |
//! | [`error`], [`access_path`], [`diagnostic`] | errors, and the path to a place in a graph; mistakes in a text with their places |
//! | [`limits`] | bounds of memory and work, for input from strangers |
//! | [`meter`] | an account of memory with a limit |
//!
//! The derive macro [`Object`](derive@Object) documents every annotation. A crate that declares node structs imports
//! [`prelude`].
//!
//! # Features
//!
//! - `inventory` (default) collects the types and functions of all linked crates at start-up. Without it, a program
//!   registers types by [`registry::register`].
//! - `binary` adds a compact binary form of graphs, whose tensors are mapped, in the module `binary`.
//! - `serde` implements `serde::Serialize` and `serde::Deserialize` for handles and values: see [`json`].
//! - `svg` adds drawings of graphs as SVG and HTML to [`picture`].

// The modules are in the order of their layers, the lowest first; `tests/data/layers.md` has the table.

extern crate self as object_core;

mod text;
pub mod access_path;
pub mod error;
pub mod diagnostic;
pub mod interrupt;
pub mod limits;
pub mod meter;
pub mod scalar;

mod hashing;
#[doc(hidden)]
pub mod steps;
pub mod table;
mod persistent_map;
pub mod pairing;
pub mod stack_budget;

pub mod container;
mod variants_of;
pub mod object;
pub mod value;

mod graph;

pub mod registry;

pub mod function;
pub mod repr;
pub mod print;
pub mod visit;
pub mod verify;
pub mod stats;
pub mod structural;
pub mod page;
pub mod rewrite;
pub mod lexical;
pub mod data;
pub mod reduce;
pub mod trace;
pub mod picture;

pub mod evolution;
pub mod json;
#[cfg(feature = "binary")]
pub mod binary;
pub mod edit;

pub mod dynamic;

pub mod prelude;
#[doc(hidden)]
pub mod derive_support;
// Tests of the workspace run its examples.
#[cfg(all(doc, not(doctest)))]
pub mod guide;

pub use container::{Array, Map};
pub use error::{Error, ErrorKind, Result};
pub use function::{Function, TypedFunction};
pub use limits::Limits;
pub use object::{
    Any, AnyView, AsAnyView, FieldInfo, FieldType, Object, ObjectBuilder, ObjectHandle, ObjectRef, ObjectView,
    SEqHashKind, TypeInfo, TypedHandle,
};
#[doc(hidden)]
pub use object::{CallNewOfTheHandle, NoNewForAbstractTypesAndSingletons};
pub use object_derive::{Object, object_methods};
pub use scalar::{DataType, Device};
pub use structural::{
    StructuralOptions, structural_diff, structural_equal, structural_first_mismatch, structural_hash,
};
#[doc(inline)]
pub use text::brief::{Brief, brief_to};
pub use text::counted::counted;
pub use text::did_you_mean::nearest;
pub use text::inert::{Inert, inert};
pub use text::line_index::{ColumnUnit, LineIndex};
pub use text::names::is_name;
pub use value::dlpack;
pub use value::{Bytes, Shape, Str, Tensor};
