//! [`Format`]: a format as a tree.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

/// A format as a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Format {
    /// The items in the order of the text.
    pub items: Vec<Item>,
}

/// A part of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The part.
    pub kind: ItemKind,
    /// The bytes of the format that the part is written in.
    pub range: Range<usize>,
}

/// The kinds of parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// A token that stands in the text as it is.
    Literal(String),
    /// The value of a field.
    Field(FieldItem),
    /// The other fields whose values are not their defaults.
    Rest,
    /// The space before the next item.
    Gap(Gap),
    /// A part that is absent while its first field has its default.
    Optional(Vec<Item>),
    /// The elements of a field.
    List(ListItem),
}

/// The space between two items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// A space.
    Space,
    /// A line break, and the levels of indentation after it.
    Line(usize),
}

/// `$field`, `${field:word}` or `${field:flag}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldItem {
    /// The reflected name of the field.
    pub name: String,
    /// The form of the value.
    pub form: FieldForm,
}

/// The forms of the value of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldForm {
    /// The value as it is; a text stands in quotes.
    Value,
    /// `:word`: a text without quotes, as a name.
    Word,
    /// `:flag`: nothing; the value is true where the part around the field is present.
    Flag,
}

/// `$(items), *`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListItem {
    /// One element.
    pub items: Vec<Item>,
    /// The token between two elements.
    pub separator: Option<String>,
    /// The space between two elements, after the token.
    pub gap: Option<Gap>,
    /// Whether a reader rejects a text without elements.
    pub is_nonempty: bool,
}

/// A mistake in a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormatFault {
    /// The bytes of the format that the mistake is in.
    pub range: Range<usize>,
    /// The mistake.
    pub message: String,
    /// A text that mends it.
    pub help: Cow<'static, str>,
}

impl Format {
    /// The fields that the format names, in the order of the text, with their places.
    pub fn fields(&self) -> impl Iterator<Item = FieldPlace<'_>> {
        let mut found = Vec::new();
        collect_fields(&self.items, &mut found);
        found.into_iter()
    }

    /// Checks that no list lacks the brackets of a list. `text` is the format, and `is_list` says whether the field with a name is a
    /// list.
    ///
    /// ```
    /// use object_format::Format;
    ///
    /// let text = "call $function($inputs,*)";
    /// let fault = Format::parse(text)?.check_lists(text, |name| name == "inputs").unwrap_err();
    /// assert_eq!(fault.message, "`$inputs,*` is the field `inputs` and then the signs `,*`");
    /// assert_eq!(fault.help, "a list is `$($inputs),*`; a space after `$inputs` keeps the signs");
    /// # Ok::<(), object_format::FormatFault>(())
    /// ```
    ///
    /// # Errors
    /// The first list that has the signs of a list after its field, without brackets.
    pub fn check_lists(&self, text: &str, is_list: impl Fn(&str) -> bool) -> Result<(), FormatFault> {
        let Some((name, field, end)) = near_list(&self.items, &is_list) else { return Ok(()) };
        let (given, signs) = (&text[field.clone()], &text[field.end..end]);
        Err(FormatFault {
            range: field.start..end,
            message: format!("`{given}{signs}` is the field `{name}` and then the signs `{signs}`"),
            help: format!("a list is `$({given}){signs}`; a space after `{given}` keeps the signs").into(),
        })
    }

    /// Whether the format has `$..`.
    #[must_use]
    pub fn has_rest(&self) -> bool {
        self.items.iter().any(|item| item.kind == ItemKind::Rest)
    }
}

/// A field in a format.
#[derive(Clone, Debug)]
pub struct FieldPlace<'f> {
    /// The reflected name.
    pub name: &'f String,
    /// The bytes of the format.
    pub range: Range<usize>,
}

fn collect_fields<'f>(items: &'f [Item], found: &mut Vec<FieldPlace<'f>>) {
    for item in items {
        match &item.kind {
            ItemKind::Field(field) => found.push(FieldPlace { name: &field.name, range: item.range.clone() }),
            ItemKind::Optional(items) => collect_fields(items, found),
            ItemKind::List(list) => collect_fields(&list.items, found),
            ItemKind::Literal(_) | ItemKind::Rest | ItemKind::Gap(_) => {}
        }
    }
}

/// The first list with the signs of a list after its field, without brackets, such as `$params, *`: its name, the bytes of the field,
/// and the end of the signs.
fn near_list<'f>(items: &'f [Item], is_list: &impl Fn(&str) -> bool) -> Option<(&'f str, Range<usize>, usize)> {
    items.iter().enumerate().find_map(|(index, item)| match &item.kind {
        ItemKind::Field(field) if is_list(&field.name) => {
            let length = length_of_list_signs(&items[index + 1..])?;
            Some((field.name.as_str(), item.range.clone(), items[index + length].range.end))
        }
        ItemKind::Optional(items) => near_list(items, is_list),
        // The field in a list is an element.
        _ => None,
    })
}

/// The number of items that look like the separator and the sign of a list. In `$params, *$rest`, the sign belongs to the next field.
fn length_of_list_signs(items: &[Item]) -> Option<usize> {
    let literal = |index: usize| match &items.get(index)?.kind {
        ItemKind::Literal(token) => Some(token.as_str()),
        _ => None,
    };
    let first = literal(0)?;
    let length = if first.ends_with(['*', '+']) {
        1
    } else if first.starts_with(['(', ')', '[', ']', '{', '}']) {
        return None;
    } else {
        let is_gap = matches!(items.get(1)?.kind, ItemKind::Gap(_));
        let sign = 1 + usize::from(is_gap);
        literal(sign).filter(|sign| matches!(*sign, "*" | "+"))?;
        sign + 1
    };
    let is_before_field = items.get(length).is_some_and(|next| {
        matches!(next.kind, ItemKind::Field(_) | ItemKind::Rest | ItemKind::Optional(_) | ItemKind::List(_))
    });
    if is_before_field { None } else { Some(length) }
}

/// The line of `format` with the place `range`, and signs under it, for messages:
///
/// ```text
///   let $var = $vlaue in $body
///              ^^^^^^
/// ```
#[must_use]
pub fn underlined(format: &str, range: &Range<usize>) -> String {
    let start = format[..range.start].rfind('\n').map_or(0, |at| at + 1);
    let end = format[range.start..].find('\n').map_or(format.len(), |at| range.start + at);
    let line = format[start..end].trim_end();
    let before = format[start..range.start].chars().count();
    let width = format[range.start..range.end.clamp(range.start, end)].chars().count().max(1);
    format!("  {line}\n  {}{}", " ".repeat(before), "^".repeat(width))
}

impl fmt::Display for FormatFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for FormatFault {}
