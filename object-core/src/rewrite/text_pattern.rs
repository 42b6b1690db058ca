//! The pattern and the replacement that a [`RuleText`] states, checked against the types when they are made.

use crate::container::{ARRAY, Array};
use crate::error::{Error, ErrorKind, Result};
use crate::object::{Any, AnyView, FieldInfo, FieldRole, ObjectBuilder, SEqHashKind, TypeInfo, TypeSchema};
use crate::registry::Types;
use crate::rewrite::rule_text::RuleText;
use crate::rewrite::syntactic::{Check, Place, SyntacticPattern, Test};
use crate::rewrite::template::any_has;
use crate::structural::is_plain;
use crate::value::Str;

/// The holes of a text: for each one its name, and the type of its first place, if that is known.
#[derive(Clone, Debug, Default)]
pub(super) struct TextHoles {
    pub(super) names: Vec<Str>,
    types: Vec<Option<TypeSchema>>,
}

impl TextHoles {
    fn find(&self, name: &Str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }
}

/// The checks of a pattern, which begins with an object, and its holes.
///
/// # Errors
/// Errors for a text that no value matches: a field that cannot hold a part, a hole at places of unrelated types, a variable, a
/// required field that is missing; and for types with bindings, `dag` nodes or hooks.
pub(super) fn pattern(text: &RuleText) -> Result<(SyntacticPattern, TextHoles)> {
    let mut reader = PatternMaker { checks: Vec::new(), open: 0, holes: TextHoles::default() };
    reader.add(text, Place::Root, None, None)?;
    Ok((SyntacticPattern::new(reader.checks, reader.holes.names.len()), reader.holes))
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
    ) -> Result<()> {
        let test = match text {
            RuleText::Hole(name) => Test::Hole(self.hole(name, schema)?),
            RuleText::Value(value) => {
                let value = held(value, field)?;
                if is_plain(value.view()) { Test::Plain(value) } else { Test::Equal(value) }
            }
            RuleText::Object(info, fields, is_open) => {
                check_type(info, schema)?;
                return self.object(info, fields, *is_open, place);
            }
            RuleText::Items(items, rest) => return self.items(items, rest.as_ref(), place, schema),
        };
        self.checks.push(Check { place, test });
        Ok(())
    }

    /// The number of a hole at a place of a type.
    fn hole(&mut self, name: &Str, schema: Option<&TypeSchema>) -> Result<usize> {
        let Some(number) = self.holes.find(name) else {
            self.holes.names.push(name.clone());
            self.holes.types.push(schema.cloned());
            return Ok(self.holes.names.len() - 1);
        };
        check_hole(name, self.holes.types[number].as_ref(), schema)?;
        Ok(number)
    }

    fn object(
        &mut self,
        info: &'static TypeInfo,
        fields: &[(usize, RuleText)],
        is_open: bool,
        place: Place,
    ) -> Result<()> {
        check_has_no_bindings(info)?;
        let own = self.push_open(place, Test::Open(info, 0));
        for (index, field) in info.fields.iter().enumerate() {
            let stated = fields.iter().find(|(other, _)| *other == index).map(|(_, text)| text);
            match (stated, field.meta.role) {
                (None, FieldRole::Ignore) => {}
                (Some(_), FieldRole::Ignore) => {
                    let message = format!(
                        "equality ignores the field `{}` of `{}`; leave it out of the pattern",
                        field.name, info.type_key
                    );
                    return Err(malformed(message));
                }
                (None, _) if is_open => {}
                (None, _) => {
                    let default =
                        RuleText::Value(field.default().ok_or_else(|| missing(info, field, ", or end with `...`"))?);
                    self.add(&default, Place::Child(own, index), Some(field), Some(&field.schema()))?;
                }
                (Some(text), _) => self.add(text, Place::Child(own, index), Some(field), Some(&field.schema()))?,
            }
        }
        Ok(())
    }

    fn items(
        &mut self,
        items: &[RuleText],
        rest: Option<&Str>,
        place: Place,
        schema: Option<&TypeSchema>,
    ) -> Result<()> {
        let element = element_of(schema)?;
        let test = match rest {
            None => Test::Open(&ARRAY, items.len()),
            Some(name) if self.holes.find(name).is_some() => {
                return Err(malformed(format!(
                    "the hole `?{name}` stands for a rest and for something else; use two names"
                )));
            }
            Some(name) => Test::OpenRest(items.len(), self.hole(name, schema)?),
        };
        let own = self.push_open(place, test);
        for (number, item) in items.iter().enumerate() {
            self.add(item, Place::Child(own, number), None, element.as_ref())?;
        }
        Ok(())
    }

    fn push_open(&mut self, place: Place, test: Test) -> usize {
        self.checks.push(Check { place, test });
        self.open += 1;
        self.open - 1
    }
}

