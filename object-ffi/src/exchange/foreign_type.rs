//! [`ForeignType`]: a type of another library, with the accessors of its fields.

use std::ffi::c_void;
use std::ptr;
use std::sync::{Mutex, OnceLock, PoisonError};

use object_core::error::{Error, ErrorKind, Result};
use object_core::table::Table;
use object_core::{Any, TypeInfo};

use crate::abi::{Creator, FieldRecord, Setter, TypeInfoRecord, field_flag, index};
use crate::errors::check;
use crate::exchange::attributes::attribute;
use crate::exchange::field_form::{FieldReader, field_records};
use crate::exchange::from_peer::to_any;
use crate::exchange::functions::handle_of;
use crate::exchange::types::{find_type, registered_keys};
use crate::foreign::{ForeignTypes, foreign, is_foreign};
use crate::handle::Handle;
use crate::runtime::runtime;
use crate::value::{Value, call};

/// A type of another library.
pub(crate) struct ForeignType {
    /// The type of object-core with the same key.
    pub(crate) info: &'static TypeInfo,
    pub(crate) fields: Vec<ForeignField>,
    creator: Option<Creator>,
    /// For a type whose objects JSON has by a key: the functions that return the key of an object, and the object of a key.
    pub(crate) by_key: Option<[Handle; 2]>,
}

/// A field of a type of another library.
pub(crate) struct ForeignField {
    pub(crate) reader: FieldReader,
    /// The index of the field in the type of object-core.
    pub(crate) index: usize,
}

/// The types of the other library in this process.
///
/// # Errors
/// [`UnknownType`](ErrorKind::UnknownType) if this library has no counterparts of foreign types, and the errors of
/// [`Foreign::types`](crate::Foreign::types).
pub(crate) fn types() -> Result<&'static ForeignTypes> {
    static TYPES: OnceLock<ForeignTypes> = OnceLock::new();
    if let Some(types) = TYPES.get() {
        return Ok(types);
    }
    let Some(foreign) = foreign() else {
        return Err(Error::new(ErrorKind::UnknownType, "this library has no counterparts of types of other libraries"));
    };
    let types = (foreign.types)(&registered_keys()?)?;
    Ok(TYPES.get_or_init(|| types))
}

/// The foreign type with this type index; `None` for a type that is not foreign.
///
/// # Errors
/// [`UnknownType`](ErrorKind::UnknownType) for a type without a counterpart, and [`UnknownField`](ErrorKind::UnknownField) if
/// the counterpart lacks one of its fields.
pub(crate) fn of_index(type_index: i32) -> Result<Option<&'static ForeignType>> {
    static KNOWN: OnceLock<Mutex<Table<i32, &'static ForeignType>>> = OnceLock::new();
    let known = || KNOWN.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = known().get(&type_index) {
        return Ok(Some(found));
    }
    // SAFETY: the index comes from an object or from the table of keys. Types stay registered for the rest of the process.
    let record: &'static TypeInfoRecord = unsafe { &*(runtime().get_type_info)(type_index) };
    // SAFETY: tvm-ffi owns the key.
    let key = unsafe { record.key.to_text() };
    if !is_foreign(&key) {
        return Ok(None);
    }
    // Another thread may make the same description, which is never freed, as the type is not.
    let made: &'static ForeignType = Box::leak(Box::new(describe(record, &key)?));
    Ok(Some(*known().entry(type_index).or_insert(made)))
}

/// The foreign type with the key of `info`.
///
/// # Errors
/// As [`of_index`], and [`UnknownType`](ErrorKind::UnknownType) if the process does not have the type.
pub(crate) fn of_info(info: &TypeInfo) -> Result<&'static ForeignType> {
    let key = info.type_key();
    let found = find_type(key).map(of_index).transpose()?.flatten();
    found.ok_or_else(|| {
        let message = format!("expected a process with the type `{key}`; load the library that has it");
        Error::new(ErrorKind::UnknownType, message)
    })
}

