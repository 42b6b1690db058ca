//! Copies of values: [`deep_copy`] copies a whole graph, and [`replace`] one object.

use crate::container::{entries_of, sequence_of};
use crate::error::Result;
use crate::object::{Any, AnyView, Body, FieldType, ObjectBuilder, ObjectHandle, ObjectRef, ObjectView, SEqHashKind};
use crate::rewrite::{Mutation, Mutator, mutate_with};
use crate::visit::Position;

/// A copy of `root` that has no node, array or map in common with `root`. References to one object become references to one
/// copy. Texts, bytes, shapes, tensors and functions are not copied, because they are immutable, and singletons are not
/// copied, because there is one instance for each key.
///
/// The objects of the copy lie in memory in the order in which walks reach them. If a graph is larger than the caches, its
/// copy is faster to compare and to hash: 1.7 times for random trees of a million nodes.
///
/// ```
/// use object_core::{Any, Array, data::deep_copy};
/// let row = Array::from([1, 2]);
/// let table = Array::from([row.clone(), row]);
/// let copy = deep_copy(&table)?;
/// # use object_core::ObjectHandle;
/// assert!(!copy.ptr_eq(&table) && !copy[0].ptr_eq(&table[0]) && copy[0].ptr_eq(&copy[1]));
/// # Ok::<(), object_core::Error>(())
/// ```
///
/// # Errors
/// The error of a field that rejects a copy of its own value. Fields whose type follows its schema never do.
pub fn deep_copy<T: FieldType>(root: &T) -> Result<T> {
    mutate_with(root.clone(), &mut Copier)
}

struct Copier;

impl Mutator for Copier {
    /// Replaces an object with a shallow copy. Nothing else refers to the copy, so its children change in place.
    fn enter(&mut self, object: ObjectView<'_>, _: &Position<'_>) -> Result<Mutation> {
        Ok(shallow(object).map_or(Mutation::Skip, |copy| Mutation::ReplaceInto(Any::Object(copy))))
    }
}

/// A copy of one object with the same children. `None` for objects that are not copied.
fn shallow(object: ObjectView<'_>) -> Option<ObjectRef> {
    let info = object.type_info();
    match info.body {
        Body::Array => Some(sequence_of(info, object.as_array()?.iter().map(AnyView::to_any).collect())),
        Body::Map => Some(entries_of(info, object.as_map()?.iter().map(|(key, value)| (key.to_any(), value.to_any())))),
        Body::Node | Body::Opaque if info.kind != SEqHashKind::UniqueInstance => info.copy.map(|copy| copy(object)),
        _ => None,
    }
}

/// A copy of the object that `handle` refers to, with new values in the named fields. The copy shares the values of all
/// other fields.
///
/// ```
/// use object_core::prelude::*;
/// use object_core::data::replace;
///
/// #[derive(Object)]
/// #[object(type_key = "doc.replace.Range")]
/// struct RangeNode {
///     min: i64,
///     extent: i64,
/// }
///
/// let range = Range::new(0, 8);
/// let moved = replace(&range, [("min", 4)])?;
/// assert_eq!((moved.min, moved.extent, range.min), (4, 8, 0));
/// assert!(replace(&range, [("mim", 4)]).is_err_and(|error| error.message().contains("did you mean `min`?")));
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// As [`ObjectBuilder::from_object`] and [`ObjectBuilder::set`].
pub fn replace<H: ObjectHandle, V: Into<Any>>(
    handle: &H,
    fields: impl IntoIterator<Item = (&'static str, V)>,
) -> Result<H> {
    let mut builder = ObjectBuilder::from_object(handle.as_object().view())?;
    for (name, value) in fields {
        builder.set(name, value)?;
    }
    Any::Object(builder.build()?).cast()
}
