//! [`TypeInfo`]: the constant table that describes a type. `#[derive(Object)]` writes one per node struct.

use std::alloc::Layout;
use std::ptr::NonNull;

use crate::object::model::checks::CheckedContent;
use crate::object::model::compared_field::ComparedField;
use crate::object::model::contents::Contents;
use crate::object::model::evolution::Evolution;
use crate::object::model::field_info::FieldInfo;
use crate::object::model::hook_fns::HookFns;
use crate::object::model::keywords::{Body, SEqHashKind};
use crate::object::model::object_ref::{CopyObject, DATA_OFFSET, Header, ObjectView};
use crate::object::model::plan::Plan;
use crate::object::model::release::DeadObjects;
use crate::object::model::singleton_info::SingletonInfo;
use crate::object::model::skipped_field::{SkippedField, has_cache};
use crate::object::model::syntax::Syntax;
use crate::object::model::type_spec::{TypeParts, TypeSpec, Verify};

/// A type that another type extends, directly or through others. Only generated code makes one.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Ancestor {
    /// The type.
    pub(crate) info: &'static TypeInfo,
    /// The offset of its node in an object of the extending type, in bytes from the start of the object.
    pub(crate) offset: u32,
}

/// The form of a type's objects in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum JsonForm {
    /// A map from field names to values.
    Fields,
    /// The value of one field, by its index in [`TypeInfo::fields`].
    Field(usize),
    /// The text of a file: the program does not know the type, and a reader
    /// [keeps](crate::json::JsonReader::keep_unknown_types) its objects.
    Kept,
}

/// Why operations refuse to compare, build or change an object of a type with the form [`JsonForm::Kept`].
pub(crate) const UNKNOWN_TYPE: &str = "the program does not know this type and a reader has kept its text; link the crate that declares it, or load its schema";

