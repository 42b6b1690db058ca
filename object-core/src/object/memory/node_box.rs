//! Objects with a node struct: how they are allocated, freed and copied.

use std::alloc::Layout;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ptr::NonNull;

use crate::error::Result;
use crate::object::memory::alloc::{Allocation, allocate};
use crate::object::model::any::Any;
use crate::object::model::checked::require;
use crate::object::model::field_info::FieldInfo;
use crate::object::model::keywords::{Body, SEqHashKind};
use crate::object::model::object_ref::{CopyObject, DATA_OFFSET, Header, ObjectRef, ObjectView};
use crate::object::model::release::DeadObjects;
use crate::object::model::skipped_field::SkippedValues;
use crate::object::model::type_info::TypeInfo;
use crate::object::typed::handle::{Object, from_object_unchecked};

/// The memory layout of an object with node `N`.
#[repr(C)]
pub(crate) struct NodeBox<N> {
    header: Header,
    node: N,
}

/// Makes an object with `node` as its data.
///
/// # Panics
/// If a word of the declaration does not allow a value; [`try_new_object`] returns an error instead.
///
/// At compile time, if `N` is a singleton type, because there is one instance for each key, or if it is abstract:
///
/// ```compile_fail,E0080
/// # use object_core::prelude::*;
/// #[derive(Object)]
/// #[object(type_key = "doc.Op")]
/// #[structural_eq(singleton, key = name)]
/// struct OpNode {
///     name: Str,
/// }
///
/// let second: Op = object_core::derive_support::new_object(OpNode { name: "add".into() });
/// ```
pub fn new_object<N: Object>(node: N) -> N::Handle {
    const {
        assert!(!matches!(N::TYPE_INFO.kind, SEqHashKind::UniqueInstance), "look the instance up by its key: `get`");
        assert!(!N::TYPE_INFO.is_abstract, "the type is abstract; make an object of a type that extends it");
    }
    if const { N::TYPE_INFO.has_checks } {
        return new_checked_object(node);
    }
    // SAFETY: the handle of `N` accepts all objects of the type of `N`.
    unsafe { from_object_unchecked(object_of(node)) }
}

/// As [`new_object`], for a type with words about values.
///
/// # Panics
/// As [`new_object`], and if a word does not allow a value.
#[track_caller]
pub fn new_checked_object<N: Object>(node: N) -> N::Handle {
    match try_new_object(node) {
        Ok(handle) => handle,
        Err(error) => panic!("{error}"),
    }
}

/// As [`new_object`], with an error for a value that a word of the declaration does not allow.
///
/// # Errors
/// [`CheckFailed`](crate::ErrorKind::CheckFailed), with the path of the field.
///
/// # Panics
/// As [`new_object`], at compile time.
pub fn try_new_object<N: Object>(node: N) -> Result<N::Handle> {
    const {
        assert!(!matches!(N::TYPE_INFO.kind, SEqHashKind::UniqueInstance), "look the instance up by its key: `get`");
        assert!(!N::TYPE_INFO.is_abstract, "the type is abstract; make an object of a type that extends it");
    }
    let object = object_of(node);
    if const { N::TYPE_INFO.has_checks } {
        require(object.view())?;
    }
    // SAFETY: the handle of `N` accepts all objects of the type of `N`.
    Ok(unsafe { from_object_unchecked(object) })
}

/// As [`new_object`], without the checks, for the code that keeps the instances of singleton types.
pub(crate) fn object_of<N: Object>(node: N) -> ObjectRef {
    // SAFETY: by the contract of `Object`, `TYPE_INFO` describes nodes `N`.
    unsafe { new_object_of(N::TYPE_INFO, node) }
}

/// Makes an object of the type `info` with `node` as its data.
///
/// # Safety
/// The objects of the type `info` have a node `N` directly after the header, and `info` frees them as a `NodeBox<N>`.
pub(crate) unsafe fn new_object_of<N: Object>(info: &'static TypeInfo, node: N) -> ObjectRef {
    // The header and the node are written separately: one write of a `NodeBox` would be a function to compile for each
    // type.
    // SAFETY: the layout includes a header, so its size is not zero. The new memory has the layout of a `NodeBox<N>`, and
    // `info` belongs to it, by the contract.
    unsafe {
        let ptr = allocate(const { Layout::new::<NodeBox<N>>() }).as_ptr();
        ptr.write(Header::new(info));
        (&raw mut (*(ptr as *mut NodeBox<N>)).node).write(node);
        object_at(ptr)
    }
}

