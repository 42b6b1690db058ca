//! Which objects a walk under lexical scopes may reach again.

use crate::object::ObjectView;
use crate::structural::engine::sharing::is_shared;

/// As [`is_shared`], under lexical scopes. An object that binds something in the scope around it is entered again in each
/// scope, and with it the scopes and `dag` nodes to which only this object refers.
pub(crate) fn may_recur_in_scopes(a: ObjectView<'_>, b: ObjectView<'_>) -> bool {
    let info = a.type_info();
    is_shared(a, b) || info.is_scope || info.plan.compare_rule.has_counterpart()
}
