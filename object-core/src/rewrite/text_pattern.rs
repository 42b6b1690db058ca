//! The checks of a pattern that a [`RuleText`] states, made after a check of its types.

use crate::container::{ARRAY, MAP};
use crate::error::{Error, ErrorKind, Result};
use crate::object::{FieldInfo, FieldRole, SEqHashKind, TypeInfo, TypeSchema};
use crate::rewrite::rule_text::{RulePart, RuleText, TextError, malformed};
use crate::rewrite::syntactic::{Check, Place, SyntacticPattern, Test};
use crate::rewrite::text_types::{check_hole, check_type, held, missing, parts_of};
use crate::structural::is_plain;
use crate::value::Str;

/// The holes of a text: for each one its name, and the type of its first place, if that is known.
#[derive(Clone, Debug, Default)]
pub(super) struct TextHoles {
    pub(super) names: Vec<Str>,
    types: Vec<Option<TypeSchema>>,
}

impl TextHoles {
    pub(super) fn find(&self, name: &Str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }

    /// Whether the first place of a hole has the type `info`.
    pub(super) fn is_of(&self, hole: usize, info: &TypeInfo) -> bool {
        self.types[hole].as_ref().is_some_and(|schema| schema.name == info.type_key)
    }

    /// The number of a hole in a replacement at a place of a type.
    ///
    /// # Errors
    /// [`BadReference`](ErrorKind::BadReference) for a hole that the pattern lacks, and [`TypeMismatch`](ErrorKind::TypeMismatch)
    /// for one of an unrelated type.
    pub(super) fn number(&self, name: &Str, schema: Option<&TypeSchema>) -> Result<usize> {
        let Some(number) = self.find(name) else {
            let names: Vec<String> = self.names.iter().map(|name| format!("`?{name}`")).collect();
            let message = format!("the pattern has no hole `?{name}`; its holes are {}", names.join(", "));
            return Err(Error::new(ErrorKind::BadReference, message));
        };
        check_hole(name, self.types[number].as_ref(), schema).map(|()| number)
    }
}

/// The checks of a pattern, which begins with an object, and its holes.
///
/// # Errors
/// Errors for a text that no value matches: a field that cannot hold a part, a hole at places of unrelated types, a variable, a
/// required field that is missing; and for types with `dag` nodes or hooks.
pub(super) fn pattern(text: &RuleText) -> Result<(SyntacticPattern, TextHoles), TextError> {
    let mut maker = PatternMaker { checks: Vec::new(), open: 0, holes: TextHoles::default() };
    maker.add(text, Place::Root, None, None)?;
    Ok((SyntacticPattern::new(maker.checks, maker.holes.names.len()), maker.holes))
}

struct PatternMaker {
    checks: Vec<Check>,
    open: usize,
    holes: TextHoles,
}

impl PatternMaker {
    fn add(
        &mut self,
        text: &RuleText,
        place: Place,
        field: Option<&'static FieldInfo>,
        schema: Option<&TypeSchema>,
    ) -> Result<(), TextError> {
        let at = |error| text.fault(error);
        let test = match &text.part {
            RulePart::Hole(name) => Test::Hole(self.hole(name, schema).map_err(at)?),
            RulePart::Substituted(name, _) => {
                let message =
                    format!("expected `?{name}` alone in a pattern; a replacement may have other variables in it");
                return Err(at(malformed(message)));
            }
            RulePart::Value(value) => {
                let value = held(value, field).map_err(at)?;
                if is_plain(value.view()) { Test::Plain(value) } else { Test::Equal(value) }
            }
            RulePart::Object(info, fields, is_open) => {
                check_type(info, schema).and_then(|()| check_is_comparable(info)).map_err(at)?;
                let own = self.push_open(place, Test::Open(info, 0));
                return self.fields(text, (info, own), fields, *is_open);
            }
            RulePart::Items(items, rest) => {
                let [element, _] = parts_of(&ARRAY, schema).map_err(at)?;
                let test = match rest {
                    None => Test::Open(&ARRAY, items.len()),
                    Some(name) => Test::OpenRest(items.len(), self.rest(name, schema).map_err(at)?),
                };
                let own = self.push_open(place, test);
                let mut numbered = items.iter().enumerate();
                return numbered
                    .try_for_each(|(number, item)| self.add(item, Place::Child(own, number), None, element.as_ref()));
            }
            RulePart::Entries(entries) => {
                let [_, value] = parts_of(&MAP, schema).map_err(at)?;
                let own = self.push_open(place, Test::Open(&MAP, entries.len()));
                let mut numbered = entries.iter().enumerate();
                return numbered.try_for_each(|(index, (key, entry))| {
                    self.add(entry, Place::Entry(own, key.clone(), index), None, value.as_ref())
                });
            }
        };
        self.checks.push(Check { place, test });
        Ok(())
    }