/// The description of a type: its key, its place in the hierarchy, its fields and its role in structural equality.
///
/// Each type has exactly one table, with static lifetime, so two tables are the same type if and only if their addresses
/// are equal. [`ObjectView::type_info`](crate::ObjectView::type_info) gives the table of an object,
/// [`Object::TYPE_INFO`](crate::Object::TYPE_INFO) the table of a node struct, and
/// [`registry::type_info`](crate::registry::type_info) the table for a type key.
pub struct TypeInfo {
    /// The name that identifies the type in every process and file, such as `relax.expr.Call`.
    pub(crate) type_key: &'static str,
    /// The documentation comment of the node struct.
    pub(crate) doc: &'static str,
    /// The source file and line of the declaration. For a type from a schema: the name of the schema, and the position of
    /// the type in it, counted from 1.
    pub(crate) location: (&'static str, u32),
    /// The names of the node struct and of the handle; empty for types without Rust structs.
    pub(crate) names: (&'static str, &'static str),
    /// The role in structural equality and hashing.
    pub(crate) kind: SEqHashKind,
    /// Whether an object of this type ends the bindings that are made inside of it, under lexical scopes.
    pub(crate) is_scope: bool,
    /// The kind of data after the header.
    pub(crate) body: Body,
    /// The text for an object of this type as a map key in an access path. The value of a field replaces `{field}`,
    /// `{field:?}` and `{field:word}`.
    pub(crate) label: Option<&'static str>,
    /// The words about the text of the language.
    pub(crate) syntax: Option<Syntax>,
    /// The form in JSON.
    pub(crate) json: JsonForm,
    /// Whether other types may extend this one.
    pub(crate) is_base: bool,
    /// Whether all objects of this type are objects of types that extend it.
    pub(crate) is_abstract: bool,
    /// The ancestors, the root first, without the type itself.
    pub(crate) ancestors: &'static [Ancestor],
    /// The declaration `may_contain(...)`.
    pub(crate) may_contain: Option<Contents>,
    /// The pairs of `meta(key = "value")`.
    pub(crate) meta: &'static [(&'static str, &'static str)],
    /// The words about files of earlier declarations.
    pub(crate) evolution: Evolution,
    /// The fields of each own `same_len(...)`, by their indices.
    pub(crate) same_len: &'static [&'static [usize]],
    /// The own verifier.
    pub(crate) verify: Option<Verify>,
    /// The text or the number of elements of an object of this crate.
    pub(crate) content: Option<fn(ObjectView<'_>) -> CheckedContent<'_>>,
    /// All fields, the fields of the ancestors first.
    pub(crate) fields: &'static [FieldInfo],
    /// The fields that structural comparison looks at, in the same order.
    pub(crate) compared_fields: &'static [ComparedField],
    /// The facts that follow from the rest of the table.
    pub(crate) plan: Plan,
    /// The size and alignment of an object with its header. For objects of variable length, this is the layout of the header alone.
    pub(crate) layout: Layout,
    /// Drops the data of a dead object and frees its memory. It may add the objects that die with it to the list.
    pub(crate) free: unsafe fn(NonNull<Header>, &mut DeadObjects),
    /// Copies an object of this type; the copy shares the children. `None` if objects of this type cannot be copied.
    pub(crate) copy: Option<CopyObject>,
    /// The hooks that replace the fields in structural equality and hashing.
    pub(crate) hooks: Option<HookFns>,
    /// Finds the instances of a singleton type.
    pub(crate) singleton: Option<SingletonInfo>,
    /// The own fields that are marked `skip`. Only the operations on memory know them.
    pub(crate) skipped: &'static [SkippedField],
    /// Whether the node struct or the node struct of an ancestor implements `Drop` itself.
    pub(crate) has_destructor: bool,
    /// Whether the type or an ancestor has skipped fields.
    pub(crate) has_skipped: bool,
    /// Whether one of these fields is a cache. Then a change of an object takes a copy, whose caches are empty.
    pub(crate) has_caches: bool,
    /// Whether fields of the type, or of an ancestor, have words about their values.
    pub(crate) has_checks: bool,
    /// Whether a builder has more to do than to set fields: the type has skipped fields or words about values.
    pub(crate) has_more_than_fields: bool,
    /// Whether a rewrite that alone has an object may change it and the objects below it in place: a cache may depend on
    /// everything below, and a field that does not own the objects that it lends may share them without a count.
    pub(crate) changes_in_place: bool,
    /// Whether `==` and `Hash` of the handle, and of handles of types that extend this one, compare objects by structure.
    pub(crate) by_structure: bool,
}

impl TypeInfo {
    /// The table of a type with these annotations and parts.
    ///
    /// # Safety
    /// `parts` describes the memory of the objects that are made with this table: the fields and ancestors lie at their
    /// offsets and have their types, `layout` includes the header, and `free` frees such an object. If the body is
    /// [`Body::Node`], the fields and the skipped fields are the whole node, the memory comes from the global allocator with
    /// this layout, and `has_destructor` is true if the node struct has code to run when it is dropped.
    pub(crate) const unsafe fn new(spec: TypeSpec, mut parts: TypeParts) -> Self {
        let parent = parts.ancestors.last();
        parts.has_destructor = parts.has_destructor || matches!(parent, Some(parent) if parent.info.has_destructor);
        let has_skipped = !parts.skipped.is_empty() || matches!(parent, Some(parent) if parent.info.has_skipped);
        let has_caches = has_cache(parts.skipped) || matches!(parent, Some(parent) if parent.info.has_caches);
        let has_checks = !spec.same_len.is_empty()
            || have_checks(parts.fields)
            || matches!(parent, Some(parent) if parent.info.has_checks);
        TypeInfo {
            plan: Plan::of(&spec, &parts, has_skipped, has_checks),
            type_key: spec.type_key,
            doc: spec.doc,
            location: spec.location,
            names: spec.names,
            kind: spec.kind,
            is_scope: spec.is_scope,
            body: parts.body,
            label: spec.label,
            syntax: spec.syntax,
            json: spec.json,
            is_base: parts.is_base,
            is_abstract: spec.is_abstract,
            ancestors: parts.ancestors,
            may_contain: spec.may_contain,
            meta: spec.meta,
            evolution: spec.evolution,
            same_len: spec.same_len,
            verify: spec.verify,
            content: None,
            fields: parts.fields,
            compared_fields: parts.compared_fields,
            layout: parts.layout,
            free: parts.free,
            copy: parts.copy,
            hooks: spec.hooks,
            singleton: spec.singleton,
            skipped: parts.skipped,
            has_destructor: parts.has_destructor,
            has_skipped,
            has_caches,
            has_checks,
            has_more_than_fields: has_skipped || has_checks,
            changes_in_place: !has_caches && own_objects(parts.fields),
            by_structure: spec.by_structure,
        }
    }

