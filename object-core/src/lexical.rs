//! The operations for languages in which a binding ends with the object that makes it, such as the lambda calculus.
//!
//! The functions have the names of those that follow the rules of tvm-ffi, in which a binding does not end. So an IR with
//! lexical scopes marks the types that bind as `scope`, and imports the operations from here:
//!
//! | here | elsewhere, with options |
//! |---|---|
//! | [`structural_equal`], [`structural_hash`], [`structural_first_mismatch`], [`structural_diff`] | [`StructuralOptions`] with [`Scopes::Lexical`] |
//! | [`free_vars`], [`bound_vars`] | [`ScopeTypes::marked`] |
//! | [`substitute`], [`alpha_rename`] | [`Substitution::scopes`] |
//!
//! Patterns of such a language begin with [`Pattern::lexical`](crate::rewrite::Pattern::lexical).
//!
//! ```
//! use object_core::lexical::{free_vars, structural_equal, structural_hash};
//! use object_core::prelude::{Any, Array, Object, Str};
//!
//! #[derive(Object)]
//! #[object(type_key = "doc.lexical_module.Var")]
//! #[structural_eq(var)]
//! struct VarNode {
//!     #[field(ignore)]
//!     name: Str,
//! }
//!
//! #[derive(Object)]
//! #[object(type_key = "doc.lexical_module.Lambda")]
//! #[structural_eq(tree, scope)]
//! struct LambdaNode {
//!     #[field(def)]
//!     param: Var,
//!     body: Any,
//! }
//!
//! let (x, y, z) = (Var::new("x"), Var::new("y"), Var::new("z"));
//! let identity = |var: &Var| Lambda::new(var, Any::from(var));
//! let once = identity(&x);
//! let (twice, two) = (Array::from([once.clone(), once]), Array::from([identity(&y), identity(&z)]));
//! assert!(structural_equal(&twice, &two) && !object_core::structural_equal(&twice, &two));
//! assert_eq!(structural_hash(&twice), structural_hash(&two));
//! assert_eq!(free_vars(&Array::from([Any::from(identity(&x)), Any::from(&x)])).len(), 1);
//! ```

use crate::error::Result;
use crate::object::{Any, AsAnyView, FieldType, ObjectRef};
use crate::rewrite::Substitution;
use crate::structural::{DIFF_LIMIT, Mismatch, Scopes, StructuralOptions};
use crate::visit::ScopeTypes;

/// The options of comparisons under lexical scopes.
#[must_use]
pub fn options() -> StructuralOptions {
    StructuralOptions::new().scopes(Scopes::Lexical)
}

/// As [`structural_equal`](crate::structural_equal).
#[must_use]
pub fn structural_equal(a: &impl AsAnyView, b: &impl AsAnyView) -> bool {
    options().equal_leniently(a, b)
}

/// As [`structural_hash`](crate::structural_hash).
#[must_use]
pub fn structural_hash(value: &impl AsAnyView) -> u64 {
    options().hash_leniently(value)
}

/// As [`structural_first_mismatch`](crate::structural_first_mismatch).
///
/// # Errors
/// As [`StructuralOptions::equal`].
pub fn structural_first_mismatch(a: &impl AsAnyView, b: &impl AsAnyView) -> Result<Option<Mismatch>> {
    options().first_mismatch(a, b)
}

/// As [`structural_diff`](crate::structural_diff).
///
/// # Errors
/// As [`StructuralOptions::equal`].
pub fn structural_diff(a: &impl AsAnyView, b: &impl AsAnyView) -> Result<Vec<Mismatch>> {
    options().diff(a, b, DIFF_LIMIT)
}

/// As [`visit::free_vars`](crate::visit::free_vars).
#[must_use]
pub fn free_vars(root: &impl AsAnyView) -> Vec<ObjectRef> {
    ScopeTypes::marked().free_vars(root)
}

/// As [`visit::bound_vars`](crate::visit::bound_vars).
#[must_use]
pub fn bound_vars(root: &impl AsAnyView) -> Vec<ObjectRef> {
    ScopeTypes::marked().bound_vars(root)
}

/// As [`rewrite::substitute`](crate::rewrite::substitute).
///
/// # Errors
/// As [`Substitution::run`].
pub fn substitute<T, H, V>(root: T, values: impl IntoIterator<Item = (H, V)>) -> Result<T>
where
    T: FieldType,
    H: Into<ObjectRef>,
    V: Into<Any>,
{
    values.into_iter().fold(substitution(), |all, (var, value)| all.replace(&var.into(), value)).run(root)
}

/// As [`rewrite::alpha_rename`](crate::rewrite::alpha_rename).
///
/// # Errors
/// As [`Substitution::run`].
pub fn alpha_rename<T: FieldType>(root: T) -> Result<T> {
    substitution().rename_bound(true).run(root)
}

fn substitution() -> Substitution {
    Substitution::new().scopes(ScopeTypes::marked())
}
