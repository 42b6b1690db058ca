//! Objects with a node struct: their memory, their copies, and the constant functions that build their tables.

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::ptr::NonNull;

use crate::graph::children::ChildLayout;
use crate::object::access::dispatch::Dispatch;
use crate::object::model::field_info::FieldInfo;
use crate::object::model::object_ref::{DATA_OFFSET, Header, ObjectRef, ObjectView};
use crate::object::model::type_info::{
    Ancestor, Body, ChildSource, CompareRule, JsonForm, SEqHashKind, SingletonInfo, TypeInfo,
};
use crate::object::typed::handle::{Object, from_object_unchecked};
use crate::object::typed::hook::HookFns;

/// The memory of an object with node `N`.
#[repr(C)]
pub(crate) struct NodeBox<N> {
    header: Header,
    node: N,
}

/// Allocates memory for an object of fixed size.
#[inline]
pub(crate) fn allocate(layout: Layout) -> NonNull<Header> {
    // SAFETY: every layout has room for a header, so its size is not zero.
    match NonNull::new(unsafe { alloc(layout) }) {
        Some(ptr) => ptr.cast(),
        None => handle_alloc_error(layout),
    }
}

/// Memory that holds nothing any more, or nothing yet: it is freed when this is dropped, also by a panic.
pub(crate) struct Memory {
    ptr: NonNull<Header>,
    layout: Layout,
}

impl Memory {
    /// New memory for an object.
    #[inline]
    pub(crate) fn new(layout: Layout) -> Self {
        Memory { ptr: allocate(layout), layout }
    }

    /// Where it begins.
    #[inline]
    pub(crate) fn as_ptr(&self) -> NonNull<Header> {
        self.ptr
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: it came from `allocate` with this layout, and is freed once.
        unsafe { dealloc(self.ptr.as_ptr().cast(), self.layout) };
    }
}

/// A new object with `node` as its data.
pub fn new_object<N: Object>(node: N) -> N::Handle {
    // SAFETY: the object's exact type is `N`, so its handle accepts it.
    unsafe { from_object_unchecked(new_object_of(N::TYPE_INFO, node)) }
}

/// A new object of the type `info` with `node` as its data.
///
/// # Safety
/// The objects of this type have a node `N`.
pub(crate) unsafe fn new_object_of<N: Object>(info: &'static TypeInfo, node: N) -> ObjectRef {
    let ptr = allocate(const { Layout::new::<NodeBox<N>>() }).as_ptr();
    // SAFETY: the memory has the layout of a `NodeBox<N>`, which `info` frees, by the contract. It is written part by
    // part, because a call for each is a call to compile for each type.
    unsafe {
        ptr.write(Header::new(info));
        (&raw mut (*(ptr as *mut NodeBox<N>)).node).write(node);
        object_at(ptr)
    }
}

/// The object that begins at `ptr`.
///
/// # Safety
/// There is one, and it is handed over.
unsafe fn object_at(ptr: *mut Header) -> ObjectRef {
    // SAFETY: by the contract.
    unsafe { ObjectRef::from_raw(NonNull::new_unchecked(ptr)) }
}

/// Drops the node of a dead object and frees its memory.
///
/// # Safety
/// The object's exact type is `N` and nobody owns it.
unsafe fn free_node<N: Object>(ptr: NonNull<Header>) {
    // The memory came from `allocate` with this layout. It is freed after the node is dropped.
    let _memory = Memory { ptr, layout: const { Layout::new::<NodeBox<N>>() } };
    // SAFETY: the node is initialized and not used again.
    unsafe { std::ptr::drop_in_place(&raw mut (*(ptr.as_ptr() as *mut NodeBox<N>)).node) };
}

/// Drops the fields of a dead object one by one and frees its memory.
///
/// # Safety
/// Nobody owns the object; the fields listed are all there is in it, and its memory has the layout of its type.
pub(crate) unsafe fn free_fields(ptr: NonNull<Header>) {
    // SAFETY: the header is intact, as far as the type goes.
    let info = unsafe { (*ptr.as_ptr()).info };
    // Freed after the fields are dropped.
    let _memory = Memory { ptr, layout: info.layout };
    for field in info.fields {
        // SAFETY: the field is initialized and not used again.
        unsafe { (field.ops.drop)(ptr.as_ptr().cast::<u8>().add(field.offset as usize)) };
    }
}

/// A copy of an object, field by field, that shares the children.
pub(crate) fn copy_fields(object: ObjectView<'_>) -> ObjectRef {
    let info = object.type_info();
    let ptr = allocate(info.layout);
    for field in info.fields {
        // SAFETY: the new memory has the object's layout; the fields listed are all there is in a reflected node, so
        // afterwards it is initialized. Should a copy panic, the memory leaks and nothing is dropped twice.
        unsafe {
            let to = ptr.as_ptr().cast::<u8>().add(field.offset as usize);
            (field.ops.copy)(object.at(field.offset), to);
        }
    }
    // SAFETY: see above.
    unsafe {
        ptr.write(Header::new(info));
        ObjectRef::from_raw(ptr)
    }
}

/// A copy of an object whose node reflection does not look into.
fn copy_opaque<N: Object + Clone>(object: ObjectView<'_>) -> ObjectRef {
    use crate::object::typed::handle::ObjectHandle;
    match object.node::<N>() {
        Some(node) => new_object(node.clone()).into_object(),
        // The object itself would do harm: who asks for a copy changes it.
        None => unreachable!("the table that names this function belongs to the node struct"),
    }
}

