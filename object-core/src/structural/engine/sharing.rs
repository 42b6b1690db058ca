//! Which objects a walk meets once, so that nothing about them need be remembered.

use crate::object::{AnyView, ObjectView};

/// Whether one of the two may be met again. One is enough: where only the left shares, the right has many objects for
/// one, and comparing each of them in full would multiply at every level.
#[inline]
pub(crate) fn is_shared(a: ObjectView<'_>, b: ObjectView<'_>) -> bool {
    a.use_count() > 1 || b.use_count() > 1
}

/// Whether `child`, which a field of one parent refers to and nothing else, is met once if the parent is: its hook lists
/// it once.
#[inline]
pub(crate) fn is_listed_once<'a>(child: ObjectView<'a>, listed: impl Iterator<Item = AnyView<'a>>) -> bool {
    listed.filter(|value| value.is_object(child)).take(2).count() == 1
}
