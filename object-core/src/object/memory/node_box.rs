//! Objects with a node struct: their memory, their release and their copies.

use std::alloc::Layout;
use std::ptr::NonNull;

use crate::object::memory::alloc::{Memory, allocate};
use crate::object::model::object_ref::{Header, ObjectRef, ObjectView};
use crate::object::model::type_info::TypeInfo;
use crate::object::typed::handle::{Object, ObjectHandle, from_object_unchecked};

/// The memory of an object with node `N`.
#[repr(C)]
pub(crate) struct NodeBox<N> {
    header: Header,
    node: N,
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
pub(crate) unsafe fn free_node<N: Object>(ptr: NonNull<Header>) {
    // SAFETY: the memory came from `allocate` with this layout. It is freed after the node is dropped.
    let _memory = unsafe { Memory::from_raw(ptr, const { Layout::new::<NodeBox<N>>() }) };
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
    // SAFETY: by the contract. The memory is freed after the fields are dropped.
    let _memory = unsafe { Memory::from_raw(ptr, info.layout) };
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

/// A copy of an object with an `opaque` node struct.
///
/// # Panics
/// If the type of the object is not `N`. Only the table of `N` names this function.
pub fn copy_opaque<N: Object + Clone>(object: ObjectView<'_>) -> ObjectRef {
    match object.node::<N>() {
        Some(node) => new_object(node.clone()).into_object(),
        // Returning the object itself would be unsound, because the caller changes the copy.
        None => unreachable!("the table that names this function belongs to the node struct"),
    }
}
