//! Checks the hand-written parts of generated classes.

use object_core::dynamic::{FieldDecl, TypeDecl};

use crate::diagnostic::Diagnostic;

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

/// The faults of the hand-written parts of a class.
#[must_use]
pub fn check(region: &ClassRegion<'_>) -> Vec<Diagnostic> {
    let _ = region;
    Vec::new()
}
