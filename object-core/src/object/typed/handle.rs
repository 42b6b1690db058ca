//! The traits of node structs and their handles ([`Object`], [`ObjectHandle`], [`TypedHandle`]), and downcasts.

use std::any::TypeId;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::ptr::NonNull;

use crate::error::{Error, ErrorKind};
use crate::object::model::accepted::Accepted;
use crate::object::model::checked::require;
use crate::object::model::compared_field::ComparedField;
use crate::object::model::contents::{FieldContents, TableAddress};
use crate::object::model::field_info::FieldInfo;
use crate::object::model::handle_ops::{HandleFns, HandleOps};
use crate::object::model::keywords::{Body, SEqHashKind};
use crate::object::model::object_ref::{DATA_OFFSET, Header, ObjectRef, ObjectView};
use crate::object::model::type_info::{Ancestor, JsonForm, TypeInfo, UNKNOWN_TYPE};
use crate::object::model::type_schema::TypeSchema;

/// A node struct: the data of an object. `#[derive(Object)]` implements this trait.
///
/// # Safety
/// Only the macro `generated_node!` of this crate, which the derive calls, implements this trait. [`TYPE_INFO`](Self::TYPE_INFO)
/// describes this struct: each field and each ancestor has the type and the offset that its table lists, the compared fields
/// belong to these fields, and a node struct that is not opaque has no other fields. The struct is [`Send`] and [`Sync`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a node struct",
    label = "not annotated with `#[derive(Object)]`",
    note = "annotate `{Self}` with `#[derive(Object)]` and `#[object(type_key = \"...\")]`"
)]
pub unsafe trait Object: Sized + 'static {
    /// The handle of objects with such a node.
    type Handle: TypedHandle<Node = Self>;
    /// The node struct that this one extends; `()` if there is none.
    #[doc(hidden)]
    type Parent;
    /// The address of [`TYPE_INFO`](Self::TYPE_INFO), for constants that must not depend on the table itself.
    #[doc(hidden)]
    const TABLE: TableAddress;
    /// The description of the type.
    const TYPE_INFO: &'static TypeInfo;
    /// All fields, the fields of the ancestors first.
    #[doc(hidden)]
    const FIELDS: &'static [FieldInfo];
    /// The fields that structural comparison looks at.
    #[doc(hidden)]
    const COMPARED_FIELDS: &'static [ComparedField];
    /// The ancestors, the root first, without the type itself.
    #[doc(hidden)]
    const ANCESTORS: &'static [Ancestor];
    /// Whether no type can extend this one; its node then lies directly after the header.
    #[doc(hidden)]
    const FINAL: bool;
}