impl RuleText {
    /// The replacement for a pattern with these holes, with the parts without holes as values.
    ///
    /// # Errors
    /// Errors for a hole that the pattern lacks or that has another type there, and for parts that cannot be built.
    pub(super) fn replacement(self, holes: &TextHoles) -> Result<RuleText> {
        self.resolved(holes, None, None)
    }

    fn resolved(
        self,
        holes: &TextHoles,
        field: Option<&'static FieldInfo>,
        schema: Option<&TypeSchema>,
    ) -> Result<RuleText> {
        let (text, has_holes) = match self {
            RuleText::Hole(name) => {
                let number = holes.find(&name).ok_or_else(|| lacks(&name, holes))?;
                check_hole(&name, holes.types[number].as_ref(), schema)?;
                return Ok(RuleText::Hole(name));
            }
            RuleText::Value(value) => return held(&value, field).map(RuleText::Value),
            RuleText::Object(info, _, true) => {
                return Err(malformed(format!("expected all fields of the new `{}`, got `...`", info.type_key)));
            }
            RuleText::Object(info, fields, false) => {
                check_type(info, schema)?;
                let resolved = fields.into_iter().map(|(index, text)| {
                    let field = &info.fields[index];
                    Ok((index, text.resolved(holes, Some(field), Some(&field.schema()))?))
                });
                let fields: Vec<(usize, RuleText)> = resolved.collect::<Result<_>>()?;
                let is_stated = |index: usize| fields.iter().any(|(other, _)| *other == index);
                let mut unset = info.fields.iter().enumerate().filter(|(index, _)| !is_stated(*index));
                if let Some((_, field)) = unset.find(|(_, field)| field.default().is_none()) {
                    return Err(missing(info, field, ""));
                }
                let has_holes = fields.iter().any(|(_, text)| !matches!(text, RuleText::Value(_)));
                (RuleText::Object(info, fields, false), has_holes)
            }
            RuleText::Items(items, rest) => {
                let element = element_of(schema)?;
                let resolved = items.into_iter().map(|item| item.resolved(holes, None, element.as_ref()));
                let items: Vec<RuleText> = resolved.collect::<Result<_>>()?;
                if let Some(name) = rest.as_ref().filter(|name| holes.find(name).is_none()) {
                    return Err(lacks(name, holes));
                }
                let has_holes = rest.is_some() || items.iter().any(|item| !matches!(item, RuleText::Value(_)));
                (RuleText::Items(items, rest), has_holes)
            }
        };
        if has_holes { Ok(text) } else { text.instance(holes, &[], &mut Ok).map(RuleText::Value) }
    }

    /// The value with `values` in place of the holes; `finish` completes each new object.
    pub(super) fn instance(
        &self,
        holes: &TextHoles,
        values: &[Any],
        finish: &mut dyn FnMut(Any) -> Result<Any>,
    ) -> Result<Any> {
        let value_of = |name: &Str| holes.find(name).and_then(|number| values.get(number)).cloned().unwrap_or_default();
        match self {
            RuleText::Hole(name) => Ok(value_of(name)),
            RuleText::Value(value) => Ok(value.clone()),
            RuleText::Object(info, fields, _) => {
                let mut builder = ObjectBuilder::new(info)?;
                for (index, text) in fields {
                    builder.set_index(*index, text.instance(holes, values, finish)?)?;
                }
                finish(Any::Object(builder.build()?))
            }
            RuleText::Items(items, rest) => {
                let items = items.iter().map(|item| item.instance(holes, values, finish));
                let mut items: Vec<Any> = items.collect::<Result<_>>()?;
                if let Some(AnyView::Object(rest)) = rest.as_ref().map(value_of).as_ref().map(Any::view) {
                    items.extend(rest.as_array().into_iter().flat_map(|rest| rest.iter()).map(AnyView::to_any));
                }
                Ok(Array::<Any>::from_anys(items).into())
            }
        }
    }

    /// As [`Template::is_flat`](super::template::Template::is_flat).
    pub(super) fn is_flat(&self, has_rules: &dyn Fn(&TypeInfo) -> bool) -> bool {
        let is_known = |text: &RuleText| match text {
            RuleText::Hole(_) => true,
            RuleText::Value(value) => value.view().as_object().is_none_or(|object| !any_has(object, has_rules)),
            RuleText::Object(..) | RuleText::Items(..) => false,
        };
        matches!(self, RuleText::Object(_, fields, _) if fields.iter().all(|(_, text)| is_known(text)))
    }
}

