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
//!
//! # How it works
//!
//! The tables are the tables that the derive writes: own fields lie after the part of the parent, which lies where it
//! does in the parent's own objects, so a linked base may have dynamic children.
//!
//! - A dynamic field is stored as one of eight Rust types and has the operations of that type, on which memory safety
//!   depends. Further demands of the schema, such as the objects that a field accepts, are a `FieldRule`: one pointer
//!   in `FieldInfo`, null for linked types. Code that fills a field calls `FieldInfo::accepts` or `FieldInfo::write`,
//!   which check both.
//! - Types of one schema refer to each other by cells that the loader fills once, so circles among them need no
//!   `unsafe`.
//! - Dynamic types are in a [`Types`](crate::registry::Types), and not in the registry, unless
//!   [`registry::register`](crate::registry::register) adds them. Where a type of a schema replaces a linked type, the
//!   loader replaces all types that extend the linked type or have a field of it, because their handles accept the
//!   linked table only.
//! - A hook finds its fields by name when its type is made, and reads them by index. The table of the type holds the
//!   hook beside the functions that call it (`object/model/dynamic_hook.rs`), so linked types pay nothing for it.
//! - TVM's format has no labels of map keys and no scopes; a type that replaces a linked type keeps the linked ones.
//! - [`standalone`](SchemaLoader::standalone) makes a set without linked types except the types of this crate. So the
//!   types of two versions of TVM have the same keys and live side by side.
//! - A default may be a graph with objects of the schema's own types. The loader reads such defaults after the types
//!   exist. The nodes of such a graph have values for all fields with such defaults, so that no default needs itself.

mod changes;
mod check;
mod check_words;
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
mod pairs;
mod parse;
mod release;
mod size;
mod source_place;
mod syntax_decl;
mod tvm_format;
mod tvm_records;
mod type_decl;
mod type_text;
mod value_type;

pub use changes::{Compatibility, SchemaChange};
pub use check_words::{CheckWords, DeclaredChoice};
pub use decl::Schema;
pub use default_value::DeclaredDefault;
pub use enum_decl::{EnumDecl, VariantDecl};
pub use field_decl::FieldDecl;
pub use hooks::DynamicHooks;
pub use method_decl::MethodDecl;
pub use number_width::NumberWidth;
pub use options::SchemaLoader;
pub use source_place::SourcePlace;
pub use syntax_decl::SyntaxDecl;
pub use type_decl::{HandWritten, TypeDecl};
pub use type_text::TypeText;

pub use crate::object::{DynamicHook, HookField, HookValue, HookedType};

/// The JSON Schema of the format that [`Schema::to_json`] writes and [`Schema::parse`] reads.
pub const JSON_SCHEMA: &str = include_str!("object-schema.json");
