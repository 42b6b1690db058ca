//! [`fits()`]: whether a place of a graph can hold a value.

use crate::container::{Array, Map};
use crate::graph::ChildSlot;
use crate::object::{Any, AnyView, Body, ObjectView};
use crate::visit::Position;

/// Whether the place of `object` can hold `value` instead. `fits_root` says whether a value can be the root.
pub(super) fn fits(
    value: &Any,
    object: ObjectView<'_>,
    at: &Position<'_>,
    fits_root: &dyn Fn(AnyView<'_>) -> bool,
) -> bool {
    if let AnyView::Object(new) = value.view()
        && std::ptr::eq(new.type_info(), object.type_info())
        && new.type_info().body == Body::Node
    {
        return true;
    }
    // A field of a container accepts or rejects the container as a whole: here, one with this value alone.
    let mut value = value.clone();
    for levels in 0.. {
        value = match at.source().slot_above(levels) {
            None => return fits_root(value.view()),
            Some(ChildSlot::Field(field)) => return field.accepts(value.view()),
            Some(ChildSlot::Item(_)) => Array::<Any>::from_anys(vec![value]).into(),
            Some(ChildSlot::Key(_)) => Map::<Any, Any>::from_iter([(value, Any::None)]).into(),
            Some(ChildSlot::Value(key)) => Map::<Any, Any>::from_iter([(key.to_any(), value)]).into(),
        };
    }
    false
}