/// The value as a field holds it.
fn held(value: &Any, field: Option<&'static FieldInfo>) -> Result<Any> {
    let Some(field) = field else { return Ok(value.clone()) };
    let as_float = if let Any::Int(value) = value { Any::Float(*value as f64) } else { Any::None };
    for value in [value, &as_float] {
        if field.accepts(value.view()) {
            return Ok(value.clone());
        }
    }
    let message = format!(
        "field `{}` holds values of the type `{}`, got {value:?}, so no value matches",
        field.name,
        field.schema()
    );
    Err(Error::new(ErrorKind::TypeMismatch, message))
}

fn check_has_no_bindings(info: &TypeInfo) -> Result<()> {
    let binds = |field: &FieldInfo| matches!(field.meta.role, FieldRole::Def | FieldRole::DefSimple);
    let reason = match info.kind {
        SEqHashKind::FreeVar => "a variable equals itself alone, so a variable in a text matches nothing; write a hole",
        SEqHashKind::DagNode | SEqHashKind::Unsupported => {
            "its objects are not compared by their fields alone; write the pattern as a value"
        }
        _ if info.hooks.is_some() || info.is_scope || info.fields.iter().any(binds) => {
            "it binds variables or compares by a hook; write the pattern as a value"
        }
        _ => return Ok(()),
    };
    Err(malformed(format!("no `{}` can stand in the text of a pattern: {reason}", info.type_key)))
}

/// The type without `Optional`; `None` for types that say nothing about their values.
fn narrowed(schema: Option<&TypeSchema>) -> Option<&TypeSchema> {
    let schema = schema?;
    match schema.name {
        "Optional" => narrowed(schema.args.first()),
        "Any" | "ffi.Object" | "Variant" => None,
        _ => Some(schema),
    }
}

/// Checks that a place of the type `schema` can hold an object of the type `info`.
fn check_type(info: &TypeInfo, schema: Option<&TypeSchema>) -> Result<()> {
    let Some(schema) = narrowed(schema) else { return Ok(()) };
    match Types::linked().get(schema.name) {
        Ok(expected) if info.is_or_extends(expected) => Ok(()),
        _ => {
            let message = format!(
                "expected a value of the type `{schema}`, got a `{}`, which this place cannot hold",
                info.type_key
            );
            Err(Error::new(ErrorKind::TypeMismatch, message))
        }
    }
}

/// The type of the elements of an array at a place of the type `schema`.
fn element_of(schema: Option<&TypeSchema>) -> Result<Option<TypeSchema>> {
    match narrowed(schema) {
        None => Ok(None),
        Some(schema) if schema.name == ARRAY.type_key => Ok(schema.args.first().cloned()),
        Some(schema) => {
            let message =
                format!("expected a value of the type `{schema}`, got an array, which this place cannot hold");
            Err(Error::new(ErrorKind::TypeMismatch, message))
        }
    }
}

/// Checks that some value has the types of two places of a hole.
fn check_hole(name: &Str, first: Option<&TypeSchema>, again: Option<&TypeSchema>) -> Result<()> {
    let (Some(first), Some(again)) = (narrowed(first), narrowed(again)) else { return Ok(()) };
    let is_related = match (Types::linked().get(first.name), Types::linked().get(again.name)) {
        (Ok(a), Ok(b)) => a.is_or_extends(b) || b.is_or_extends(a),
        _ => first.name == again.name,
    };
    if is_related {
        return Ok(());
    }
    let message = format!(
        "the hole `?{name}` stands for a value of the type `{first}`, got a place of the type `{again}`, which holds none"
    );
    Err(Error::new(ErrorKind::TypeMismatch, message))
}

fn malformed(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Malformed, message)
}

fn missing(info: &TypeInfo, field: &FieldInfo, or: &str) -> Error {
    let message = format!("the field `{}` of `{}` has no default; state it{or}", field.name, info.type_key);
    Error::new(ErrorKind::MissingField, message)
}

fn lacks(name: &Str, holes: &TextHoles) -> Error {
    let names: Vec<String> = holes.names.iter().map(|name| format!("`?{name}`")).collect();
    let message = format!("the pattern has no hole `?{name}`; its holes are {}", names.join(", "));
    Error::new(ErrorKind::BadReference, message)
}
