//! [`ClassRegion`]: a generated class with its hand-written parts.

use object_core::dynamic::{FieldDecl, TypeDecl};

/// The language and the form of a generated class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Dialect {
    /// C++ for tvm-ffi.
    CppFfi,
    /// C++ as the RFC writes it: `VisitAttrs`, `SEqualReduce`, `SHashReduce`.
    CppRfc,
    /// Python.
    Python,
}

/// The names of the members that a declaration can leave to the author.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HookNames {
    /// The member that visits the fields; `None` where reflection visits them.
    pub visit_attrs: Option<&'static str>,
    /// Structural equality.
    pub sequal_reduce: &'static str,
    /// Structural hashing.
    pub shash_reduce: &'static str,
}

impl Dialect {
    /// The names of the members that a declaration can leave to the author.
    #[must_use]
    pub fn hook_names(self) -> HookNames {
        let (visit_attrs, sequal_reduce, shash_reduce) = match self {
            Dialect::CppFfi => (None, "SEqual", "SHash"),
            Dialect::CppRfc => (Some("VisitAttrs"), "SEqualReduce", "SHashReduce"),
            Dialect::Python => (None, "__s_equal__", "__s_hash__"),
        };
        HookNames { visit_attrs, sequal_reduce, shash_reduce }
    }
}

/// A generated class with the hand-written parts inside of its region.
#[derive(Clone, Debug)]
pub struct ClassRegion<'a> {
    /// The language and the form.
    pub dialect: Dialect,
    /// The name of the class: the class of the data, or the reference class.
    pub class_name: &'a str,
    /// Whether the class is the class of the data. Only this class has hooks and `VisitAttrs`.
    pub is_node: bool,
    /// The declaration.
    pub decl: &'a TypeDecl,
    /// All fields, the inherited ones first.
    pub fields: &'a [&'a FieldDecl],
    /// The names of the methods that the generator writes into the class.
    pub generated_methods: &'a [&'a str],
    /// The file, for messages.
    pub file: &'a str,
    /// The line of the marker that begins the region.
    pub line: u32,
    /// The hand-written parts, in the order of the file.
    pub parts: &'a [CustomPart<'a>],
}

/// The lines between `tschema: custom-begin` and `tschema: custom-end`.
#[derive(Clone, Copy, Debug)]
pub struct CustomPart<'a> {
    /// The number of the first line, from 1.
    pub first_line: u32,
    /// The lines, with their ends.
    pub text: &'a str,
}
