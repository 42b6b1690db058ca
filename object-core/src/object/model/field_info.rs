//! [`FieldInfo`]: the description of a field: its name, its annotations, its offset and the operations on its bytes.

use std::any::TypeId;
use std::marker::PhantomData;

use crate::error::Result;
use crate::object::model::any::{Any, AnyView};
use crate::object::model::checks::FieldChecks;
use crate::object::model::contents::{Contents, FieldContents};
use crate::object::model::enumeration::{Enumeration, Variant};
use crate::object::model::handle_ops::HandleOps;
use crate::object::model::keywords::FieldRole;
use crate::object::model::object_ref::{ObjectRef, ObjectView};
use crate::object::model::runtime_field::RuntimeField;
use crate::object::model::type_info::TypeInfo;
use crate::object::model::type_schema::TypeSchema;

/// The storage of a field: the Rust type of its bytes, for the types that all code can read without a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Storage {
    /// A handle.
    Object,
    /// An optional handle: an object pointer that may be null.
    OptionalObject,
    /// An `i64`.
    Int,
    /// A `bool`.
    Bool,
    /// An `f64`.
    Float,
    /// A `DataType`.
    DataType,
    /// An `Any`.
    Any,
    /// A plain value of another type, such as an `i32` or an enum. Only the operations of the field can read it.
    Plain,
    /// A value of another type that may contain objects. Only the operations of the field can read it.
    Other,
}

/// The [`Storage`] of values of the type `T`. Only this crate makes one that promises a form of the memory.
pub struct StorageOf<T> {
    storage: Storage,
    /// Whether each object that a value lends has a handle in the value, and lending it runs no code of users that could
    /// keep a handle of it.
    owns_objects: bool,
    /// The handle in the field, for [`Storage::Object`] and [`Storage::OptionalObject`].
    handle: Option<HandleOps>,
    of: PhantomData<fn(T) -> T>,
}

impl<T> StorageOf<T> {
    /// A type that may contain objects: [`Storage::Other`].
    ///
    /// A rewrite copies an object with such a field instead of changing it in place, and all objects below it, because the
    /// value may lend objects that others see too. Enums with `#[derive(Object)]` and `Option` have storages of their own,
    /// which know better.
    pub const OTHER: Self = StorageOf { storage: Storage::Other, owns_objects: false, handle: None, of: PhantomData };

    /// A type whose values are numbers or other plain values: [`Storage::Plain`]. JSON writes such a value in the node of
    /// its object, as TVM writes the numbers of enums, and no operation looks for objects in it.
    pub const PLAIN: Self = StorageOf { storage: Storage::Plain, owns_objects: true, handle: None, of: PhantomData };

    /// The storage `storage`.
    ///
    /// # Safety
    /// A `T` is in memory a non-null pointer to an object, which owns one reference to it, for [`Storage::Object`]; such
    /// a pointer or null for [`Storage::OptionalObject`]; and the named type for `Int`, `Bool`, `Float`, `DataType` and
    /// `Any`. [`Storage::Plain`] has no requirement. For [`Storage::Other`], a `T` holds a handle of each object that its
    /// `view` returns, and its `view` runs no code of users that gets a view of the object.
    pub(crate) const unsafe fn new(storage: Storage) -> Self {
        StorageOf { storage, owns_objects: true, handle: None, of: PhantomData }
    }

    /// The storage of a type whose values have one part each: an enum with a value in each variant, or an optional value.
    ///
    /// # Safety
    /// The `view` of a `T` is `view_of_part` of a part that is in the value, or no object. `parts_own_objects` is false
    /// unless the storages of all parts own their objects.
    #[doc(hidden)]
    #[must_use]
    pub const unsafe fn of_parts(parts_own_objects: bool) -> Self {
        StorageOf { storage: Storage::Other, owns_objects: parts_own_objects, handle: None, of: PhantomData }
    }

