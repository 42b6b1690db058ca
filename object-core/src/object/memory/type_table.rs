//! Constant functions that put the table of a node struct together from its annotations.

use std::alloc::Layout;
use std::marker::PhantomData;

use crate::object::memory::node_box::{NodeBox, OpaqueCopy, copy_fields, free_node};
use crate::object::model::field_info::FieldInfo;
use crate::object::model::keywords::{Body, SEqHashKind};
use crate::object::model::object_ref::{CopyObject, DATA_OFFSET};
use crate::object::model::plan::MAX_FIELDS;
use crate::object::model::skipped_field::SkippedField;
use crate::object::model::type_info::{Ancestor, TypeInfo};
use crate::object::model::type_spec::{TypeParts, TypeSpec};
use crate::object::typed::field_place::FieldPlace;
use crate::object::typed::handle::Object;
use crate::text::const_message::fail;

/// Whether the fields in the table of the node struct `N` are the whole node. Only the macros in
/// `object/memory/generated.rs` make one.
pub struct NodeContents<N> {
    /// `None` if the fields are the whole node, and otherwise the function that copies a node, if there is one.
    opaque: Option<OpaqueCopy<N>>,
    /// The fields of the node that are not in the table.
    skipped: &'static [SkippedField],
    /// Whether the node struct implements `Drop` itself.
    has_destructor: bool,
}

/// `DestructorOf::<N>::EXISTS` says whether the struct `N` implements `Drop` itself, for a name `N` of a struct without
/// generic arguments: then the compiler finds this constant before the one of [`NoDestructor`].
pub struct DestructorOf<N>(PhantomData<N>);

#[expect(drop_bounds, reason = "structs whose fields alone need a drop do not count")]
impl<N: Drop> DestructorOf<N> {
    /// True.
    pub const EXISTS: bool = true;
}

/// The answer of [`DestructorOf`] for other structs.
pub trait NoDestructor {
    /// False.
    const EXISTS: bool = false;
}

impl<N> NoDestructor for DestructorOf<N> {}

impl<N: Object> NodeContents<N> {
    /// The fields in the table and the fields `skipped` are the whole node.
    ///
    /// # Safety
    /// `N` is a struct, and has no fields but the own ones in [`Object::FIELDS`] and `skipped`, each once, and the part of its
    /// parent.
    /// The value is for the one table that [`Object::TYPE_INFO`] refers to.
    #[must_use]
    pub const unsafe fn whole(skipped: &'static [SkippedField]) -> Self {
        NodeContents { opaque: None, skipped, has_destructor: false }
    }

    /// Sets whether the node struct implements `Drop` itself: [`DestructorOf`] says so. If not, the release of an object drops
    /// the fields alone.
    #[must_use]
    pub const fn with_destructor(self, has_destructor: bool) -> Self {
        NodeContents { has_destructor, ..self }
    }

    /// The node has fields that are not in the table.
    ///
    /// # Safety
    /// The value is for the one table that [`Object::TYPE_INFO`] refers to.
    #[must_use]
    pub const unsafe fn opaque(copy: OpaqueCopy<N>) -> Self {
        // The release of an opaque node calls its `drop` in any case.
        NodeContents { opaque: Some(copy), skipped: &[], has_destructor: false }
    }
}

/// The table of the node struct `N` with these annotations.
///
/// # Panics
/// At compile time, if the node struct is aligned to more than 16 bytes, has more than 64 fields, or is larger than
/// 4 GiB, and if the annotations contradict each other.
#[must_use]
#[track_caller]
pub const fn type_info<N: Object>(contents: &NodeContents<N>, mut spec: TypeSpec) -> TypeInfo {
    spec.by_structure = spec.by_structure || matches!(N::ANCESTORS, [.., last] if last.info.by_structure);
    let is_singleton = matches!(spec.kind, SEqHashKind::UniqueInstance);
    assert!(is_singleton || !extends_singleton::<N>(), "a type that extends a singleton type is a singleton type");
    assert!(is_singleton || spec.singleton.is_none(), "only a singleton type has a key");
    let (body, copy) = match &contents.opaque {
        Some(copy) => (Body::Opaque, copy.function()),
        // An opaque ancestor hides a part of the node, so the fields in the table are not the whole node.
        None if extends_opaque::<N>() => (Body::Opaque, None),
        None => (Body::Node, Some(copy_fields as _)),
    };
    // A singleton is not copied, because there is one instance for each key.
    let copy = if is_singleton { None } else { copy };
    // SAFETY: by the contract of `Object`, the fields and ancestors of `N` describe its memory. If the body is `Node`, they
    // and the skipped fields are its whole node, by the contract of `NodeContents::whole`.
    unsafe {
        let NodeContents { skipped, has_destructor, .. } = *contents;
        TypeInfo::new(spec, TypeParts { skipped, has_destructor, ..parts::<N>(body, copy) })
    }
}

