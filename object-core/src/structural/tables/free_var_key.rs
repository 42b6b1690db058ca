//! [`free_vars`]: a number that tells values apart by which free variables they have.
//!
//! Structural hashes are the same in every process, so they count a free variable by its position alone, and values that
//! differ only in their free variables hash equal. A table in memory can do better: under the default options a variable
//! that nothing binds equals only itself, so equal values have the same ones.
//!
//! A variable counts if it is bound nowhere in the value: in which order parts are compared plays no role in that. That
//! errs on one side: it leaves out some free variables, but the same ones of equal values. One value alone does not show the
//! variables that its hooks bind, so all values with hooks give zero.

use crate::hashing::mix;
use crate::object::{AnyView, ComputedValues, ObjectView};
use crate::visit::{ConsideredFields, ScopeTypes, Variables};

/// A number from the addresses of variables that are free in `root`: the same for equal values. Zero if there are none.
pub(crate) fn free_vars(root: ObjectView<'_>) -> u64 {
    let computed = ComputedValues::default();
    let found = Variables::of(AnyView::Object(root), &ScopeTypes::new(), ConsideredFields::Compared, &computed);
    if found.has_hooks {
        return 0;
    }
    let mut vars: Vec<usize> = found.free.into_keys().filter(|var| !found.bound.contains_key(var)).collect();
    vars.sort_unstable();
    vars.into_iter().fold(0, |state, var| mix(state, var as u64))
}
