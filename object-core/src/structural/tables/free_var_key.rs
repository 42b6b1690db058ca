//! [`free_vars`]: a number that distinguishes values by their free variables.
//!
//! Structural hashes are the same in every process, so they count a free variable by its position alone, and values
//! that differ only in their free variables have equal hashes. A table in memory can do better. Under the default
//! options, a variable that nothing binds equals only itself, so equal values have the same free variables.
//!
//! A variable counts if no part of the value binds it, so the order of comparison plays no role. The number leaves out
//! some free variables, but the same ones for equal values. The variables that hooks bind depend on both compared
//! values, so all values with hooks get zero.

use crate::hashing::mix;
use crate::object::{AnyView, ComputedValues, ObjectView};
use crate::structural::options::Scopes;
use crate::visit::{ConsideredFields, ScopeTypes, Variables};

/// A number from the addresses of the variables that are free in `root`. Equal values have the same number. Zero if
/// there are none.
pub(crate) fn free_vars(scopes: Scopes, root: ObjectView<'_>) -> u64 {
    let computed = ComputedValues::default();
    let types = match scopes {
        Scopes::Persistent => ScopeTypes::new(),
        Scopes::Lexical => ScopeTypes::marked(),
    };
    let found = Variables::of(AnyView::Object(root), &types, ConsideredFields::Compared, &computed);
    if found.has_hooks {
        return 0;
    }
    let mut vars: Vec<usize> = found.free.into_keys().filter(|var| !found.bound.contains_key(var)).collect();
    vars.sort_unstable();
    vars.into_iter().fold(0, |state, var| mix(state, var as u64))
}
