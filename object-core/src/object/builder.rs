//! [`ObjectBuilder`]: makes an object of a type known only at run time, field by field.

use super::any::Any;
use super::field_info::FieldInfo;
use super::header::{Header, ObjectRef, ObjectView};
use super::node::Memory;
use super::type_info::{Body, SEqHashKind, TypeInfo};
use crate::access_path::{AccessPath, AccessStep};
use crate::error::{Error, ErrorKind, Result, nearest};

/// The builder remembers in one word which fields it has.
pub(crate) const MAX_FIELDS: usize = 64;

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

impl ObjectBuilder {
    /// A builder for objects of exactly the type `info`.
    ///
    /// # Errors
    /// [`NotConstructible`](ErrorKind::NotConstructible) for abstract types, for singletons, which are found by key,
    /// and for types without reflected fields.
    pub fn new(info: &'static TypeInfo) -> Result<Self> {
        let reason = if info.is_abstract {
            "it is abstract; make an object of a type that extends it"
        } else if info.kind == SEqHashKind::UniqueInstance {
            "it is a singleton type; look the instance up by its key"
        } else if !info.is_genuine() {
            "this is not the table of its node struct, only another one with its layout"
        } else if info.body != Body::Node {
            "it is not made of fields; use the constructors of its Rust type"
        } else {
            return Ok(ObjectBuilder { info, memory: Memory::new(info.layout), written: 0 });
        };
        Err(Error::new(
            ErrorKind::NotConstructible,
            format!("cannot build a `{}` from fields: {reason}", info.type_key),
        ))
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
    /// let moved: Point = Any::from(builder.build()?).to()?;
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
        let Some((index, _)) = self.info.field(name) else {
            let names = self.info.fields.iter().map(|field| field.name);
            let hint = nearest(name, names.clone()).map_or_else(
                || format!("; its fields are {}", names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")),
                |near| format!(", did you mean `{near}`?"),
            );
            let message = format!("`{}` has no field `{name}`{hint}", self.info.type_key);
            return Err(Error::new(ErrorKind::UnknownField, message));
        };
        self.set_index(index, value.into())?;
        Ok(self)
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
        unsafe { (field.ops.write)(at, value) }.map_err(|error| rejected(field, self.info, error))?;
        self.written |= 1 << index;
        Ok(())
    }

    /// The finished object.
    ///
    /// # Errors
    /// [`MissingField`](ErrorKind::MissingField) if a field has neither a value nor a default.
    pub fn build(mut self) -> Result<ObjectRef> {
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
        // SAFETY: all fields are initialized, and there is nothing else in a reflected node.
        unsafe {
            let ptr = self.memory.as_ptr();
            ptr.write(Header::new(self.info));
            std::mem::forget(self);
            Ok(ObjectRef::from_raw(ptr))
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
