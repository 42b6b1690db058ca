//! [`ByStructure`]: a value that std compares and hashes by structure, and the `==` and `Hash` of handles.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;

use crate::object::{FieldType, Object, TypedHandle};
use crate::structural::operations::structural_equal;
use crate::structural::options::StructuralOptions;
use crate::structural::tables::probe::second_key;

/// A value of any field type with `==` and `Hash` by structure: a key of `HashMap`, `HashSet` and other tables of std.
///
/// Handles are equal if they point to one object, and arrays if their elements are equal. `ByStructure` compares both as
/// [`structural_equal`](crate::structural_equal) does. So it is for tables of expressions: results by expression, or one
/// representative of equal expressions.
///
/// [`new`](Self::new) computes the hash, in time linear in the size of the value, and a clone keeps it. The hash has a secret
/// of the process and depends on the free variables, so neither an author of values nor values such as `x + 1` and `y + 1`
/// make a table slow, unless they contain types with hooks. The hash differs from process to process;
/// [`structural_hash`](crate::structural_hash) does not. An object whose type takes no part in structural comparison
/// equals only itself.
///
/// A `ByStructure<T>` is not a `Borrow<T>`, because `T` can have another equality. A look-up takes a clone of the handle,
/// which copies one pointer.
///
/// ```
/// use std::collections::HashMap;
/// use object_core::prelude::*;
/// use object_core::structural::ByStructure;
///
/// #[derive(Object)]
/// #[object(type_key = "doc.by_structure.Neg")]
/// #[structural_eq(tree)]
/// struct NegNode {
///     arg: Any,
/// }
///
/// let (a, b) = (Neg::new(1), Neg::new(1));
/// assert_ne!(a, b);
/// let mut costs = HashMap::new();
/// costs.insert(ByStructure::new(a), 3);
/// assert_eq!(costs[&ByStructure::new(b)], 3);
/// ```
#[derive(Clone)]
pub struct ByStructure<T> {
    value: T,
    hash: u64,
}

impl<T: FieldType> ByStructure<T> {
    /// `value` with the hash of its structure.
    pub fn new(value: T) -> Self {
        ByStructure { hash: second_key(StructuralOptions::new(), value.view()), value }
    }
}

impl<T> ByStructure<T> {
    /// The value.
    #[must_use]
    pub fn into_inner(self) -> T {
        self.value
    }
}

impl<T: FieldType> From<T> for ByStructure<T> {
    fn from(value: T) -> Self {
        ByStructure::new(value)
    }
}

impl<T> Deref for ByStructure<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> AsRef<T> for ByStructure<T> {
    fn as_ref(&self) -> &T {
        &self.value
    }
}

impl<T: FieldType> PartialEq for ByStructure<T> {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash && structural_equal(&self.value, &other.value)
    }
}

impl<T: FieldType> Eq for ByStructure<T> {}

impl<T> Hash for ByStructure<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

impl<T: fmt::Debug> fmt::Debug for ByStructure<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

impl<T: fmt::Display> fmt::Display for ByStructure<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

/// `==` of handles: by structure if the type or an ancestor says `eq = structural`, and otherwise by identity.
pub fn handles_equal<H: TypedHandle>(a: &H, b: &H) -> bool {
    if const { <H::Node as Object>::TYPE_INFO.by_structure } { structural_equal(a, b) } else { a.ptr_eq(b) }
}

/// The hash that belongs to [`handles_equal`].
pub fn hash_handle<H: TypedHandle, S: Hasher>(handle: &H, state: &mut S) {
    if const { <H::Node as Object>::TYPE_INFO.by_structure } {
        state.write_u64(second_key(StructuralOptions::new(), handle.view()));
    } else {
        handle.as_object().hash(state);
    }
}
