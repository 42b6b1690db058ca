//! [`ObjectBuilder`]: makes an object of a type known only at run time, field by field.

use crate::access_path::{AccessPath, AccessStep};
use crate::error::{Error, ErrorKind, Result, nearest};
use crate::object::memory::alloc::Memory;
use crate::object::model::any::{Any, AnyView};
use crate::object::model::field_info::{FieldInfo, Storage};
use crate::object::model::keywords::{Body, SEqHashKind};
use crate::object::model::object_ref::{Header, ObjectRef, ObjectView};
use crate::object::model::plan::MAX_FIELDS;
use crate::object::model::type_info::TypeInfo;
use crate::scalar::DataType;

/// Makes an object from field values given by name.
///
/// Fields that are not set take their default; one without a default is an error.
pub struct ObjectBuilder {
    info: &'static TypeInfo,
    /// Memory of the object, without header. Freed after the fields are dropped.
    memory: Memory,
    /// Which fields are initialized, bit by bit.
    written: u64,
}

/// A type whose objects can be built field by field: checked once, for many objects.
#[derive(Clone, Copy)]
pub(crate) struct Buildable(&'static TypeInfo);

impl Buildable {
    /// The type `info`.
    ///
    /// # Errors
    /// As [`ObjectBuilder::new`].
    pub(crate) fn new(info: &'static TypeInfo) -> Result<Self> {
        let reason = if info.is_abstract {
            "it is abstract; make an object of a type that extends it"
        } else if info.kind == SEqHashKind::UniqueInstance {
            "it is a singleton type; look the instance up by its key"
        } else if !info.is_canonical() {
            "this is not the table of its node struct, only another one with its layout"
        } else if info.body != Body::Node {
            "it is not made of fields; use the constructors of its Rust type"
        } else {
            return Ok(Buildable(info));
        };
        Err(Error::new(
            ErrorKind::NotConstructible,
            format!("cannot build a `{}` from fields: {reason}", info.type_key),
        ))
    }

    /// The type `info`, which makes a new instance of a singleton type on its own account.
    pub(crate) fn new_instance(info: &'static TypeInfo) -> Self {
        Buildable(info)
    }

    /// A builder for one object.
    #[inline]
    pub(crate) fn builder(self) -> ObjectBuilder {
        ObjectBuilder { info: self.0, memory: Memory::new(self.0.layout), written: 0 }
    }
}

impl ObjectBuilder {
    /// A builder for objects of exactly the type `info`.
    ///
    /// # Errors
    /// [`NotConstructible`](ErrorKind::NotConstructible) for abstract types, for singletons, which are found by key,
    /// and for types without reflected fields.
    pub fn new(info: &'static TypeInfo) -> Result<Self> {
        Buildable::new(info).map(Buildable::builder)
    }

    /// A builder for a copy of `object`, with all its fields set. The children are shared.
    ///
    /// ```
    /// use object_core::prelude::*;
    /// use object_core::ObjectBuilder;
    ///
    /// #[derive(Object)]
    /// #[object(type_key = "doc.builder.Point")]
    /// struct PointNode {
    ///     x: i64,
    ///     y: i64,
    /// }
    ///
    /// let mut builder = ObjectBuilder::from_object(Point::new(1, 2).as_object().view())?;
    /// builder.set("x", 3)?;
    /// let moved: Point = Any::from(builder.build()?).cast()?;
    /// assert_eq!((moved.x, moved.y), (3, 2));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`new`](Self::new), for the type of `object`.
    pub fn from_object(object: ObjectView<'_>) -> Result<Self> {
        Self::copy_without(object, 0)
    }

    /// As [`from_object`](Self::from_object), but the fields whose bits are set in `without` are not set.
    pub(crate) fn copy_without(object: ObjectView<'_>, without: u64) -> Result<Self> {
        let mut builder = Self::new(object.type_info())?;
        for (index, field) in builder.info.fields.iter().enumerate() {
            if without & (1 << index) == 0 {
                // SAFETY: both are objects of one type, which has the field at this offset; it is not initialized in the
                // new one.
                unsafe {
                    let to = builder.memory.as_ptr().as_ptr().cast::<u8>().add(field.offset as usize);
                    (field.ops.copy)(object.at(field.offset), to);
                }
                builder.written |= 1 << index;
            }
        }
        Ok(builder)
    }

    /// The type of the object in the making.
    #[must_use]
    pub fn type_info(&self) -> &'static TypeInfo {
        self.info
    }

    /// Sets the field with the reflected name `name`. After an error it counts as not set, whatever it was before.
    ///
    /// # Errors
    /// [`UnknownField`](ErrorKind::UnknownField), naming the nearest field, and what the field's type says of the value.
    pub fn set(&mut self, name: &str, value: impl Into<Any>) -> Result<&mut Self> {
        self.set_index(self.index_of(name)?, value.into())?;
        Ok(self)
    }

    /// The index of the field with the reflected name `name`.
    ///
    /// # Errors
    /// [`UnknownField`](ErrorKind::UnknownField), naming the nearest field.
    pub(crate) fn index_of(&self, name: &str) -> Result<usize> {
        if let Some((index, _)) = self.info.field(name) {
            return Ok(index);
        }
        let names = self.info.fields.iter().map(|field| field.name);
        let hint = nearest(name, names.clone()).map_or_else(
            || format!("; its fields are {}", names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")),
            |near| format!(", did you mean `{near}`?"),
        );
        let message = format!("`{}` has no field `{name}`{hint}", self.info.type_key);
        Err(Error::new(ErrorKind::UnknownField, message))
    }

    /// Sets the field with index `index` in [`TypeInfo::fields`].
    ///
    /// # Errors
    /// What the field's type says of the value, with type and field named.
    pub(crate) fn set_index(&mut self, index: usize, value: Any) -> Result<()> {
        let field = &self.info.fields[index];
        // SAFETY: the memory has the layout of the type, which has the field at this offset.
        let at = unsafe { self.memory.as_ptr().as_ptr().cast::<u8>().add(field.offset as usize) };
        if self.written & (1 << index) != 0 {
            self.written &= !(1 << index);
            // SAFETY: the field is initialized, and no longer counts as such.
            unsafe { (field.ops.drop)(at) };
        }
        // SAFETY: the field is not initialized.
        unsafe { field.write(at, value) }.map_err(|error| rejected(field, self.info, error))?;
        self.written |= 1 << index;
        Ok(())
    }

    /// The field with index `index`, if there is one and it has no value.
    #[inline]
    pub(crate) fn vacant(&mut self, index: usize) -> Option<VacantField<'_>> {
        let field = self.info.fields.get(index)?;
        let bit = 1 << index;
        (self.written & bit == 0).then_some(VacantField { builder: self, field, bit })
    }

    /// Gives every field that is not set its default.
    #[cold]
    fn set_defaults(&mut self) -> Result<()> {
        for (index, field) in self.info.fields.iter().enumerate() {
            if self.written & (1 << index) != 0 {
                continue;
            }
            let default = field.default().ok_or_else(|| {
                let message = format!("required field `{}` of `{}` is not set", field.name, self.info.type_key);
                Error::new(ErrorKind::MissingField, message)
            })?;
            self.set_index(index, default)?;
        }
        Ok(())
    }

    /// The finished object.
    ///
    /// # Errors
    /// [`MissingField`](ErrorKind::MissingField) if a field has neither a value nor a default.
    #[inline]
    pub fn build(mut self) -> Result<ObjectRef> {
        // A type has at most as many fields as the word has bits.
        let all = u64::MAX.checked_shr(MAX_FIELDS as u32 - self.info.fields.len() as u32).unwrap_or(0);
        if self.written != all {
            self.set_defaults()?;
        }
        // SAFETY: all fields are initialized, and there is nothing else in a reflected node.
        unsafe {
            let ptr = self.memory.as_ptr();
            ptr.write(Header::new(self.info));
            std::mem::forget(self);
            Ok(ObjectRef::from_raw(ptr))
        }
    }
}

