//! [`ObjectBuilder`]: makes an object field by field, for a type that the program chooses at run time.

use crate::error::{Error, ErrorKind, Result};
use crate::object::memory::alloc::Allocation;
use crate::object::model::any::{Any, AnyView};
use crate::object::model::checked::{rejected, require};
use crate::object::model::field_info::{FieldInfo, Storage};
use crate::object::model::keywords::{Body, SEqHashKind};
use crate::object::model::object_ref::{Header, ObjectRef, ObjectView};
use crate::object::model::plan::MAX_FIELDS;
use crate::object::model::skipped_field::SkippedValues;
use crate::object::model::type_info::{JsonForm, TypeInfo, UNKNOWN_TYPE};
use crate::scalar::DataType;
use crate::text::brief::brief;
use crate::text::did_you_mean::{backticked, did_you_mean};

/// Makes an object of any type from values of its fields by name.
///
/// Each field that is not set takes its default; [`build`](Self::build) reports a field without a value and a default.
pub struct ObjectBuilder {
    info: &'static TypeInfo,
    /// The values of skipped fields, if they are initialized. Declared before `memory`, so dropped before it.
    skipped: Option<SkippedValues>,
    /// The memory of the object; the header is not initialized. It is freed after the fields are dropped.
    memory: Allocation,
    /// The fields that are initialized: bit `i` for the field with index `i`.
    written: u64,
}

/// A type whose objects can be built field by field. The check happens once for many objects.
#[derive(Clone, Copy)]
pub(crate) struct Buildable(&'static TypeInfo);

impl Buildable {
    /// The type `info`.
    ///
    /// # Errors
    /// As for [`ObjectBuilder::new`].
    pub(crate) fn new(info: &'static TypeInfo) -> Result<Self> {
        if info.json == JsonForm::Kept {
            Err(not_buildable(info, UNKNOWN_TYPE))
        } else if info.is_abstract {
            Err(not_buildable(info, "it is abstract; make an object of a type that extends it"))
        } else if info.kind == SEqHashKind::UniqueInstance {
            Err(not_buildable(info, "it is a singleton type; look the instance up by its key"))
        } else {
            Buildable::new_instance(info)
        }
    }

    /// The type `info`, which may be a singleton type: the table of its instances builds them.
    ///
    /// # Errors
    /// [`NotConstructible`](ErrorKind::NotConstructible) for types without reflected fields.
    pub(crate) fn new_instance(info: &'static TypeInfo) -> Result<Self> {
        if info.body != Body::Node {
            Err(not_buildable(info, "it is not made of fields; use the constructors of its Rust type"))
        } else {
            Ok(Buildable(info))
        }
    }

    /// The type.
    #[cfg(feature = "binary")]
    #[inline]
    pub(crate) fn info(self) -> &'static TypeInfo {
        self.0
    }

    /// The bytes of an object.
    #[inline]
    pub(crate) fn bytes(self) -> usize {
        self.0.layout.size()
    }

    /// A builder for one object.
    #[inline]
    pub(crate) fn builder(self) -> ObjectBuilder {
        // SAFETY: the layout of a type includes the header, so its size is not zero.
        let memory = unsafe { Allocation::new(self.0.layout) };
        ObjectBuilder { info: self.0, memory, written: 0, skipped: None }
    }
}

/// The error for a type that a builder cannot build.
fn not_buildable(info: &TypeInfo, reason: &str) -> Error {
    Error::new(ErrorKind::NotConstructible, format!("cannot build a `{}` from fields: {reason}", info.type_key))
}

impl ObjectBuilder {
    /// A builder for an object with the exact type `info`.
    ///
    /// # Errors
    /// [`NotConstructible`](ErrorKind::NotConstructible) for abstract types, for singleton types, whose instances have
    /// to be looked up by key, and for types without reflected fields.
    pub fn new(info: &'static TypeInfo) -> Result<Self> {
        Buildable::new(info).map(Buildable::builder)
    }

    /// A builder for a copy of `object`, with all fields set. The copy shares the children.
    ///
    /// ```
    /// use object_core::prelude::*;
    /// use object_core::ObjectBuilder;
    ///
    /// #[derive(Object)]
    /// #[object(type_key = "doc.builder.Point")]
    /// #[structural_eq(tree)]
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
    /// As for [`new`](Self::new) with the type of `object`.
    pub fn from_object(object: ObjectView<'_>) -> Result<Self> {
        Self::copy_without(object, 0)
    }

