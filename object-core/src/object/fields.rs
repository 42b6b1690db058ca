//! [`Fields`] and [`FieldPairs`]: the values of all fields of an object, or of two objects of one type, in order. Every
//! walk over nodes goes through one of them.

use super::any::AnyView;
use super::field_info::{FieldInfo, FieldRole, Storage};
use super::header::ObjectView;
use crate::scalar::DataType;

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

impl<'a> Fields<'a> {
    /// The value of the next field that counts in structural hashing.
    #[inline]
    pub(crate) fn next_content(&mut self) -> Option<AnyView<'a>> {
        let fields = self.object.type_info().fields;
        while let Some(field) = fields.get(self.next as usize) {
            self.next += 1;
            if !matches!(field.role, FieldRole::Ignore) {
                // SAFETY: it is a field of the object's own type.
                return Some(unsafe { field.get_unchecked(self.object) });
            }
        }
        None
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

/// The fields of two objects of one type, those of the ancestors first.
pub(crate) struct FieldPairs<'a> {
    a: ObjectView<'a>,
    b: ObjectView<'a>,
    next: u32,
}

/// Two fields that are not plainly the same.
pub(crate) enum FieldPair<'a> {
    /// Plain values that differ.
    Differ,
    /// Values of any kind.
    Values(AnyView<'a>, AnyView<'a>),
    /// Two objects.
    Objects(ObjectView<'a>, ObjectView<'a>),
}

impl<'a> FieldPairs<'a> {
    /// The fields of `a` and `b`, or of `a` twice if their types differ.
    #[inline]
    pub(crate) fn new(a: ObjectView<'a>, b: ObjectView<'a>) -> Self {
        let is_one_type = std::ptr::eq(a.type_info(), b.type_info());
        debug_assert!(is_one_type);
        FieldPairs { a, b: if is_one_type { b } else { a }, next: 0 }
    }

    /// The objects.
    #[inline]
    pub(crate) fn objects(&self) -> (ObjectView<'a>, ObjectView<'a>) {
        (self.a, self.b)
    }

    /// The field that was given last.
    pub(crate) fn last_field(&self) -> Option<&'static FieldInfo> {
        self.a.type_info().fields.get((self.next as usize).wrapping_sub(1))
    }

    /// The values of the field that was given last.
    pub(crate) fn last_values(&self) -> Option<(AnyView<'a>, AnyView<'a>)> {
        // SAFETY: it is a field of the type that both objects have.
        self.last_field().map(|field| unsafe { (field.get_unchecked(self.a), field.get_unchecked(self.b)) })
    }

    /// The next fields that are compared and are not equal plain values.
    #[inline]
    pub(crate) fn next_unequal(&mut self) -> Option<(FieldRole, FieldPair<'a>)> {
        let fields = self.a.type_info().fields;
        while let Some(field) = fields.get(self.next as usize) {
            self.next += 1;
            if matches!(field.role, FieldRole::Ignore) {
                continue;
            }
            let (a, b) = (self.a.at(field.offset), self.b.at(field.offset));
            // SAFETY: both objects have the type that lists this field, so its storage says what lies at the offset.
            let equal = unsafe {
                match field.storage {
                    Storage::Object => {
                        let (a, b) = (a.cast::<ObjectView<'a>>(), b.cast::<ObjectView<'a>>());
                        let pair = FieldPair::Objects(a.read(), b.read());
                        return Some((field.role, pair));
                    }
                    Storage::OptionalObject => {
                        let a = a.cast::<Option<ObjectView<'a>>>().read();
                        let b = b.cast::<Option<ObjectView<'a>>>().read();
                        match (a, b) {
                            (Some(a), Some(b)) => return Some((field.role, FieldPair::Objects(a, b))),
                            (a, b) => a.is_none() && b.is_none(),
                        }
                    }
                    Storage::Int => a.cast::<i64>().read() == b.cast::<i64>().read(),
                    Storage::Bool => a.cast::<bool>().read() == b.cast::<bool>().read(),
                    Storage::DataType => a.cast::<DataType>().read() == b.cast::<DataType>().read(),
                    Storage::Float | Storage::Plain | Storage::Any | Storage::Other => {
                        let values = (field.get_unchecked(self.a), field.get_unchecked(self.b));
                        return Some((field.role, FieldPair::Values(values.0, values.1)));
                    }
                }
            };
            if !equal {
                return Some((field.role, FieldPair::Differ));
            }
        }
        None
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
        self.type_info().singleton_key()?.get(self)?.as_str()
    }

    /// The value of the field with the reflected name `name`.
    #[must_use]
    pub fn get(self, name: &str) -> Option<AnyView<'a>> {
        self.fields().find(|(field, _)| field.name == name).map(|(_, value)| value)
    }
}
