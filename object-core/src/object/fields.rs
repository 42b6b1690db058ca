//! [`Fields`] and [`FieldPairs`]: the values of all fields of an object, or of two objects of one type, in order. Every
//! walk over nodes goes through one of them.

use super::any::AnyView;
use super::field_info::FieldInfo;
use super::header::ObjectView;

/// The fields of one object with their values, those of the ancestors first.
#[derive(Clone)]
pub struct Fields<'a> {
    object: ObjectView<'a>,
    next: usize,
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
        self.object.type_info().fields.get(self.next.wrapping_sub(1))
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = (&'static FieldInfo, AnyView<'a>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let field = self.object.type_info().fields.get(self.next)?;
        self.next += 1;
        // SAFETY: it is a field of the object's own type.
        Some((field, unsafe { field.get_unchecked(self.object) }))
    }
}

/// The fields of two objects of one type with their values, those of the ancestors first.
pub(crate) struct FieldPairs<'a> {
    a: ObjectView<'a>,
    b: ObjectView<'a>,
    fields: &'static [FieldInfo],
    next: usize,
}

impl<'a> FieldPairs<'a> {
    /// The fields of `a` and `b`, or of `a` twice if their types differ.
    pub(crate) fn new(a: ObjectView<'a>, b: ObjectView<'a>) -> Self {
        let info = a.type_info();
        debug_assert!(std::ptr::eq(info, b.type_info()));
        let b = if std::ptr::eq(info, b.type_info()) { b } else { a };
        FieldPairs { a, b, fields: info.fields, next: 0 }
    }

    /// The field that was given last.
    pub(crate) fn last_field(&self) -> Option<&'static FieldInfo> {
        self.fields.get(self.next.wrapping_sub(1))
    }
}

impl<'a> Iterator for FieldPairs<'a> {
    type Item = (&'static FieldInfo, AnyView<'a>, AnyView<'a>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let field = self.fields.get(self.next)?;
        self.next += 1;
        // SAFETY: it is a field of the type that both objects have.
        unsafe { Some((field, field.get_unchecked(self.a), field.get_unchecked(self.b))) }
    }
}

impl<'a> ObjectView<'a> {
    /// The fields of the object with their values, in the order of declaration, those of the ancestors first.
    #[must_use]
    pub fn fields(self) -> Fields<'a> {
        Fields { object: self, next: 0 }
    }

    /// The value of the field with the reflected name `name`.
    #[must_use]
    pub fn get(self, name: &str) -> Option<AnyView<'a>> {
        self.fields().find(|(field, _)| field.name == name).map(|(_, value)| value)
    }
}
