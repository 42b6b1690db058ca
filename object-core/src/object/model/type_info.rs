//! [`TypeInfo`]: the constant table that says everything about a type; each derive writes one.

use std::alloc::Layout;
use std::ptr::NonNull;

use crate::error::Result;
use crate::object::model::any::Any;
use crate::object::model::compared_field::ComparedField;
use crate::object::model::contents::Contents;
use crate::object::model::field_info::FieldInfo;
use crate::object::model::keywords::{Body, SEqHashKind};
use crate::object::model::object_ref::{DATA_OFFSET, Header, ObjectRef, ObjectView};
use crate::object::model::plan::Plan;
use crate::object::model::type_spec::{TypeParts, TypeSpec};
use crate::object::typed::hook::HookFns;

/// A type that another one descends from.
#[derive(Clone, Copy)]
pub struct Ancestor {
    /// The type.
    pub(crate) info: &'static TypeInfo,
    /// Where its node lies in an object of the descending type, in bytes from the object's start.
    pub(crate) offset: u32,
}

/// The form of a type's objects in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonForm {
    /// A map from field names to values.
    Fields,
    /// The value of one field, by its index in [`TypeInfo::fields`].
    Field(usize),
}

/// How the one instance per key of a singleton type is found.
#[derive(Clone, Copy)]
pub struct SingletonInfo {
    /// Index of the key field in [`TypeInfo::fields`].
    pub(crate) key_field: usize,
    /// Where the instances are.
    pub(crate) instances: Instances,
}

impl SingletonInfo {
    /// The instance with the given key of `info`, whose entry this is.
    pub(crate) fn instance(&self, info: &'static TypeInfo, key: Any) -> Result<ObjectRef> {
        match self.instances {
            Instances::Linked(get) => get(key),
            Instances::Runtime(table) => table.get(info, self.key_field, key),
        }
    }
}

/// Where the instances of a singleton type are.
#[derive(Clone, Copy)]
pub(crate) enum Instances {
    /// The function of a linked type that finds the instance with the given key.
    Linked(fn(Any) -> Result<ObjectRef>),
    /// The table of a type that a program makes while it runs.
    Runtime(&'static dyn InstanceTable),
}

/// The instances of one singleton type by key.
pub(crate) trait InstanceTable: Send + Sync {
    /// The instance of `info` with the given key, which is the value of the field `key_field`.
    ///
    /// # Errors
    /// A type mismatch if the key is not text.
    fn get(&self, info: &'static TypeInfo, key_field: usize, key: Any) -> Result<ObjectRef>;
}

/// Everything known about a type: its key, its place in the hierarchy, its fields and its role in structural
/// equality. There is exactly one per type, so tables are compared by address.
pub struct TypeInfo {
    /// The name that identifies the type in every process and file, such as `relax.expr.Call`.
    pub type_key: &'static str,
    /// The documentation comment of the node struct.
    pub doc: &'static str,
    /// Source file and line of the declaration. A type that comes from a schema has the name of the schema and its
    /// place among the types there, from 1.
    pub location: (&'static str, u32),
    /// The role in structural equality and hashing.
    pub kind: SEqHashKind,
    /// Whether bindings made inside an object of this type end with it, under lexical scopes.
    pub is_scope: bool,
    /// What lies behind the header.
    pub body: Body,
    /// How an object of this type is written as a map key in an access path, with `{field}` and `{field:?}` standing
    /// for the values of fields.
    pub label: Option<&'static str>,
    /// The form in JSON.
    pub json: JsonForm,
    /// Whether other types may have this one as their parent.
    pub is_base: bool,
    /// Whether objects of exactly this type exist.
    pub is_abstract: bool,
    /// Root first, without the type itself.
    pub(crate) ancestors: &'static [Ancestor],
    /// The declaration `may_contain(...)`.
    pub(crate) may_contain: Option<Contents>,
    /// All fields, those of the ancestors first.
    pub(crate) fields: &'static [FieldInfo],
    /// The fields that structural comparison looks at, in the same order.
    pub(crate) compared_fields: &'static [ComparedField],
    /// The facts that follow from the rest of the table.
    pub(crate) plan: Plan,
    /// Size and alignment of an object with its header; of the fixed part for types of variable length.
    pub(crate) layout: Layout,
    /// Drops the data of a dead object and frees its memory.
    pub(crate) free: unsafe fn(NonNull<Header>),
    /// Copies an object, sharing its children. `None` where objects cannot be copied.
    pub(crate) copy: Option<fn(ObjectView<'_>) -> ObjectRef>,
    /// The hooks that replace the fields in structural equality and hashing.
    pub(crate) hooks: Option<HookFns>,
    /// How instances are found, for singletons.
    pub(crate) singleton: Option<SingletonInfo>,
    /// Gives the one table of the node struct, which has to be this one. `None` for tables that only this crate makes.
    pub(crate) canonical: Option<fn() -> &'static TypeInfo>,
}

impl TypeInfo {
    /// The table of a type with these annotations and parts.
    pub(crate) const fn new(spec: TypeSpec, parts: TypeParts) -> Self {
        TypeInfo {
            plan: Plan::of(&spec, &parts),
            type_key: spec.type_key,
            doc: spec.doc,
            location: spec.location,
            kind: spec.kind,
            is_scope: spec.is_scope,
            body: parts.body,
            label: spec.label,
            json: spec.json,
            is_base: spec.is_base,
            is_abstract: spec.is_abstract,
            ancestors: parts.ancestors,
            may_contain: spec.may_contain,
            fields: parts.fields,
            compared_fields: parts.compared_fields,
            layout: parts.layout,
            free: parts.free,
            copy: parts.copy,
            hooks: spec.hooks,
            singleton: spec.singleton,
            canonical: parts.canonical,
        }
    }

    /// All fields in the order of declaration, those of the ancestors first.
    #[must_use]
    pub fn fields(&self) -> &'static [FieldInfo] {
        self.fields
    }

    /// The fields that this type adds to its parent's.
    #[must_use]
    pub fn own_fields(&self) -> &'static [FieldInfo] {
        &self.fields[self.parent().map_or(0, |parent| parent.fields.len())..]
    }