/// The object that begins at `ptr`, as a handle.
///
/// # Safety
/// As for [`ObjectRef::from_raw`], and `ptr` is not null.
unsafe fn object_at(ptr: *mut Header) -> ObjectRef {
    // SAFETY: by the contract.
    unsafe { ObjectRef::from_raw(NonNull::new_unchecked(ptr)) }
}

/// Drops the node of a dead object and frees its memory.
///
/// # Safety
/// The exact type of the object is the type of `N`, the object is initialized, and no handle refers to it.
pub(crate) unsafe fn free_node<N: Object>(ptr: NonNull<Header>, dead: &mut DeadObjects) {
    // Only the destructor of the node depends on `N`: more than that would be compiled for each type.
    // SAFETY: by the contract, and the memory of the object came from `allocate` with this layout.
    unsafe { free_with(ptr, const { Layout::new::<NodeBox<N>>() }, drop_node::<N>, dead) }
}

/// Drops the node of a dead object.
///
/// # Safety
/// As [`free_node`], and nothing uses the node afterwards.
unsafe fn drop_node<N: Object>(ptr: NonNull<Header>) {
    // SAFETY: by the contract.
    unsafe { std::ptr::drop_in_place(&raw mut (*(ptr.as_ptr() as *mut NodeBox<N>)).node) };
}

/// Drops the data of a dead object by `drop_data` and frees its memory.
///
/// # Safety
/// No handle refers to the object, `drop_data` accepts it, and its memory came from [`allocate`] with `layout`.
unsafe fn free_with(
    ptr: NonNull<Header>,
    layout: Layout,
    drop_data: unsafe fn(NonNull<Header>),
    dead: &mut DeadObjects,
) {
    // Freed at the end of the function, after the data are dropped.
    // SAFETY: by the contract.
    let _allocation = unsafe { Allocation::from_raw(ptr, layout) };
    // SAFETY: by the contract, and this is the only call.
    dead.collect(|| unsafe { drop_data(ptr) });
}

/// Drops the fields of a dead object one by one and frees its memory.
///
/// # Safety
/// No handle refers to the object. The fields in the table of its type and the skipped fields are initialized and make up the
/// whole node, and its memory came from [`allocate`] with the layout of its type.
pub(crate) unsafe fn free_fields(ptr: NonNull<Header>, dead: &mut DeadObjects) {
    // SAFETY: the type in the header stays readable until the memory is freed.
    let info = unsafe { (*ptr.as_ptr()).info };
    // SAFETY: by the contract, the values and the memory have no other owner. `fields` frees the memory, and `skipped` is
    // dropped before it.
    let (fields, skipped) = unsafe {
        let memory = Allocation::from_raw(ptr, info.layout);
        (InitializedFields { memory, fields: info.fields }, SkippedValues::of_dead(info, ptr))
    };
    dead.collect(|| {
        drop(skipped);
        drop(fields);
    });
}

/// Memory of an object without a header, in which these fields are initialized. Dropping it drops the fields and frees the
/// memory.
struct InitializedFields {
    memory: Allocation,
    fields: &'static [FieldInfo],
}

impl Drop for InitializedFields {
    fn drop(&mut self) {
        for field in self.fields {
            // SAFETY: the field is initialized, and nothing uses it afterwards. The memory is freed after this function.
            unsafe { (field.ops.drop)(self.memory.as_ptr().as_ptr().cast::<u8>().add(field.offset as usize)) };
        }
    }
}

/// Copies an object field by field. The copy shares the children.
///
/// # Panics
/// If reflection does not see all of the node. The tables of such types do not name this function.
pub(crate) fn copy_fields(object: ObjectView<'_>) -> ObjectRef {
    match copy_fields_with(object, |child| Some(child.to_object())) {
        Some(copy) => copy,
        None => unreachable!("a field accepts its own value"),
    }
}

