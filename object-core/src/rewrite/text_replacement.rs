//! The replacement that a [`RuleText`] states: checked when a rule is made, and built for each match.

use crate::container::{ARRAY, Array, MAP, Map};
use crate::error::Result;
use crate::object::{Any, AnyView, FieldInfo, ObjectBuilder, SEqHashKind, TypeInfo, TypeSchema};
use crate::rewrite::rule_text::{RulePart, RuleText, TextError, malformed};
use crate::rewrite::substitute::Substitution;
use crate::rewrite::template::any_has;
use crate::rewrite::text_pattern::TextHoles;
use crate::rewrite::text_types::{check_type, held, missing, parts_of};
use crate::value::Str;
use crate::visit::ScopeTypes;

impl RuleText {
    /// The replacement for a pattern with these holes, with the parts without holes as values.
    ///
    /// # Errors
    /// Errors for a hole that the pattern lacks or that has another type there, for a variable, which would be free, and for
    /// parts that cannot be built.
    pub(super) fn replacement(self, holes: &TextHoles) -> Result<RuleText, TextError> {
        self.resolved(holes, None, None)
    }

    fn resolved(
        self,
        holes: &TextHoles,
        field: Option<&'static FieldInfo>,
        schema: Option<&TypeSchema>,
    ) -> Result<RuleText, TextError> {
        let start = self.start;
        let at = |error| TextError::new(start, error);
        let part = match self.part {
            RulePart::Hole(name) => {
                holes.number(&name, schema).map_err(at)?;
                RulePart::Hole(name)
            }
            RulePart::Substituted(name, values) => {
                // The value may be a variable, in place of which the result has a value of any type.
                holes.number(&name, None).map_err(at)?;
                let resolved = values.into_iter().map(|(var, value)| {
                    holes.number(&var, None).map_err(at)?;
                    Ok((var, value.resolved(holes, None, None)?))
                });
                RulePart::Substituted(name, resolved.collect::<Result<_, TextError>>()?)
            }
            RulePart::Value(value) => RulePart::Value(held(&value, field).map_err(at)?),
            RulePart::Object(info, fields, is_open) => {
                check_type(info, schema).and_then(|()| check_is_new(info, &fields, is_open)).map_err(at)?;
                let resolved = fields.into_iter().map(|(index, text)| {
                    let field = &info.fields[index];
                    Ok((index, text.resolved(holes, Some(field), Some(&field.schema()))?))
                });
                RulePart::Object(info, resolved.collect::<Result<_, TextError>>()?, false)
            }
            RulePart::Items(items, rest) => {
                let [element, _] = parts_of(&ARRAY, schema).map_err(at)?;
                if let Some(name) = &rest {
                    holes.number(name, schema).map_err(at)?;
                }
                let resolved = items.into_iter().map(|item| item.resolved(holes, None, element.as_ref()));
                RulePart::Items(resolved.collect::<Result<_, TextError>>()?, rest)
            }
            RulePart::Entries(entries) => {
                let [_, value] = parts_of(&MAP, schema).map_err(at)?;
                let resolved =
                    entries.into_iter().map(|(key, entry)| Ok((key, entry.resolved(holes, None, value.as_ref())?)));
                RulePart::Entries(resolved.collect::<Result<_, TextError>>()?)
            }
        };
        let text = RuleText { start, part };
        if text.has_holes() { Ok(text) } else { text.constant(holes).map_err(at) }
    }

    /// Whether there are holes in it, or parts that have holes. Parts without holes are values.
    fn has_holes(&self) -> bool {
        matches!(self.part, RulePart::Hole(_) | RulePart::Substituted(..) | RulePart::Items(_, Some(_)))
            || self.parts().iter().any(|text| !matches!(text.part, RulePart::Value(_)))
    }

    /// Whether a part has other values in place of variables.
    pub(super) fn substitutes(&self) -> bool {
        matches!(self.part, RulePart::Substituted(..)) || self.parts().iter().any(|text| text.substitutes())
    }

