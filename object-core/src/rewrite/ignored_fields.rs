//! [`IgnoredFields`]: what new objects have in fields that equality ignores, such as locations in a source text.

use std::fmt;
use std::sync::Arc;

use crate::object::{Any, AnyView, FieldInfo, FieldRole, ObjectView, SEqHashKind};

type Choose = dyn Fn(&IgnoredField<'_>) -> Option<Any> + Send + Sync;

/// How the objects that a replacement makes get the values of their ignored fields. Variables keep theirs.
#[derive(Clone, Default)]
pub(super) enum IgnoredFields {
    /// From the matched object, where its type has the same field.
    #[default]
    FromMatched,
    Chosen(Arc<Choose>),
}

/// An ignored field of an object that a rule makes.
pub struct IgnoredField<'f> {
    matched: ObjectView<'f>,
    object: ObjectView<'f>,
    index: usize,
}

impl<'f> IgnoredField<'f> {
    /// The object that the rule matches. With the values of [`fields`](ObjectView::fields) and
    /// [`object_children`](ObjectView::object_children) of it, a policy can join several locations.
    #[must_use]
    pub fn matched(&self) -> ObjectView<'f> {
        self.matched
    }

    /// The object of the template, of which the rule makes a copy.
    #[must_use]
    pub fn object(&self) -> ObjectView<'f> {
        self.object
    }

    /// The field.
    #[must_use]
    pub fn field(&self) -> &'static FieldInfo {
        &self.object.type_info().fields[self.index]
    }

    /// The value of the same field in the matched object: of the field that both types have from a common ancestor. `None` if
    /// the two types do not have the field in common.
    #[must_use]
    pub fn of_matched(&self) -> Option<AnyView<'f>> {
        let common = self.object.type_info().common_ancestor(self.matched.type_info())?;
        // The fields of an ancestor come first.
        (self.index < common.fields.len()).then(|| self.matched.field_at(self.index))?
    }
}

impl IgnoredFields {
    /// A policy that a closure decides: the value of a field, or `None` for the value in the template.
    pub(super) fn chosen(choose: impl Fn(&IgnoredField<'_>) -> Option<Any> + Send + Sync + 'static) -> Self {
        IgnoredFields::Chosen(Arc::new(choose))
    }

    /// The values of fields of a copy of `object` that differ from the template, with the indices of the fields.
    pub(super) fn of<'f>(
        &'f self,
        object: ObjectView<'f>,
        matched: ObjectView<'f>,
    ) -> impl Iterator<Item = (usize, Any)> + 'f {
        let info = object.type_info();
        let has_ignored = info.compared_fields.len() < info.fields.len() && info.kind != SEqHashKind::FreeVar;
        let fields = if has_ignored { info.fields } else { &[] };
        let ignored = fields.iter().enumerate().filter(|(_, field)| field.meta.role == FieldRole::Ignore);
        ignored.filter_map(move |(index, field)| {
            let place = IgnoredField { matched, object, index };
            let value = match self {
                IgnoredFields::FromMatched => place.of_matched().map(AnyView::to_any)?,
                IgnoredFields::Chosen(choose) => choose(&place)?,
            };
            (!matches!(value, Any::None) && field.accepts(value.view())).then_some((index, value))
        })
    }
}

impl fmt::Debug for IgnoredFields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            IgnoredFields::FromMatched => "FromMatched",
            IgnoredFields::Chosen(_) => "Chosen",
        })
    }
}