    /// As [`from_object`](Self::from_object), but without values for the fields whose bits are set in `without`.
    ///
    /// # Errors
    /// As for [`new`](Self::new) with the type of `object`.
    pub(crate) fn copy_without(object: ObjectView<'_>, without: u64) -> Result<Self> {
        let mut builder = Self::new(object.type_info())?;
        for (index, field) in builder.info.fields.iter().enumerate() {
            if without & (1 << index) == 0 {
                // SAFETY: `object` and the new memory have the layout of the type, which has this field; the field is
                // initialized in `object` and not in the new memory.
                unsafe {
                    let to = builder.memory.as_ptr().as_ptr().cast::<u8>().add(field.offset as usize);
                    (field.ops.copy)(object.at(field.offset), to);
                }
                builder.written |= 1 << index;
            }
        }
        if builder.info.has_skipped {
            // SAFETY: `object` and the new memory have the type, and no skipped field has a value in the new memory.
            builder.skipped =
                Some(unsafe { SkippedValues::write(builder.info, builder.memory.as_ptr(), Some(object)) });
        }
        Ok(builder)
    }

    /// The type of the object that this builder makes.
    #[must_use]
    pub fn type_info(&self) -> &'static TypeInfo {
        self.info
    }

    /// Sets the field with the reflected name `name`, and replaces the value that it had. After an error of the value,
    /// the field is not set.
    ///
    /// # Errors
    /// [`UnknownField`](ErrorKind::UnknownField), which suggests the most similar name, and the errors of the
    /// conversion to the type of the field.
    pub fn set(&mut self, name: &str, value: impl Into<Any>) -> Result<&mut Self> {
        self.set_index(self.index_of(name)?, value.into())?;
        Ok(self)
    }

    /// The index of the field with the reflected name `name`.
    ///
    /// # Errors
    /// [`UnknownField`](ErrorKind::UnknownField), which suggests the most similar name.
    pub(crate) fn index_of(&self, name: &str) -> Result<usize> {
        if let Some((index, _)) = self.info.field(name) {
            return Ok(index);
        }
        let names = self.info.fields.iter().map(|field| field.name);
        let hint = match did_you_mean(name, names.clone()) {
            hint if hint.is_empty() => format!("; its fields are {}", backticked(names)),
            hint => hint,
        };
        let message = format!("`{}` has no field `{}`{hint}", self.info.type_key, brief(name));
        Err(Error::new(ErrorKind::UnknownField, message))
    }

    /// Sets the field with index `index` in [`TypeInfo::fields`], as [`set`](Self::set) without the search for the name.
    ///
    /// # Errors
    /// The errors of the conversion to the type of the field; they name the type and the field.
    ///
    /// # Panics
    /// If the type has no field with this index.
    pub fn set_index(&mut self, index: usize, value: Any) -> Result<()> {
        let field = &self.info.fields[index];
        // SAFETY: the memory has the layout of the type, which has the field at this offset.
        let at = unsafe { self.memory.as_ptr().as_ptr().cast::<u8>().add(field.offset as usize) };
        if self.written & (1 << index) != 0 {
            self.written &= !(1 << index);
            // SAFETY: the field is initialized, and its bit is cleared, so nothing drops it a second time.
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

    /// The first field that has neither a value nor a default.
    pub(crate) fn first_missing(&self) -> Option<&'static FieldInfo> {
        let fields = self.info.fields.iter().enumerate();
        let mut vacant = fields.filter(|(index, _)| self.written & (1 << index) == 0).map(|(_, field)| field);
        vacant.find(|field| field.default().is_none())
    }

    /// Sets every field without a value to its default.
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

    /// Makes the object. Each field that is not set takes its default.
    ///
    /// # Errors
    /// [`MissingField`](ErrorKind::MissingField) if a field has neither a value nor a default, and the errors of the
    /// conversion of a default to the type of its field; [`CheckFailed`](ErrorKind::CheckFailed) for a value that a word of the
    /// declaration does not allow, with the path of its field.
    #[inline]
    pub fn build(mut self) -> Result<ObjectRef> {
        // A type has at most as many fields as the word has bits.
        let all = u64::MAX.checked_shr(MAX_FIELDS as u32 - self.info.fields.len() as u32).unwrap_or(0);
        if self.written != all {
            self.set_defaults()?;
        }
        if self.info.has_more_than_fields {
            return self.build_with_checks();
        }
        // SAFETY: the type has no skipped fields, and all others are initialized.
        Ok(unsafe { self.into_object() })
    }

    /// As [`build`](Self::build), after each field has a value, for a type with skipped fields or words about values.
    #[cold]
    fn build_with_checks(mut self) -> Result<ObjectRef> {
        if self.info.has_skipped && self.skipped.is_none() {
            // SAFETY: the memory has the layout of the type, and no skipped field has a value.
            self.skipped = Some(unsafe { SkippedValues::write(self.info, self.memory.as_ptr(), None) });
        }
        // SAFETY: all fields and all skipped fields are initialized.
        let object = unsafe { self.into_object() };
        if object.view().type_info().has_checks {
            require(object.view())?;
        }
        Ok(object)
    }

    /// The object.
    ///
    /// # Safety
    /// All fields and all skipped fields are initialized.
    #[inline]
    unsafe fn into_object(self) -> ObjectRef {
        // SAFETY: all fields are initialized, and with the skipped fields they are the whole node, because the body of a
        // buildable type is `Node`.
        // The memory now belongs to the object, so the builder must not free it.
        unsafe {
            let ptr = self.memory.as_ptr();
            ptr.write(Header::new(self.info));
            std::mem::forget(self);
            ObjectRef::from_raw(ptr)
        }
    }
}

