//! Makes a schema of the tables of existing types.

use crate::access_path::{AccessPath, AccessStep};
use crate::dynamic::decl::Schema;
use crate::dynamic::field_decl::FieldDecl;
use crate::dynamic::type_decl::TypeDecl;
use crate::object::{FieldInfo, JsonForm, TypeInfo};

impl Schema {
    /// The schema of `types`, sorted by key. A schema contains no code: it records that a type has hooks, but not their
    /// code. It does not record the width of integers.
    ///
    /// ```
    /// use object_core::{dynamic::Schema, registry};
    /// let schema = Schema::of(&registry::types()?);
    /// assert_eq!(Schema::parse(schema.to_json()?.as_bytes())?.to_json()?, schema.to_json()?);
    /// # Ok::<(), object_core::Error>(())
    /// ```
    #[must_use]
    pub fn of(types: &[&'static TypeInfo]) -> Schema {
        let mut types = types.to_vec();
        types.sort_by_key(|info| info.type_key);
        let types = types.into_iter().enumerate().map(|(index, info)| type_decl(index, info)).collect();
        Schema::new(types, Vec::new())
    }
}

fn type_decl(index: usize, info: &'static TypeInfo) -> TypeDecl {
    let place = AccessPath::from_steps([AccessStep::Attr("types".into()), AccessStep::ArrayItem(index)]);
    let field = |index| info.fields().get(index).map(|field: &FieldInfo| field.name.to_owned());
    let singleton_key = info.singleton_key().map(|field| field.name.to_owned());
    TypeDecl {
        parent: info.parent().map(|parent| parent.type_key.to_owned()),
        doc: info.doc.to_owned(),
        body: info.body,
        kind: info.kind,
        is_scope: info.is_scope,
        is_custom: info.has_custom_hooks(),
        is_base: info.is_base,
        is_abstract: info.is_abstract,
        label: info.label.map(str::to_owned),
        json: match info.json {
            // JSON shows a singleton by its key.
            JsonForm::Field(index) if singleton_key.is_none() => field(index),
            _ => None,
        },
        singleton_key,
        fields: info.own_fields().iter().map(|field| FieldDecl::of(&place, field)).collect(),
        place,
        ..TypeDecl::new(info.type_key)
    }
}
