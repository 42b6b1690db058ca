//! Makes the table of a checked type.

use std::sync::{Arc, OnceLock};

use crate::dynamic::check::{CheckedDefault, CheckedType};
use crate::dynamic::enum_decl::EnumDecl;
use crate::dynamic::field_decl::FieldDecl;
use crate::dynamic::load_plan::{LoadPlan, Parent, place_of};
use crate::dynamic::pairs::leak_pairs;
use crate::dynamic::syntax_decl::SyntaxDecl;
use crate::dynamic::type_text::{leak, leak_texts};
use crate::dynamic::value_type::ValueType;
use crate::error::Result;
use crate::json::{self, JsonReader, JsonWriter};
use crate::object::model::runtime_field::{MakeDefault, RuntimeField};
use crate::object::runtime::runtime_type::{FieldSpec, RuntimeTypeSpec};
use crate::object::{Any, Body, Evolution, TypeInfo};
use crate::registry::Types;

/// All types of a load, after the last one is made.
pub(super) type MadeTypes = Arc<OnceLock<Types>>;

/// The root of a graph with made types.
pub(super) fn read_graph(text: &str, made: &MadeTypes) -> Result<Any> {
    let types = made.get().cloned().unwrap_or_default();
    Ok(JsonReader::new().types(&types).read(text.as_bytes())?.root)
}

impl CheckedType {
    /// Makes the type with index `index`, after its parent. Leaks the table and all data that the table refers to.
    /// `made` gets all types after the last one is made; defaults with objects of these types need them.
    pub(super) fn leak(
        self,
        plan: &LoadPlan<'_>,
        index: usize,
        location: &'static str,
        made: &MadeTypes,
    ) -> Result<&'static TypeInfo> {
        let decl = &plan.schema.types[index];
        let parent = self.parent.and_then(|parent| match parent {
            Parent::Linked(info) => Some(info),
            Parent::Made(index) => plan.type_cell(index).get(),
        });
        let enums = &plan.schema.enums;
        let fields = decl.fields.iter().zip(self.fields);
        let fields = fields.map(|(field, (ty, default))| field_spec(field, enums, ty, default, made));
        let info = RuntimeTypeSpec {
            type_key: leak(&decl.key),
            doc: leak(&decl.doc),
            location: (location, place_of(index)),
            kind: decl.kind,
            is_scope: decl.is_scope,
            meta: leak_pairs(&decl.meta),
            evolution: Evolution {
                version: decl.version,
                aliases: leak_texts(&decl.aliases),
                removed: leak_texts(&decl.removed),
                migrations: &[],
                files: decl.files,
            },
            same_len: decl.same_len.clone(),
            syntax: decl.syntax.as_ref().map(SyntaxDecl::leak),
            label: decl.label.as_deref().map(leak),
            is_base: decl.is_base,
            is_abstract: decl.is_abstract,
            parent,
            fields: fields.collect(),
            json: decl.json.clone(),
            is_kept: false,
            singleton_key: decl.singleton_key.clone(),
            hook: self.hook,
        };
        let info = info.leak()?;
        plan.type_cell(index).set(info);
        Ok(info)
    }
}

/// The entry of a field in the table.
fn field_spec(
    field: &FieldDecl,
    enums: &[EnumDecl],
    ty: ValueType,
    default: Option<CheckedDefault>,
    made: &MadeTypes,
) -> FieldSpec {
    let default = default.map(|default| match default {
        CheckedDefault::Value(value) => make_default(value),
        CheckedDefault::Graph(text) => {
            let made = Arc::clone(made);
            // The loader reads each of these texts once, so an error here is impossible.
            Box::new(move || read_graph(&text, &made).unwrap_or_default())
        }
    });
    FieldSpec {
        name: leak(&field.name),
        meta: field.leak_meta(),
        storage: ty.runtime_storage(),
        field: RuntimeField {
            enumeration: ty.enumeration().map(EnumDecl::leak),
            rule: Box::new(ty),
            schema: field.type_with_enum().leak(&|name| enums.iter().find(|it| it.name == name).map(EnumDecl::leak)),
            default,
        },
    }
}

/// The function that makes a new copy of the default for each object. Texts and bytes are shared, because their
/// identity does not matter.
fn make_default(default: Any) -> MakeDefault {
    let has_identity =
        default.view().as_object().is_some_and(|it| !matches!(it.type_info().body, Body::Str | Body::Bytes));
    match has_identity.then(|| JsonWriter::new().tvm_form().to_string(&default)) {
        Some(Ok(text)) => Box::new(move || json::from_slice(text.as_bytes()).unwrap_or_else(|_| default.clone())),
        _ => Box::new(move || default.clone()),
    }
}
