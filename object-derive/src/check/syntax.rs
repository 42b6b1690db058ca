//! The format of a type in the text of its language.

use std::ops::Range;

use object_format::{Format, Item, ItemKind, underlined};

use crate::keywords::{listed, nearest};
use crate::model::Node;
use crate::report::{Report, Rule, rules};
use crate::syntax::{Syntax, associativity, precedence};
use crate::types;

/// In the order of their messages.
pub(super) const RULES: &[Rule<Node>] = rules![
    format_form,
    format_of_fields,
    format_fields_exist,
    format_shows_fields_once,
    format_lists,
    format_is_complete,
    format_parts_can_be_absent,
    operator_words
];

/// The syntax of a type with its format, if the format has no mistake of form and the type has fields.
fn readable(node: &Node) -> Option<(&Syntax, &Format)> {
    let syntax = node.syntax.as_ref().filter(|_| !node.is_opaque() && !node.is_abstract())?;
    Some((syntax, syntax.format.as_ref().ok()?))
}

/// A mistake in the bytes `range` of a format. The compiler shows the text of an attribute as a whole, so the message has the
/// line of the format with the place.
fn add(syntax: &Syntax, range: &Range<usize>, sentence: &str, help: &str, errors: &mut Report<'_>) {
    let place = underlined(&syntax.text.value(), range);
    errors.add_help(&syntax.text, sentence, format!("{help}\n{place}"));
}

/// A format is a text that can be read.
fn format_form(node: &Node, errors: &mut Report<'_>) {
    if let Some(syntax) = &node.syntax
        && let Err(fault) = &syntax.format
    {
        add(syntax, &fault.range, &format!("{} in the format", fault.message), &fault.help, errors);
    }
}

/// A format shows the fields of objects.
fn format_of_fields(node: &Node, errors: &mut Report<'_>) {
    let Some(syntax) = &node.syntax else { return };
    if node.is_opaque() {
        let message = format!("a format shows fields, but `opaque` hides the fields of `{}`", node.ident);
        errors.add_help(&syntax.text, message, "leave one of the two out");
    } else if node.is_abstract() {
        let message = format!("`{}` is abstract, so no object has this format", node.ident);
        errors.add_help(&syntax.text, message, "write the format at the types that extend it");
    }
}

/// The fields in a format exist. The fields of a parent are known when a language is made.
fn format_fields_exist(node: &Node, errors: &mut Report<'_>) {
    let Some((syntax, format)) = readable(node).filter(|_| node.parent.is_none()) else { return };
    let names = || node.fields.iter().map(|field| field.name.as_str());
    for place in format.fields().filter(|place| names().all(|name| name != place.name)) {
        let help = match nearest(place.name, names()) {
            Some(near) => format!("did you mean `${near}`?"),
            None => format!("its fields are {}", listed(names())),
        };
        let message = format!("`{}` has no field `{}` for its format", node.ident, place.name);
        add(syntax, &place.range, &message, &help, errors);
    }
}

/// A reader sets each field once.
fn format_shows_fields_once(node: &Node, errors: &mut Report<'_>) {
    let Some((syntax, format)) = readable(node) else { return };
    let places: Vec<_> = format.fields().collect();
    for (index, place) in places.iter().enumerate() {
        if places[..index].iter().any(|before| before.name == place.name) {
            let message = format!("the format shows `{}` twice", place.name);
            add(syntax, &place.range, &message, "leave one of them out", errors);
        }
    }
}

/// A list has the brackets of a list.
fn format_lists(node: &Node, errors: &mut Report<'_>) {
    let Some((syntax, format)) = readable(node) else { return };
    let is_list = |name: &str| node.fields.iter().any(|field| field.name == name && types::is_container(&field.ty));
    if let Err(fault) = format.check_lists(&syntax.text.value(), is_list) {
        add(syntax, &fault.range, &fault.message, &fault.help, errors);
    }
}

/// A reader finds a value for each field: in the text, or as its default.
fn format_is_complete(node: &Node, errors: &mut Report<'_>) {
    let Some((syntax, format)) = readable(node).filter(|(_, format)| !format.has_rest()) else { return };
    for field in node.fields.iter().filter(|field| field.is_required() && !field.is_option()) {
        if format.fields().all(|place| *place.name != field.name) {
            let message = format!("the format does not show `{}`, which has no default", field.name);
            let help = format!("add `${}`, `$..` for all other fields, or `#[field(default)]`", field.name);
            errors.add_help(&syntax.text, message, help);
        }
    }
}

/// A part is absent while its first field has its default, so that field has one.
fn format_parts_can_be_absent(node: &Node, errors: &mut Report<'_>) {
    let Some((syntax, format)) = readable(node) else { return };
    parts(node, syntax, &format.items, errors);
}

fn parts(node: &Node, syntax: &Syntax, items: &[Item], errors: &mut Report<'_>) {
    for item in items {
        let (ItemKind::Optional(inner) | ItemKind::List(object_format::ListItem { items: inner, .. })) = &item.kind
        else {
            continue;
        };
        parts(node, syntax, inner, errors);
        let first = Format { items: inner.clone() };
        let Some(place) = first.fields().next().filter(|_| matches!(item.kind, ItemKind::Optional(_))) else {
            continue;
        };
        let Some(field) = node.fields.iter().find(|field| field.name == *place.name) else { continue };
        let can_be_empty =
            matches!(types::name_and_args(&field.ty), Some((name, _)) if name == "Array" || name == "Map");
        if field.is_required() && !field.is_option() && !can_be_empty {
            let message = format!("`{}` always has a value, so this part of the format is never absent", field.name);
            let help = format!("add `#[field(default)]` to `{}`, or leave `$(` and `)?` out", field.name);
            add(syntax, &item.range, &message, &help, errors);
        }
    }
}

/// `precedence` and `associativity` are words about a format.
fn operator_words(node: &Node, errors: &mut Report<'_>) {
    let values = &node.object.values;
    if let Some(number) = values.precedence.as_ref().filter(|number| precedence(number).is_none()) {
        errors.add_help(number, format!("`{number}` is not a precedence"), "write a number from 1 to 1000");
    }
    if let Some(word) = values.associativity.as_ref().filter(|word| associativity(word).is_none()) {
        errors.add_help(word, format!("`{word}` is not an associativity"), "write `left`, `right` or `none`");
    }
    for word in ["precedence", "associativity"].into_iter().filter(|word| node.object.has(word)) {
        if node.syntax.is_none() {
            let message = format!("`{word}` is a word about an operator, but `{}` has no format", node.ident);
            errors.add_help(&node.object.tokens_of(word), message, "add `format = \"$lhs + $rhs\"`");
        } else if word == "associativity" && !node.object.has("precedence") {
            let message = "`associativity` is a word about an operator with a precedence";
            errors.add_help(&node.object.tokens_of(word), message, "add `precedence = 6`");
        }
    }
}
