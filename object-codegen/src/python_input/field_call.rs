//! [`FieldWords`]: the words of `field(...)`.

use object_core::object::FieldRole;
use ruff_python_ast::{Expr, ExprCall};
use ruff_text_size::Ranged;

use crate::python_input::annotation::{dotted, last_part};
use crate::python_input::class_draft::{DefaultDraft, Placed};
use crate::python_input::constant::{constant, default, factory};
use crate::python_input::file_reader::FileReader;
use crate::python_input::words::did_you_mean;

/// The words of `field(...)`, of tvm-ffi 0.1.12 and 0.1.15.
const WORDS: [&str; 12] = [
    "default",
    "default_factory",
    "structural_eq",
    "doc",
    "metadata",
    "kw_only",
    "frozen",
    "init",
    "repr",
    "hash",
    "compare",
    "converter",
];

/// The words of the role of a field, in both versions.
const ROLES: [(&str, FieldRole); 6] = [
    ("ignore", FieldRole::Ignore),
    ("def", FieldRole::Def),
    ("def-pattern", FieldRole::Def),
    ("def-recursive", FieldRole::Def),
    ("def-simple", FieldRole::DefSimple),
    ("def-non-recursive", FieldRole::DefSimple),
];

/// The words of a field.
#[derive(Default)]
pub(super) struct FieldWords {
    pub(super) role: FieldRole,
    pub(super) default: Option<Placed<DefaultDraft>>,
    pub(super) doc: String,
    pub(super) meta: Vec<(String, String)>,
}

impl FieldWords {
    /// The words of the value after `=` of a field: a call of `field`, or a default.
    pub(super) fn read(file: &FileReader<'_>, value: Option<&Expr>) -> FieldWords {
        match value {
            None => FieldWords::default(),
            Some(Expr::Call(call)) if dotted(&call.func).is_some_and(|path| last_part(&path) == "field") => {
                FieldWords::of_call(file, call)
            }
            Some(value) => FieldWords { default: default(file, value), ..FieldWords::default() },
        }
    }

    fn of_call(file: &FileReader<'_>, call: &ExprCall) -> FieldWords {
        let mut words = FieldWords::default();
        if let Some(argument) = call.arguments.args.first() {
            file.error(argument, "the words of `field` have names; write for example `field(default=0)`");
        }
        let mut has_default = false;
        for keyword in &call.arguments.keywords {
            let Some(name) = &keyword.arg else {
                file.error(keyword, "`**` hides the words of the field; write them out");
                continue;
            };
            let value = &keyword.value;
            match name.as_str() {
                word @ ("default" | "default_factory") => {
                    if std::mem::replace(&mut has_default, true) {
                        file.error(keyword, "a field has either `default` or `default_factory`");
                    }
                    words.default = if word == "default" { default(file, value) } else { factory(file, value) };
                }
                "structural_eq" => words.role = role(file, value),
                "doc" => words.doc = optional_text(file, value),
                "metadata" => words.meta.extend(metadata(file, value)),
                "converter" => {}
                word @ ("kw_only" | "frozen" | "init" | "repr" | "hash" | "compare") => {
                    // A schema has no word for these options of Python, so they are notes for tools.
                    let usual = matches!(word, "init" | "repr" | "hash" | "compare");
                    match value {
                        Expr::BooleanLiteral(literal) if literal.value != usual => {
                            words.meta.push((word.to_owned(), literal.value.to_string()));
                        }
                        Expr::BooleanLiteral(_) | Expr::NoneLiteral(_) => {}
                        _ => file.error(value, format!("`{word}` is `True` or `False`")),
                    }
                }
                unknown => {
                    file.error(name, format!("`{unknown}` is not a word of `field`{}", did_you_mean(unknown, &WORDS)));
                }
            }
        }
        words
    }
}

fn role(file: &FileReader<'_>, value: &Expr) -> FieldRole {
    let word = match value {
        Expr::NoneLiteral(_) => return FieldRole::Content,
        Expr::StringLiteral(text) => text.value.to_str(),
        _ => {
            file.error(value, "the role of a field is a text such as \"def\" or \"ignore\", or `None`");
            return FieldRole::Content;
        }
    };
    match ROLES.iter().find(|(known, _)| *known == word) {
        Some((_, role)) => *role,
        None => {
            let words: Vec<&str> = ROLES.iter().map(|(word, _)| *word).collect();
            file.error(value, format!("`{word}` is not a role of a field{}", did_you_mean(word, &words)));
            FieldRole::Content
        }
    }
}

/// A text, or an empty one for `None`.
fn optional_text(file: &FileReader<'_>, value: &Expr) -> String {
    match value {
        Expr::StringLiteral(text) => text.value.to_str().trim().to_owned(),
        Expr::NoneLiteral(_) => String::new(),
        _ => {
            file.error(&value.range(), "the documentation of a field is a text");
            String::new()
        }
    }
}

/// The pairs of `metadata={...}`, whose keys are texts.
pub(super) fn metadata(file: &FileReader<'_>, value: &Expr) -> Vec<(String, String)> {
    let Expr::Dict(dict) = value else {
        if !value.is_none_literal_expr() {
            file.error(value, "`metadata` is a dictionary of constants, such as `{\"unit\": \"bytes\"}`");
        }
        return Vec::new();
    };
    let mut pairs = Vec::new();
    for item in &dict.items {
        match (&item.key, &item.value) {
            (Some(Expr::StringLiteral(key)), Expr::StringLiteral(text)) => {
                pairs.push((key.value.to_str().to_owned(), text.value.to_str().to_owned()));
            }
            (Some(Expr::StringLiteral(key)), other) => {
                if let Some(constant) = constant(file, other) {
                    pairs.push((key.value.to_str().to_owned(), constant.value.to_string()));
                }
            }
            (_, other) => file.error(other, "the keys of `metadata` are texts"),
        }
    }
    pairs
}
