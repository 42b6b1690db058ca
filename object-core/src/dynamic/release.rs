//! [`Schema::release`]: the declarations of a schema, for files of the release that wrote the schema.

use std::collections::HashMap;

use crate::dynamic::decl::Schema;
use crate::dynamic::default_value::DeclaredDefault;
use crate::dynamic::enum_decl::EnumDecl;
use crate::dynamic::field_decl::FieldDecl;
use crate::dynamic::type_decl::TypeDecl;
use crate::dynamic::type_text::TypeText;
use crate::error::{Error, ErrorKind, Result};
use crate::evolution::{MAX_LEVELS, RecordedField, RecordedType, Release, Term, json_of};
use crate::object::{Any, Body, FileForm};
use crate::text::brief::brief;

impl Schema {
    /// The declarations of the types, for [`JsonReader::release`](crate::json::JsonReader::release): files without declarations of
    /// the release with this schema are read as the release declared its types.
    ///
    /// # Errors
    /// [`UnknownType`](ErrorKind::UnknownType) if the schema lacks a type that another one extends, or an enum, and
    /// [`Malformed`](ErrorKind::Malformed) if a type extends itself.
    pub fn release(&self) -> Result<Release> {
        let types: HashMap<&str, &TypeDecl> = self.types.iter().map(|decl| (decl.key.as_str(), decl)).collect();
        let is_in_files = |decl: &&TypeDecl| decl.files == FileForm::Declared && decl.body == Body::Node;
        let record = |decl: &TypeDecl| match self.record(decl, &types) {
            Ok(record) => Ok((decl.key.clone(), record)),
            Err(error) => Err(error.context(format_args!("`{}`", brief(&decl.key)))),
        };
        Ok(Release::new(self.types.iter().filter(is_in_files).map(record).collect::<Result<_>>()?))
    }

    fn record(&self, decl: &TypeDecl, types: &HashMap<&str, &TypeDecl>) -> Result<RecordedType> {
        // The type and its ancestors, the type first.
        let mut chain = vec![decl];
        while let Some(parent) = chain.last().and_then(|last| last.parent.as_deref()) {
            let found = types.get(parent).ok_or_else(|| missing("type", parent))?;
            chain.push(found);
            if chain.len() > types.len() {
                return Err(Error::new(ErrorKind::Malformed, "the type extends itself"));
            }
        }
        let ancestors = chain[1..].iter().rev().map(|ancestor| (ancestor.key.clone(), ancestor.version));
        let fields = chain.iter().rev().flat_map(|decl| &decl.fields);
        Ok(RecordedType {
            version: decl.version,
            ancestors: ancestors.filter(|(_, version)| *version != 1).collect(),
            json: decl.json.clone(),
            fields: fields.map(|field| self.recorded_field(field)).collect::<Result<_>>()?,
        })
    }

    fn recorded_field(&self, field: &FieldDecl) -> Result<RecordedField> {
        let enumeration = field.enumeration.as_ref().map(|name| self.find_enum(name)).transpose()?;
        let default = match (&field.default, enumeration) {
            (Some(DeclaredDefault::Value(Any::Int(number))), Some(decl)) => {
                decl.variants.iter().find(|it| it.number == *number).map(|it| it.name.as_str().into())
            }
            (Some(default), _) => default.value().ok().and_then(|value| json_of(value.view(), MAX_LEVELS)),
            (None, _) => None,
        };
        let term = match enumeration {
            Some(decl) if field.ty.name == "Optional" => Term::new("Optional", vec![term_of_enum(decl)]),
            Some(decl) => term_of_enum(decl),
            None => self.term_of(&field.ty)?,
        };
        Ok(RecordedField { name: field.name.clone(), is_inline: is_inline(&field.ty), term, default })
    }

    fn term_of(&self, ty: &TypeText) -> Result<Term> {
        match &ty.enumeration {
            Some(name) => self.find_enum(name).map(term_of_enum),
            None => Ok(Term::new(&ty.name, ty.args.iter().map(|arg| self.term_of(arg)).collect::<Result<_>>()?)),
        }
    }

    fn find_enum(&self, name: &str) -> Result<&EnumDecl> {
        self.enums.iter().find(|decl| decl.name == name).ok_or_else(|| missing("enum", name))
    }
}

fn missing(kind: &str, name: &str) -> Error {
    Error::new(ErrorKind::UnknownType, format!("the schema has no {kind} `{}`", brief(name)))
}

fn term_of_enum(decl: &EnumDecl) -> Term {
    Term::of_numbers(&decl.name, decl.variants.iter().map(|it| (it.name.clone(), it.number)).collect())
}

/// Whether files have the values of a type without nodes.
fn is_inline(ty: &TypeText) -> bool {
    matches!(ty.name.as_str(), "bool" | "int" | "float" | "DataType")
}
