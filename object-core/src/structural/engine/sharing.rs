//! Which objects a walk reaches once, so that the walk need not remember results about them.

use crate::object::{AnyView, ObjectView};

/// Whether the walk may reach `a` or `b` again. One of the two is enough. If only the left side shares an object, many
/// objects of the right side correspond to it, and a full comparison with each of them would multiply the cost at every
/// level.
#[inline]
pub(crate) fn is_shared(a: ObjectView<'_>, b: ObjectView<'_>) -> bool {
    a.use_count() > 1 || b.use_count() > 1
}

/// Whether more than one handle of each of the two objects exists.
#[inline]
pub(crate) fn is_shared_on_both_sides(a: ObjectView<'_>, b: ObjectView<'_>) -> bool {
    a.use_count() > 1 && b.use_count() > 1
}

/// Whether a walk takes a shortcut: it does not record variables and `dag` nodes of which one handle exists, in a field
/// of an object that it reaches once. A hook can take such an object from elsewhere, and so make the walk reach it again.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Shortcut {
    Taken,
    #[default]
    Forbidden,
    /// After the walk had taken the shortcut, it met an object from elsewhere. It has to begin again.
    Refuted,
}

/// Whether a hook lists `child` once. Then a walk that reaches the parent once reaches the child once, if only a field
/// of the parent refers to the child.
#[inline]
pub(crate) fn is_listed_once<'a>(child: ObjectView<'a>, listed: impl Iterator<Item = AnyView<'a>>) -> bool {
    listed.filter(|value| value.is_object(child)).take(2).count() == 1
}
