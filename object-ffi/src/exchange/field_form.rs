//! [`FieldReader`]: reads a field of another library in the memory of the object where tvm-ffi fixes the layout, and by a call of
//! the getter elsewhere.

use std::ffi::c_void;

use object_core::dlpack::RawDataType;
use object_core::error::Result;

use crate::abi::{FieldRecord, RawAny, TypeInfoRecord, index};
use crate::errors::check;
use crate::value::Value;

/// A field of a type of another library, whose record lives as long as the process.
pub(crate) struct FieldReader {
    pub(crate) record: &'static FieldRecord,
    /// The form in memory, if the field is read there.
    form: Option<FieldForm>,
}

// SAFETY: nobody changes the records of fields.
unsafe impl Send for FieldReader {}
// SAFETY: as above.
unsafe impl Sync for FieldReader {}

/// The records of the fields of a type, the fields of its ancestors first.
pub(crate) fn field_records(record: &'static TypeInfoRecord) -> impl Iterator<Item = &'static FieldRecord> {
    let depth = usize::try_from(record.depth).unwrap_or(0);
    // SAFETY: a type has `depth` ancestors, and each type has `num_fields` fields, which live as long as the process.
    unsafe {
        let ancestors = (0..depth).map(|depth| &**record.ancestors.add(depth));
        ancestors
            .chain([record])
            .flat_map(|it| (0..usize::try_from(it.num_fields).unwrap_or(0)).map(|at| &*it.fields.add(at)))
    }
}

impl FieldReader {
    pub(crate) fn new(record: &'static FieldRecord) -> Self {
        FieldReader { record, form: FieldForm::of(record) }
    }

    /// The value of the field, which the object lends; `None` for a field that only its getter reads.
    ///
    /// # Safety
    /// `object` is a living object of the type, which nobody changes during the call.
    #[inline]
    pub(crate) unsafe fn lent(&self, object: *mut c_void) -> Option<RawAny> {
        // SAFETY: by the contract, a field of this form lies at its offset.
        self.form.map(|form| unsafe { form.lent(self.at(object)) })
    }

    /// The value of the field, by its getter.
    ///
    /// # Errors
    /// The error that the getter raises.
    ///
    /// # Safety
    /// `object` is a living object of the type.
    pub(crate) unsafe fn get(&self, object: *mut c_void) -> Result<Value> {
        let mut value = RawAny::NONE;
        // SAFETY: by the contract, the field lies at its offset. The getter writes an owned value if it succeeds.
        unsafe {
            check((self.record.getter)(self.at(object), &raw mut value))?;
            Ok(Value::from_raw(value))
        }
    }

    /// The address of the field in `object`.
    ///
    /// # Safety
    /// `object` is an object of the type.
    pub(crate) unsafe fn at(&self, object: *mut c_void) -> *mut c_void {
        // SAFETY: by the contract.
        unsafe { object.byte_offset(isize::try_from(self.record.offset).unwrap_or(0)) }
    }
}

/// The form of a field in memory, for the types of C++ whose layout tvm-ffi fixes.
#[derive(Clone, Copy)]
enum FieldForm {
    Int,
    Bool,
    Float,
    DataType,
    /// A pointer to an object, or null.
    Object,
    /// A `TVMFFIAny`, which `Any`, `String` and `BigInt` are.
    Any,
}

impl FieldForm {
    /// The form of the field with this record; `None` for a field that only its getter reads.
    fn of(record: &FieldRecord) -> Option<FieldForm> {
        // SAFETY: tvm-ffi owns the metadata.
        let metadata = unsafe { record.metadata.as_bytes() };
        let has_schema =
            |name: &str| metadata.starts_with(format!(r#"{{"type_schema":"{{\"type\":\"{name}\""#).as_bytes());
        Some(match (record.static_type_index, record.size, record.alignment) {
            (index::INT, 8, 8) => FieldForm::Int,
            (index::BOOL, 1, 1) => FieldForm::Bool,
            (index::FLOAT, 8, 8) => FieldForm::Float,
            (index::DATA_TYPE, 4, 2) => FieldForm::DataType,
            (index::OBJECT.., 8, 8) => FieldForm::Object,
            // An optional number takes more bytes than the number, so it has another size or alignment than a reference.
            (index::ANY, 8, 8) if has_schema("Optional") => FieldForm::Object,
            (index::ANY, 16, 8) if ["Any", "ffi.String", "ffi.BigInt"].into_iter().any(has_schema) => FieldForm::Any,
            _ => return None,
        })
    }

    /// The value of the field at this address, which the object lends.
    ///
    /// # Safety
    /// A field of this form is at the address, and nobody changes it during the call.
    #[inline]
    unsafe fn lent(self, at: *const c_void) -> RawAny {
        let mut raw = RawAny::NONE;
        // SAFETY: by the contract. Each form has the size and the alignment of the type that is read.
        unsafe {
            match self {
                FieldForm::Int => return RawAny::int(index::INT, at.cast::<i64>().read()),
                FieldForm::Bool => return RawAny::int(index::BOOL, i64::from(at.cast::<u8>().read() != 0)),
                FieldForm::Object => return RawAny::object(at.cast::<*mut c_void>().read()),
                FieldForm::Any => return at.cast::<RawAny>().read(),
                FieldForm::Float => (raw.type_index, raw.payload.float) = (index::FLOAT, at.cast::<f64>().read()),
                FieldForm::DataType => {
                    (raw.type_index, raw.payload.data_type) = (index::DATA_TYPE, at.cast::<RawDataType>().read());
                }
            }
        }
        raw
    }
}
