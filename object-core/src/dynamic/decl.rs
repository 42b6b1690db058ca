//! [`Schema`]: what a schema says, as plain data: types by key, whatever the format they came in.

use std::fmt;

use crate::access_path::{AccessPath, AccessStep};
use crate::dynamic::type_text::TypeText;
use crate::error::{Error, ErrorKind};
use crate::object::{Any, Body, FieldRole, SEqHashKind};

/// A description of types as data: of some that are linked, or of some that no Rust struct describes.
///
/// It is read from JSON by [`parse`](Self::parse), made of tables by [`of`](Self::of), written by
/// [`to_json`](Self::to_json), and becomes types by a [`SchemaLoader`](super::SchemaLoader).
#[derive(Clone, Debug)]
pub struct Schema {
    pub(super) types: Vec<TypeDecl>,
    /// Whether it was made for another program, so that some of what it mentions may not exist here.
    pub(super) is_foreign: bool,
    /// Keys that are not among the types, with the reasons.
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
    /// Whether it is not of the schema, but tells of a linked type that the schema does not have.
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
    /// Those that the type adds to its parent's.
    pub(super) fields: Vec<FieldDecl>,
}

/// A field of a type of a schema.
#[derive(Clone, Debug)]
pub(super) struct FieldDecl {
    pub(super) place: AccessPath,
    pub(super) name: String,
    pub(super) ty: TypeText,
    pub(super) role: FieldRole,
    pub(super) doc: String,
    pub(super) meta: Vec<(String, String)>,
    pub(super) default: Option<Any>,
}

impl TypeDecl {
    /// The error, said of the entry `word` of this type.
    pub(super) fn blame(&self, word: &str, kind: ErrorKind, message: impl fmt::Display) -> Error {
        Error::new(kind, format!("`{}`: {message}", self.key)).at(below(&self.place, AccessStep::Attr(word.into())))
    }
}

/// The place that `step` leads to from `place`.
pub(super) fn below(place: &AccessPath, step: AccessStep) -> AccessPath {
    AccessPath::from_steps(place.steps().iter().cloned().chain([step]))
}
