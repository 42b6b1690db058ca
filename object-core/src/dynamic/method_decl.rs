//! [`MethodDecl`]: a method of a type of a schema.

use crate::dynamic::type_text::TypeText;

/// A method of a type, which callers reach by name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MethodDecl {
    /// The name.
    pub name: String,
    /// The documentation.
    pub doc: String,
    /// Whether the method is called without an object.
    pub is_static: bool,
    /// The names and types of the arguments, without the object; a name may be empty.
    pub arguments: Vec<(String, TypeText)>,
    /// The type of the result.
    pub result: TypeText,
}

impl MethodDecl {
    /// A method of objects with these arguments and this result, without documentation.
    #[must_use]
    pub fn new(name: impl Into<String>, arguments: Vec<(String, TypeText)>, result: TypeText) -> Self {
        MethodDecl { name: name.into(), doc: String::new(), is_static: false, arguments, result }
    }
}