/// A thin, reference-counted pointer to an object of one type, of a type that extends it, or of another set of types.
///
/// Conversions take the pointer out of a handle, and the release of an object drops its handles as [`ObjectRef`]s. So `Drop`
/// belongs to the node struct: a `Drop` of the handle itself does not run there.
///
/// # Safety
/// The type has an [`ObjectRef`] as its only data, with the same size and alignment.
/// [`accepts_object`](Self::accepts_object) is true only for objects for which all safe methods of the wrapper are sound. It
/// depends on the type of the object alone, and for an array or map also on the types of its elements: an object that a rewrite
/// changes in place stays accepted. It keeps no handle of the object.
/// [`accepts_type_info`](Self::accepts_type_info) is true for a type only if `accepts_object` is true for all its objects.
/// The constants `TYPE` and `OPS` accept no other objects than these functions do. The implementation overrides none of the
/// other methods, which convert handles.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a handle of an object",
    label = "not a handle",
    note = "the handle of `XNode` is `X`, made by `#[derive(Object)]` on `XNode`",
    note = "instead of a type of std, write `Str` for `String`, `&str` and `char`; `Array<T>` for `Vec<T>`, `[T; N]` and \
            `&[T]`; `Bytes` for `Vec<u8>`; `Map<K, V>` for maps; `i64` for `u64`, `usize`, `isize`, `i128` and `u128`; the \
            handle itself for a `Box`, `Rc` or `Arc`; a node struct or `Array<Any>` for a tuple"
)]
pub unsafe trait ObjectHandle: Clone + Send + Sync + 'static {
    /// The objects that the object can be or contain. Generated code sets it.
    #[doc(hidden)]
    const CONTENTS: FieldContents = FieldContents::Anything;

    /// The objects that the handle accepts. Generated code sets it.
    #[doc(hidden)]
    const ACCEPTED: Accepted = Accepted::Unknown;

    /// The type whose instances the handle accepts, if these are its objects. Generated code sets it.
    #[doc(hidden)]
    const TYPE: Option<TableAddress> = None;

    /// The accepted objects as data.
    #[doc(hidden)]
    const OPS: HandleOps = match Self::TYPE {
        Some(table) => HandleOps::instances(table),
        None => HandleOps::others(HandleFns {
            accepts_object: Self::accepts_object,
            accepts_type_info: Self::accepts_type_info,
            rejected: Self::rejected,
            handle_schema: Self::handle_schema,
        }),
    };

    /// Whether this handle may point to `object`. A handle of generated code may point to the instances of its type; other
    /// handles implement the function.
    #[inline]
    fn accepts_object(object: ObjectView<'_>) -> bool {
        object.is_instance(const { type_of::<Self>() })
    }

    /// Whether this handle may point to every object of the type `info` and of the types that extend it. The answer `false`
    /// means that each object has to be checked.
    #[inline]
    fn accepts_type_info(info: &TypeInfo) -> bool {
        Self::TYPE.is_some_and(|table| info.is_or_extends(table.info()))
    }

    /// The type as schemas write it. As [`accepts_object`](Self::accepts_object), it has a default for generated code.
    fn handle_schema() -> TypeSchema {
        TypeSchema::leaf(const { type_of::<Self>() }.type_key)
    }

    /// The error for an object that the handle does not accept.
    fn rejected(object: ObjectView<'_>) -> Error {
        Error::type_mismatch(&Self::handle_schema().to_string(), object.type_key())
    }

    /// Borrows the handle as an untyped handle.
    #[inline]
    fn as_object(&self) -> &ObjectRef {
        const { assert!(size_of::<Self>() == size_of::<ObjectRef>()) };
        // SAFETY: `Self` is a transparent wrapper of `ObjectRef`.
        unsafe { &*(&raw const *self as *const ObjectRef) }
    }

    /// Converts the handle to an untyped handle.
    #[inline]
    fn into_object(self) -> ObjectRef {
        let handle = ManuallyDrop::new(self);
        // SAFETY: `Self` is a transparent wrapper of `ObjectRef`. `handle` is not dropped, so the result owns its count.
        unsafe { (&raw const handle as *const ObjectRef).read() }
    }

    /// Converts an untyped handle to this handle.
    ///
    /// # Errors
    /// The given handle, if this type does not accept the object.
    fn try_from_object(object: ObjectRef) -> Result<Self, ObjectRef> {
        if Self::accepts_object(object.view()) {
            // SAFETY: the handle accepts the object.
            Ok(unsafe { from_object_unchecked(object) })
        } else {
            Err(object)
        }
    }

    /// Whether `H` accepts the object.
    #[inline]
    fn is<H: ObjectHandle>(&self) -> bool {
        H::accepts_object(self.as_object().view())
    }

    /// Borrows the handle as an `H`, if `H` accepts the object. The reference count does not change.
    #[inline]
    fn downcast_ref<H: ObjectHandle>(&self) -> Option<&H> {
        // SAFETY: `H` accepts the object, and both types are transparent wrappers of `ObjectRef`.
        self.is::<H>().then(|| unsafe { &*std::ptr::from_ref(self).cast::<H>() })
    }

    /// Borrows the handle mutably as an `H`, if `H` accepts the object: then [`make_mut`](MakeMut::make_mut) changes the node, and an
    /// assignment replaces the object. `None` also if `H` accepts objects that `Self` does not, as `Array<Any>` does for an
    /// `Array<Str>`.
    ///
    /// ```
    /// use object_core::prelude::*;
    ///
    /// #[derive(Object)]
    /// #[object(type_key = "doc.downcast_mut.Expr", base)]
    /// #[structural_eq(tree)]
    /// struct ExprNode {}
    ///
    /// #[derive(Object)]
    /// #[object(type_key = "doc.downcast_mut.Neg", parent = ExprNode)]
    /// #[structural_eq(tree)]
    /// struct NegNode {
    ///     base: ExprNode,
    ///     args: Array<Expr>,
    ///     size: i64,
    /// }
    ///
    /// let mut expr = Expr::from(Neg::new([Neg::new([], 1).into()], 0));
    /// // Through fields: nothing else refers to these objects, so nothing is copied.
    /// if let Some(outer) = expr.downcast_mut::<Neg>()
    ///     && let Some(inner) = outer.make_mut().args[0].downcast_mut::<Neg>()
    /// {
    ///     inner.make_mut().size = 2;
    /// }
    /// let Ok(outer) = expr.downcast::<Neg>() else { unreachable!() };
    /// assert_eq!(outer.args[0].downcast_ref::<Neg>().map(|inner| inner.size), Some(2));
    /// ```
    #[inline]
    fn downcast_mut<H: ObjectHandle>(&mut self) -> Option<&mut H> {
        let accepts_all = match H::TYPE {
            Some(table) => Self::accepts_type_info(table.info()),
            None => TypeId::of::<Self>() == TypeId::of::<H>() || TypeId::of::<Self>() == TypeId::of::<ObjectRef>(),
        };
        // SAFETY: `H` accepts the object, and both types are transparent wrappers of `ObjectRef`. The caller can put any `H` into the
        // place: an instance of the type of `H`, which `Self` accepts, or `Self` is `H`, or accepts every object.
        (accepts_all && self.is::<H>()).then(|| unsafe { &mut *std::ptr::from_mut(self).cast::<H>() })
    }

    /// Converts the handle to an `H`.
    ///
    /// # Errors
    /// The handle itself, if `H` does not accept the object.
    fn downcast<H: ObjectHandle>(self) -> Result<H, Self> {
        // SAFETY: the object comes from a `Self`, so `Self` accepts it; `try_from_object` returns it unchanged.
        H::try_from_object(self.into_object()).map_err(|object| unsafe { from_object_unchecked(object) })
    }

    /// Whether both handles point to the same object.
    #[inline]
    fn ptr_eq<H: ObjectHandle>(&self, other: &H) -> bool {
        self.as_object().ptr_eq(other.as_object())
    }
}

