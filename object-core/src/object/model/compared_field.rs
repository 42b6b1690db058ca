//! [`ComparedField`]: the part of a field's description that structural comparison reads, in eight bytes, so that
//! comparison and hashing touch little memory.

use crate::object::model::any::AnyView;
use crate::object::model::field_info::{FieldInfo, FieldMeta, Storage, read};
use crate::object::model::keywords::FieldRole;
use crate::object::model::object_ref::ObjectView;
use crate::object::model::plan::MAX_FIELDS;
use crate::object::model::type_info::TypeInfo;
use crate::scalar::DataType;

/// A field that structural comparison looks at. Only generated code makes one.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct ComparedField {
    /// The offset of the field, in bytes from the start of the object.
    pub(crate) offset: u32,
    /// The index of the field in the table of fields.
    pub(crate) field: u8,
    /// The storage of the field.
    pub(crate) storage: Storage,
    /// The role of the field, which is not [`FieldRole::Ignore`].
    pub(crate) role: FieldRole,
    /// Whether the storage is an object pointer that may be null, as for most fields.
    pub(crate) is_object: bool,
}

impl ComparedField {
    /// The value of the field in `object`.
    ///
    /// # Safety
    /// The type of the object is `info`, and `self` is one of its compared fields.
    #[inline]
    pub(crate) unsafe fn read<'a>(&self, info: &'static TypeInfo, object: ObjectView<'a>) -> AnyView<'a> {
        // SAFETY: by the contract, the object has a field with this storage at the offset, and `field` is its index in the
        // table of fields.
        unsafe { read(object, self.offset, self.storage, || info.fields.get_unchecked(self.field as usize).ops) }
    }

    /// The object in the field; `None` for a null pointer.
    ///
    /// # Safety
    /// The type of the object has this field, and [`is_object`](Self::is_object) is true.
    #[inline(always)]
    pub(crate) unsafe fn object<'a>(&self, object: ObjectView<'a>) -> Option<ObjectView<'a>> {
        // SAFETY: by the contract, the field is an object pointer that may be null.
        unsafe { object.at(self.offset).cast::<Option<ObjectView<'a>>>().read() }
    }

    /// The data type in the field.
    ///
    /// # Safety
    /// The type of the object has this field, and its storage is [`Storage::DataType`].
    #[inline(always)]
    pub(crate) unsafe fn data_type(&self, object: ObjectView<'_>) -> DataType {
        // SAFETY: by the contract.
        unsafe { object.at(self.offset).cast::<DataType>().read() }
    }

    /// The integer in the field.
    ///
    /// # Safety
    /// The type of the object has this field, and its storage is [`Storage::Int`].
    #[inline(always)]
    pub(crate) unsafe fn int(&self, object: ObjectView<'_>) -> i64 {
        // SAFETY: by the contract.
        unsafe { object.at(self.offset).cast::<i64>().read() }
    }

    /// The value of the field, if its storage is a plain value that can be read without a call.
    ///
    /// # Safety
    /// The type of the object has this field.
    #[inline(always)]
    pub(crate) unsafe fn plain(&self, object: ObjectView<'_>) -> Option<PlainField> {
        // SAFETY: by the contract, the object has a field with this storage at the offset.
        unsafe {
            let at = object.at(self.offset);
            match self.storage {
                Storage::Int => Some(PlainField::Int(at.cast::<i64>().read())),
                Storage::Bool => Some(PlainField::Bool(at.cast::<bool>().read())),
                Storage::Float => Some(PlainField::Float(at.cast::<f64>().read())),
                Storage::DataType => Some(PlainField::DataType(at.cast::<DataType>().read())),
                _ => None,
            }
        }
    }

    /// Whether the field is equal in two objects; `None` if equal bits do not decide it for this storage.
    ///
    /// # Safety
    /// Both objects have one type, which has this field.
    #[inline(always)]
    pub(crate) unsafe fn same_bits(&self, a: ObjectView<'_>, b: ObjectView<'_>) -> Option<bool> {
        // SAFETY: by the contract, both objects have a field with this storage at the offset.
        unsafe {
            let (a, b) = (a.at(self.offset), b.at(self.offset));
            match self.storage {
                Storage::Int => Some(a.cast::<i64>().read() == b.cast::<i64>().read()),
                Storage::Bool => Some(a.cast::<bool>().read() == b.cast::<bool>().read()),
                Storage::DataType => Some(a.cast::<DataType>().read() == b.cast::<DataType>().read()),
                _ => None,
            }
        }
    }

    /// The values of the field in two objects.
    ///
    /// # Safety
    /// The type of both objects is `info`, and `self` is one of its compared fields.
    #[inline(never)]
    pub(crate) unsafe fn values<'a>(
        &self,
        info: &'static TypeInfo,
        a: ObjectView<'a>,
        b: ObjectView<'a>,
    ) -> (AnyView<'a>, AnyView<'a>) {
        // SAFETY: by the contract.
        unsafe { (self.read(info, a), self.read(info, b)) }
    }
}

/// A plain value of a field whose storage is the value itself.
pub(crate) enum PlainField {
    /// An integer.
    Int(i64),
    /// A boolean.
    Bool(bool),
    /// A floating-point number.
    Float(f64),
    /// A data type.
    DataType(DataType),
}

const _: () = assert!(size_of::<ComparedField>() == 8 && MAX_FIELDS <= u8::MAX as usize);

impl ComparedField {
    /// The compared field for `field`, which has the index `index`; `None` if structural comparison ignores the field.
    const fn of(field: &FieldInfo, index: usize) -> Option<ComparedField> {
        let FieldInfo { offset, storage, meta: FieldMeta { role, .. }, .. } = *field;
        if matches!(role, FieldRole::Ignore) {
            return None;
        }
        let is_object = matches!(storage, Storage::Object | Storage::OptionalObject);
        Some(ComparedField { offset, field: index as u8, storage, role, is_object })
    }

    /// The compared fields of a type with these fields.
    pub(crate) fn list(fields: &[FieldInfo]) -> Vec<ComparedField> {
        fields.iter().enumerate().filter_map(|(index, field)| ComparedField::of(field, index)).collect()
    }
}

/// The number of the fields that structural comparison looks at.
#[must_use]
pub const fn compared_field_count(fields: &[FieldInfo]) -> usize {
    let (mut count, mut i) = (0, 0);
    while i < fields.len() {
        if !matches!(fields[i].meta.role, FieldRole::Ignore) {
            count += 1;
        }
        i += 1;
    }
    count
}

/// The compared fields of a type with these fields, as a constant.
///
/// # Panics
/// At compile time, if `N` is not the [`compared_field_count`] of the fields.
#[must_use]
pub const fn compared_fields<const N: usize>(fields: &[FieldInfo]) -> [ComparedField; N] {
    let mut compared_fields =
        [ComparedField { offset: 0, field: 0, storage: Storage::Other, role: FieldRole::Ignore, is_object: false }; N];
    let (mut count, mut i) = (0, 0);
    while i < fields.len() {
        if let Some(field) = ComparedField::of(&fields[i], i) {
            compared_fields[count] = field;
            count += 1;
        }
        i += 1;
    }
    assert!(count == N, "the field count does not match");
    compared_fields
}
