//! The words of fields about values, and `same_len`, applied to objects: all violations of one object, or the first as an
//! error.

use crate::access_path::AccessPath;
use crate::error::{Error, ErrorKind, Result};
use crate::object::model::any::AnyView;
use crate::object::model::checks::{CheckedContent, Choice, FieldChecks, NumberRange};
use crate::object::model::field_info::FieldInfo;
use crate::object::model::object_ref::ObjectView;
use crate::object::model::type_info::TypeInfo;
use crate::text::brief::brief;

/// Adds the field `field` of the type `info` to the error of a value that the field does not take.
pub(crate) fn rejected(field: &FieldInfo, info: &TypeInfo, error: Error) -> Error {
    error
        .context(format_args!("field `{}` of `{}`", field.name, info.type_key))
        .at(AccessPath::root().field(field.name))
}

/// A value that breaks a word of its declaration.
pub(crate) struct Fault {
    /// The word.
    pub(crate) rule: &'static str,
    /// The field with the value.
    pub(crate) field: &'static FieldInfo,
    /// The expected and the given value.
    pub(crate) message: String,
}

impl Fault {
    /// The fault as the error of a field of `info`.
    fn into_error(self, info: &TypeInfo) -> Error {
        rejected(self.field, info, Error::new(ErrorKind::CheckFailed, self.message))
    }
}

impl FieldInfo {
    /// Checks that the words of the field allow `value`, which has the type of the field. Builders and readers of files call it.
    ///
    /// ```
    /// use object_core::prelude::*;
    ///
    /// #[derive(Object)]
    /// #[object(type_key = "doc.check.Const")]
    /// #[structural_eq(tree)]
    /// struct ConstNode {
    ///     #[field(range = 0..=255)]
    ///     value: i64,
    /// }
    ///
    /// let (_, field) = ConstNode::TYPE_INFO.field("value").unwrap();
    /// assert!(field.check(Any::Int(255).view()).is_ok());
    /// assert_eq!(field.check(Any::Int(256).view()).unwrap_err().message(), "expected a number in 0..=255, got 256");
    /// ```
    ///
    /// # Errors
    /// [`CheckFailed`](ErrorKind::CheckFailed), with the expected and the given value.
    pub fn check(&self, value: AnyView<'_>) -> Result<()> {
        let Some(checks) = self.meta.checks else { return Ok(()) };
        let mut first = Ok(());
        each_broken(checks, value, &mut |_, message| {
            if first.is_ok() {
                first = Err(Error::new(ErrorKind::CheckFailed, message));
            }
        });
        first
    }
}

/// The text or the number of elements of a value; `None` for a value that has neither.
fn content(value: AnyView<'_>) -> Option<CheckedContent<'_>> {
    let object = value.as_object()?;
    object.type_info().content.map(|content| content(object))
}

/// Calls `report` with each of the words that `value` breaks, and a message.
fn each_broken(checks: &FieldChecks, value: AnyView<'_>, report: &mut dyn FnMut(&'static str, String)) {
    let FieldChecks { range, len, one_of } = checks;
    if matches!(value, AnyView::None) {
        return;
    }
    let is_in = |range: &NumberRange| match (range, value) {
        (NumberRange::Int(range), AnyView::Int(value)) => range.contains(value),
        (NumberRange::Float(range), AnyView::Float(value)) => range.contains(value),
        // A table of another crate may have a range at a field of another type.
        _ => true,
    };
    if let Some(range) = range.filter(|range| !is_in(range)) {
        report("range", format!("expected a number in {range}, got {}", shown(value)));
    }
    if let Some(len) = len
        && let Some(given) = content(value).map(CheckedContent::len)
        && !len.contains(given)
    {
        report("len", format!("expected a length in {len}, got {given}"));
    }
    let is_one = |choice: &Choice<'_>| match (choice, value) {
        (Choice::Int(choice), AnyView::Int(value)) => *choice == value,
        (Choice::Float(choice), AnyView::Float(value)) => *choice == value,
        (Choice::Text(choice), value) => matches!(content(value), Some(CheckedContent::Text(text)) if text == *choice),
        _ => false,
    };
    if !one_of.is_empty() && !one_of.iter().any(is_one) {
        let choices: Vec<String> = one_of.iter().map(Choice::to_string).collect();
        report("one_of", format!("expected one of {}, got {}", choices.join(", "), shown(value)));
    }
}

/// A value in a message.
fn shown(value: AnyView<'_>) -> String {
    match (value, content(value)) {
        (AnyView::Int(value), _) => value.to_string(),
        (AnyView::Float(value), _) => format!("{value:?}"),
        (_, Some(CheckedContent::Text(text))) => format!("{:?}", brief(text).to_string()),
        (value, _) => value.type_key().to_owned(),
    }
}

/// All violations of the words of an object: of its fields in their order, and then of each `same_len`, the ancestors first.
pub(crate) fn faults_of(object: ObjectView<'_>) -> Vec<Fault> {
    let info = object.type_info();
    let mut faults = Vec::new();
    // SAFETY: they are fields of the object's own type.
    let value = |field: &'static FieldInfo| unsafe { field.get_unchecked(object) };
    for field in info.fields {
        if let Some(checks) = field.meta.checks {
            each_broken(checks, value(field), &mut |rule, message| faults.push(Fault { rule, field, message }));
        }
    }
    for group in info.ancestors().chain([info]).flat_map(|info| info.same_len) {
        let fields = group.iter().filter_map(|index| info.fields.get(*index));
        let mut lens = fields.filter_map(|field| content(value(field)).map(|content| (field, content.len())));
        let Some((first, expected)) = lens.next() else { continue };
        for (field, len) in lens.filter(|(_, len)| *len != expected) {
            let message = format!("expected a length of {expected}, as `{}` has, got {len}", first.name);
            faults.push(Fault { rule: "same_len", field, message });
        }
    }
    faults
}

/// Checks that an object breaks no word of its declaration.
///
/// # Errors
/// [`CheckFailed`](ErrorKind::CheckFailed) for the first violation; the path is the field.
#[cold]
pub(crate) fn require(object: ObjectView<'_>) -> Result<()> {
    match faults_of(object).into_iter().next() {
        Some(fault) => Err(fault.into_error(object.type_info())),
        None => Ok(()),
    }
}