    /// The field with the reflected name `name`, and its index.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<(usize, &'static FieldInfo)> {
        self.fields.iter().enumerate().find(|(_, field)| field.name == name)
    }

    /// The type that this one extends; `None` for those directly under the root.
    #[must_use]
    pub fn parent(&self) -> Option<&'static TypeInfo> {
        self.ancestors.last().map(|ancestor| ancestor.info)
    }

    /// All types that this one descends from, the root first.
    pub fn ancestors(&self) -> impl DoubleEndedIterator<Item = &'static TypeInfo> + use<> {
        self.ancestors.iter().map(|ancestor| ancestor.info)
    }

    /// Whether this type is `other` or descends from it.
    #[must_use]
    #[inline]
    pub fn is_or_extends(&self, other: &TypeInfo) -> bool {
        std::ptr::eq(self, other)
            || self.ancestors.get(other.ancestors.len()).is_some_and(|ancestor| std::ptr::eq(ancestor.info, other))
    }

    /// Whether this is the table that its node struct names as its own. Anyone can fill in another one, but no object
    /// is made from it.
    pub(crate) fn is_canonical(&self) -> bool {
        self.canonical.is_none_or(|table| std::ptr::eq(table(), self))
    }

    /// Whether equality and hashing of this type are written by hand.
    #[must_use]
    pub fn has_custom_hooks(&self) -> bool {
        self.hooks.is_some()
    }

    /// The field that tells the instances of a singleton type apart.
    #[must_use]
    pub fn singleton_key(&self) -> Option<&'static FieldInfo> {
        self.singleton.map(|singleton| &self.fields[singleton.key_field])
    }

    /// The nearest type that both descend from, or that one of them is.
    pub(crate) fn common_ancestor(&'static self, other: &'static TypeInfo) -> Option<&'static TypeInfo> {
        if self.is_or_extends(other) {
            return Some(other);
        }
        let chain = || std::iter::once(self).chain(self.ancestors().rev());
        chain().find(|info| other.is_or_extends(info))
    }

    /// Where the node of the ancestor `info`, or of this type itself, begins in an object of this type.
    #[inline]
    pub(crate) fn node_offset(&self, info: &TypeInfo) -> u32 {
        match self.ancestors.get(info.ancestors.len()) {
            Some(ancestor) => ancestor.offset,
            None => DATA_OFFSET as u32,
        }
    }
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
