//! [`TypeSpec`] and [`TypeParts`]: the parts that make up a [`TypeInfo`].

use std::alloc::Layout;
use std::panic::Location;
use std::ptr::NonNull;

use crate::object::model::compared_field::ComparedField;
use crate::object::model::contents::Contents;
use crate::object::model::evolution::Evolution;
use crate::object::model::field_info::FieldInfo;
use crate::object::model::findings::Findings;
use crate::object::model::hook_fns::HookFns;
use crate::object::model::keywords::{Body, SEqHashKind};
use crate::object::model::object_ref::{CopyObject, Header, ObjectView};
use crate::object::model::release::DeadObjects;
use crate::object::model::singleton_info::SingletonInfo;
use crate::object::model::skipped_field::SkippedField;
use crate::object::model::syntax::Syntax;
use crate::object::model::type_info::{Ancestor, JsonForm};

/// The verifier of a type, which reports the violations in an object of the type, or of a type that extends it.
pub(crate) type Verify = fn(ObjectView<'_>, &mut Findings);

/// The annotations of a type, as the derive passes them to `type_info`. Its fields mean the same as the fields of
/// [`TypeInfo`] with the same names.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct TypeSpec {
    /// The type key.
    pub type_key: &'static str,
    /// The documentation comment.
    pub doc: &'static str,
    /// The source file and line.
    pub location: (&'static str, u32),
    /// The names of the node struct and of the handle; empty for types without Rust structs.
    pub names: (&'static str, &'static str),
    /// The kind.
    pub kind: SEqHashKind,
    /// The text for an object as a map key.
    pub label: Option<&'static str>,
    /// The words about the text of the language.
    pub syntax: Option<Syntax>,
    /// The form in JSON.
    pub json: JsonForm,
    /// Whether the type is a scope.
    pub is_scope: bool,
    /// Whether all objects of this type are objects of types that extend it.
    pub is_abstract: bool,
    /// Whether `==` and `Hash` of the handle compare objects by structure, and not by identity.
    pub by_structure: bool,
    /// The declaration `may_contain(...)`.
    pub may_contain: Option<Contents>,
    /// The pairs of `meta(key = "value")`.
    pub meta: &'static [(&'static str, &'static str)],
    /// The words about files of earlier declarations.
    pub evolution: Evolution,
    /// The fields of each `same_len(...)`, by their indices.
    pub same_len: &'static [&'static [usize]],
    /// The verifier of the type.
    pub verify: Option<Verify>,
    /// The hooks of a type marked `custom`.
    pub hooks: Option<HookFns>,
    /// Finds the instances of a singleton type.
    pub singleton: Option<SingletonInfo>,
}

impl TypeSpec {
    /// A type without a name and without annotations.
    pub const NONE: TypeSpec = TypeSpec {
        type_key: "",
        doc: "",
        location: ("", 0),
        names: ("", ""),
        kind: SEqHashKind::Unsupported,
        label: None,
        syntax: None,
        json: JsonForm::Fields,
        is_scope: false,
        is_abstract: false,
        by_structure: false,
        may_contain: None,
        meta: &[],
        evolution: Evolution::NONE,
        same_len: &[],
        verify: None,
        hooks: None,
        singleton: None,
    };

    /// A type of this crate that no type extends. The caller's place is the place of the declaration.
    #[track_caller]
    pub(crate) const fn builtin(type_key: &'static str, kind: SEqHashKind, doc: &'static str) -> Self {
        let caller = Location::caller();
        TypeSpec { type_key, doc, location: (caller.file(), caller.line()), kind, ..TypeSpec::NONE }
    }
}

/// The tables of a type's fields and ancestors, and the operations on the memory of its objects.
#[derive(Clone, Copy)]
pub(crate) struct TypeParts {
    /// The kind of data after the header.
    pub(crate) body: Body,
    /// Whether other types may extend this one.
    pub(crate) is_base: bool,
    /// The ancestors, the root first, without the type itself.
    pub(crate) ancestors: &'static [Ancestor],
    /// All fields, the fields of the ancestors first.
    pub(crate) fields: &'static [FieldInfo],
    /// The own fields that are not in `fields`.
    pub(crate) skipped: &'static [SkippedField],
    /// The fields that structural comparison looks at, in the same order.
    pub(crate) compared_fields: &'static [ComparedField],
    /// The size and alignment of an object with its header. For objects of variable length, this is the layout of the
    /// header alone.
    pub(crate) layout: Layout,
    /// Drops the data of a dead object and frees its memory. It may add the objects that die with it to the list.
    pub(crate) free: unsafe fn(NonNull<Header>, &mut DeadObjects),
    /// Whether the node struct implements `Drop` itself.
    pub(crate) has_destructor: bool,
    /// Copies an object; the copy shares the children. `None` if objects of the type cannot be copied.
    pub(crate) copy: Option<CopyObject>,
}
