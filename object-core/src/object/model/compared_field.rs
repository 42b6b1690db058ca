//! [`ComparedField`]: what structural comparison reads of one field. The compared_fields of a type are its field table without all that
//! comparison has no use for, eight bytes each, so that walks touch little memory.

use crate::object::model::any::AnyView;
use crate::object::model::field_info::{FieldInfo, FieldMeta, Storage, read};
use crate::object::model::keywords::FieldRole;
use crate::object::model::object_ref::ObjectView;
use crate::object::model::plan::MAX_FIELDS;
use crate::object::model::type_info::TypeInfo;
use crate::scalar::DataType;

/// A field that structural comparison looks at.
#[derive(Clone, Copy, Debug)]
pub struct ComparedField {
    /// Where the field begins, in bytes from the start of the object.
    pub(crate) offset: u32,
    /// The index of the field in the table of fields.
    pub(crate) field: u8,
    pub(crate) storage: Storage,
    pub(crate) role: FieldRole,
    /// Whether the storage is a pointer that may be null: the test that most fields pass.
    pub(crate) is_object: bool,
}

impl ComparedField {
    /// The value of the field in `object`.
    ///
    /// # Safety
    /// The object's type is `info`, which has this field.
    #[inline]
    pub(crate) unsafe fn read<'a>(&self, info: &'static TypeInfo, object: ObjectView<'a>) -> AnyView<'a> {
        // SAFETY: the storage says what lies at the offset, by the contract, and the field is in the table.
        unsafe { read(object, self.offset, self.storage, || info.fields.get_unchecked(self.field as usize).ops) }
    }

    /// The field in `object`, which is an object or nothing.
    ///
    /// # Safety
    /// The object's type has this field, for which [`is_object`](Self::is_object) holds.
    #[inline(always)]
    pub(crate) unsafe fn object<'a>(&self, object: ObjectView<'a>) -> Option<ObjectView<'a>> {
        // SAFETY: by the contract. A handle may be read as an optional one.
        unsafe { object.at(self.offset).cast::<Option<ObjectView<'a>>>().read() }
    }

    /// The data type in the field.
    ///
    /// # Safety
    /// The object's type has this field, whose storage is that.
    #[inline(always)]
    pub(crate) unsafe fn data_type(&self, object: ObjectView<'_>) -> DataType {
        // SAFETY: by the contract.
        unsafe { object.at(self.offset).cast::<DataType>().read() }
    }

    /// The integer in the field.
    ///
    /// # Safety
    /// The object's type has this field, whose storage is that.
    #[inline(always)]
    pub(crate) unsafe fn int(&self, object: ObjectView<'_>) -> i64 {
        // SAFETY: by the contract.
        unsafe { object.at(self.offset).cast::<i64>().read() }
    }

    /// The value of the field, if no call is needed to read it and it is no object.
    ///
    /// # Safety
    /// The object's type has this field.
    #[inline(always)]
    pub(crate) unsafe fn plain(&self, object: ObjectView<'_>) -> Option<Plain> {
        // SAFETY: the object has a field at the offset, and the storage says of which type.
        unsafe {
            let at = object.at(self.offset);
            match self.storage {
                Storage::Int => Some(Plain::Int(at.cast::<i64>().read())),
                Storage::Bool => Some(Plain::Bool(at.cast::<bool>().read())),
                Storage::Float => Some(Plain::Float(at.cast::<f64>().read())),
                Storage::DataType => Some(Plain::DataType(at.cast::<DataType>().read())),
                _ => None,
            }
        }
    }

    /// Whether the field is the same in two objects; `None` if that takes more than a look at the bits.
    ///
    /// # Safety
    /// The type of both objects has this field.
    #[inline(always)]
    pub(crate) unsafe fn same_bits(&self, a: ObjectView<'_>, b: ObjectView<'_>) -> Option<bool> {
        // SAFETY: both objects have a field at the offset, and the storage says of which type.
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
    /// The type of both objects is `info`, which has this field.
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

/// A plain value that lies in a field as it is.
pub(crate) enum Plain {
    Int(i64),
    Bool(bool),
    Float(f64),
    DataType(DataType),
}

const _: () = assert!(size_of::<ComparedField>() == 8 && MAX_FIELDS <= u8::MAX as usize);

impl ComparedField {
    /// The field of the field with index `index`; `None` if structural comparison does not look at it.
    const fn of(field: &FieldInfo, index: usize) -> Option<ComparedField> {
        let FieldInfo { offset, storage, meta: FieldMeta { role, .. }, .. } = *field;
        if matches!(role, FieldRole::Ignore) {
            return None;
        }
        let is_object = matches!(storage, Storage::Object | Storage::OptionalObject);
        Some(ComparedField { offset, field: index as u8, storage, role, is_object })
    }

    /// The compared_fields of a type with these fields, put together at run time.
    pub(crate) fn list(fields: &[FieldInfo]) -> Vec<ComparedField> {
        fields.iter().enumerate().filter_map(|(index, field)| ComparedField::of(field, index)).collect()
    }
}

/// How many of the fields structural comparison looks at.
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

/// The compared_fields of a type with these fields; `N` is their [`compared_field_count`].
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
