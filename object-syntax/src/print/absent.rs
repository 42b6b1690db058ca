//! Whether parts of a text are absent, by the values of their fields.

use object_core::container::MapData;
use object_core::object::{FieldInfo, ObjectView, SEqHashKind};
use object_core::{AnyView, Error, ErrorKind, structural_equal};

use crate::kind::{array_of, map_of};
use crate::production::{Production, Step};

/// Whether the text of `object` begins with the sign of a number.
pub(super) fn begins_with_sign(production: &Production, object: ObjectView<'_>) -> bool {
    let first = production.steps.iter().find(|step| !matches!(step, Step::Gap(_)));
    let Some(Step::Field(slot)) = first else { return false };
    match production.info.fields()[slot.field].get(object) {
        Some(AnyView::Int(value)) => value < 0,
        Some(AnyView::Float(value)) => value.is_sign_negative(),
        _ => false,
    }
}

/// Whether the text of a step is empty.
pub(super) fn is_absent_step(step: &Step, object: ObjectView<'_>, production: &Production) -> bool {
    let fields = production.info.fields();
    match step {
        Step::Optional { field, .. } => is_absent(&fields[*field], object),
        Step::List(list) => is_empty(fields[list.field].get(object).unwrap_or(AnyView::None)),
        Step::Named(named) => {
            !named.is_required && named.slots.iter().all(|slot| is_default(&fields[slot.field], object))
        }
        Step::Literal(_) | Step::Gap(_) | Step::Field(_) => false,
    }
}

/// Whether a part of a text for this field is absent: its value is `None`, the default, or empty without a default.
pub(super) fn is_absent(field: &FieldInfo, object: ObjectView<'_>) -> bool {
    let value = field.get(object).unwrap_or(AnyView::None);
    matches!(value, AnyView::None) || field.default().is_none() && is_empty(value) || is_default(field, object)
}

/// Whether `value` is an array or a map without elements, or no value.
pub(super) fn is_empty(value: AnyView<'_>) -> bool {
    let is_none = matches!(value, AnyView::None);
    is_none || array_of(value).is_some_and(|items| items.is_empty()) || map_of(value).is_some_and(MapData::is_empty)
}

/// Whether the value of a field is its default. A variable is never a default.
pub(super) fn is_default(field: &FieldInfo, object: ObjectView<'_>) -> bool {
    let (Some(default), Some(value)) = (field.default(), field.get(object)) else { return false };
    let is_variable = matches!(value, AnyView::Object(object) if object.type_info().kind() == SEqHashKind::FreeVar);
    !is_variable && structural_equal(&default, &value.to_any())
}

pub(super) fn no_text(value: AnyView<'_>) -> Error {
    let message = format!("a value of the type `{}` has no text here", value.type_key());
    Error::new(ErrorKind::NotSerializable, message)
}
