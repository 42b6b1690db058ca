//! The words about the values of fields, and the verifier.

use std::collections::HashSet;

use proc_macro2::TokenStream;
use syn::Type;

use crate::keywords::{listed, nearest};
use crate::model::{Default, Field, Node};
use crate::names::unraw;
use crate::report::{Report, Rule, rules};
use crate::types;
use crate::value_words::{Bounds, Constant, Measured};

/// In the order of their messages.
pub(super) const RULES: &[Rule<Node>] =
    rules![value_words_fit_types, ranges_have_values, defaults_are_allowed, same_len_fields, checks_of_singletons];

/// The reflected fields with words about values.
fn worded(node: &Node) -> impl Iterator<Item = &Field> {
    node.reflected().iter().filter(|field| !field.meta.values.is_empty())
}

/// A word is about the values of the type of its field.
fn value_words_fit_types(node: &Node, errors: &mut Report<'_>) {
    for field in worded(node) {
        let (measured, words, shown) = (Measured::of(&field.ty), &field.meta.values, types::shown(&field.ty));
        let mut misplaced = |word: &str, about: &str, help: &str| {
            let message = format!("`{word}` is about {about}, but `{}` is of type `{shown}`", field.ident);
            errors.add_help(&field.args.tokens_of(word), message, help);
        };
        if words.range.is_some() && !matches!(measured, Measured::Int | Measured::Float) {
            let help = if measured.has_len() { "write `len` for lengths" } else { "leave `range` out" };
            misplaced("range", "numbers", help);
        }
        if words.len.is_some() && !measured.has_len() {
            let is_number = matches!(measured, Measured::Int | Measured::Float);
            let help = if is_number { "write `range` for numbers" } else { "leave `len` out" };
            misplaced("len", "an `Array`, `Map`, `Str`, `Bytes` or `Shape`", help);
        }
        if !words.one_of.is_empty() && !matches!(measured, Measured::Int | Measured::Float | Measured::Text) {
            misplaced("one_of", "numbers and a `Str`", "leave `one_of` out");
            continue;
        }
        for (tokens, choice) in &words.one_of {
            let fits = match measured {
                Measured::Int => choice.as_int().is_some_and(|value| is_of_type(value, field)),
                Measured::Float => choice.as_float().is_some(),
                _ => matches!(choice, Constant::Text(_)),
            };
            if !fits {
                let help = "write values of the type of the field, or leave `one_of` out";
                errors.add_help(tokens, format!("the value is not of the type `{shown}`"), help);
            }
        }
    }
}

/// Whether the integer type of a field has the number.
fn is_of_type(value: i64, field: &Field) -> bool {
    let ty = types::option_content(&field.ty).unwrap_or(&field.ty);
    let is = |name: &str| types::is_named(ty, &[name]);
    match value {
        _ if is("i8") => i8::try_from(value).is_ok(),
        _ if is("i16") => i16::try_from(value).is_ok(),
        _ if is("i32") => i32::try_from(value).is_ok(),
        _ if is("u8") => u8::try_from(value).is_ok(),
        _ if is("u16") => u16::try_from(value).is_ok(),
        _ if is("u32") => u32::try_from(value).is_ok(),
        _ => true,
    }
}

/// A range has a value, and its bounds are values of the field.
fn ranges_have_values(node: &Node, errors: &mut Report<'_>) {
    for field in worded(node) {
        let (measured, words) = (Measured::of(&field.ty), &field.meta.values);
        if let Some(range) = &words.range {
            match measured {
                Measured::Int => ints(range, i64::MIN, |value| is_of_type(value, field), field, errors),
                Measured::Float => {
                    let (start, end) = range.floats();
                    let has_values = start < end || (start == end && range.includes_end);
                    if !has_values {
                        empty(&range.tokens, errors);
                    }
                }
                _ => {}
            }
        }
        if let Some(len) = words.len.as_ref().filter(|_| measured.has_len()) {
            ints(len, 0, |value| value >= 0, field, errors);
        }
    }
}

/// Reports a range of integers with bounds that no value has, or without a value.
fn ints(range: &Bounds, least: i64, is_value: impl Fn(i64) -> bool, field: &Field, errors: &mut Report<'_>) {
    let Some((start, end)) = range.ints(least) else {
        errors.add_help(&range.tokens, "a bound is not an integer", "write `0..=64`");
        return;
    };
    if start > end {
        return empty(&range.tokens, errors);
    }
    // A bound that is left out is a value.
    let given = [(range.start.is_some(), start), (range.end.is_some(), end)];
    if given.into_iter().any(|(is_given, bound)| is_given && !is_value(bound)) {
        let ty = types::shown(&field.ty);
        let message = format!("no value of `{}`, of type `{ty}`, is as small or as large as a bound", field.ident);
        errors.add_help(&range.tokens, message, "leave the bound out, or write one that a value has");
    }
}