fn describe(record: &'static TypeInfoRecord, key: &str) -> Result<ForeignType> {
    let info = types()?.types.get(key)?;
    let function = |name| attribute(record.type_index, name).and_then(|value| handle_of(&value).ok());
    let by_key = match (function("__data_to_json__"), function("__data_from_json__")) {
        (Some(to_key), Some(from_key)) if info.json_key().is_some() => Some([to_key, from_key]),
        _ => None,
    };
    let fields = if by_key.is_some() { Vec::new() } else { describe_fields(record, info)? };
    // SAFETY: the metadata of a type lives as long as the type.
    let creator = unsafe { record.metadata.as_ref() }.and_then(|metadata| metadata.creator);
    Ok(ForeignType { info, fields, creator, by_key })
}

/// The fields of a type and of its ancestors.
fn describe_fields(record: &'static TypeInfoRecord, info: &'static TypeInfo) -> Result<Vec<ForeignField>> {
    let field = |record: &'static FieldRecord| {
        // SAFETY: tvm-ffi owns the name.
        let name = unsafe { record.name.to_text() };
        let (index, _) = info.field(&name).ok_or_else(|| {
            let message = format!(
                "expected a version of the other library whose `{}` has the fields of this library, found the further field `{name}`",
                info.type_key()
            );
            Error::new(ErrorKind::UnknownField, message)
        })?;
        Ok(ForeignField { reader: FieldReader::new(record), index })
    };
    field_records(record).map(field).collect()
}

impl ForeignType {
    /// An object of the type without values.
    ///
    /// # Errors
    /// [`NotConstructible`](ErrorKind::NotConstructible) if the type has no constructor, and the errors that it raises.
    pub(crate) fn create(&self) -> Result<Handle> {
        let cannot = || {
            let message =
                format!("the library that owns `{}` makes no objects of it by reflection", self.info.type_key());
            Error::new(ErrorKind::NotConstructible, message)
        };
        let creator = self.creator.ok_or_else(cannot)?;
        let mut object = ptr::null_mut();
        // SAFETY: the creator writes an owned object if it succeeds.
        unsafe {
            check(creator(&raw mut object))?;
            Handle::from_raw(object).ok_or_else(cannot)
        }
    }
}

impl ForeignField {
    /// Sets the field of a new object.
    ///
    /// # Errors
    /// [`OutOfRange`](ErrorKind::OutOfRange) for an integer that the field does not hold, and the error that the setter raises.
    ///
    /// # Safety
    /// `object` is a living object of the type, which nobody else uses.
    pub(crate) unsafe fn set(&self, object: *mut c_void, value: &Value) -> Result<()> {
        let FieldReader { record, .. } = &self.reader;
        if record.setter.is_null() || record.flags & field_flag::SETTER_IS_FUNCTION != 0 {
            // SAFETY: tvm-ffi owns the name.
            let name = unsafe { record.name.to_text() };
            return Err(Error::new(ErrorKind::NotConstructible, format!("the field `{name}` has no setter of C")));
        }
        let raw = value.raw();
        // SAFETY: without the flag, the setter is a function of this type. By the contract, the field lies at its offset.
        unsafe {
            let setter = std::mem::transmute::<*mut c_void, Setter>(record.setter);
            check(setter(self.reader.at(object), &raw const raw))?;
        }
        // A setter of a field that is smaller than the integer cuts it.
        if raw.type_index == index::INT && record.size < 8 {
            // SAFETY: by the contract; both values are plain, so their payloads are initialized.
            let (given, held) = unsafe { (raw.payload.int, self.reader.get(object)?.raw().payload.int) };
            if given != held {
                let message = format!("expected an integer of {} bytes, got {given}", record.size);
                return Err(Error::new(ErrorKind::OutOfRange, message));
            }
        }
        Ok(())
    }

    /// The reflected name in the type of object-core.
    pub(crate) fn name(&self, ty: &ForeignType) -> &'static str {
        ty.info.fields()[self.index].name()
    }
}

/// The object with the JSON key that `function` returns for the foreign object `object`.
///
/// # Errors
/// The error of the function, and the errors of [`object_of_key`](object_core::object::object_of_key).
pub(crate) fn object_with_key_of(info: &'static TypeInfo, function: &Handle, object: Value) -> Result<Any> {
    let key = call(function, &[object])?;
    debug_assert!(key.raw().type_index != index::NONE);
    // SAFETY: the value is owned.
    object_core::object::object_of_key(info, unsafe { to_any(&key.raw()) }?)
}
