//! The tables of types and fields, handles, values, and the collection of types at start-up.

pub use crate::__submit as submit_type;
pub use crate::container::IntoContainer;
pub use crate::error::{Error, Result};
pub use crate::object::annotations::rules::*;
pub use crate::object::memory::node_box::{OpaqueCopy, copy_opaque, new_checked_object, new_object, try_new_object};
pub use crate::object::memory::type_table::{DestructorOf, NoDestructor, NodeContents, field_count, fields, type_info};
pub use crate::object::model::compared_field::{ComparedField, compared_field_count, compared_fields};
pub use crate::object::model::contents::{FieldContents, TableAddress};
pub use crate::object::model::hook_fns::HookFns;
pub use crate::object::model::skipped_field::SkippedField;
pub use crate::object::model::type_info::Ancestor;
pub use crate::object::model::type_spec::TypeSpec;
pub use crate::object::typed::conversions::try_from_object;
pub use crate::object::typed::field_ops::field_info;
pub use crate::object::typed::field_place::{FieldPlace, ThreadSafe, is_thread_safe};
pub use crate::object::typed::field_type::{variant_owns_objects, view_of_part};
pub use crate::object::typed::handle::{Pointer, can_be_changed, clone_handle, consists_of_pointer, node_of};
pub use crate::object::typed::hook::hook_fns;
pub use crate::object::typed::skipped_ops::{cache_field, skipped_field};
pub use crate::object::{
    Any, AnyView, Associativity, Choice, Contents, Enumeration, Evolution, FieldChecks, FieldInfo, FieldMeta,
    FieldRole, FieldType, FileForm, Findings, FloatRange, IntRange, JsonForm, MakeMut, Migration, NumberRange, Object,
    ObjectHandle, ObjectRef, ObjectView, OldObject, SEqHashKind, StorageOf, StructuralHook, Syntax, TypeInfo,
    TypeSchema, TypedHandle,
};
pub use crate::registry::linked::TypeEntry;
pub use crate::repr::debug::{fmt_as, fmt_debug};
pub use crate::structural::tables::by_structure::{handles_equal, hash_handle};
pub use crate::{display_unless_object_display_is_none, eq_unless_object_eq_is_none, new_unless_object_new_is_given};
pub use crate::{generated_handle, generated_make_mut, generated_node, generated_sum};
pub use std::cmp::{Eq, PartialEq};
pub use std::fmt::{Display, Formatter, Result as FmtResult};
pub use std::hash::{Hash, Hasher};
pub use std::mem::{MaybeUninit, offset_of};
pub use std::option::Option;
pub use std::primitive;
pub use std::stringify;

use crate::object::{Accepted, const_str_eq};

/// The index of the field with the reflected name `name`, or `usize::MAX` if no field has this name. A separate
/// assertion in the generated code checks that the field exists, and its message names the attribute.
#[must_use]
pub const fn field_index(fields: &[FieldInfo], name: &str) -> usize {
    let mut i = 0;
    while i < fields.len() {
        if const_str_eq(fields[i].name, name) {
            return i;
        }
        i += 1;
    }
    usize::MAX
}

/// Whether `path`, one reflected name or several with dots between them, leads from an object with these fields to a
/// value. Each field before a dot is a handle, in the node of which the next name is looked up.
#[must_use]
pub const fn has_field(fields: &[FieldInfo], path: &str) -> bool {
    let mut dot = 0;
    while dot < path.len() && path.as_bytes()[dot] != b'.' {
        dot += 1;
    }
    let (name, rest) = path.split_at(dot);
    let index = field_index(fields, name);
    if index >= fields.len() || rest.is_empty() {
        return index < fields.len();
    }
    match fields[index].ops.contents {
        FieldContents::Objects(table) => has_field(table.info().fields, rest.split_at(1).1),
        _ => false,
    }
}

/// Calls the verifier of the node struct `N` for an object whose type is the type of `N` or extends it.
pub fn verify_node<N: Object>(object: ObjectView<'_>, findings: &mut Findings, verify: fn(&N, &mut Findings)) {
    if let Some(node) = object.node::<N>() {
        verify(node, findings);
    }
}

/// Submits a type table, so that the registry finds it at start-up.
#[cfg(feature = "inventory")]
#[macro_export]
#[doc(hidden)]
macro_rules! __submit {
    ($($info:tt)*) => {
        $crate::derive_support::inventory::submit! { $crate::derive_support::TypeEntry($($info)*) }
    };
}

/// Expands to nothing: without the feature `inventory`, programs register types by `registry::register`.
#[cfg(not(feature = "inventory"))]
#[macro_export]
#[doc(hidden)]
macro_rules! __submit {
    ($($info:tt)*) => {};
}

/// Tells whether the node struct `N` implements [`StructuralHook`]: `HookProbe::<N>::HAS_HOOKS` is the inherent constant of
/// `HookProbe` if `N` does, and the constant of [`NoHooks`] otherwise.
pub struct HookProbe<N>(std::marker::PhantomData<N>);

/// The constant of [`HookProbe`] for types without hooks; an inherent constant takes precedence over it.
pub trait NoHooks {
    /// Whether the type implements `StructuralHook`.
    const HAS_HOOKS: bool = false;
}

impl<N> NoHooks for HookProbe<N> {}

impl<N: StructuralHook> HookProbe<N> {
    /// Whether the type implements `StructuralHook`.
    pub const HAS_HOOKS: bool = true;
}

/// The values that the field type `T` accepts, or the constant of [`NotAFieldType`] if `T` is not a field type.
pub struct ValuesOf<T>(std::marker::PhantomData<T>);

impl<T: FieldType> ValuesOf<T> {
    /// The values.
    pub const ACCEPTED: Accepted = T::ACCEPTED;
}

/// The constant of [`ValuesOf`] for other types; an inherent constant takes precedence over it.
pub trait NotAFieldType {
    /// Nothing is known, so rules are silent.
    const ACCEPTED: Accepted = Accepted::Unknown;
}

impl<T> NotAFieldType for ValuesOf<T> {}
