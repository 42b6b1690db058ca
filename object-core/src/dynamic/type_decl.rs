//! [`TypeDecl`]: a type of a schema.

use std::fmt;

use crate::access_path::{AccessPath, AccessStep};
use crate::dynamic::field_decl::FieldDecl;
use crate::dynamic::json_cursor::{JsonCursor, below};
use crate::dynamic::method_decl::MethodDecl;
use crate::dynamic::source_place::SourcePlace;
use crate::dynamic::syntax_decl::SyntaxDecl;
use crate::error::{Error, ErrorKind, Result};
use crate::object::{Body, FileForm, SEqHashKind};
use crate::text::brief::brief;

/// The methods of a type that people write by hand in C++ and Python, and no generator writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct HandWritten {
    /// The method that visits the fields. The RFC writes `default_visit_attrs = False`.
    pub visit_attrs: bool,
    /// Structural equality. The RFC writes `default_sequal_reduce = False`.
    pub sequal_reduce: bool,
    /// Structural hashing. The RFC writes `default_shash_reduce = False`.
    pub shash_reduce: bool,
}

impl HandWritten {
    /// The words of schemas.
    pub(super) fn words(self) -> Vec<&'static str> {
        let HandWritten { visit_attrs, sequal_reduce, shash_reduce } = self;
        let words = [("visit_attrs", visit_attrs), ("sequal_reduce", sequal_reduce), ("shash_reduce", shash_reduce)];
        words.into_iter().filter(|(_, is_set)| *is_set).map(|(word, _)| word).collect()
    }

    /// Reads the word `hand_written` of a type.
    pub(super) fn parse(cursor: &JsonCursor<'_>) -> Result<Self> {
        let mut by_hand = HandWritten::default();
        let Some(words) = cursor.find("hand_written")? else { return Ok(by_hand) };
        for word in words.items()? {
            *match word.text()? {
                "visit_attrs" => &mut by_hand.visit_attrs,
                "sequal_reduce" => &mut by_hand.sequal_reduce,
                "shash_reduce" => &mut by_hand.shash_reduce,
                other => {
                    let message = format!(
                        "`{}` is not a method; there are `visit_attrs`, `sequal_reduce` and `shash_reduce`",
                        brief(other)
                    );
                    return Err(word.error(ErrorKind::Malformed, message));
                }
            } = true;
        }
        Ok(by_hand)
    }
}

/// A type of a schema.
///
/// [`new`](Self::new) makes one without annotations, and its fields are the words of the schema.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TypeDecl {
    /// The place in the text of the schema.
    pub(super) place: AccessPath,
    /// Whether the declaration describes a linked type that the schema does not contain.
    pub(super) is_linked: bool,
    /// The name that identifies the type in every process and file.
    pub key: String,
    /// The key of the type that this type extends.
    pub parent: Option<String>,
    /// The documentation.
    pub doc: String,
    /// The kind of data after the header.
    pub body: Body,
    /// The role in structural equality and hashing.
    pub kind: SEqHashKind,
    /// Whether an object of this type ends the bindings that are made inside of it, under lexical scopes.
    pub is_scope: bool,
    /// Whether hooks replace the fields in structural equality and hashing.
    pub is_custom: bool,
    /// Whether other types may extend this one.
    pub is_base: bool,
    /// Whether all objects of this type are objects of types that extend it.
    pub is_abstract: bool,
    /// The text of objects of this type in their language.
    pub syntax: Option<SyntaxDecl>,
    /// The text for an object of this type as a map key in an access path.
    pub label: Option<String>,
    /// The pairs of `meta(key = "value")`.
    pub meta: Vec<(String, String)>,
    /// The field that JSON shows in place of the object.
    pub json: Option<String>,
    /// The field that identifies an instance of a singleton type.
    pub singleton_key: Option<String>,
    /// The name of the struct or class of the data; [`node_name`](Self::node_name) has the default.
    pub node_class: Option<String>,
    /// The name of the handle or reference class; [`ref_name`](Self::ref_name) has the default.
    pub ref_class: Option<String>,
    /// The namespace or module of the classes, with dots between its parts;
    /// [`namespace_path`](Self::namespace_path) has the default.
    pub namespace: Option<String>,
    /// The version of the declaration; 1 without the word.
    pub version: u32,
    /// Earlier keys.
    pub aliases: Vec<String>,
    /// The names of fields that the type had, whose values readers drop.
    pub removed: Vec<String>,
    /// The versions from which migrations lead to the next one. A schema has no code, so a type that is made of one has none.
    pub migrates_from: Vec<u32>,
    /// The form of the objects in files.
    pub files: FileForm,
    /// The names of fields whose values have one length, for each group.
    pub same_len: Vec<Vec<String>>,
    /// Whether code verifies the objects. A schema has no code, so a type that is made of one has no verifier.
    pub is_verified: bool,
    /// The methods that people write by hand.
    pub hand_written: HandWritten,
    /// The methods that callers reach by name.
    pub methods: Vec<MethodDecl>,
    /// The fields that the type adds to the fields of its parent.
    pub fields: Vec<FieldDecl>,
    /// The place of the declaration in a source file, which JSON does not keep.
    pub source: Option<SourcePlace>,
}

impl TypeDecl {
    /// A final type with the kind `tree`, without fields and annotations.
    #[must_use]
    pub fn new(key: impl Into<String>) -> Self {
        TypeDecl {
            place: AccessPath::default(),
            is_linked: false,
            key: key.into(),
            parent: None,
            doc: String::new(),
            body: Body::Node,
            kind: SEqHashKind::TreeNode,
            is_scope: false,
            is_custom: false,
            is_base: false,
            is_abstract: false,
            syntax: None,
            label: None,
            meta: Vec::new(),
            json: None,
            singleton_key: None,
            node_class: None,
            ref_class: None,
            namespace: None,
            version: 1,
            aliases: Vec::new(),
            removed: Vec::new(),
            migrates_from: Vec::new(),
            files: FileForm::default(),
            same_len: Vec::new(),
            is_verified: false,
            hand_written: HandWritten::default(),
            methods: Vec::new(),
            fields: Vec::new(),
            source: None,
        }
    }

    /// The name of the reference class: [`ref_class`](Self::ref_class), or else the last part of the key.
    #[must_use]
    pub fn ref_name(&self) -> &str {
        self.ref_class.as_deref().unwrap_or_else(|| self.key.rsplit('.').next().unwrap_or(&self.key))
    }

    /// The name of the class of the data: [`node_class`](Self::node_class), or else the reference class with `Node` at
    /// the end.
    #[must_use]
    pub fn node_name(&self) -> String {
        self.node_class.clone().unwrap_or_else(|| format!("{}Node", self.ref_name()))
    }

    /// The namespace: [`namespace`](Self::namespace), or else the key without its last part; empty for a key of one
    /// part.
    #[must_use]
    pub fn namespace_path(&self) -> &str {
        match &self.namespace {
            Some(namespace) => namespace,
            None => self.key.rsplit_once('.').map_or("", |(namespace, _)| namespace),
        }
    }

    /// An error about the entry `word` of this type.
    pub(super) fn blame(&self, word: &str, kind: ErrorKind, message: impl fmt::Display) -> Error {
        Error::new(kind, format!("`{}`: {message}", brief(&self.key)))
            .at(below(&self.place, AccessStep::Attr(word.into())))
    }
}
