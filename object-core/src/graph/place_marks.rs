//! [`PlaceMarks`]: places in a list, in the marks of objects.

use crate::object::{MarkClaim, ObjectView};

/// The right to write numbers into objects, by which an operation finds them in a list of its own. A look-up takes less time
/// than one in a hash table, because the number is in the object.
///
/// One operation of the process at a time has this right; meanwhile, walks and rewrites use tables. So an operation holds it
/// for a short time, and needs another way to find objects if it does not get it.
///
/// ```
/// use object_core::Str;
/// use object_core::object::ObjectHandle;
/// use object_core::visit::PlaceMarks;
///
/// let names = [Str::from("a"), Str::from("b")];
/// if let Some(marks) = PlaceMarks::take() {
///     for (place, name) in (0..).zip(&names) {
///         marks.set(name.as_object().view(), place);
///     }
///     // The number of another object has no meaning, so the list decides.
///     let place = |name: &Str| names.get(marks.get(name.as_object().view())).filter(|it| it.ptr_eq(name));
///     assert!(place(&names[1]).is_some() && place(&Str::from("b")).is_none());
/// }
/// ```
#[derive(Debug)]
pub struct PlaceMarks(MarkClaim);

impl PlaceMarks {
    /// The right, if no other operation has it.
    #[must_use]
    pub fn take() -> Option<Self> {
        MarkClaim::take().map(PlaceMarks)
    }

    /// The number that was written into an object last. It has a meaning only if the operation wrote it; the caller compares
    /// the object with the one at this place of its list.
    #[must_use]
    #[inline]
    pub fn get(&self, object: ObjectView<'_>) -> usize {
        object.mark().get() as usize
    }

    /// Writes a number into an object.
    #[inline]
    pub fn set(&self, object: ObjectView<'_>, place: u32) {
        object.mark().set(place, &self.0);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::PlaceMarks;
    use crate::object::ObjectHandle;
    use crate::value::Str;

    #[test]
    fn one_operation_at_a_time_has_the_marks() {
        // Other tests of the process may have them.
        let marks = std::iter::repeat_with(PlaceMarks::take).flatten().next().expect("an operation ends");
        assert!(PlaceMarks::take().is_none());
        let [a, b] = ["a", "b"].map(Str::from);
        marks.set(a.as_object().view(), 7);
        marks.set(b.as_object().view(), u32::MAX);
        assert_eq!([&a, &b].map(|it| marks.get(it.as_object().view())), [7, u32::MAX as usize]);
        drop(marks);
        assert!(std::iter::repeat_with(PlaceMarks::take).flatten().next().is_some());
    }
}
