//! [`Schema`]: the declarations of types, as plain data, independent of the format of their text.

use crate::dynamic::enum_decl::EnumDecl;
use crate::dynamic::method_decl::MethodDecl;
use crate::dynamic::type_decl::TypeDecl;
use crate::function::Function;

/// A description of types as data.
///
/// [`parse`](Self::parse) reads a schema from JSON, [`of`](Self::of) describes existing types,
/// [`to_json`](Self::to_json) writes a schema, and a [`SchemaLoader`](super::SchemaLoader) makes types of it.
#[derive(Clone, Debug)]
pub struct Schema {
    pub(super) types: Vec<TypeDecl>,
    pub(super) enums: Vec<EnumDecl>,
    /// The functions that callers reach by name.
    pub(super) functions: Vec<MethodDecl>,
    /// Whether another program wrote the schema, so that it may mention types that do not exist here.
    pub(super) is_foreign: bool,
    /// The keys of types that the schema does not describe, with the reasons.
    pub(super) left_out: Vec<(String, String)>,
}

impl Schema {
    /// A schema of these declarations. [Loading](super::SchemaLoader::load) checks whether they fit each other.
    #[must_use]
    pub fn new(types: Vec<TypeDecl>, enums: Vec<EnumDecl>) -> Self {
        Schema { types, enums, functions: Vec::new(), is_foreign: false, left_out: Vec::new() }
    }

    /// The schema with descriptions of these functions, which callers reach by name. A schema contains no code.
    ///
    /// ```
    /// use object_core::{Function, dynamic::Schema};
    /// let add = Function::new(|a: i64, b: i64| a + b).with_name("demo.add");
    /// let text = Schema::of(&[]).with_functions(&[add]).to_json()?;
    /// assert!(text.contains(r#"{"name":"demo.add","arguments":[{"type":"int"},{"type":"int"}],"result":"int"}"#));
    /// # Ok::<(), object_core::Error>(())
    /// ```
    #[must_use]
    pub fn with_functions(mut self, functions: &[Function]) -> Self {
        self.functions =
            functions.iter().map(|function| MethodDecl::of_function(function.name(), function, 0)).collect();
        self
    }

    /// The types, in the order of the schema.
    #[must_use]
    pub fn types(&self) -> &[TypeDecl] {
        &self.types
    }

    /// The enums of numbers that fields refer to.
    #[must_use]
    pub fn enums(&self) -> &[EnumDecl] {
        &self.enums
    }

    /// The keys of the types, in the order of the schema.
    pub fn type_keys(&self) -> impl Iterator<Item = &str> {
        self.types.iter().map(|decl| decl.key.as_str())
    }
}