/// The type whose instances are the objects of the handle `H`.
///
/// # Panics
/// At compile time, for a handle of other objects that does not implement the functions that ask for the type.
const fn type_of<H: ObjectHandle>() -> &'static TypeInfo {
    match H::TYPE {
        Some(table) => table.info(),
        None => panic!("a handle implements `accepts_object` and `handle_schema`"),
    }
}

/// Converts an untyped handle to an `H` without a check.
///
/// # Safety
/// `H` accepts the object.
#[inline]
pub(crate) unsafe fn from_object_unchecked<H: ObjectHandle>(object: ObjectRef) -> H {
    const { assert!(size_of::<H>() == size_of::<ObjectRef>()) };
    let object = ManuallyDrop::new(object);
    // SAFETY: `H` is a transparent wrapper of `ObjectRef`. `object` is not dropped, so the result owns its count.
    unsafe { (&raw const object as *const H).read() }
}

/// The field of a handle that the derive generates: a reference-counted pointer to an object with a node `N`.
///
/// The derive declares the handle in the module of the user's node struct, where safe code can construct the handle from
/// its private field. With an [`ObjectRef`] as the field, such code could make a handle of an object of any type. A
/// `Pointer<N>` comes only from another handle of the same node struct.
#[doc(hidden)]
#[repr(transparent)]
pub struct Pointer<N> {
    object: ObjectRef,
    node: PhantomData<fn() -> N>,
}

impl<N> Clone for Pointer<N> {
    #[inline]
    fn clone(&self) -> Self {
        Pointer { object: self.object.clone(), node: PhantomData }
    }
}

/// The handle of a node struct, which dereferences to the node.
///
/// # Safety
/// Only the macro `generated_handle!` of this crate, which the derive calls, implements this trait.
/// [`accepts_object`](ObjectHandle::accepts_object) is true only for objects that are an [instance](ObjectView::is_instance) of the node's type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the handle of a node struct",
    label = "no node to look into",
    note = "handles of node structs are made by `#[derive(Object)]`; an `ObjectRef` or an `Any` is one after a \
            `downcast` or a `try_from`"
)]
pub unsafe trait TypedHandle: ObjectHandle + Deref<Target = Self::Node> {
    /// The node struct.
    type Node: Object<Handle = Self>;
}

