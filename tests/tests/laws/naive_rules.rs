//! Matching and rewriting by their definitions, without regard to cost.

use object_core::object::FieldRole;
use object_core::prelude::*;
use object_core::rewrite::{Substitution, mutate};
use object_core::structural::{Scopes, StructuralOptions};
use object_core::visit::{Position, ScopeTypes, Walk};
use object_core::{AnyView, ObjectView};

use crate::types::{Add, Fields};

/// A template with holes.
pub(crate) struct NaivePattern {
    pub(crate) template: Any,
    pub(crate) holes: Vec<ObjectRef>,
    pub(crate) is_lexical: bool,
}

/// The value of each hole, in the order of the holes.
pub(crate) type Values = Vec<Any>;

impl NaivePattern {
    pub(crate) fn scopes(&self) -> ScopeTypes {
        if self.is_lexical { ScopeTypes::marked() } else { ScopeTypes::new() }
    }

    fn options(&self) -> StructuralOptions {
        let scopes = if self.is_lexical { Scopes::Lexical } else { Scopes::Persistent };
        StructuralOptions::new().scopes(scopes)
    }

    /// Puts `values` in place of the holes of `template`.
    pub(crate) fn put(&self, template: &Any, values: &Values, renames: bool) -> Result<Any, Error> {
        let substitution = Substitution::new().scopes(self.scopes()).rename_bound(renames);
        let pairs = self.holes.iter().zip(values);
        pairs.fold(substitution, |all, (hole, value)| all.replace(hole, value.clone())).run(template.clone())
    }

    /// Some values of the holes make the template equal to `value`. The values can only be the parts of `value` at the first
    /// places of the holes.
    pub(crate) fn matches(&self, value: &Any) -> Result<Option<Values>, Error> {
        let mut found = vec![None; self.holes.len()];
        self.first_places(self.template.view(), value.view(), &mut found);
        let Some(values) = found.into_iter().collect::<Option<Values>>() else { return Ok(None) };
        if values.iter().any(|value| matches!(value, Any::None)) {
            return Ok(None);
        }
        match self.put(&self.template, &values, false) {
            Ok(instance) => Ok(self.options().equal(&instance, value)?.then_some(values)),
            Err(error) if error.kind() == ErrorKind::TypeMismatch => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn first_places(&self, template: AnyView<'_>, value: AnyView<'_>, found: &mut [Option<Any>]) {
        let AnyView::Object(object) = template else { return };
        if let Some(hole) = self.holes.iter().position(|hole| hole.view().ptr_eq(object)) {
            found[hole].get_or_insert(value.to_any());
            return;
        }
        if let AnyView::Object(other) = value {
            pairs(object, other).into_iter().for_each(|(part, value)| self.first_places(part, value, found));
        }
    }
}

/// The compared parts of two objects.
fn pairs<'a>(a: ObjectView<'a>, b: ObjectView<'a>) -> Vec<(AnyView<'a>, AnyView<'a>)> {
    if let (Some(a), Some(b)) = (a.as_array(), b.as_array()) {
        return a.iter().zip(b.iter()).collect();
    }
    if let (Some(a), Some(b)) = (a.as_map(), b.as_map()) {
        return a.iter().filter_map(|(key, value)| Some((value, b.get(key)?))).collect();
    }
    if !std::ptr::eq(a.type_info(), b.type_info()) {
        return Vec::new();
    }
    let compared = a.fields().zip(b.fields()).filter(|((field, _), _)| field.meta().role != FieldRole::Ignore);
    compared.map(|((_, a), (_, b))| (a, b)).collect()
}

/// The template without the content of the fields that equality ignores, in which binders bind nothing.
pub(crate) fn compared_part(template: Any) -> Any {
    let sum = |sum: &Add, _: &Position<'_>| {
        (sum.note != Any::None).then(|| Add::new(sum.a.clone(), Any::None, sum.b.clone()))
    };
    let fields = |fields: &Fields, _: &Position<'_>| {
        fields.span.as_ref().map(|_| fields.clone().with_changes(|node| node.span = None))
    };
    mutate(template, sum).and_then(|template| mutate(template, fields)).expect("the fields hold `None`")
}

/// A rule, as a pattern and its replacement.
pub(crate) struct NaiveRule {
    pub(crate) pattern: NaivePattern,
    pub(crate) replacement: Any,
}

/// `root` after rules: the first part in the order of a walk that a rule matches becomes the replacement, until there is none.
/// `None` after `limit` replacements.
pub(crate) fn rewrite(root: Any, rules: &[NaiveRule], limit: usize) -> Result<Option<Any>, Error> {
    let mut root = root;
    for _ in 0..limit {
        let mut first = None;
        Walk::new()
            .leave(|object: &ObjectRef, _| {
                if first.is_none() {
                    first = applied(object, rules).transpose().map(|value| value.map(|value| (object.clone(), value)));
                }
            })
            .run(&root);

        let Some(changed) = first else { return Ok(Some(root)) };
        let (object, value) = changed?;
        root = mutate(root, |other: &ObjectRef, _| other.ptr_eq(&object).then(|| value.clone()))?;
    }
    Ok(None)
}

/// The replacement of `object` by the first rule that matches.
fn applied(object: &ObjectRef, rules: &[NaiveRule]) -> Result<Option<Any>, Error> {
    let value = Any::Object(object.clone());
    for rule in rules {
        let same_type = rule
            .pattern
            .template
            .view()
            .as_object()
            .is_some_and(|root| std::ptr::eq(root.type_info(), object.type_info()));
        if same_type && let Some(values) = rule.pattern.matches(&value)? {
            return rule.pattern.put(&rule.replacement, &values, true).map(Some);
        }
    }
    Ok(None)
}
