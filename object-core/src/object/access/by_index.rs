//! The fields of an object by their index in [`TypeInfo::fields`](super::TypeInfo::fields).

use crate::object::model::any::AnyView;
use crate::object::model::object_ref::ObjectView;

impl<'a> ObjectView<'a> {
    /// The value of the field with index `index`.
    #[inline]
    pub(crate) fn field_at(self, index: usize) -> Option<AnyView<'a>> {
        let field = self.type_info().fields.get(index)?;
        // SAFETY: it is a field of the object's own type.
        Some(unsafe { field.get_unchecked(self) })
    }
}
