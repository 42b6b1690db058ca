//! [`Proxy`]: an object of tvm-ffi that owns a reference to an object of object-core.
//!
//! The object of object-core is pinned while it has a proxy: the reference of the proxy makes it shared as soon as anybody in
//! Rust has a handle of it, so `make_mut` and edits copy it, and with it each object on the way to an object below it.

use std::ffi::{c_int, c_void};
use std::ptr::NonNull;
use std::sync::OnceLock;
use std::sync::atomic::AtomicU64;

use object_core::{ObjectRef, ObjectView};

use crate::abi::{DELETE_MEMORY, DELETE_OBJECT, Deleter, Header, NEW_COUNTS, RawAny};
use crate::handle::Handle;
use crate::value::{Value, object_of};
use crate::{identity, memory, release};

/// An object of tvm-ffi with the content `T`.
#[repr(C)]
pub(crate) struct Proxy<T> {
    header: Header,
    content: T,
}

/// The content of a proxy, which each thread may read and release.
pub(crate) trait Content: Send + Sync + 'static {
    /// The type, as a proxy names it.
    const KIND: ContentKind;

    /// The function that deletes such proxies. Its address tells proxies from other objects, so each type has one static for it.
    fn deleter() -> Deleter;

    /// The address of the object that the proxy stands for, if there is one already.
    fn address(&self) -> Option<usize>;
}

/// The type of a content, in the bytes of a header that tvm-ffi does not use. The address of the deleter is not enough to tell the
/// types apart: a compiler may make one function of two that do the same.
#[derive(Clone, Copy)]
pub(crate) enum ContentKind {
    Node = 1,
    Draft,
    Elements,
}

/// The content of a proxy for an object with fields. Getters get its address.
pub(crate) struct Node {
    pub(crate) object: ObjectRef,
    pub(crate) kept: Kept,
}

/// The values of fields that tvm-ffi has read. They live as long as the proxy: operations of tvm-ffi, such as `repr`, know an
/// object by its address and rely on its parent to keep it alive.
#[derive(Default)]
pub(crate) struct Kept(OnceLock<Box<[OnceLock<Value>]>>);

impl Kept {
    /// The place for the value of the field with the index `field` of `object`.
    pub(crate) fn slot(&self, object: ObjectView<'_>, field: usize) -> Option<&OnceLock<Value>> {
        let slots = || object.type_info().fields().iter().map(|_| OnceLock::new()).collect();
        self.0.get_or_init(slots).get(field)
    }
}

impl Content for Node {
    const KIND: ContentKind = ContentKind::Node;

    fn deleter() -> Deleter {
        static DELETER: Deleter = delete::<Node>;
        DELETER
    }

    fn address(&self) -> Option<usize> {
        Some(self.object.view().address())
    }
}

// `FieldForm` knows the fields that lie in an object by their size. The fields of proxies do not.
const _: () = assert!(size_of::<Node>() > 16);

/// The distance of the content of a proxy from its start, in bytes.
pub(crate) const CONTENT_OFFSET: usize = std::mem::offset_of!(Proxy<Node>, content);

/// A new proxy of the type `type_index`.
pub(crate) fn make<T: Content>(type_index: i32, content: T) -> Handle {
    let memory = memory::allocate::<Proxy<T>>(type_index);
    let counts = AtomicU64::new(NEW_COUNTS);
    let header = Header { counts, type_index, padding: T::KIND as u32, deleter: Some(T::deleter()) };
    // SAFETY: the memory is new and has the layout of the proxy. The handle takes over the one strong reference.
    unsafe {
        memory.write(Proxy { header, content });
        Handle::from_raw(memory.as_ptr().cast()).unwrap_unchecked()
    }
}

/// The content of the proxy in `raw`, if `raw` is a proxy with this content that this library made.
pub(crate) fn content_of<T: Content>(raw: &RawAny) -> Option<&T> {
    let object: NonNull<Header> = object_of(raw)?.cast();
    // SAFETY: the borrowed value keeps the object alive. An object with this deleter is a proxy, and its kind names its content.
    unsafe {
        let header = object.as_ref();
        let is_proxy = std::ptr::fn_addr_eq(header.deleter?, T::deleter()) && header.padding == T::KIND as u32;
        is_proxy.then(|| &object.cast::<Proxy<T>>().as_ref().content)
    }
}

/// Deletes a proxy, as tvm-ffi asks for it: the content when the last strong reference goes, and the memory when the last
/// weak reference goes.
///
/// # Safety
/// `object` is a proxy with the content `T`, and tvm-ffi calls this once for each of the two flags.
pub(crate) unsafe extern "C" fn delete<T: Content>(object: *mut c_void, flags: c_int) {
    let Some(object) = NonNull::new(object) else { return };
    let proxy = object.cast::<Proxy<T>>();
    // SAFETY: by the contract, the content is alive until the first flag, and nobody uses it later; the same holds for the
    // memory and the second flag.
    unsafe {
        if flags & DELETE_OBJECT != 0 {
            if let Some(address) = proxy.as_ref().content.address() {
                identity::forget(address, object.as_ptr());
            }
            release::release((&raw const (*proxy.as_ptr()).content).read());
        }
        if flags & DELETE_MEMORY != 0 {
            memory::free(proxy);
        }
    }
}
