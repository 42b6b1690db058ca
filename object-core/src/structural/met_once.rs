//! Which objects a walk meets once, so that nothing about them need be remembered.

use crate::object::{AnyView, Children, ObjectView};

/// Whether one of the two may be met again. One is enough: where only the left shares, the right has many objects for
/// one, and comparing each of them in full would multiply at every level.
#[inline]
pub(super) fn is_shared(a: ObjectView<'_>, b: ObjectView<'_>) -> bool {
    a.use_count() > 1 || b.use_count() > 1
}

/// Whether `child`, which one handle refers to, is met once if `parent` is: the handle is a field of `parent`, and the
/// hook of `parent` lists it once.
pub(super) fn is_listed_once<'a>(
    parent: ObjectView<'a>,
    child: ObjectView<'a>,
    listed: impl Iterator<Item = AnyView<'a>>,
) -> bool {
    Children::of(parent).objects().any(|object| object.ptr_eq(child))
        && listed.filter(|value| value.is_object(child)).take(2).count() == 1
}