/// The parts of the table of `N`.
#[track_caller]
const fn parts<N: Object>(body: Body, copy: Option<CopyObject>) -> TypeParts {
    if align_of::<N>() > DATA_OFFSET {
        fail(
            "node_limits",
            "a node struct is aligned to at most 16 bytes, as objects in memory are\nhelp: put the data of a larger alignment \
             into a `Box` in an `opaque` type",
            &[],
        );
    }
    if N::FIELDS.len() > MAX_FIELDS {
        fail(
            "node_limits",
            "a node struct has at most 64 fields, with the inherited ones\nhelp: move fields that belong together into a \
             node struct of their own, and write its handle",
            &[],
        );
    }
    if size_of::<NodeBox<N>>() > u32::MAX as usize {
        fail("node_limits", "a node struct has at most 4 GiB\nhelp: put large data into an `Array` or a `Tensor`", &[]);
    }
    TypeParts {
        body,
        is_base: !N::FINAL,
        ancestors: N::ANCESTORS,
        fields: N::FIELDS,
        skipped: &[],
        compared_fields: N::COMPARED_FIELDS,
        layout: Layout::new::<NodeBox<N>>(),
        free: free_node::<N>,
        has_destructor: false,
        copy,
    }
}

const fn extends_singleton<N: Object>() -> bool {
    matches!(N::ANCESTORS, [.., last] if matches!(last.info.kind, SEqHashKind::UniqueInstance))
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

/// The fields of the node struct `C`: the fields of its parent `P`, which is at `base`, and then the fields `own`. `B` is
/// the same type as `P`, which `generated_node!` checks. `_same` exists only if `P` is the parent of `C`.
///
/// # Panics
/// At compile time, if `N` is not the number of these fields.
#[must_use]
pub const fn fields<P: Object, C: Object, B, const N: usize>(
    base: &FieldPlace<C, B>,
    _same: fn(*mut C::Parent) -> *mut P,
    own: &[FieldInfo],
) -> [FieldInfo; N] {
    let parent = P::FIELDS;
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
            all[i].offset += base.offset();
        } else {
            all[i] = own[i - parent.len()];
        }
        i += 1;
    }
    all
}

/// The number of all fields of `N`.
#[must_use]
pub const fn field_count<N: Object>() -> usize {
    N::FIELDS.len()
}

/// The number of ancestors of `N`.
#[must_use]
pub const fn ancestor_count<N: Object>() -> usize {
    N::ANCESTORS.len()
}

/// The ancestors of the node struct `C`, which extends `P`: the ancestors of `P`, which is at `base`, and then `P`. `B` is
/// the same type as `P`, which `generated_node!` checks. `_same` exists only if `P` is the parent of `C`.
///
/// # Panics
/// At compile time, if `N` is not the number of these ancestors, or if `P` is not a base.
#[must_use]
pub const fn ancestors<P: Object, C: Object, B, const N: usize>(
    base: &FieldPlace<C, B>,
    _same: fn(*mut C::Parent) -> *mut P,
) -> [Ancestor; N] {
    assert!(P::ANCESTORS.len() + 1 == N, "the ancestor count does not match");
    assert!(!P::FINAL, "the parent is not a base: its handle expects the node directly after the header");
    let mut all = [Ancestor { info: P::TYPE_INFO, offset: DATA_OFFSET as u32 + base.offset() }; N];
    let mut i = 0;
    while i < P::ANCESTORS.len() {
        all[i] = P::ANCESTORS[i];
        all[i].offset += base.offset();
        i += 1;
    }
    all
}
