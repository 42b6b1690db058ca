//! [`Schema`]: the declarations of types, as plain data, independent of the format of their text.

use std::fmt;

use crate::access_path::{AccessPath, AccessStep};
use crate::dynamic::field_decl::FieldDecl;
use crate::dynamic::json_cursor::below;
use crate::error::{Error, ErrorKind};
use crate::object::{Body, SEqHashKind};
use crate::text::brief::brief;

/// A description of types as data.
///
/// [`parse`](Self::parse) reads a schema from JSON, [`of`](Self::of) describes existing types,
/// [`to_json`](Self::to_json) writes a schema, and a [`SchemaLoader`](super::SchemaLoader) makes types of it.
#[derive(Clone, Debug)]
pub struct Schema {
    pub(super) types: Vec<TypeDecl>,
    /// Whether another program wrote the schema, so that it may mention types that do not exist here.
    pub(super) is_foreign: bool,
    /// The keys of types that the schema does not describe, with the reasons.
    pub(super) left_out: Vec<(String, String)>,
}

impl Schema {
    /// The keys of the types, in the order of the schema.
    pub fn type_keys(&self) -> impl Iterator<Item = &str> {
        self.types.iter().map(|decl| decl.key.as_str())
    }
}

/// A type of a schema.
#[derive(Clone, Debug)]
pub(super) struct TypeDecl {
    pub(super) place: AccessPath,
    /// Whether the declaration describes a linked type that the schema does not contain.
    pub(super) is_linked: bool,
    pub(super) key: String,
    pub(super) parent: Option<String>,
    pub(super) doc: String,
    pub(super) body: Body,
    pub(super) kind: SEqHashKind,
    pub(super) is_scope: bool,
    pub(super) is_custom: bool,
    pub(super) is_base: bool,
    pub(super) is_abstract: bool,
    pub(super) label: Option<String>,
    pub(super) json: Option<String>,
    pub(super) singleton_key: Option<String>,
    /// The fields that the type adds to the fields of its parent.
    pub(super) fields: Vec<FieldDecl>,
}

impl TypeDecl {
    /// An error about the entry `word` of this type.
    pub(super) fn blame(&self, word: &str, kind: ErrorKind, message: impl fmt::Display) -> Error {
        Error::new(kind, format!("`{}`: {message}", brief(&self.key)))
            .at(below(&self.place, AccessStep::Attr(word.into())))
    }
}