    /// The storage of a handle that accepts the objects of `ops`, or with `is_optional` of such a handle or nothing.
    ///
    /// # Safety
    /// As for [`new`](Self::new), and all objects that `ops` accept may be in a `T`.
    pub(crate) const unsafe fn of_handle(ops: HandleOps, is_optional: bool) -> Self {
        let storage = if is_optional { Storage::OptionalObject } else { Storage::Object };
        StorageOf { storage, owns_objects: true, handle: Some(ops), of: PhantomData }
    }

    /// Whether a value holds a handle of each object that it lends, and no code of users runs when it lends one.
    pub(crate) const fn owns_objects(self) -> bool {
        self.owns_objects
    }

    /// The objects that a field accepts; `None` if the storage is not a handle's.
    pub(crate) const fn handle(self) -> Option<HandleOps> {
        self.handle
    }

    /// The storage without the type.
    #[must_use]
    pub const fn get(self) -> Storage {
        self.storage
    }
}

impl<T> Clone for StorageOf<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for StorageOf<T> {}

impl<T> std::fmt::Debug for StorageOf<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.storage.fmt(f)
    }
}

/// The operations on the bytes of fields of one Rust type. Each Rust type has one constant table of them.
pub(crate) struct FieldOps {
    /// The Rust type.
    pub(crate) type_id: TypeId,
    /// The form of a value in memory.
    pub(crate) storage: Storage,
    /// As [`StorageOf::owns_objects`].
    pub(crate) owns_objects: bool,
    /// Borrows the value of an initialized field. The result lives as long as the field.
    pub(crate) view: unsafe fn(*const u8) -> AnyView<'static>,
    /// Clones the value of an initialized field into an uninitialized one.
    pub(crate) copy: unsafe fn(*const u8, *mut u8),
    /// Whether the drop of a value does anything.
    pub(crate) needs_drop: bool,
    /// Drops the value of an initialized field in place.
    pub(crate) drop: unsafe fn(*mut u8),
    /// The operations that depend on the accepted values.
    pub(crate) values: ValueOps,
    /// The objects that a value can be or contain.
    pub(crate) contents: FieldContents,
}

/// The operations on fields that depend on the accepted values.
#[derive(Clone, Copy)]
pub(crate) enum ValueOps {
    /// A handle.
    Handle(HandleOps),
    /// An optional handle.
    OptionalHandle(HandleOps),
    /// A value of another type, by the functions of the type.
    Other(ValueFns),
}

/// The functions of a type that is not a handle.
#[derive(Clone, Copy)]
pub(crate) struct ValueFns {
    /// Converts a value and writes it to an uninitialized field. After an error, the field is uninitialized.
    pub(crate) write: unsafe fn(*mut u8, Any) -> Result<()>,
    /// Whether a value has the type of the field without a conversion.
    pub(crate) accepts: fn(AnyView<'_>) -> bool,
    /// Whether the field accepts all objects of a type and of the types that extend it.
    pub(crate) accepts_type: fn(&TypeInfo) -> bool,
    /// The type as schemas write it.
    pub(crate) schema: fn() -> TypeSchema,
    /// The variants of an enum without data.
    pub(crate) enumeration: fn() -> Option<Enumeration>,
}

impl FieldOps {
    /// Converts a value and writes it to an uninitialized field. After an error, the field is uninitialized.
    ///
    /// # Errors
    /// The errors of the conversion.
    ///
    /// # Safety
    /// `at` is valid for writes of a value with these operations, and aligned for it.
    pub(crate) unsafe fn write(&self, at: *mut u8, value: Any) -> Result<()> {
        let object = match (&self.values, value) {
            (ValueOps::OptionalHandle(_), Any::None) => None,
            (ValueOps::Handle(handle) | ValueOps::OptionalHandle(handle), value) => Some(handle.object(value)?),
            // SAFETY: by the contract.
            (ValueOps::Other(functions), value) => return unsafe { (functions.write)(at, value) },
        };
        // SAFETY: a handle is an object pointer that may be null if the handle is optional, and it accepts the object.
        unsafe { at.cast::<Option<ObjectRef>>().write(object) };
        Ok(())
    }

