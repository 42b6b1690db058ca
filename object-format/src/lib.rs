//! Formats: the texts that say how a type stands in its language, as trees of [`Item`]s.
//!
//! | text | meaning |
//! |---|---|
//! | `let`, `->`, `(` | a literal: a word, a run of other signs, or one bracket, comma or semicolon |
//! | `$body`, `${body}` | the value of the field `body` |
//! | `${name:word}` | the text in the field `name`, as a name without quotes |
//! | `$(mut${mutable:flag})?` | `mut` where the field `mutable` is true, whose default is false |
//! | `$..` | the fields that the format does not name and whose values are not their defaults: `{a = 1, b = 2}` |
//! | `$(: $ty)?` | a part that is absent while its first field has its default, or is empty |
//! | `$($params), *` | the elements of an array or the entries of a map, with `, ` between them; `+` asks for one or more |
//! | `$$` | the sign `$` |
//! | a space | a space in the printed text; a reader takes any space, or none where the text stays clear |
//! | a line break | a line break in the printed text; the spaces after it are indentation |
//!
//! A list has brackets: `$params, *` is the field and then signs, which [`Format::check_lists`] refuses. Inside of `$(...)`,
//! brackets stand in pairs. The space before and after a format, and the indentation that all its lines share, do not count. A
//! list that stands alone on its lines has each element on a line of its own.

#![forbid(unsafe_code)]

mod signs;
mod items;
mod parse;

pub use items::{FieldForm, FieldItem, FieldPlace, Format, FormatFault, Gap, Item, ItemKind, ListItem, underlined};
pub use signs::{is_name_part, is_name_start, is_word, stands_alone};

/// The numbers that say how tightly an operator holds its operands.
pub const PRECEDENCES: std::ops::RangeInclusive<u32> = 1..=1000;