/// Copies an object field by field. The copy refers to the object that `copied` returns in place of each child; `None` if
/// `copied` returns `None`, or if a field rejects an object.
///
/// # Panics
/// If reflection does not see all of the node.
#[inline(always)]
pub(crate) fn copy_fields_with<'a>(
    object: ObjectView<'a>,
    mut copied: impl FnMut(ObjectView<'a>) -> Option<ObjectRef>,
) -> Option<ObjectRef> {
    let info = object.type_info();
    assert!(info.body == Body::Node, "the fields of `{}` are not its whole node", info.type_key);
    // Dropped if a field rejects its copy, or if the code of the user that copies a field panics.
    // SAFETY: the layout of an object includes its header, so its size is not zero.
    let mut copy = InitializedFields { memory: unsafe { Allocation::new(info.layout) }, fields: &[] };
    let ptr = copy.memory.as_ptr();
    for (index, field) in info.fields.iter().enumerate() {
        // SAFETY: `object` and the new memory have the layout of `info`, which has this field.
        unsafe {
            let to = ptr.as_ptr().cast::<u8>().add(field.offset as usize);
            field.copy_with(object.at(field.offset), to, &mut copied)?;
        }
        copy.fields = &info.fields[..=index];
    }
    if info.has_skipped {
        // SAFETY: both objects have the type `info`, and the skipped fields have no values in the new one.
        std::mem::forget(unsafe { SkippedValues::write(info, ptr, Some(object)) });
    }
    // The memory and the fields belong to the object now.
    std::mem::forget(copy);
    // SAFETY: the fields and the skipped fields are the whole node, because the body is `Node`; all of them and the header are
    // initialized.
    unsafe {
        ptr.write(Header::new(info));
        Some(ObjectRef::from_raw(ptr))
    }
}

/// A copy of `object` with other objects in the fields of which `changes` has the indexes. `None` without any effect if the
/// type has fields that need operations of their own, or if a field does not accept the new value as it is.
pub(crate) fn copy_with_children(object: ObjectView<'_>, changes: &mut [(usize, Any)]) -> Option<ObjectRef> {
    let info = object.type_info();
    let children = info.plan.bitwise_copied_fields()?;
    for (index, value) in changes.iter() {
        let child = children.iter().find(|child| usize::from(child.index) == *index)?;
        let new = value.view().as_object()?;
        // SAFETY: the plan of the object's type lists the field.
        let is_same_kind = unsafe { child.object(object) }.is_some_and(|old| new.is_interchangeable_with(old));
        if !is_same_kind && !info.fields[*index].accepts(value.view()) {
            return None;
        }
    }
    // Nothing below fails.
    // SAFETY: the layout of an object includes its header, so its size is not zero. The old and the new memory have this layout,
    // and do not overlap. The bits of the fields that are not listed are valid values in the copy, and the handles in the
    // listed fields are written again, each with a count of its own. These fields are the whole node.
    unsafe {
        let copy = allocate(info.layout);
        let data = |start: NonNull<Header>| start.as_ptr().cast::<MaybeUninit<u8>>().add(DATA_OFFSET);
        data(copy).copy_from_nonoverlapping(data(object.as_ptr()), info.layout.size() - DATA_OFFSET);
        for child in children {
            let changed = changes.iter_mut().find(|(index, _)| usize::from(child.index) == *index);
            let handle = match changed.map(|(_, value)| std::mem::take(value)) {
                Some(Any::Object(new)) => Some(new),
                _ => child.object(object).map(ObjectView::to_object),
            };
            child.put(copy, handle);
        }
        copy.write(Header::new(info));
        Some(ObjectRef::from_raw(copy))
    }
}

/// The function that copies objects with the `opaque` node struct `N`, if there is one.
pub struct OpaqueCopy<N> {
    function: Option<CopyObject>,
    of: PhantomData<fn(N) -> N>,
}

impl<N> OpaqueCopy<N> {
    /// Objects with this node struct cannot be copied.
    pub const NONE: Self = OpaqueCopy { function: None, of: PhantomData };

    /// The function without the type of the node.
    pub(crate) const fn function(&self) -> Option<CopyObject> {
        self.function
    }
}

/// Copies objects with the `opaque` node struct `N` by [`Clone`].
#[must_use]
pub const fn copy_opaque<N: Object + Clone>() -> OpaqueCopy<N> {
    OpaqueCopy { function: Some(copy_node::<N>), of: PhantomData }
}

/// Copies an object with an `opaque` node struct.
///
/// # Panics
/// If the exact type of the object is not the type of `N`. Only the table of `N` names this function.
fn copy_node<N: Object + Clone>(object: ObjectView<'_>) -> ObjectRef {
    match object.node::<N>().filter(|_| std::ptr::eq(object.type_info(), N::TYPE_INFO)) {
        Some(node) => object_of(node.clone()),
        // Returning the object itself would be unsound, because `make_mut` changes the result in place.
        None => unreachable!("the table that names this function belongs to the node struct"),
    }
}