/// A field of an object in the making that has no value yet: to be filled with a value that needs no conversion.
pub(crate) struct VacantField<'b> {
    builder: &'b mut ObjectBuilder,
    field: &'static FieldInfo,
    /// The field's bit in `written`.
    bit: u64,
}

impl VacantField<'_> {
    /// The field.
    #[inline(always)]
    pub(crate) fn info(&self) -> &'static FieldInfo {
        self.field
    }

    /// Writes `value`.
    ///
    /// # Safety
    /// The bytes of the value are those of one that the field accepts.
    #[inline(always)]
    unsafe fn write<T>(self, value: T) {
        // SAFETY: the memory has the layout of the type, which has the field at this offset.
        let at = unsafe { self.builder.memory.as_ptr().as_ptr().cast::<u8>().add(self.field.offset as usize) };
        // SAFETY: the field is not initialized, and the contract says that it holds such a value.
        unsafe { at.cast::<T>().write(value) };
        self.builder.written |= self.bit;
    }

    /// Writes `value` if the field has the given storage.
    ///
    /// # Safety
    /// A field of this storage accepts the bytes of every `T`.
    #[inline(always)]
    unsafe fn write_if<T>(self, storage: Storage, value: T) -> bool {
        let fits = self.field.storage == storage;
        if fits {
            // SAFETY: by the contract.
            unsafe { self.write(value) };
        }
        fits
    }

    /// Fills a field that is stored as an `i64`. `false`: it is another one.
    #[inline(always)]
    pub(crate) fn set_int(self, value: i64) -> bool {
        // SAFETY: such a field is an `i64`.
        unsafe { self.write_if(Storage::Int, value) }
    }

    /// Fills a field that is stored as a `bool`. `false`: it is another one.
    #[inline(always)]
    pub(crate) fn set_bool(self, value: bool) -> bool {
        // SAFETY: such a field is a `bool`.
        unsafe { self.write_if(Storage::Bool, value) }
    }

    /// Fills a field that is stored as a `DataType`. `false`: it is another one.
    #[inline(always)]
    pub(crate) fn set_dtype(self, value: DataType) -> bool {
        // SAFETY: such a field is a `DataType`.
        unsafe { self.write_if(Storage::DataType, value) }
    }

    /// Fills an optional handle with nothing. `false`: it is another field.
    #[inline(always)]
    pub(crate) fn set_none(self) -> bool {
        // SAFETY: such a field is a pointer that may be null.
        unsafe { self.write_if(Storage::OptionalObject, None::<ObjectRef>) }
    }

    /// Fills a handle, optional or not.
    ///
    /// # Errors
    /// The object itself, if it is another field or one that does not accept the object.
    #[inline(always)]
    pub(crate) fn set_object(self, object: ObjectRef) -> Result<(), ObjectRef> {
        let is_handle = matches!(self.field.storage, Storage::Object | Storage::OptionalObject);
        if !is_handle || !self.field.accepts(AnyView::Object(object.view())) {
            return Err(object);
        }
        // SAFETY: such a field is an object pointer, with or without null beside it, and it accepts the object.
        unsafe { self.write(object) };
        Ok(())
    }

    /// Fills any field, by conversion where it has one.
    ///
    /// # Errors
    /// As [`ObjectBuilder::set`].
    pub(crate) fn set_any(self, value: Any) -> Result<()> {
        self.builder.set_index(self.bit.trailing_zeros() as usize, value)
    }
}

