//! [`part_that_matches`]: the part of a replacement that the pattern of the same rule matches, whatever the holes stand for.

use crate::object::{Any, FieldInfo, FieldRole};
use crate::rewrite::rule_text::{RulePart, RuleText};
use crate::rewrite::text_types::held;
use crate::structural::structural_equal;
use crate::value::Str;

/// The parts of a replacement that the holes of the pattern stand for.
type Known<'t> = Vec<(&'t Str, &'t RuleText)>;

/// The first part of `replacement` that `pattern` matches at every match of the rule.
pub(super) fn part_that_matches<'t>(pattern: &'t RuleText, replacement: &'t RuleText) -> Option<&'t RuleText> {
    if matches(pattern, replacement, None, Some(&mut Known::new())) {
        return Some(replacement);
    }
    replacement.parts().into_iter().find_map(|text| part_that_matches(pattern, text))
}

/// Whether `pattern` matches `part`, where the holes of `part` are values about which nothing is known. Without `known`, the holes
/// of `pattern` are such values too.
fn matches<'t>(
    pattern: &'t RuleText,
    part: &'t RuleText,
    field: Option<&'static FieldInfo>,
    known: Option<&mut Known<'t>>,
) -> bool {
    match (&pattern.part, &part.part, known) {
        (RulePart::Hole(name), given, Some(known)) => match known.iter().find(|(other, _)| *other == name) {
            Some((_, first)) => matches(first, part, field, None),
            None => {
                known.push((name, part));
                !matches!(given, RulePart::Value(Any::None))
            }
        },
        (RulePart::Hole(a), RulePart::Hole(b), None) => a == b,
        (RulePart::Value(a), RulePart::Value(b), _) => {
            held(a, field).is_ok_and(|a| held(b, field).is_ok_and(|b| structural_equal(&a, &b)))
        }
        (RulePart::Object(info, fields, is_open), RulePart::Object(other, others, _), mut known) => {
            let stated = |fields: &'t [(usize, RuleText)], index| fields.iter().find(|(other, _)| *other == index);
            std::ptr::eq(*info, *other)
                && info.fields.iter().enumerate().all(|(index, field)| {
                    match (stated(fields, index), stated(others, index)) {
                        _ if field.meta.role == FieldRole::Ignore => true,
                        (None, _) if *is_open => true,
                        (None, None) => true,
                        (Some((_, a)), Some((_, b))) => matches(a, b, Some(field), known.as_deref_mut()),
                        (Some((_, one)), None) | (None, Some((_, one))) => is_default(one, field),
                    }
                })
        }
        (RulePart::Items(items, rest), RulePart::Items(others, other_rest), mut known) => {
            let is_as_long = items.len() == others.len() && other_rest.is_none();
            (is_as_long || (rest.is_some() && items.len() <= others.len() && known.is_some()))
                && items.iter().zip(others).all(|(a, b)| matches(a, b, None, known.as_deref_mut()))
        }
        (RulePart::Entries(entries), RulePart::Entries(others), mut known) => {
            entries.len() == others.len()
                && entries.iter().all(|(key, a)| {
                    let other = others.iter().find(|(other, _)| other == key);
                    other.is_some_and(|(_, b)| matches(a, b, None, known.as_deref_mut()))
                })
        }
        _ => false,
    }
}

/// Whether `text` states the default of `field`.
fn is_default(text: &RuleText, field: &'static FieldInfo) -> bool {
    let Some(default) = field.default() else { return false };
    match &text.part {
        RulePart::Value(value) => held(value, Some(field)).is_ok_and(|value| structural_equal(&value, &default)),
        _ => false,
    }
}
