//! Types that are known only at run time, and schemas: what types are, as data.
//!
//! A [`Schema`] is read from JSON, in the format of this project or in that of TVM's recorded registry, or made of the
//! tables of types that exist. A [`SchemaLoader`] makes types of it, which are nothing special: the same tables over the
//! same storages as those that the derive writes, so that structural equality, hashing, diffs, JSON, repr, statistics
//! and the builder take them as they take any other, and graphs may hold both kinds.
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
//! # What a schema cannot say
//!
//! Hooks are code. A type marked `custom` has to be linked; else loading it is an error, unless
//! [`custom_by_fields`](SchemaLoader::custom_by_fields) says that its fields are compared instead. Opaque types and those
//! whose data is no fields have to be linked as well. Integers have 64 bits.
//!
//! # How long types live
//!
//! As long as the program: objects point to their type, and nobody knows when the last one goes. A schema is checked as
//! a whole before anything of it is kept, so wrong ones cost nothing; loading one twice makes two sets of types.

mod check;
mod decl;
mod default_value;
mod from_tables;
mod json_cursor;
mod keywords;
mod load;
mod load_plan;
mod make;
mod options;
mod output;
mod parse;
mod tvm_format;
mod type_text;
mod value_type;

pub use decl::Schema;
pub use options::SchemaLoader;

/// The JSON Schema of the format that [`Schema::to_json`] writes and [`Schema::parse`] reads.
pub const JSON_SCHEMA: &str = include_str!("object-schema.json");