    /// Whether a value has the type of the field without a conversion.
    pub(crate) fn accepts(&self, value: AnyView<'_>) -> bool {
        match (&self.values, value) {
            (ValueOps::Handle(handle) | ValueOps::OptionalHandle(handle), AnyView::Object(object)) => {
                handle.accepts(object)
            }
            (ValueOps::OptionalHandle(_), AnyView::None) => true,
            (ValueOps::Handle(_) | ValueOps::OptionalHandle(_), _) => false,
            (ValueOps::Other(functions), value) => (functions.accepts)(value),
        }
    }

    /// Whether a field accepts all objects of the type `info` and of the types that extend it. The answer `false` means that
    /// each object has to be checked.
    pub(crate) fn accepts_type(&self, info: &TypeInfo) -> bool {
        match &self.values {
            ValueOps::Handle(handle) | ValueOps::OptionalHandle(handle) => handle.accepts_type(info),
            ValueOps::Other(functions) => (functions.accepts_type)(info),
        }
    }

    /// The type as schemas write it.
    pub(crate) fn schema(&self) -> TypeSchema {
        match &self.values {
            ValueOps::Handle(handle) => handle.schema(),
            ValueOps::OptionalHandle(handle) => TypeSchema::of("Optional", vec![handle.schema()]),
            ValueOps::Other(functions) => (functions.schema)(),
        }
    }
}

// Schemas (`dynamic/field_decl.rs`) name every annotation, so the compiler asks for a new one there. CONTRIBUTING.md
// lists all files of a new word.
/// The annotations of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldMeta {
    /// The role in structural equality and hashing.
    pub role: FieldRole,
    /// The documentation comment.
    pub doc: &'static str,
    /// The pairs of `meta(key = "value")`.
    pub pairs: &'static [(&'static str, &'static str)],
    /// The declaration `may_contain(...)`.
    pub may_contain: Option<Contents>,
    /// Whether the bindings in the field outlive the object, which is a scope, under lexical scopes.
    pub export: bool,
    /// Earlier names of the field.
    pub aliases: &'static [&'static str],
    /// Whether a file without the field is an error, although the value may be `None`.
    pub required: bool,
    /// The words about the values that the field allows; `None` without such words.
    pub checks: Option<&'static FieldChecks>,
}

impl FieldMeta {
    /// A field without annotations.
    pub const NONE: FieldMeta = FieldMeta {
        role: FieldRole::Content,
        doc: "",
        pairs: &[],
        may_contain: None,
        export: false,
        aliases: &[],
        required: false,
        checks: None,
    };
}

/// The description of a field of a type.
#[derive(Clone, Copy)]
pub struct FieldInfo {
    /// The reflected name.
    pub(crate) name: &'static str,
    /// The annotations.
    pub(crate) meta: FieldMeta,
    /// The offset of the field, in bytes from the start of the object.
    pub(crate) offset: u32,
    /// The Rust type that the field is stored as.
    pub(crate) storage: Storage,
    /// The operations on values of this storage.
    pub(crate) ops: &'static FieldOps,
    /// Makes the default, for a field of a linked type.
    pub(crate) default: Option<fn() -> Any>,
    /// The rest of the description, for a field of a type that a program makes at run time.
    pub(crate) runtime: Option<&'static RuntimeField>,
}

impl FieldInfo {
    /// The reflected name.
    #[must_use]
    #[inline]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The annotations.
    #[must_use]
    #[inline]
    pub const fn meta(&self) -> FieldMeta {
        self.meta
    }