/// A field without a value in an [`ObjectBuilder`], to set it without a conversion.
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

    /// Writes `value` to the field.
    ///
    /// # Safety
    /// The bytes of `value` are a valid value of the field's type that the field accepts.
    #[inline(always)]
    unsafe fn write<T>(self, value: T) {
        // SAFETY: the memory has the layout of the type, which has the field at this offset.
        let at = unsafe { self.builder.memory.as_ptr().as_ptr().cast::<u8>().add(self.field.offset as usize) };
        // SAFETY: the field is not initialized, and by the contract, its type has such values.
        unsafe { at.cast::<T>().write(value) };
        self.builder.written |= self.bit;
    }

    /// Writes `value` if the field has the storage `storage`, and returns whether it has.
    ///
    /// # Safety
    /// Fields with this storage accept every `T`, and store it as a `T`.
    #[inline(always)]
    unsafe fn write_if<T>(self, storage: Storage, value: T) -> bool {
        let fits = self.field.storage == storage;
        if fits {
            // SAFETY: by the contract.
            unsafe { self.write(value) };
        }
        fits
    }

    /// Sets the field if its storage is an `i64`, and returns whether it is.
    #[inline(always)]
    pub(crate) fn set_int(self, value: i64) -> bool {
        // SAFETY: the storage `Int` is an `i64`.
        unsafe { self.write_if(Storage::Int, value) }
    }

    /// Sets the field if its storage is a `bool`, and returns whether it is.
    #[inline(always)]
    pub(crate) fn set_bool(self, value: bool) -> bool {
        // SAFETY: the storage `Bool` is a `bool`.
        unsafe { self.write_if(Storage::Bool, value) }
    }

    /// Sets the field if its storage is a `DataType`, and returns whether it is.
    #[inline(always)]
    pub(crate) fn set_dtype(self, value: DataType) -> bool {
        // SAFETY: the storage `DataType` is a `DataType`.
        unsafe { self.write_if(Storage::DataType, value) }
    }

    /// Sets the field to `None` if its storage is an optional handle, and returns whether it is.
    #[inline(always)]
    pub(crate) fn set_none(self) -> bool {
        // SAFETY: the storage `OptionalObject` is a nullable object pointer, as `Option<ObjectRef>` is.
        unsafe { self.write_if(Storage::OptionalObject, None::<ObjectRef>) }
    }

    /// Sets the field if its storage is a handle, optional or not, and the field accepts the object.
    ///
    /// # Errors
    /// The object itself, if the field is not set.
    #[inline(always)]
    pub(crate) fn set_object(self, object: ObjectRef) -> Result<(), ObjectRef> {
        let is_handle = matches!(self.field.storage, Storage::Object | Storage::OptionalObject);
        if !is_handle || !self.field.accepts(AnyView::Object(object.view())) {
            return Err(object);
        }
        // SAFETY: both storages are an object pointer, and the field accepts the object.
        unsafe { self.write(object) };
        Ok(())
    }

    /// Sets the field after a conversion to its type.
    ///
    /// # Errors
    /// As for [`ObjectBuilder::set`].
    pub(crate) fn set_any(self, value: Any) -> Result<()> {
        self.builder.set_index(self.bit.trailing_zeros() as usize, value)
    }
}

/// The object of the type `info` that the value of one of its fields determines: the instance of a singleton type with
/// the key `value`, or a new object in which the field with index `index` has this value.
///
/// # Errors
/// As for [`ObjectBuilder::set`] and [`build`](ObjectBuilder::build), and
/// [`UnknownSingleton`](ErrorKind::UnknownSingleton) if the type has a fixed set of keys and `value` is not one of them.
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

/// The object of the type `info` whose [JSON key](TypeInfo::json_key) is `key`: the instance of a singleton type, or a new
/// object.
///
/// # Errors
/// [`NotConstructible`](ErrorKind::NotConstructible) if the type has no JSON key; [`UnknownSingleton`](ErrorKind::UnknownSingleton)
/// if the type has a fixed set of keys and `key` is not one of them; and the errors of [`ObjectBuilder::set`] and
/// [`build`](ObjectBuilder::build).
pub fn object_of_key(info: &'static TypeInfo, key: Any) -> Result<Any> {
    match info.json {
        JsonForm::Field(index) => object_by_field(info, index, key),
        JsonForm::Fields | JsonForm::Kept => Err(not_buildable(info, "no field of it stands for an object")),
    }
}

impl Drop for ObjectBuilder {
    fn drop(&mut self) {
        for (index, field) in self.info.fields.iter().enumerate() {
            if self.written & (1 << index) != 0 {
                // SAFETY: the field is initialized, and nothing uses it afterwards.
                unsafe { (field.ops.drop)(self.memory.as_ptr().as_ptr().cast::<u8>().add(field.offset as usize)) };
            }
        }
    }
}
