//! Makes a schema of the tables of existing types.

use std::collections::BTreeMap;

use crate::access_path::{AccessPath, AccessStep};
use crate::dynamic::decl::Schema;
use crate::dynamic::enum_decl::{EnumDecl, VariantDecl};
use crate::dynamic::field_decl::FieldDecl;
use crate::dynamic::method_decl::MethodDecl;
use crate::dynamic::pairs::owned_pairs;
use crate::dynamic::syntax_decl::SyntaxDecl;
use crate::dynamic::type_decl::TypeDecl;
use crate::dynamic::type_text::owned;
use crate::object::{FieldInfo, JsonForm, TypeInfo};

impl Schema {
    /// The schema of `types`, sorted by key, with the enums that their fields hold and the methods that callers reach by
    /// name. A schema contains no code: it records that a type has hooks, but not their code.
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
        let enums = enums_of(&types);
        let types = types.into_iter().enumerate().map(|(index, info)| type_decl(index, info)).collect();
        Schema::new(types, enums)
    }
}

/// The enums whose numbers the fields of the types hold, sorted by name.
fn enums_of(types: &[&'static TypeInfo]) -> Vec<EnumDecl> {
    let mut enums = BTreeMap::new();
    for field in types.iter().flat_map(|info| info.own_fields()) {
        for it in field.enumeration().into_iter().chain(field.schema().enumerations()) {
            let variants = it.variants.iter().enumerate().map(|(at, (name, number))| {
                let doc = it.variant_docs.get(at).copied().unwrap_or_default();
                VariantDecl { doc: doc.to_owned(), ..VariantDecl::new(*name, *number) }
            });
            let aliases = it.aliases.iter().map(|(name, number)| ((*name).to_owned(), *number)).collect();
            let decl = EnumDecl { doc: it.doc.to_owned(), aliases, ..EnumDecl::new(it.name, variants.collect()) };
            enums.entry(it.name).or_insert(decl);
        }
    }
    enums.into_values().collect()
}

fn type_decl(index: usize, info: &'static TypeInfo) -> TypeDecl {
    let place = AccessPath::from_steps([AccessStep::Attr("types".into()), AccessStep::ArrayItem(index)]);
    let field = |index| info.fields().get(index).map(|field: &FieldInfo| field.name.to_owned());
    let singleton_key = info.singleton_key().map(|field| field.name.to_owned());
    let (node, handle) = info.struct_names();
    let plain = TypeDecl::new(info.type_key);
    let evolution = info.evolution();
    TypeDecl {
        parent: info.parent().map(|parent| parent.type_key.to_owned()),
        doc: info.doc.to_owned(),
        body: info.body,
        kind: info.kind,
        is_scope: info.is_scope,
        is_custom: info.has_custom_hooks(),
        is_base: info.is_base,
        is_abstract: info.is_abstract,
        syntax: info.syntax().map(SyntaxDecl::of),
        label: info.label.map(str::to_owned),
        meta: owned_pairs(info.meta),
        json: match info.json {
            // JSON shows a singleton by its key.
            JsonForm::Field(index) if singleton_key.is_none() => field(index),
            _ => None,
        },
        singleton_key,
        fields: info.own_fields().iter().map(|field| FieldDecl::of(&place, field)).collect(),
        node_class: Some(node.to_owned()).filter(|node| !node.is_empty() && *node != plain.node_name()),
        ref_class: Some(handle.to_owned()).filter(|handle| !handle.is_empty() && handle != plain.ref_name()),
        methods: own_methods(info),
        version: evolution.version,
        aliases: owned(evolution.aliases),
        removed: owned(evolution.removed),
        migrates_from: evolution.migrations.iter().map(|migration| migration.from).collect(),
        files: evolution.files,
        same_len: info.same_len().map(|group| group.map(|field| field.name.to_owned()).collect()).collect(),
        is_verified: info.has_verifier(),
        place,
        ..TypeDecl::new(info.type_key)
    }
}

/// The methods that the type declares itself, sorted by name. A type whose linked methods contradict each other has none
/// here; calls report the contradiction.
fn own_methods(info: &'static TypeInfo) -> Vec<MethodDecl> {
    let methods = info.methods().unwrap_or_default();
    let mut own: Vec<MethodDecl> =
        methods.iter().filter(|method| std::ptr::eq(method.owner(), info)).map(MethodDecl::of).collect();
    own.sort_by(|a, b| a.name.cmp(&b.name));
    own
}