    /// The same table for a type of this crate whose objects have a text or elements.
    pub(crate) const fn with_content(mut self, content: fn(ObjectView<'_>) -> CheckedContent<'_>) -> Self {
        self.content = Some(content);
        self
    }

    /// The name that identifies the type in every process and file, such as `relax.expr.Call`.
    #[must_use]
    #[inline]
    pub const fn type_key(&self) -> &'static str {
        self.type_key
    }

    /// The documentation comment of the node struct.
    #[must_use]
    #[inline]
    pub const fn doc(&self) -> &'static str {
        self.doc
    }

    /// The source file and line of the declaration. For a type from a schema: the name of the schema, and the position of
    /// the type in it, counted from 1.
    #[must_use]
    #[inline]
    pub const fn location(&self) -> (&'static str, u32) {
        self.location
    }

    /// The names of the node struct and of the handle; empty for types without Rust structs.
    pub(crate) const fn struct_names(&self) -> (&'static str, &'static str) {
        self.names
    }

    /// The role in structural equality and hashing.
    #[must_use]
    #[inline]
    pub const fn kind(&self) -> SEqHashKind {
        self.kind
    }

    /// Whether an object of this type ends the bindings that are made inside of it, under lexical scopes.
    #[must_use]
    #[inline]
    pub const fn is_scope(&self) -> bool {
        self.is_scope
    }

    /// The kind of data after the header.
    #[must_use]
    #[inline]
    pub const fn body(&self) -> Body {
        self.body
    }

