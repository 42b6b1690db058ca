//! [`Fields`]: the fields of an object with their values.

use crate::object::model::any::AnyView;
use crate::object::model::field_info::FieldInfo;
use crate::object::model::object_ref::ObjectView;

/// The fields of one object with their values, those of the ancestors first.
#[derive(Clone)]
pub struct Fields<'a> {
    object: ObjectView<'a>,
    next: u32,
}

impl<'a> Fields<'a> {
    /// The object.
    #[must_use]
    pub fn object(&self) -> ObjectView<'a> {
        self.object
    }

    /// The field that was given last.
    #[must_use]
    pub fn last_field(&self) -> Option<&'static FieldInfo> {
        self.object.type_info().fields.get((self.next as usize).wrapping_sub(1))
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = (&'static FieldInfo, AnyView<'a>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let field = self.object.type_info().fields.get(self.next as usize)?;
        self.next += 1;
        // SAFETY: it is a field of the object's own type.
        Some((field, unsafe { field.get_unchecked(self.object) }))
    }
}

impl<'a> ObjectView<'a> {
    /// The fields of the object with their values, in the order of declaration, those of the ancestors first.
    #[must_use]
    pub fn fields(self) -> Fields<'a> {
        Fields { object: self, next: 0 }
    }

    /// The key of the instance, if the object is a singleton.
    pub(crate) fn singleton_key(self) -> Option<&'a str> {
        let field = self.type_info().singleton_key()?;
        // SAFETY: it is a field of the object's own type.
        unsafe { field.get_unchecked(self) }.as_str()
    }

    /// The value of the field with index `index` in [`TypeInfo::fields`](super::super::TypeInfo::fields).
    #[inline]
    pub(crate) fn field_at(self, index: usize) -> Option<AnyView<'a>> {
        let field = self.type_info().fields.get(index)?;
        // SAFETY: it is a field of the object's own type.
        Some(unsafe { field.get_unchecked(self) })
    }

    /// The value of the field with the reflected name `name`.
    #[must_use]
    pub fn get(self, name: &str) -> Option<AnyView<'a>> {
        self.fields().find(|(field, _)| field.name == name).map(|(_, value)| value)
    }
}
