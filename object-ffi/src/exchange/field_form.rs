//! [`FieldForm`]: the fields of another library that are read in the memory of the object, without a call of the getter.

use std::ffi::c_void;

use object_core::dlpack::RawDataType;

use crate::abi::{FieldRecord, RawAny, index};

/// The form of a field in memory, for the types of C++ whose layout tvm-ffi fixes.
#[derive(Clone, Copy)]
pub(crate) enum FieldForm {
    Int,
    Bool,
    Float,
    DataType,
    /// A pointer to an object, or null.
    Object,
    /// A `TVMFFIAny`, which `Any` and `String` are.
    Any,
}

impl FieldForm {
    /// The form of the field with this record; `None` for a field that only its getter reads.
    pub(crate) fn of(record: &FieldRecord) -> Option<FieldForm> {
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
            (index::ANY, 16, 8) if has_schema("Any") || has_schema("ffi.String") => FieldForm::Any,
            _ => return None,
        })
    }

    /// The value of the field at this address, which the object lends.
    ///
    /// # Safety
    /// A field of this form is at the address, and nobody changes it during the call.
    #[inline]
    pub(crate) unsafe fn lent(self, at: *const c_void) -> RawAny {
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