    /// The value of a text without holes.
    fn constant(self, holes: &TextHoles) -> Result<RuleText> {
        let value = self.instance(holes, &[], &mut Ok)?;
        Ok(RuleText { start: self.start, part: RulePart::Value(value) })
    }

    /// The value with `values` in place of the holes; `finish` completes each new object.
    ///
    /// # Errors
    /// [`TypeMismatch`](crate::ErrorKind::TypeMismatch) for a value that its place cannot hold; the errors of `finish` and of
    /// [`Substitution::run`].
    pub(super) fn instance(
        &self,
        holes: &TextHoles,
        values: &[Any],
        finish: &mut dyn FnMut(Any) -> Result<Any>,
    ) -> Result<Any> {
        let value_of = |name: &Str| holes.find(name).and_then(|number| values.get(number)).cloned().unwrap_or_default();
        match &self.part {
            RulePart::Hole(name) => Ok(value_of(name)),
            RulePart::Substituted(name, replaced) => {
                let mut substitution = Substitution::new().scopes(ScopeTypes::marked());
                for (var, text) in replaced {
                    let value = text.instance(holes, values, finish)?;
                    if let Any::Object(var) = value_of(var) {
                        substitution = substitution.replace(&var, value);
                    }
                }
                substitution.run(value_of(name))
            }
            RulePart::Value(value) => Ok(value.clone()),
            RulePart::Object(info, fields, _) => {
                let mut builder = ObjectBuilder::new(info)?;
                for (index, text) in fields {
                    builder.set_index(*index, text.instance(holes, values, finish)?)?;
                }
                finish(Any::Object(builder.build()?))
            }
            RulePart::Items(items, rest) => {
                let items = items.iter().map(|item| item.instance(holes, values, finish));
                let mut items: Vec<Any> = items.collect::<Result<_>>()?;
                if let Some(AnyView::Object(rest)) = rest.as_ref().map(value_of).as_ref().map(Any::view) {
                    items.extend(rest.as_array().into_iter().flat_map(|rest| rest.iter()).map(AnyView::to_any));
                }
                Ok(Array::<Any>::from_anys(items).into())
            }
            RulePart::Entries(entries) => {
                let entries =
                    entries.iter().map(|(key, text)| Ok((key.clone(), text.instance(holes, values, finish)?)));
                Ok(Map::<Any, Any>::from_iter(entries.collect::<Result<Vec<_>>>()?).into())
            }
        }
    }

    /// As [`Template::is_flat`](super::template::Template::is_flat).
    pub(super) fn is_flat(&self, has_rules: &dyn Fn(&TypeInfo) -> bool) -> bool {
        let is_known = |text: &RuleText| match &text.part {
            RulePart::Hole(_) => true,
            RulePart::Value(value) => value.view().as_object().is_none_or(|object| !any_has(object, has_rules)),
            _ => false,
        };
        matches!(&self.part, RulePart::Object(_, fields, _) if fields.iter().all(|(_, text)| is_known(text)))
    }
}

/// Checks that a replacement can make an object with these fields.
fn check_is_new(info: &TypeInfo, fields: &[(usize, RuleText)], is_open: bool) -> Result<()> {
    if info.kind == SEqHashKind::FreeVar {
        let message = format!(
            "no `{}` can stand in the text of a replacement: a new variable is free; write a hole for a variable that the \
             pattern binds",
            info.type_key
        );
        return Err(malformed(message));
    }
    if is_open {
        return Err(malformed(format!("expected all fields of the new `{}`, got `...`", info.type_key)));
    }
    let is_stated = |index: usize| fields.iter().any(|(other, _)| *other == index);
    let mut unset = info.fields.iter().enumerate().filter(|(index, _)| !is_stated(*index));
    match unset.find(|(_, field)| field.default().is_none()) {
        Some((_, field)) => Err(missing(info, field, "")),
        None => Ok(()),
    }
}
