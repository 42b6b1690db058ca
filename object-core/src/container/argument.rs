//! [`IntoContainer`]: the arguments of constructors for fields that are arrays or maps.

use crate::container::array::Array;
use crate::container::map::Map;
use crate::object::{Extends, FieldType, ObjectHandle};

/// A value that the function `new` of a handle accepts for a field of the container type `C`:
///
/// - a value that converts to `C`: a `C`, a `&C`, a `Vec`, an array, a slice;
/// - an [`Array`] or a [`Map`] of more specific handles, whose pointer moves;
/// - an iterator over values that convert to the elements of `C`, or for a [`Map`], over pairs of such values.
///
/// An array of references is not an argument, because with it, the elements of an empty array `[]` would be unknown: write
/// `[&a, &b].into_iter()`, or `[a.clone(), b.clone()]`.
///
/// The compiler infers `How`, which names the conversion. It does not infer the elements of an `Array` from the field,
/// because arrays of other handles convert, too: write `[]` and not `Array::default()`.
///
/// ```
/// use object_core::prelude::*;
///
/// #[derive(Object)]
/// #[object(type_key = "argument.Row")]
/// #[structural_eq(tree)]
/// struct RowNode {
///     cells: Array<Str>,
/// }
///
/// let words = vec!["a", "b"];
/// let row = Row::new(words.iter().map(|word| word.to_uppercase()));
/// assert_eq!(row.cells, ["A", "B"]);
/// assert_eq!(Row::new(&row.cells).cells.len(), 2);
/// assert!(Row::new([]).cells.is_empty());
/// let (first, second) = (Str::from("a"), Str::from("b"));
/// assert_eq!(Row::new([&first, &second].into_iter()).cells, words);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not convert to `{C}`",
    label = "not a `{C}`",
    note = "an argument for an `Array` or a `Map` is one of them, a `Vec`, an array or a slice of exactly its elements, or an \
            iterator over values that convert to its elements, such as `items.iter()`; for references and \
            handles of more specific types, write `[&a, &b].into_iter()`"
)]
pub trait IntoContainer<C, How> {
    /// The container.
    fn into_container(self) -> C;
}

/// The conversion by [`Into`].
#[doc(hidden)]
pub struct Converted(());

/// The conversion of a container of handles to a container of more general handles.
#[doc(hidden)]
pub struct Upcast(());

/// The conversion of each value that an iterator yields.
#[doc(hidden)]
pub struct Collected(());

#[diagnostic::do_not_recommend]
impl<C, S: Into<C>> IntoContainer<C, Converted> for S {
    fn into_container(self) -> C {
        self.into()
    }
}

#[diagnostic::do_not_recommend]
impl<H: Extends<A>, A: ObjectHandle> IntoContainer<Array<A>, Upcast> for Array<H> {
    fn into_container(self) -> Array<A> {
        self.upcast()
    }
}

#[diagnostic::do_not_recommend]
impl<H: Extends<A>, A: ObjectHandle> IntoContainer<Array<A>, Upcast> for &Array<H> {
    fn into_container(self) -> Array<A> {
        self.clone().upcast()
    }
}

#[diagnostic::do_not_recommend]
impl<K: FieldType, H: Extends<A>, A: ObjectHandle> IntoContainer<Map<K, A>, Upcast> for Map<K, H> {
    fn into_container(self) -> Map<K, A> {
        self.upcast()
    }
}

#[diagnostic::do_not_recommend]
impl<K: FieldType, H: Extends<A>, A: ObjectHandle> IntoContainer<Map<K, A>, Upcast> for &Map<K, H> {
    fn into_container(self) -> Map<K, A> {
        self.clone().upcast()
    }
}

#[diagnostic::do_not_recommend]
impl<I: Iterator<Item: Into<T>>, T: FieldType> IntoContainer<Array<T>, Collected> for I {
    fn into_container(self) -> Array<T> {
        self.map(Into::into).collect()
    }
}

#[diagnostic::do_not_recommend]
impl<I, A, B, K, V> IntoContainer<Map<K, V>, Collected> for I
where
    I: Iterator<Item = (A, B)>,
    A: Into<K>,
    B: Into<V>,
    K: FieldType,
    V: FieldType,
{
    fn into_container(self) -> Map<K, V> {
        self.map(|(key, value)| (key.into(), value.into())).collect()
    }
}
