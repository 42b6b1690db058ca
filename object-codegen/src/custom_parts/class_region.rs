//! [`ClassRegion`]: a generated class with its hand-written parts.

use object_core::dynamic::{FieldDecl, TypeDecl};

use crate::target::Target;

/// A generated class with the hand-written parts inside of its region.
#[derive(Clone, Debug)]
pub struct ClassRegion<'a> {
    /// The language and the form.
    pub target: Target,
    /// The name of the class: the class of the data, or the reference class.
    pub class_name: &'a str,
    /// Whether the class is the class of the data. Only this class has hooks.
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