fn empty(tokens: &TokenStream, errors: &mut Report<'_>) {
    errors.add_help(
        tokens,
        "the range has no value",
        "write the lower bound first, and `..=` for a bound that is a value",
    );
}

/// A default that the macro knows is a value that the words allow. A constructor checks all others.
fn defaults_are_allowed(node: &Node, errors: &mut Report<'_>) {
    for field in worded(node).filter(|field| !matches!(field.default, Default::Required)) {
        let words = &field.meta.values;
        let default = known_default(&field.default, &field.ty);
        let is_empty = matches!(field.default, Default::Standard)
            && Measured::of(&field.ty) == Measured::Elements
            && !types::is_option(&field.ty);
        let len = match &default {
            Some(Constant::Text(text)) => i64::try_from(text.chars().count()).ok(),
            _ => is_empty.then_some(0),
        };
        let is_float = Measured::of(&field.ty) == Measured::Float;
        let is_same = |a: &Constant, b: &Constant| if is_float { a.as_float() == b.as_float() } else { a == b };
        let breaks_range =
            default.as_ref().is_some_and(|it| words.range.as_ref().is_some_and(|range| !range.contains(it)));
        let breaks_len = len.is_some_and(|len| words.len.as_ref().is_some_and(|it| !it.contains(&Constant::Int(len))));
        let is_choice = |it: &Constant| words.one_of.is_empty() || words.one_of.iter().any(|(_, one)| is_same(one, it));
        let breaks_choice = default.as_ref().is_some_and(|it| !is_choice(it));
        for (word, breaks) in [("range", breaks_range), ("len", breaks_len), ("one_of", breaks_choice)] {
            if breaks {
                let message = format!("`{word}` does not allow the default of `{}`", field.ident);
                errors.add_help(&field.args.tokens_of("default"), message, "write a default that is allowed");
            }
        }
    }
}

/// `default`, or the default of the type, as a literal; `None` if the macro cannot know it.
fn known_default(default: &Default, ty: &Type) -> Option<Constant> {
    match default {
        Default::Required => None,
        Default::Expr(expr) => Constant::read(expr),
        Default::Standard if types::is_option(ty) => None,
        Default::Standard => match Measured::of(ty) {
            Measured::Int => Some(Constant::Int(0)),
            Measured::Float => Some(Constant::Float(0.0)),
            Measured::Text => Some(Constant::Text(String::new())),
            Measured::Elements | Measured::Other => None,
        },
    }
}

/// `same_len` names at least two different fields with lengths. The fields of a parent are known when the compiler has its table.
fn same_len_fields(node: &Node, errors: &mut Report<'_>) {
    for group in &node.same_len {
        if node.is_opaque() {
            let message = format!("`same_len` is about fields, but `opaque` hides the fields of `{}`", node.ident);
            errors.add_help(&group.tokens, message, "leave one of the two out");
            continue;
        }
        if group.names.len() < 2 {
            errors.add_help(&group.tokens, "`same_len` compares at least two fields", "write `same_len(params, args)`");
        }
        let mut seen = HashSet::new();
        for name in &group.names {
            if !seen.insert(unraw(name)) {
                errors.add_help(name, format!("`{name}` stands twice"), "leave one of them out");
                continue;
            }
            match node.field(name) {
                Some(field) if !Measured::of(&field.ty).has_len() => {
                    let shown = types::shown(&field.ty);
                    let message = format!("`{name}` is of type `{shown}`, which has no length");
                    errors.add_help(name, message, "name an `Array`, `Map`, `Str`, `Bytes` or `Shape`");
                }
                Some(_) => {}
                None if node.parent.is_some() => {}
                None => {
                    let names = || node.fields.iter().map(|field| field.name.as_str());
                    let help = match nearest(&unraw(name), names()) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => format!("its fields are {}", listed(names())),
                    };
                    errors.add_help(name, format!("`{}` has no field `{name}`", node.ident), help);
                }
            }
        }
    }
}

/// The table of a singleton type makes its instances, so there is nothing to check.
fn checks_of_singletons(node: &Node, errors: &mut Report<'_>) {
    if !node.is_singleton() {
        return;
    }
    let help = "leave it out; the table of the instances has the values";
    for field in worded(node) {
        for word in field.args.words().filter(|word| matches!(*word, "range" | "len" | "one_of")) {
            let message = format!("`{word}` has no effect on the instances of a singleton type");
            errors.add_help(&field.args.tokens_of(word), message, help);
        }
    }
    for group in &node.same_len {
        errors.add_help(&group.tokens, "`same_len` has no effect on the instances of a singleton type", help);
    }
}
