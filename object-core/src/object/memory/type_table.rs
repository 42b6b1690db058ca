//! Constant functions that put the table of a node struct together from its annotations.

use std::alloc::Layout;

use crate::object::memory::node_box::{NodeBox, copy_fields, free_node};
use crate::object::model::field_info::FieldInfo;
use crate::object::model::keywords::{Body, SEqHashKind};
use crate::object::model::object_ref::{DATA_OFFSET, ObjectRef, ObjectView};
use crate::object::model::plan::MAX_FIELDS;
use crate::object::model::type_info::{Ancestor, TypeInfo};
use crate::object::model::type_spec::{TypeParts, TypeSpec};
use crate::object::typed::handle::Object;

/// The table of the node struct `N` with these annotations.
///
/// # Panics
/// At compile time, if the node struct is aligned to more than 16 bytes, has more than 64 fields, or is larger than
/// 4 GiB.
#[must_use]
pub const fn type_info<N: Object>(spec: TypeSpec) -> TypeInfo {
    // An opaque ancestor hides a part of the node, so the fields in the table are not the whole node.
    let is_opaque = spec.copy_opaque.is_some() || extends_opaque::<N>();
    let copy = if is_opaque { spec.copy_opaque } else { Some(copy_fields as _) };
    // SAFETY: by the contract of `Object`, the fields and ancestors of `N` describe its memory. If `N` is not opaque, they
    // are its whole node.
    unsafe { TypeInfo::new(spec, parts::<N>(if is_opaque { Body::Opaque } else { Body::Node }, copy)) }
}

/// The parts of the table of `N`.
const fn parts<N: Object>(body: Body, copy: Option<fn(ObjectView<'_>) -> ObjectRef>) -> TypeParts {
    assert!(align_of::<N>() <= DATA_OFFSET, "a node struct must not be aligned to more than 16 bytes");
    assert!(N::FIELDS.len() <= MAX_FIELDS, "a node struct must not have more than 64 fields");
    assert!(size_of::<NodeBox<N>>() <= u32::MAX as usize, "a node struct must not have more than 4 GiB");
    TypeParts {
        body,
        ancestors: N::ANCESTORS,
        fields: N::FIELDS,
        compared_fields: N::COMPARED_FIELDS,
        layout: Layout::new::<NodeBox<N>>(),
        free: free_node::<N>,
        copy,
        canonical: Some(canonical::<N>),
    }
}

fn canonical<N: Object>() -> &'static TypeInfo {
    N::TYPE_INFO
}

const fn extends_opaque<N: Object>() -> bool {
    let mut i = 0;
    while i < N::ANCESTORS.len() {
        if matches!(N::ANCESTORS[i].info.body, Body::Opaque) {
            return true;
        }
        i += 1;
    }
    false
}

impl TypeInfo {
    /// The table of a type of this crate that the derive does not write. `kind` is `tree`, or `none` for a type that
    /// structural comparison rejects.
    ///
    /// # Safety
    /// Code that reads objects with the body `body` expects a node `N`.
    #[track_caller]
    pub(crate) const unsafe fn builtin<N: Object>(
        type_key: &'static str,
        body: Body,
        kind: SEqHashKind,
        doc: &'static str,
    ) -> Self {
        // SAFETY: by the contract of `Object`, the fields and ancestors of `N` describe its memory, and by the contract
        // here, so does the body.
        unsafe { TypeInfo::new(TypeSpec::builtin(type_key, kind, doc), parts::<N>(body, None)) }
    }
}

/// The fields of a type: the fields of its parent, with `base_offset` bytes added to their offsets, then the fields
/// `own`.
///
/// # Panics
/// At compile time, if `N` is not the number of these fields.
#[must_use]
pub const fn fields<const N: usize>(parent: &[FieldInfo], base_offset: usize, own: &[FieldInfo]) -> [FieldInfo; N] {
    let Some(first) = (if parent.is_empty() { own.first() } else { parent.first() }) else {
        // Without a field to fill the array with, the array has to be empty.
        return match <[FieldInfo]>::as_array::<N>(own) {
            Some(empty) => *empty,
            None => panic!("the field count does not match"),
        };
    };
    assert!(parent.len() + own.len() == N, "the field count does not match");
    let mut all = [*first; N];
    let mut i = 0;
    while i < N {
        if i < parent.len() {
            all[i] = parent[i];
            all[i].offset += base_offset as u32;
        } else {
            all[i] = own[i - parent.len()];
        }
        i += 1;
    }
    all
}

/// The ancestors of a type that extends `P`: the ancestors of `P`, with `base_offset` bytes added to their offsets, then
/// `P`.
///
/// # Panics
/// At compile time, if `N` is not the number of these ancestors, or if `P` is not a base.
#[must_use]
pub const fn ancestors<P: Object, const N: usize>(base_offset: usize) -> [Ancestor; N] {
    assert!(P::ANCESTORS.len() + 1 == N, "the ancestor count does not match");
    assert!(!P::FINAL, "the parent is not a base: its handle expects the node directly after the header");
    let mut all = [Ancestor { info: P::TYPE_INFO, offset: (DATA_OFFSET + base_offset) as u32 }; N];
    let mut i = 0;
    while i < P::ANCESTORS.len() {
        all[i] = P::ANCESTORS[i];
        all[i].offset += base_offset as u32;
        i += 1;
    }
    all
}
