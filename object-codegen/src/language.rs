//! [`Language`]: the words of a language, as the values of templates need them.

use object_core::dynamic::{FieldDecl, TypeDecl, TypeText};
use object_core::is_name;

use crate::documentation;
use crate::field_default::FieldDefault;
use crate::model::Model;
use crate::reserved::{self, Reserved, Treatment};

/// The words of a language.
pub(crate) trait Language: Sync {
    /// The name of the language in messages.
    fn title(&self) -> &'static str;

    /// Whether a class cannot have this name: a word of the language, or a name that generated code uses.
    fn is_taken(&self, name: &str) -> bool;

    /// Whether a type has a class of its data beside the reference class.
    fn has_node_classes(&self) -> bool {
        true
    }

    /// Whether classes are in namespaces.
    fn has_namespaces(&self) -> bool {
        true
    }

    /// The option that names the file of types of the context, if a file names the other files that it needs.
    fn import_option(&self) -> Option<&'static str> {
        None
    }

    /// The parts of a namespace.
    fn namespace(&self, path: &str) -> Vec<String> {
        path.split('.').filter(|part| !part.is_empty()).map(str::to_owned).collect()
    }

    /// The reason that the language has no such namespace.
    fn namespace_fault(&self, path: &str) -> Option<String> {
        let wrong = path.split('.').find(|part| !path.is_empty() && !is_name(part))?;
        Some(format!("`{wrong}` is not a name of {}", self.title()))
    }

    /// The name of a variant of an enum.
    fn variant(&self, name: &str) -> String;

    /// The class of the enum of a field whose type does not name the class.
    fn enum_class(&self, _: &Model<'_>, _: &FieldDecl) -> Option<String> {
        None
    }

    /// The methods that the generator writes into the class of the data.
    fn generated_methods(&self, decl: &TypeDecl) -> Vec<&'static str>;

    /// Whether classes declare the methods of the schema.
    fn declares_methods(&self) -> bool {
        false
    }

    /// Whether classes have the words of the schema about values. Otherwise the documentation has them.
    fn declares_checks(&self) -> bool {
        false
    }

    /// Whether the text of a class shows a field of an ancestor, such as an argument of the constructor; `None` if it shows
    /// no such field.
    fn shown_inherited(&self) -> Option<fn(&FieldDecl) -> bool> {
        Some(|_| true)
    }

    /// The names that no field has, or only in another form.
    fn reserved(&self) -> &'static [Reserved];

    /// The name of a variable or a member for a reflected name.
    ///
    /// # Errors
    /// The reason that the language has no such name.
    fn identifier(&self, name: &str) -> Result<String, String> {
        if !is_name(name) {
            return Err(format!("`{name}` is not a name of {}", self.title()));
        }
        match reserved::find(self.reserved(), name) {
            None => Ok(name.to_owned()),
            Some(row) if row.treatment == Treatment::Renamed => Ok(reserved::renamed(name)),
            Some(row) => Err(format!("its name {}, and {} cannot rename a field", row.reason, self.title())),
        }
    }

    /// The way to a member whose class cannot write its name.
    fn detour(&self, _: &str) -> Option<Treatment> {
        None
    }

    /// The name of a class as the type with index `from` refers to it.
    fn class(&self, model: &Model<'_>, from: usize, to: usize, is_node: bool) -> String;

    /// The type of a field of the type with index `from`.
    ///
    /// # Errors
    /// The reason that the language has no such type.
    fn field_type(&self, model: &Model<'_>, from: usize, field: &FieldDecl) -> Result<String, String>;

    /// The type of the argument of a constructor for a field of the type with index `from`.
    ///
    /// # Errors
    /// As [`field_type`](Self::field_type).
    fn parameter_type(&self, model: &Model<'_>, from: usize, field: &FieldDecl) -> Result<String, String> {
        self.field_type(model, from, field)
    }

    /// The type of an argument or a result.
    ///
    /// # Errors
    /// The reason that the language has no such type.
    fn plain_type(&self, model: &Model<'_>, from: usize, ty: &TypeText) -> Result<String, String>;

    /// A default of a field as an expression.
    ///
    /// # Errors
    /// The reason that the language cannot write it.
    fn default(
        &self,
        model: &Model<'_>,
        from: usize,
        field: &FieldDecl,
        value: &FieldDefault<'_>,
    ) -> Result<String, String>;

    /// The first value of a field in an object that is filled later, if the type has no empty value of its own. `tag`
    /// is the argument that asks for such a value.
    fn initial(&self, _model: &Model<'_>, _from: usize, _ty: &TypeText) -> Option<String> {
        None
    }

    /// The lines of a documentation in a comment, before fields, methods and variants.
    fn comment(&self, text: &str) -> Vec<String> {
        documentation::lines(text)
    }

    /// The lines of the documentation of a class or an enum.
    fn class_doc(&self, text: &str) -> Vec<String> {
        self.comment(text)
    }

    /// The key of an attribute of a type.
    fn attribute(&self, key: &str) -> String {
        self.text(key)
    }

    /// A text literal.
    fn text(&self, text: &str) -> String;
}