    /// The number of a hole at a place of a type.
    fn hole(&mut self, name: &Str, schema: Option<&TypeSchema>) -> Result<usize> {
        if self.holes.find(name).is_some() {
            return self.holes.number(name, schema);
        }
        self.holes.names.push(name.clone());
        self.holes.types.push(schema.cloned());
        Ok(self.holes.names.len() - 1)
    }

    /// The number of the hole for the rest of an array.
    fn rest(&mut self, name: &Str, schema: Option<&TypeSchema>) -> Result<usize> {
        if self.holes.find(name).is_some() {
            return Err(malformed(format!(
                "the hole `?{name}` stands for a rest and for something else; use two names"
            )));
        }
        self.hole(name, schema)
    }

    /// Adds the fields of the open object with a number, which has a type.
    fn fields(
        &mut self,
        text: &RuleText,
        (info, own): (&'static TypeInfo, usize),
        fields: &[(usize, RuleText)],
        is_open: bool,
    ) -> Result<(), TextError> {
        for (index, field) in info.fields.iter().enumerate() {
            let stated = fields.iter().find(|(other, _)| *other == index).map(|(_, text)| text);
            let place = Place::Child(own, index);
            match (stated, field.meta.role) {
                (None, FieldRole::Ignore) => {}
                (Some(stated), FieldRole::Ignore) => {
                    let message = format!(
                        "equality ignores the field `{}` of `{}`; leave it out of the pattern",
                        field.name, info.type_key
                    );
                    return Err(stated.fault(malformed(message)));
                }
                (None, FieldRole::Def | FieldRole::DefSimple) if is_open => {
                    let message = format!(
                        "the field `{}` of `{}` binds variables; state it, as in `{}=?x`",
                        field.name, info.type_key, field.name
                    );
                    return Err(text.fault(Error::new(ErrorKind::MissingField, message)));
                }
                (None, _) if is_open => {}
                (None, _) => {
                    let default =
                        field.default().ok_or_else(|| text.fault(missing(info, field, ", or end with `...`")))?;
                    let default = RuleText { start: text.start, part: RulePart::Value(default) };
                    self.add(&default, place, Some(field), Some(&field.schema()))?;
                }
                (Some(stated), _) => self.add(stated, place, Some(field), Some(&field.schema()))?,
            }
        }
        Ok(())
    }

    fn push_open(&mut self, place: Place, test: Test) -> usize {
        self.checks.push(Check { place, test });
        self.open += 1;
        self.open - 1
    }
}

/// Checks that fields alone decide whether objects of a type are equal.
fn check_is_comparable(info: &TypeInfo) -> Result<()> {
    let reason = match info.kind {
        SEqHashKind::FreeVar => "a variable equals itself alone, so a variable in a text matches nothing; write a hole",
        SEqHashKind::DagNode | SEqHashKind::Unsupported => {
            "its objects are not compared by their fields alone; write the pattern as a value"
        }
        _ if info.hooks.is_some() => "it compares by a hook; write the pattern as a value",
        _ => return Ok(()),
    };
    Err(malformed(format!("no `{}` can stand in the text of a pattern: {reason}", info.type_key)))
}
