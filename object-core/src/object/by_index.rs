//! The fields of an object by their index in [`TypeInfo::fields`](super::TypeInfo::fields).

use super::any::AnyView;
use super::header::ObjectView;

impl<'a> ObjectView<'a> {
    /// The value of the field with index `index`.
    #[inline]
    pub(crate) fn field_at(self, index: usize) -> Option<AnyView<'a>> {
        let field = self.type_info().fields.get(index)?;
        // SAFETY: it is a field of the object's own type.
        Some(unsafe { field.get_unchecked(self) })
    }

    /// The value of the first field from index `next` on that JSON does not hold in the object itself; `next` becomes
    /// the index behind it.
    #[inline]
    pub(crate) fn next_reference(self, next: &mut usize) -> Option<AnyView<'a>> {
        let fields = self.type_info().fields;
        while let Some(field) = fields.get(*next) {
            *next += 1;
            if !field.is_inline() {
                // SAFETY: it is a field of the object's own type.
                return Some(unsafe { field.get_unchecked(self) });
            }
        }
        None
    }
}