/// What the derive knows about a type, for [`type_info`].
#[derive(Clone, Copy)]
pub struct TypeSpec {
    /// [`TypeInfo::type_key`].
    pub type_key: &'static str,
    /// [`TypeInfo::doc`].
    pub doc: &'static str,
    /// [`TypeInfo::location`].
    pub location: (&'static str, u32),
    /// [`TypeInfo::kind`].
    pub kind: SEqHashKind,
    /// [`TypeInfo::label`].
    pub label: Option<&'static str>,
    /// [`TypeInfo::json`].
    pub json: JsonForm,
    /// [`TypeInfo::is_base`].
    pub is_base: bool,
    /// [`TypeInfo::is_scope`].
    pub is_scope: bool,
    /// [`TypeInfo::is_abstract`].
    pub is_abstract: bool,
    /// The hooks of a type marked `custom`.
    pub hooks: Option<HookFns>,
    /// How instances of a singleton type are found.
    pub singleton: Option<SingletonInfo>,
}

/// The table of a node struct with reflected fields.
#[must_use]
pub const fn type_info<N: Object>(spec: TypeSpec) -> TypeInfo {
    assert!(align_of::<N>() <= DATA_OFFSET, "a node struct must not be aligned to more than 16 bytes");
    assert!(
        N::FIELDS.len() <= crate::object::access::builder::MAX_FIELDS,
        "a node struct must not have more than 64 fields"
    );
    assert!(size_of::<NodeBox<N>>() <= u32::MAX as usize, "a node struct must not have more than 4 GiB");
    let hides_fields = extends_opaque::<N>();
    TypeInfo {
        type_key: spec.type_key,
        doc: spec.doc,
        location: spec.location,
        kind: spec.kind,
        is_scope: spec.is_scope,
        body: if hides_fields { Body::Opaque } else { Body::Node },
        label: spec.label,
        json: spec.json,
        is_base: spec.is_base,
        is_abstract: spec.is_abstract,
        ancestors: N::ANCESTORS,
        fields: N::FIELDS,
        compared_fields: N::COMPARED_FIELDS,
        may_contain: None,
        is_leaf: is_leaf(N::FIELDS) && spec.hooks.is_none(),
        compare_rule: CompareRule::Plain,
        child_source: ChildSource::Fields,
        dispatch: Dispatch::Other,
        key_hash: crate::hashing::hash_key(spec.type_key),
        fields_seed: 0,
        child_layout: ChildLayout::None,
        object_fields: 0,
        layout: Layout::new::<NodeBox<N>>(),
        free: free_node::<N>,
        copy: if hides_fields { None } else { Some(copy_fields) },
        hooks: spec.hooks,
        singleton: spec.singleton,
        table: Some(table_of::<N>),
    }
    .with_plan()
}

fn table_of<N: Object>() -> &'static TypeInfo {
    N::TYPE_INFO
}

const fn is_leaf(fields: &[FieldInfo]) -> bool {
    let mut i = 0;
    while i < fields.len() {
        if !fields[i].is_leaf() {
            return false;
        }
        i += 1;
    }
    true
}

/// Whether a part of the node is hidden from reflection, because an ancestor is opaque. Then the listed fields are not
/// all there is, so the type is opaque as well.
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
    /// The same table for a node struct that reflection does not look into.
    #[must_use]
    pub const fn opaque<N: Object + Clone>(mut self) -> Self {
        self.body = Body::Opaque;
        self.copy = Some(copy_opaque::<N>);
        self.with_plan()
    }

    /// The same table for a type that takes no part in structural comparison.
    pub(crate) const fn not_comparable(mut self) -> Self {
        self.kind = SEqHashKind::Unsupported;
        self.with_plan()
    }

    /// The table of a type of this crate that the derive does not write.
    pub(crate) const fn builtin<N: Object>(type_key: &'static str, body: Body, doc: &'static str) -> Self {
        let mut info = type_info::<N>(TypeSpec {
            type_key,
            doc,
            location: (file!(), line!()),
            kind: SEqHashKind::TreeNode,
            is_scope: false,
            label: None,
            json: JsonForm::Fields,
            is_base: false,
            is_abstract: false,
            hooks: None,
            singleton: None,
        });
        info.body = body;
        info.is_leaf = false;
        info.copy = None;
        info.with_plan()
    }
}

/// The fields of a type: those of its parent, moved by `base_offset`, then its own.
#[must_use]
pub const fn fields<const N: usize>(parent: &[FieldInfo], base_offset: usize, own: &[FieldInfo]) -> [FieldInfo; N] {
    let Some(first) = (if parent.is_empty() { own.first() } else { parent.first() }) else {
        // There is nothing to fill the array with, so it has to be empty.
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

/// The ancestors of a type: those of its parent, moved by `base_offset`, then the parent.
#[must_use]
pub const fn ancestors<P: Object, const N: usize>(base_offset: usize) -> [Ancestor; N] {
    assert!(P::ANCESTORS.len() + 1 == N, "the ancestor count does not match");
    assert!(!P::FINAL, "the parent is not a base: its handle takes the node to lie behind the header");
    let mut all = [Ancestor { info: P::TYPE_INFO, offset: (DATA_OFFSET + base_offset) as u32 }; N];
    let mut i = 0;
    while i < P::ANCESTORS.len() {
        all[i] = P::ANCESTORS[i];
        all[i].offset += base_offset as u32;
        i += 1;
    }
    all
}
