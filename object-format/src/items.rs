//! [`Format`]: a format as a tree.

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
    pub help: &'static str,
}

impl Format {
    /// The fields that the format names, in the order of the text, with their places.
    pub fn fields(&self) -> impl Iterator<Item = FieldPlace<'_>> {
        let mut found = Vec::new();
        collect_fields(&self.items, &mut found);
        found.into_iter()
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