    /// The value of the field in `object`. `None` if the type of `object` has no field with this name and Rust type.
    #[must_use]
    pub fn get<'a>(&self, object: ObjectView<'a>) -> Option<AnyView<'a>> {
        let is_own = |field: &&FieldInfo| field.ops.type_id == self.ops.type_id && field.name == self.name;
        let own = object.type_info().fields.iter().find(is_own)?;
        // SAFETY: `own` is a field of the object's type. `self` may be a field of another type, at another offset.
        Some(unsafe { own.get_unchecked(object) })
    }

    /// The value of the field in `object`.
    ///
    /// # Safety
    /// This field is in the table of the object's type.
    #[inline]
    pub(crate) unsafe fn get_unchecked<'a>(&self, object: ObjectView<'a>) -> AnyView<'a> {
        // SAFETY: by the contract, a field with this storage and these operations is at the offset.
        unsafe { read(object, self.offset, self.storage, || self.ops) }
    }

    /// A new default value, if the field has a default. Each call evaluates the default again.
    #[must_use]
    pub fn default(&self) -> Option<Any> {
        match self.runtime {
            Some(field) => field.default.as_ref().map(|make| make()),
            None => self.default.map(|default| default()),
        }
    }

    /// The type of the field, as schemas write it.
    #[must_use]
    pub fn schema(&self) -> TypeSchema {
        match self.runtime {
            Some(field) => field.schema.clone(),
            None => self.ops.schema(),
        }
    }

    /// The enum without data whose numbers the field holds.
    #[must_use]
    pub fn enumeration(&self) -> Option<Enumeration> {
        match (self.runtime, &self.ops.values) {
            (Some(field), _) => field.enumeration,
            (None, ValueOps::Other(functions)) => (functions.enumeration)(),
            (None, _) => None,
        }
    }

    /// The variant that `value`, a value of the field, stands for. `None` if the field holds no enum without data.
    #[must_use]
    pub fn variant(&self, value: AnyView<'_>) -> Option<Variant> {
        match value {
            AnyView::Int(number) => self.enumeration()?.variant(number),
            _ => None,
        }
    }

    /// Whether the Rust type of the field is `T`.
    #[must_use]
    pub fn is_of<T: 'static>(&self) -> bool {
        self.ops.type_id == TypeId::of::<T>()
    }

    /// Whether the field accepts `value` without a conversion.
    #[inline(always)]
    pub(crate) fn accepts(&self, value: AnyView<'_>) -> bool {
        self.ops.accepts(value) && self.runtime.is_none_or(|field| field.rule.accepts(value))
    }

    /// As [`HandleOps::accepts_container_of`], for the field.
    pub(crate) fn accepts_container_of(&self, values: Option<&TypeInfo>) -> bool {
        match &self.ops.values {
            // The rule of a schema looks at each value.
            _ if self.runtime.is_some() => false,
            ValueOps::Handle(handle) | ValueOps::OptionalHandle(handle) => handle.accepts_container_of(values),
            ValueOps::Other(_) => self.storage == Storage::Any,
        }
    }

    /// Converts `value` and writes it to `at`.
    ///
    /// # Errors
    /// The errors of the conversion; then the memory at `at` stays uninitialized.
    ///
    /// # Safety
    /// `at` is valid for writes of a value of this field, and aligned for it. The old value is not dropped.
    pub(crate) unsafe fn write(&self, at: *mut u8, value: Any) -> Result<()> {
        let value = match self.runtime {
            Some(field) => field.rule.convert(value)?,
            None => value,
        };
        // SAFETY: by the contract, `at` has room for a value of this field, and `ops` belong to the field.
        unsafe { self.ops.write(at, value) }
    }

    /// Writes a copy of the value at `from` to `to`. If the value is an object, the copy has the object that `copied` returns.
    /// `None` if `copied` returns `None`, or if the field rejects the object; then the memory at `to` stays uninitialized.
    ///
    /// # Safety
    /// A value of this field lies at `from` for `'a`. `to` is valid for writes of a value of this field, and aligned for it.
    #[inline(always)]
    pub(crate) unsafe fn copy_with<'a>(
        &self,
        from: *const u8,
        to: *mut u8,
        copied: &mut impl FnMut(ObjectView<'a>) -> Option<ObjectRef>,
    ) -> Option<()> {
        // SAFETY: by the contract, a value of this storage lies at `from`, and `to` has room for one. A handle and an optional
        // handle are pointers that may be null if the handle is optional.
        unsafe {
            let value = match self.storage {
                Storage::Object | Storage::OptionalObject => match from.cast::<Option<ObjectView<'a>>>().read() {
                    Some(object) => AnyView::Object(object),
                    None => {
                        to.cast::<Option<ObjectRef>>().write(None);
                        return Some(());
                    }
                },
                Storage::Any => (*from.cast::<Any>()).view(),
                Storage::Other => (self.ops.view)(from),
                Storage::Int | Storage::Bool | Storage::Float | Storage::DataType | Storage::Plain => AnyView::None,
            };
            let AnyView::Object(object) = value else {
                (self.ops.copy)(from, to);
                return Some(());
            };
            let copy = copied(object)?;
            match self.storage {
                Storage::Object | Storage::OptionalObject if copy.view().is_interchangeable_with(object) => {
                    to.cast::<ObjectRef>().write(copy);
                }
                _ if copy.view().ptr_eq(object) => (self.ops.copy)(from, to),
                _ => self.write(to, Any::Object(copy)).ok()?,
            }
        }
        Some(())
    }

    /// Whether JSON stores the value in the node of the object and not as a node of its own: the values of the field cannot
    /// be objects.
    #[must_use]
    pub fn is_inline(&self) -> bool {
        !self.may_hold_objects()
    }

    /// Whether the storage can hold an object.
    pub(crate) const fn may_hold_objects(&self) -> bool {
        matches!(self.storage, Storage::Object | Storage::OptionalObject | Storage::Any | Storage::Other)
    }

    /// Whether structural comparison ignores the field or finds a plain value in it.
    pub(crate) const fn is_leaf(&self) -> bool {
        matches!(self.meta.role, FieldRole::Ignore) || !self.may_hold_objects()
    }

    /// Whether no value of the field has a length.
    pub(crate) const fn never_has_len(&self) -> bool {
        match &self.ops.values {
            ValueOps::Handle(handle) | ValueOps::OptionalHandle(handle) => handle.never_has_len(),
            ValueOps::Other(_) => !self.may_hold_objects(),
        }
    }

    /// The storage of the field.
    #[must_use]
    pub fn storage(&self) -> Storage {
        self.storage
    }
}

/// The value of a field in `object`.
///
/// # Safety
/// A field with this storage and these operations lies at `offset` in the object.
#[inline]
pub(crate) unsafe fn read<'a>(
    object: ObjectView<'a>,
    offset: u32,
    storage: Storage,
    ops: impl FnOnce() -> &'static FieldOps,
) -> AnyView<'a> {
    // SAFETY: by the contract, the object has a field at the offset, whose type follows from the storage or is the type of
    // `ops`. Both storages of handles may be read as an optional pointer. The object is borrowed for `'a`.
    unsafe {
        let at = object.at(offset);
        match storage {
            Storage::Object | Storage::OptionalObject => match at.cast::<Option<ObjectView<'a>>>().read() {
                Some(object) => AnyView::Object(object),
                None => AnyView::None,
            },
            Storage::Int => AnyView::Int(at.cast::<i64>().read()),
            Storage::Bool => AnyView::Bool(at.cast::<bool>().read()),
            Storage::Float => AnyView::Float(at.cast::<f64>().read()),
            Storage::DataType => AnyView::DataType(at.cast::<crate::scalar::DataType>().read()),
            Storage::Any => (*at.cast::<Any>()).view(),
            Storage::Plain | Storage::Other => (ops().view)(at),
        }
    }
}