/// A handle that can change its node, after it has copied the node if other handles share it. The derive implements this
/// trait for all handles except the handles of singletons.
///
/// # Safety
/// Only the macro `generated_make_mut!` of this crate, which the derive calls, implements this trait. The node struct of the
/// handle is not a singleton type.
#[diagnostic::on_unimplemented(
    message = "the node of a `{Self}` cannot be changed",
    label = "cannot be changed in place",
    note = "handles made by `#[derive(Object)]` can, except those of singletons, which all users of a key share"
)]
pub unsafe trait MakeMut: TypedHandle {
    /// Borrows the node mutably. If other handles share the object, or if it has fields marked `cache`, the function first
    /// replaces this handle by a handle of a copy, which shares the children and has empty caches.
    ///
    /// Nothing checks the new values against the words of the declaration; [`with_changes`](Self::with_changes) does.
    ///
    /// # Panics
    /// If [`try_make_mut`](Self::try_make_mut) returns an error.
    #[track_caller]
    fn make_mut(&mut self) -> &mut Self::Node {
        match self.try_make_mut() {
            Ok(node) => node,
            Err(error) => panic!("{}", error.message()),
        }
    }

    /// The handle after `change` has changed the node: of the same object, or of a copy if other handles share it.
    ///
    /// ```
    /// use object_core::prelude::*;
    ///
    /// #[derive(Object)]
    /// #[object(type_key = "doc.with_changes.Loop")]
    /// #[structural_eq(tree)]
    /// struct LoopNode {
    ///     extent: i64,
    ///     #[field(default = 1)]
    ///     step: i64,
    /// }
    ///
    /// let steps = Loop::new(10).with_changes(|it| it.step = 2);
    /// assert_eq!((steps.extent, steps.step), (10, 2));
    /// ```
    ///
    /// # Panics
    /// As [`make_mut`](Self::make_mut), and if a word of the declaration does not allow a new value.
    #[must_use]
    #[track_caller]
    fn with_changes(mut self, change: impl FnOnce(&mut Self::Node)) -> Self {
        change(self.make_mut());
        if const { Self::Node::TYPE_INFO.has_checks || !Self::Node::FINAL }
            && self.as_object().view().type_info().has_checks
            && let Err(error) = require(self.as_object().view())
        {
            panic!("{error}");
        }
        self
    }

    /// As [`make_mut`](Self::make_mut), for a handle that can refer to objects that cannot be copied.
    ///
    /// # Errors
    /// [`NotConstructible`](ErrorKind::NotConstructible) if the object is the instance of a singleton type, which extends the
    /// type of the handle, if a reader has [kept](crate::json::JsonReader::keep_unknown_types) it as the text of an unknown
    /// type, and if other handles share the object and its node struct is `opaque` and not [`Clone`].
    fn try_make_mut(&mut self) -> Result<&mut Self::Node, Error> {
        let view = self.as_object().view();
        let info = view.type_info();
        if info.kind == SEqHashKind::UniqueInstance {
            return Err(not_copyable(info, "it is a singleton, and there is one instance for each key"));
        }
        if info.json == JsonForm::Kept {
            return Err(not_copyable(info, UNKNOWN_TYPE));
        }
        // A copy has empty caches. An opaque type copies its caches by its own `Clone`, so it gains nothing from a copy.
        let is_stale = info.has_caches && info.body == Body::Node;
        if is_stale || !view.is_unique() {
            let Some(copy) = info.copy else {
                return Err(not_copyable(info, "other handles share it, and it is opaque and not `Clone`"));
            };
            // SAFETY: a copy has the type of its original, so the handle accepts it.
            *self = unsafe { from_object_unchecked(copy(view)) };
        }
        // SAFETY: the handle is the only one and is borrowed mutably, and it accepts only objects of its node's type.
        Ok(unsafe { node_unchecked_mut(self.as_object().as_ptr()) })
    }
}

