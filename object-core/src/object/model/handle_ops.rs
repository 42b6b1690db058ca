//! [`HandleOps`]: the objects that a handle accepts, as data. The functions on fields of handles read it, so the compiler
//! compiles them once, and not for each type of a handle.

use crate::error::{Error, Result};
use crate::object::model::any::{Any, mismatch};
use crate::object::model::contents::TableAddress;
use crate::object::model::field_info::{FieldOps, Storage, ValueOps};
use crate::object::model::object_ref::{ObjectRef, ObjectView};
use crate::object::model::type_info::TypeInfo;
use crate::object::model::type_schema::TypeSchema;

/// The objects that a handle accepts.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct HandleOps(Objects);

#[derive(Clone, Copy)]
enum Objects {
    /// The instances of one type.
    Instances(TableAddress),
    /// Containers, by the operations on their values.
    Containers(&'static ContainerFns, &'static [&'static FieldOps]),
    /// The objects that functions of the handle accept.
    Others(HandleFns),
    /// All objects.
    All,
}

/// The functions of the handle of a container. They get the operations on the values in it, so they are the same functions
/// for all types of values.
pub(crate) struct ContainerFns {
    pub(crate) accepts: fn(ObjectView<'_>, &[&'static FieldOps]) -> bool,
    pub(crate) rejected: fn(ObjectView<'_>, &[&'static FieldOps]) -> Error,
    pub(crate) type_key: &'static str,
}

/// The functions of another handle, which mean the same as the functions of `ObjectHandle` with the same names.
#[derive(Clone, Copy)]
pub(crate) struct HandleFns {
    pub(crate) accepts_object: fn(ObjectView<'_>) -> bool,
    pub(crate) accepts_type_info: fn(&TypeInfo) -> bool,
    pub(crate) rejected: fn(ObjectView<'_>) -> Error,
    pub(crate) handle_schema: fn() -> TypeSchema,
}

impl HandleOps {
    /// The instances of the type with this table.
    pub(crate) const fn instances(table: TableAddress) -> Self {
        HandleOps(Objects::Instances(table))
    }

    /// All objects.
    pub(crate) const ALL: Self = HandleOps(Objects::All);

    /// Containers of values with these operations.
    pub(crate) const fn containers(functions: &'static ContainerFns, of: &'static [&'static FieldOps]) -> Self {
        HandleOps(Objects::Containers(functions, of))
    }

    /// The objects that `functions` accept.
    pub(crate) const fn others(functions: HandleFns) -> Self {
        HandleOps(Objects::Others(functions))
    }

    /// Whether no object that the handle accepts has a length.
    pub(crate) const fn never_has_len(&self) -> bool {
        matches!(&self.0, Objects::Instances(table) if table.info().content.is_none())
    }

    /// Whether the handle accepts `object`.
    pub(crate) fn accepts(&self, object: ObjectView<'_>) -> bool {
        match &self.0 {
            Objects::Instances(table) => object.is_instance(table.info()),
            Objects::Containers(functions, of) => (functions.accepts)(object, of),
            Objects::Others(functions) => (functions.accepts_object)(object),
            Objects::All => true,
        }
    }

    /// Whether the handle accepts all objects of the type `info` and of the types that extend it. The answer `false` means
    /// that each object has to be checked.
    pub(crate) fn accepts_type(&self, info: &TypeInfo) -> bool {
        match &self.0 {
            Objects::Instances(table) => info.is_or_extends(table.info()),
            Objects::Containers(..) => false,
            Objects::Others(functions) => (functions.accepts_type_info)(info),
            Objects::All => true,
        }
    }

    /// Whether the handle accepts containers whose elements, or whose values in a map, are all objects of the type
    /// `values`; `None` for values of several kinds. The handle accepts the container of the old values, so only the types of
    /// the new ones decide. No code of users runs. The answer `false` means that the container has to be checked.
    pub(crate) fn accepts_container_of(&self, values: Option<&TypeInfo>) -> bool {
        match &self.0 {
            Objects::All => true,
            Objects::Containers(_, of) => of.last().is_some_and(|of| match (&of.values, values) {
                _ if of.storage == Storage::Any => true,
                (ValueOps::Handle(of) | ValueOps::OptionalHandle(of), Some(info)) => match of.0 {
                    Objects::All => true,
                    Objects::Instances(table) => info.is_or_extends(table.info()),
                    Objects::Containers(..) | Objects::Others(_) => false,
                },
                _ => false,
            }),
            Objects::Instances(_) | Objects::Others(_) => false,
        }
    }

    /// The error for an object that the handle does not accept.
    #[cold]
    pub(crate) fn rejected(&self, object: ObjectView<'_>) -> Error {
        match &self.0 {
            Objects::Instances(_) | Objects::All => Error::type_mismatch(&self.schema().to_string(), object.type_key()),
            Objects::Containers(functions, of) => (functions.rejected)(object, of),
            Objects::Others(functions) => (functions.rejected)(object),
        }
    }

    /// The type as schemas write it.
    pub(crate) fn schema(&self) -> TypeSchema {
        match &self.0 {
            Objects::Instances(table) => TypeSchema::leaf(table.info().type_key),
            Objects::Containers(functions, of) => {
                TypeSchema::of(functions.type_key, of.iter().map(|ops| ops.schema()).collect())
            }
            Objects::Others(functions) => (functions.handle_schema)(),
            Objects::All => TypeSchema::leaf("ffi.Object"),
        }
    }

    /// The object in `value`, if the handle accepts it.
    ///
    /// # Errors
    /// [`TypeMismatch`](crate::ErrorKind::TypeMismatch) if it does not.
    pub(crate) fn object(&self, value: Any) -> Result<ObjectRef> {
        match value {
            Any::Object(object) if self.accepts(object.view()) => Ok(object),
            Any::Object(object) => Err(self.rejected(object.view())),
            other => Err(mismatch(&self.schema().to_string(), other.view())),
        }
    }
}