/// The object of type `info` that `value` stands for, the value of its field with index `index`: the instance of a singleton
/// type with this key, or a new object.
///
/// # Errors
/// As [`ObjectBuilder::set`] and [`build`](ObjectBuilder::build), and
/// [`UnknownSingleton`](ErrorKind::UnknownSingleton) for a key that a closed set does not have.
pub(crate) fn object_by_field(info: &'static TypeInfo, index: usize, value: Any) -> Result<Any> {
    match info.singleton {
        Some(singleton) => singleton.instance(info, value).map(Any::Object),
        None => {
            let mut builder = ObjectBuilder::new(info)?;
            builder.set_index(index, value)?;
            builder.build().map(Any::Object)
        }
    }
}

/// The error of a value that the field `field` of the type `info` does not take.
pub(crate) fn rejected(field: &FieldInfo, info: &TypeInfo, error: Error) -> Error {
    error
        .context(format_args!("field `{}` of `{}`", field.name, info.type_key))
        .at(AccessPath::from_steps([AccessStep::Attr(field.name.into())]))
}

impl Drop for ObjectBuilder {
    fn drop(&mut self) {
        for (index, field) in self.info.fields.iter().enumerate() {
            if self.written & (1 << index) != 0 {
                // SAFETY: the field is initialized and dropped once.
                unsafe { (field.ops.drop)(self.memory.as_ptr().as_ptr().cast::<u8>().add(field.offset as usize)) };
            }
        }
    }
}
