//! [`EnumContext`]: an enum, as templates show it.

use object_core::dynamic::{EnumDecl, VariantDecl};
use serde::Serialize;

use crate::language::Language;

/// An enum.
#[derive(Debug, Serialize)]
pub(crate) struct EnumContext {
    name: String,
    pub(crate) namespace: Vec<String>,
    doc: Vec<String>,
    variants: Vec<VariantContext>,
}

/// A variant of an enum.
#[derive(Debug, Serialize)]
struct VariantContext {
    name: String,
    number: i64,
    doc: Vec<String>,
}

impl EnumContext {
    /// The enum in the words of `language`.
    pub(crate) fn new(language: &dyn Language, decl: &EnumDecl) -> Self {
        let (namespace, name) = decl.name.rsplit_once('.').unwrap_or(("", &decl.name));
        let variant = |variant: &VariantDecl| VariantContext {
            name: language.variant(&variant.name),
            number: variant.number,
            doc: language.comment(&variant.doc),
        };
        EnumContext {
            name: name.to_owned(),
            namespace: language.namespace(namespace),
            doc: language.class_doc(&decl.doc),
            variants: decl.variants.iter().map(variant).collect(),
        }
    }
}
