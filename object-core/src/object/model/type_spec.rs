//! [`TypeSpec`] and [`TypeParts`]: all that a [`TypeInfo`] is made of.

use std::alloc::Layout;
use std::ptr::NonNull;

use crate::object::model::compared_field::ComparedField;
use crate::object::model::contents::Contents;
use crate::object::model::field_info::FieldInfo;
use crate::object::model::keywords::{Body, SEqHashKind};
use crate::object::model::object_ref::{Header, ObjectRef, ObjectView};
use crate::object::model::type_info::{Ancestor, JsonForm, SingletonInfo, TypeInfo};
use crate::object::typed::hook::HookFns;

/// The annotations of a type. The fields mean what the fields of [`TypeInfo`] with these names mean.
#[derive(Clone, Copy)]
pub struct TypeSpec {
    /// The type key.
    pub type_key: &'static str,
    /// The documentation comment.
    pub doc: &'static str,
    /// Source file and line.
    pub location: (&'static str, u32),
    /// The kind.
    pub kind: SEqHashKind,
    /// The label of map keys.
    pub label: Option<&'static str>,
    /// The form in JSON.
    pub json: JsonForm,
    /// Whether other types may extend this one.
    pub is_base: bool,
    /// Whether the type is a scope.
    pub is_scope: bool,
    /// Whether objects of exactly this type exist.
    pub is_abstract: bool,
    /// The declaration `may_contain(...)`.
    pub may_contain: Option<Contents>,
    /// Copies an object whose node struct is `opaque`, sharing its children. `None` for other node structs.
    pub copy_opaque: Option<fn(ObjectView<'_>) -> ObjectRef>,
    /// The hooks of a type marked `custom`.
    pub hooks: Option<HookFns>,
    /// How the instances of a singleton type are found.
    pub singleton: Option<SingletonInfo>,
}

impl TypeSpec {
    /// A type without a name and without annotations.
    pub const NONE: TypeSpec = TypeSpec {
        type_key: "",
        doc: "",
        location: ("", 0),
        kind: SEqHashKind::Unsupported,
        label: None,
        json: JsonForm::Fields,
        is_base: false,
        is_scope: false,
        is_abstract: false,
        may_contain: None,
        copy_opaque: None,
        hooks: None,
        singleton: None,
    };

    /// A type of this crate that nothing extends.
    pub(crate) const fn builtin(type_key: &'static str, kind: SEqHashKind, doc: &'static str) -> Self {
        TypeSpec { type_key, doc, location: (file!(), line!()), kind, ..TypeSpec::NONE }
    }
}

/// The tables of a type's fields and ancestors, and the operations on the memory of its objects.
#[derive(Clone, Copy)]
pub(crate) struct TypeParts {
    /// The contents after the header.
    pub(crate) body: Body,
    /// The ancestors, root first, without the type itself.
    pub(crate) ancestors: &'static [Ancestor],
    /// All fields, those of the ancestors first.
    pub(crate) fields: &'static [FieldInfo],
    /// The fields that structural comparison looks at, in the same order.
    pub(crate) compared_fields: &'static [ComparedField],
    /// Size and alignment of an object with its header; of the fixed part for types of variable length.
    pub(crate) layout: Layout,
    /// Drops the data of a dead object and frees its memory.
    pub(crate) free: unsafe fn(NonNull<Header>),
    /// Copies an object, sharing its children. `None` where objects cannot be copied.
    pub(crate) copy: Option<fn(ObjectView<'_>) -> ObjectRef>,
    /// Gives the one table of the node struct. `None` for tables that only this crate makes.
    pub(crate) canonical: Option<fn() -> &'static TypeInfo>,
}