#[cold]
fn not_copyable(info: &TypeInfo, reason: &str) -> Error {
    let message = format!("cannot change a `{}` through this handle: {reason}", info.type_key);
    Error::new(ErrorKind::NotConstructible, message)
}

/// Checks that the node struct of `H` is not a singleton type.
///
/// # Panics
/// At compile time, if it is one.
pub const fn can_be_changed<H: TypedHandle>() {
    assert!(
        !matches!(<H::Node as Object>::TYPE_INFO.kind, SEqHashKind::UniqueInstance),
        "a singleton cannot be changed, because there is one instance for each key"
    );
}

/// Checks that a handle `H`, which has one field, a [`Pointer`], has the layout of the pointer.
///
/// # Panics
/// At compile time, if it does not.
pub const fn consists_of_pointer<H>() {
    assert!(
        size_of::<H>() == size_of::<ObjectRef>() && align_of::<H>() == align_of::<ObjectRef>(),
        "a handle has the layout of a pointer"
    );
}

/// Another handle of the same object. Generated code calls this function, and not the `clone` of the field, so that a name
/// of a handle that another item has makes no errors about fields.
#[inline]
#[must_use]
pub fn clone_handle<H: TypedHandle>(handle: &H) -> H {
    // SAFETY: a handle of the same type accepts the object.
    unsafe { from_object_unchecked(handle.as_object().clone()) }
}

/// Borrows the node that `handle` points to.
#[inline]
pub fn node_of<H: TypedHandle>(handle: &H) -> &H::Node {
    // SAFETY: a `TypedHandle` accepts only objects of its node's type.
    unsafe { node_unchecked(handle.as_object().view()) }
}

/// Borrows the node of type `N` in `object`.
///
/// # Safety
/// The type of the object is the type of `N` or extends it, or has nodes `N` and is declared in this crate.
#[inline]
pub(crate) unsafe fn node_unchecked<N: Object>(object: ObjectView<'_>) -> &N {
    // SAFETY: by the contract, a node `N` is at the offset that the table of the object's type gives.
    unsafe { &*object.at(offset_of_node::<N>(object)).cast::<N>() }
}

/// Borrows the node of type `N` in the object at `ptr` mutably.
///
/// # Safety
/// As for [`node_unchecked`], and nothing else accesses the node while the reference is in use.
pub(crate) unsafe fn node_unchecked_mut<'a, N: Object>(ptr: NonNull<Header>) -> &'a mut N {
    // SAFETY: by the contract, the object is alive, and a node `N` is at the offset that the table of its type gives.
    unsafe {
        let offset = offset_of_node::<N>(ObjectView::from_raw(ptr));
        &mut *ptr.as_ptr().cast::<u8>().add(offset as usize).cast::<N>()
    }
}

/// The offset of the node `N` in `object`, in bytes from the start of the object.
#[inline]
fn offset_of_node<N: Object>(object: ObjectView<'_>) -> u32 {
    if N::FINAL { DATA_OFFSET as u32 } else { object.type_info().node_offset(N::TYPE_INFO) }
}

impl<'a> ObjectView<'a> {
    /// Borrows the node, if the type of the object is the type of `N` or extends it.
    #[must_use]
    #[inline]
    pub fn node<N: Object>(self) -> Option<&'a N> {
        // SAFETY: the object is an instance of `N`.
        self.is_instance(N::TYPE_INFO).then(|| unsafe { node_unchecked(self) })
    }

    /// Borrows the object as an `H`, if `H` accepts it. The reference count does not change.
    #[must_use]
    #[inline]
    pub fn as_handle<H: ObjectHandle>(&self) -> Option<&H> {
        // SAFETY: `H` accepts the object. `H` and `Self` are both transparent wrappers of a pointer to the object. The
        // shared reference does not drop the `H`, so the `H` needs no count of its own while the object is borrowed.
        H::accepts_object(*self).then(|| unsafe { &*std::ptr::from_ref(self).cast::<H>() })
    }

    /// An owning handle of the object, if `H` accepts it.
    #[must_use]
    pub fn to_handle<H: ObjectHandle>(self) -> Option<H> {
        // SAFETY: `H` accepts the object.
        H::accepts_object(self).then(|| unsafe { from_object_unchecked(self.to_object()) })
    }
}
