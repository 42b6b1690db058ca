//! Schemas, which describe types as data, and dynamic types, which the program makes of a schema at run time.
//!
//! A [`Schema`] comes from JSON, in the format of this project or in the format of TVM's recorded registry, or from the
//! tables of existing types. A [`SchemaLoader`] makes types from a schema. The tables and the storage of dynamic types
//! have the form that the derive gives to linked types. So structural equality, hashing, diffs, JSON, repr, statistics
//! and the builder treat both kinds alike, and a graph may contain objects of both kinds.
//!
//! ```
//! use object_core::{ObjectBuilder, dynamic::{Schema, SchemaLoader}, structural_equal};
//! let schema = Schema::parse(br#"{"format": "object-schema", "version": 1, "types": [
//!     {"key": "my.Expr", "kind": "tree", "base": true, "abstract": true, "fields": []},
//!     {"key": "my.Add", "parent": "my.Expr", "kind": "tree",
//!      "fields": [{"name": "a", "type": "my.Expr"}, {"name": "b", "type": "my.Expr"}]},
//!     {"key": "my.Num", "parent": "my.Expr", "kind": "tree", "fields": [{"name": "value", "type": "int"}]}
//! ]}"#)?;
//! let types = SchemaLoader::new().load(&schema)?;
//! let num = |value: i64| {
//!     let mut builder = ObjectBuilder::new(types.get("my.Num")?)?;
//!     builder.set("value", value)?;
//!     builder.build()
//! };
//! let add = |a, b| {
//!     let mut builder = ObjectBuilder::new(types.get("my.Add")?)?;
//!     builder.set("a", num(a)?)?.set("b", num(b)?)?;
//!     builder.build()
//! };
//! assert!(structural_equal(&add(1, 2)?, &add(1, 2)?));
//! assert_eq!(add(1, 2)?.to_string(), "my.Add(a=my.Num(value=1), b=my.Num(value=2))");
//! # Ok::<(), object_core::Error>(())
//! ```
//!
//! # Limits of schemas
//!
//! A schema contains no code. The hooks of a type marked `custom` come from the table [`DynamicHooks`] of the loader, or
//! from the linked type with the same key. A type without either is an error, unless
//! [`custom_by_fields`](SchemaLoader::custom_by_fields) replaces the hooks by a comparison of the fields.
//! Opaque types and types whose data is not made of fields have to be linked as well. Integers have 64 bits.
//!
//! # Lifetime of types
//!
//! Dynamic types live as long as the program, because objects point to their type and no type knows its objects. The
//! loader checks the whole schema before it leaks memory, so a wrong schema leaks nothing. Each load of a schema makes
//! a new set of types.

mod check;
mod decl;
mod default_value;
mod enum_decl;
mod field_decl;
mod format;
mod from_tables;
mod hooks;
mod json_cursor;
mod load;
mod load_plan;
mod make;
mod method_decl;
mod number_width;
mod options;
mod output;
mod parse;
mod size;
mod source_place;
mod tvm_format;
mod tvm_records;
mod type_decl;
mod type_text;
mod value_type;

pub use decl::Schema;
pub use default_value::DeclaredDefault;
pub use enum_decl::{EnumDecl, VariantDecl};
pub use field_decl::FieldDecl;
pub use hooks::DynamicHooks;
pub use method_decl::MethodDecl;
pub use number_width::NumberWidth;
pub use options::SchemaLoader;
pub use source_place::SourcePlace;
pub use type_decl::{HandWritten, TypeDecl};
pub use type_text::TypeText;

pub use crate::object::{DynamicHook, HookField, HookValue, HookedType};

/// The JSON Schema of the format that [`Schema::to_json`] writes and [`Schema::parse`] reads.
pub const JSON_SCHEMA: &str = include_str!("object-schema.json");
