//! Which objects a walk reaches once, so that the walk need not remember results about them.

use crate::object::{AnyView, ObjectView};

/// Whether the walk may reach `a` or `b` again. One of the two is enough. If only the left side shares an object, many
/// objects of the right side correspond to it, and a full comparison with each of them would multiply the cost at every
/// level.
#[inline]
pub(crate) fn is_shared(a: ObjectView<'_>, b: ObjectView<'_>) -> bool {
    a.use_count() > 1 || b.use_count() > 1
}

/// As [`is_shared`], under lexical scopes. An object that binds something in the scope around it is entered again in each
/// scope, and with it the scopes and `dag` nodes to which only this object refers.
pub(crate) fn may_recur_in_scopes(a: ObjectView<'_>, b: ObjectView<'_>) -> bool {
    let info = a.type_info();
    is_shared(a, b) || info.is_scope || info.plan.compare_rule.has_counterpart()
}

/// Whether a hook lists `child` once. Then a walk that reaches the parent once reaches the child once, if only a field
/// of the parent refers to the child.
#[inline]
pub(crate) fn is_listed_once<'a>(child: ObjectView<'a>, listed: impl Iterator<Item = AnyView<'a>>) -> bool {
    listed.filter(|value| value.is_object(child)).take(2).count() == 1
}
