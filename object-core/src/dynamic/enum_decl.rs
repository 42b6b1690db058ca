//! [`EnumDecl`]: an enum of numbers in a schema.

/// An enum without data, whose values fields hold as numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EnumDecl {
    /// The name.
    pub name: String,
    /// The documentation.
    pub doc: String,
    /// The variants with their numbers, in the order of declaration.
    pub variants: Vec<(String, i64)>,
}

impl EnumDecl {
    /// An enum with these variants, without documentation.
    #[must_use]
    pub fn new(name: impl Into<String>, variants: Vec<(String, i64)>) -> Self {
        EnumDecl { name: name.into(), doc: String::new(), variants }
    }
}