    /// The text for an object of this type as a map key in an access path. The value of a field replaces `{field}`,
    /// `{field:?}` and `{field:word}`.
    #[must_use]
    #[inline]
    pub const fn label(&self) -> Option<&'static str> {
        self.label
    }

    /// The words of the declaration about the text of the language.
    #[must_use]
    #[inline]
    pub const fn syntax(&self) -> Option<&Syntax> {
        self.syntax.as_ref()
    }

    /// The form in JSON.
    #[must_use]
    #[inline]
    pub const fn json(&self) -> JsonForm {
        self.json
    }

    /// Whether other types may extend this one.
    #[must_use]
    #[inline]
    pub const fn is_base(&self) -> bool {
        self.is_base
    }

    /// Whether all objects of this type are objects of types that extend it.
    #[must_use]
    #[inline]
    pub const fn is_abstract(&self) -> bool {
        self.is_abstract
    }

    /// The pairs of `meta(key = "value")` on the type itself, in the order of declaration.
    #[must_use]
    #[inline]
    pub const fn meta(&self) -> &'static [(&'static str, &'static str)] {
        self.meta
    }

    /// The words of the declaration about files of earlier declarations.
    #[must_use]
    #[inline]
    pub const fn evolution(&self) -> &Evolution {
        &self.evolution
    }

    /// The fields of each `same_len(...)` of the type itself.
    pub fn same_len(&self) -> impl Iterator<Item = impl Iterator<Item = &'static FieldInfo> + use<>> + use<> {
        let fields = self.fields;
        self.same_len.iter().map(move |group| group.iter().filter_map(move |index| fields.get(*index)))
    }

    /// Whether the type itself has a verifier.
    #[must_use]
    pub const fn has_verifier(&self) -> bool {
        self.verify.is_some()
    }

    /// All fields in the order of declaration, the fields of the ancestors first.
    #[must_use]
    pub fn fields(&self) -> &'static [FieldInfo] {
        self.fields
    }

    /// The fields that this type adds to the fields of its parent.
    #[must_use]
    pub fn own_fields(&self) -> &'static [FieldInfo] {
        &self.fields[self.parent().map_or(0, |parent| parent.fields.len())..]
    }

    /// The field with the reflected name `name`, with its index in [`fields`](Self::fields).
    #[must_use]
    pub fn field(&self, name: &str) -> Option<(usize, &'static FieldInfo)> {
        self.fields.iter().enumerate().find(|(_, field)| field.name == name)
    }

    /// The type that this one extends directly, if there is one.
    #[must_use]
    pub fn parent(&self) -> Option<&'static TypeInfo> {
        self.ancestors.last().map(|ancestor| ancestor.info)
    }

    /// All types that this type extends, the root first, without the type itself.
    pub fn ancestors(&self) -> impl DoubleEndedIterator<Item = &'static TypeInfo> + use<> {
        self.ancestors.iter().map(|ancestor| ancestor.info)
    }

    /// Whether this type is `other` or extends it, directly or through others. It takes constant time.
    #[must_use]
    #[inline]
    pub fn is_or_extends(&self, other: &TypeInfo) -> bool {
        std::ptr::eq(self, other)
            || self.ancestors.get(other.ancestors.len()).is_some_and(|ancestor| std::ptr::eq(ancestor.info, other))
    }

    /// Whether the type implements structural equality and hashing by hand
    /// ([`StructuralHook`](crate::object::StructuralHook)).
    #[must_use]
    pub fn has_custom_hooks(&self) -> bool {
        self.hooks.is_some()
    }

    /// The key field of a singleton type; `None` for other types.
    #[must_use]
    pub fn singleton_key(&self) -> Option<&'static FieldInfo> {
        self.singleton.map(|singleton| &self.fields[singleton.key_field])
    }

    /// The field whose value alone stands for an object in JSON, such as the key of a singleton; `None` for most types.
    #[must_use]
    pub fn json_key(&self) -> Option<&'static FieldInfo> {
        match self.json {
            JsonForm::Field(index) => self.fields.get(index),
            JsonForm::Fields | JsonForm::Kept => None,
        }
    }

    /// The nearest type that both types are or extend.
    pub(crate) fn common_ancestor(&'static self, other: &'static TypeInfo) -> Option<&'static TypeInfo> {
        if self.is_or_extends(other) {
            return Some(other);
        }
        let chain = || std::iter::once(self).chain(self.ancestors().rev());
        chain().find(|info| other.is_or_extends(info))
    }

    /// The offset of the node of `info` in an object of this type, in bytes from the start of the object. `info` is this
    /// type or an ancestor of it; the result for other types has no meaning.
    #[inline]
    pub(crate) fn node_offset(&self, info: &TypeInfo) -> u32 {
        match self.ancestors.get(info.ancestors.len()) {
            Some(ancestor) => ancestor.offset,
            None => DATA_OFFSET as u32,
        }
    }
}

/// Whether a field has words about its values.
const fn have_checks(fields: &[FieldInfo]) -> bool {
    let mut i = 0;
    while i < fields.len() {
        if fields[i].meta.checks.is_some() {
            return true;
        }
        i += 1;
    }
    false
}

/// Whether all fields own the objects that they lend.
const fn own_objects(fields: &[FieldInfo]) -> bool {
    let mut i = 0;
    while i < fields.len() {
        if !fields[i].ops.owns_objects {
            return false;
        }
        i += 1;
    }
    true
}

impl std::fmt::Debug for TypeInfo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TypeInfo")
            .field("type_key", &self.type_key)
            .field("parent", &self.parent().map(|parent| parent.type_key))
            .field("kind", &self.kind)
            .field("fields", &self.fields.iter().map(|field| field.name).collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}
