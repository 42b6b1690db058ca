//! [`compared_part()`]: a value without the content of the fields that equality ignores.

use crate::error::Result;
use crate::object::{Any, AnyView, Body, FieldInfo, FieldRole, ObjectBuilder, ObjectRef, ObjectView, SEqHashKind};
use crate::rewrite::mutator::{Mutator, mutate_with};
use crate::rewrite::rule::Mutation;
use crate::table::AddressSet;
use crate::visit::{Position, walk};

/// `value` with defaults or `None` in ignored fields that can hold variables, so that a binder in such a field binds nothing.
/// The fields of variables, of keys, which are equal to themselves alone, and of the objects `kept` stay, and so do fields that have no default and cannot hold `None`.
pub(super) fn compared_part(value: Any, kept: impl Fn(usize) -> bool) -> Result<Any> {
    let mut keys = AddressSet::default();
    walk(&value, |object: &ObjectRef, _| {
        let entries = object.view().as_map().into_iter().flat_map(|map| map.iter());
        keys.extend(entries.filter_map(|(key, _)| key.as_object().map(ObjectView::address)));
    });
    mutate_with(value, &mut ComparedPart { kept: |address| keys.contains(&address) || kept(address) })
}

struct ComparedPart<F> {
    kept: F,
}

impl<F: Fn(usize) -> bool> Mutator for ComparedPart<F> {
    fn enter(&mut self, object: ObjectView<'_>, _: &Position<'_>) -> Result<Mutation> {
        let info = object.type_info();
        if info.kind == SEqHashKind::FreeVar || (self.kept)(object.address()) {
            return Ok(Mutation::Skip);
        }
        if info.body != Body::Node || info.hooks.is_some() {
            return Ok(Mutation::Keep);
        }
        let ignored: Vec<(&FieldInfo, Any)> =
            object.fields().filter_map(|(field, value)| empty(field, value)).collect();
        if ignored.is_empty() || info.kind == SEqHashKind::UniqueInstance {
            return Ok(Mutation::Keep);
        }
        let mut builder = ObjectBuilder::from_object(object)?;
        for (field, value) in ignored {
            builder.set(field.name(), value)?;
        }
        Ok(Mutation::ReplaceInto(Any::Object(builder.build()?)))
    }
}

/// The field with another value, if it is ignored and may have variables below it.
fn empty<'f>(field: &'f FieldInfo, value: AnyView<'_>) -> Option<(&'f FieldInfo, Any)> {
    let object = value.as_object().filter(|object| object.as_str().is_none())?;
    let other = field.default().unwrap_or_default();
    let is_ignored = field.meta.role == FieldRole::Ignore && field.accepts(other.view());
    (is_ignored && !other.view().is_object(object)).then_some((field, other))
}
