//! [`AccessPath::find`]: the value at a path.

use super::label::path_key;
use crate::access_path::{AccessPath, AccessStep, PathKey};
use crate::error::{Error, ErrorKind, Result};
use crate::object::{Any, AnyView, AsAnyView};
use crate::text::brief::brief;
use crate::value::Str;

impl AccessPath {
    /// The value at this path in `root`, such as the value that an error or a difference names.
    ///
    /// ```
    /// use object_core::{Array, access_path::{AccessPath, AccessStep}};
    /// let rows = Array::from([Array::from([1, 2]), Array::from([3])]);
    /// let path = AccessPath::from_steps([AccessStep::ArrayItem(0), AccessStep::ArrayItem(1)]);
    /// assert_eq!(path.find(&rows)?.cast::<i64>()?, 2);
    /// let error = AccessPath::from_steps([AccessStep::ArrayItem(2)]).find(&rows).unwrap_err();
    /// assert_eq!(error.to_string(), "the array has 2 elements, not an element 2 (at <root>)");
    /// # Ok::<(), object_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`BadReference`](ErrorKind::BadReference) if the value has no such place, with the path of the last value that it has;
    /// [`DuplicateKey`](ErrorKind::DuplicateKey) if two keys of a map have the label of a step.
    pub fn find<'a>(&self, root: &'a impl AsAnyView) -> Result<AnyView<'a>> {
        self.steps().iter().enumerate().try_fold(root.as_any_view(), |value, (index, step)| {
            below(value, step).map_err(|error| error.at(AccessPath::from_steps(self.steps()[..index].iter().cloned())))
        })
    }

    /// The result of `f` for the innermost value on this path in `root` for which there is one, such as the location of the
    /// nearest object that has one. If the value lacks the last places of the path, the innermost one that it has comes
    /// first.
    ///
    /// ```
    /// use object_core::prelude::*;
    ///
    /// #[derive(Object)]
    /// #[object(type_key = "doc.nearest.Filter")]
    /// #[structural_eq(tree)]
    /// struct FilterNode {
    ///     #[field(ignore)]
    ///     line: Option<i64>,
    ///     bounds: Array<i64>,
    /// }
    ///
    /// let (old, new) = (Filter::new(Some(7), [1, 2]), Filter::new(Some(9), [1, 3]));
    /// let difference = structural_first_mismatch(&old, &new)?.expect("they differ");
    /// let line = |value: AnyView<'_>| value.as_object()?.to_handle::<Filter>()?.line;
    /// assert_eq!(difference.rhs.to_string(), "<root>.bounds[1]");
    /// assert_eq!((difference.lhs.nearest(&old, line), difference.rhs.nearest(&new, line)), (Some(7), Some(9)));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn nearest<'a, T>(&self, root: &'a impl AsAnyView, f: impl FnMut(AnyView<'a>) -> Option<T>) -> Option<T> {
        let mut on_path = vec![root.as_any_view()];
        for step in self.steps() {
            let Ok(next) = below(on_path[on_path.len() - 1], step) else { break };
            on_path.push(next);
        }
        on_path.into_iter().rev().find_map(f)
    }
}

/// The child of `value` at `step`.
fn below<'a>(value: AnyView<'a>, step: &AccessStep) -> Result<AnyView<'a>> {
    let object = value.as_object();
    let no_part = |part: &str| missing(format!("a `{}` has no {part}", value.type_key()));
    match step {
        AccessStep::Attr(name) => {
            let field = object.and_then(|object| object.get(name));
            field.ok_or_else(|| no_part(&format!("field `{}`", brief(name))))
        }
        AccessStep::ArrayItem(index) => {
            let array = object.and_then(|object| object.as_array()).ok_or_else(|| no_part("elements"))?;
            let count = array.len();
            array.get(*index).ok_or_else(|| missing(format!("the array has {count} elements, not an element {index}")))
        }
        AccessStep::MapItem(key) => {
            let map = object.and_then(|object| object.as_map()).ok_or_else(|| no_part("entries"))?;
            let found = match key {
                PathKey::Str(text) => map.get(Any::from(Str::new(text)).view()),
                PathKey::Int(value) => map.get(AnyView::Int(*value)),
                PathKey::Other { .. } => {
                    let mut entries = map.iter().filter(|(other, _)| path_key(*other) == *key).map(|(_, value)| value);
                    let (first, second) = (entries.next(), entries.next());
                    if second.is_some() {
                        let message = format!("two keys of the map have the label `{}`", brief(&key.to_string()));
                        return Err(Error::new(ErrorKind::DuplicateKey, message));
                    }
                    first
                }
            };
            found.ok_or_else(|| missing(format!("the map has no key `{}`", brief(&key.to_string()))))
        }
        AccessStep::AttrMissing(_) | AccessStep::ArrayItemMissing(_) | AccessStep::MapItemMissing(_) => {
            Err(missing(format!("the step `{}` names a place that the value does not have", brief(&step.to_string()))))
        }
    }
}

fn missing(message: String) -> Error {
    Error::new(ErrorKind::BadReference, message)
}
