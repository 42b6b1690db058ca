//! [`Fields`]: an iterator over the fields of an object with their values.

use crate::object::model::any::AnyView;
use crate::object::model::field_info::FieldInfo;
use crate::object::model::object_ref::ObjectView;

/// An iterator over the fields of an object with their values, the fields of the ancestors first.
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
}

impl<'a> Iterator for Fields<'a> {
    type Item = (&'static FieldInfo, AnyView<'a>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let field = self.object.type_info().fields.get(self.next as usize)?;
        self.next += 1;
        // SAFETY: the field is in the table of the object's type.
        Some((field, unsafe { field.get_unchecked(self.object) }))
    }
}

impl<'a> ObjectView<'a> {
    /// The fields of the object with their values, in the order of declaration, the fields of the ancestors first. An object
    /// without reflected fields, such as text or an array, has none.
    #[must_use]
    pub fn fields(self) -> Fields<'a> {
        Fields { object: self, next: 0 }
    }

    /// The key, if the object is an instance of a singleton type.
    pub(crate) fn singleton_key(self) -> Option<&'a str> {
        let field = self.type_info().singleton_key()?;
        // SAFETY: the field is in the table of the object's type.
        unsafe { field.get_unchecked(self) }.as_str()
    }

    /// The value of the field with index `index` in [`TypeInfo::fields`](crate::TypeInfo::fields); `None` if the index is
    /// out of bounds.
    #[inline]
    #[must_use]
    pub fn field_at(self, index: usize) -> Option<AnyView<'a>> {
        let field = self.type_info().fields.get(index)?;
        // SAFETY: the field is in the table of the object's type.
        Some(unsafe { field.get_unchecked(self) })
    }

    /// The value of the field with the reflected name `name`; `None` if the type has no such field.
    #[must_use]
    pub fn get(self, name: &str) -> Option<AnyView<'a>> {
        self.fields().find(|(field, _)| field.name == name).map(|(_, value)| value)
    }
}
