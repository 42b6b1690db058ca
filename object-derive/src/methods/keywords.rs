//! The words of `#[object_methods(...)]` on the block and of `#[method(...)]` on its functions.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprLit, Lit, LitStr, Meta, Path, Token};

use crate::keywords::{self, Form, Keyword};
use crate::report::{Errors, rule_names};
use crate::types;

rule_names![method_words];

/// Words of the block.
const BLOCK: &[Keyword] = &[Keyword { name: "crate", form: Form::Path, example: "crate = path::to::object_core" }];

/// Words of a function.
const METHOD: &[Keyword] = &[
    Keyword { name: "skip", form: Form::Flag, example: "skip" },
    Keyword { name: "rename", form: Form::Text, example: "rename = \"name\"" },
];

/// Words of other frameworks and of the other attributes, with the words of these attributes.
const FOREIGN: &[(&str, &str)] = &[
    ("ignore", "skip"),
    ("hidden", "skip"),
    ("private", "skip"),
    ("name", "rename"),
    ("krate", "crate"),
    ("alias", "rename"),
];

/// The values in `#[object_methods(...)]`.
#[derive(Default)]
pub(super) struct BlockArgs {
    pub(super) krate: Option<Path>,
}

/// The values in `#[method(...)]`, as tokens with their places.
#[derive(Default)]
pub(super) struct MethodArgs {
    pub(super) skip: Option<Meta>,
    pub(super) rename: Option<LitStr>,
}

impl BlockArgs {
    pub(super) fn read(tokens: TokenStream, errors: &mut Errors) -> Self {
        let mut args = BlockArgs::default();
        for (_, item) in items("object_methods", BLOCK, tokens, errors) {
            if let Some(Expr::Path(path)) = value(&item) {
                args.krate = Some(path.path.clone());
            }
        }
        args
    }
}

impl MethodArgs {
    pub(super) fn read(tokens: TokenStream, errors: &mut Errors) -> Self {
        let mut args = MethodArgs::default();
        for (word, item) in items("method", METHOD, tokens, errors) {
            match text(&item) {
                Some(text) => args.rename = Some(text.clone()),
                None if word.name == "skip" => args.skip = Some(item),
                None => {}
            }
        }
        args
    }

    /// Joins the words of two attributes on one function.
    pub(super) fn join(&mut self, other: MethodArgs, errors: &mut Errors) {
        let twice = match (&self.skip, &self.rename, &other.skip, &other.rename) {
            (Some(_), _, Some(again), _) => Some(("skip", again.to_token_stream())),
            (_, Some(_), _, Some(again)) => Some(("rename", again.to_token_stream())),
            _ => None,
        };
        if let Some((word, at)) = twice {
            errors.of(rule::method_words).add_help(&at, format!("`{word}` is written twice"), "leave one of them out");
        }
        self.skip = self.skip.take().or(other.skip);
        self.rename = self.rename.take().or(other.rename);
    }
}

/// Examples of `#[method]`.
pub(super) fn method_usage() -> String {
    let examples = METHOD.iter().map(|word| format!("`#[method({})]`", word.example));
    examples.collect::<Vec<_>>().join(" or ")
}

/// The items of one attribute that are its words in the right form. All others are reported.
fn items(
    attr: &str,
    all: &'static [Keyword],
    tokens: TokenStream,
    errors: &mut Errors,
) -> Vec<(&'static Keyword, Meta)> {
    let metas = match Punctuated::<Meta, Token![,]>::parse_terminated.parse2(tokens) {
        Ok(metas) => metas,
        Err(error) => {
            errors.of(rule::method_words).add_parse_error(&error);
            return Vec::new();
        }
    };
    let mut found: Vec<(&'static Keyword, Meta)> = Vec::new();
    for item in metas {
        let Some(word) = known(attr, all, &item, errors) else { continue };
        if let Some(wrong) = wrong_form(word, &item) {
            errors.of(rule::method_words).add_help(
                &item,
                format!("`{}` {wrong}", word.name),
                format!("write `{}`", word.example),
            );
        } else if found.iter().any(|(earlier, _)| earlier.name == word.name) {
            errors.of(rule::method_words).add_help(
                &item,
                format!("`{}` is written twice", word.name),
                "leave one of them out",
            );
        } else {
            found.push((word, item));
        }
    }
    found
}

/// The word of the item. The error about an unknown word suggests a known one.
fn known(attr: &str, all: &'static [Keyword], item: &Meta, errors: &mut Errors) -> Option<&'static Keyword> {
    let given = types::shown(item.path());
    let find = |name: &str| all.iter().find(|word| word.name == name);
    if let Some(word) = find(&given) {
        return Some(word);
    }
    let folded = given.to_lowercase();
    let peer = FOREIGN.iter().find(|(theirs, _)| *theirs == folded).and_then(|(_, ours)| find(ours));
    let near = || keywords::nearest(&folded, all.iter().map(|word| word.name)).and_then(find);
    match peer.or_else(near) {
        Some(word) => {
            let message = format!("unknown word `{given}` in `#[{attr}(...)]`; did you mean `{}`?", word.name);
            errors.of(rule::method_words).add_help(item.path(), message, format!("write `{}`", word.example));
        }
        None => {
            let names = keywords::listed(all.iter().map(|word| word.name));
            let are = if all.len() == 1 { "its only word is" } else { "its words are" };
            errors.of(rule::method_words).add_help(
                item.path(),
                format!("unknown word `{given}` in `#[{attr}(...)]`"),
                format!("{are} {names}"),
            );
        }
    }
    None
}

/// The requirement that the form of `item` breaks, if any.
fn wrong_form(word: &Keyword, item: &Meta) -> Option<&'static str> {
    match word.form {
        Form::Flag => (!matches!(item, Meta::Path(_))).then_some("takes no value"),
        Form::Text => text(item).is_none().then_some("takes a text in quotes"),
        _ => (!matches!(value(item), Some(Expr::Path(_)))).then_some("takes a path, without quotes"),
    }
}

fn value(item: &Meta) -> Option<&Expr> {
    match item {
        Meta::NameValue(pair) => Some(&pair.value),
        _ => None,
    }
}

fn text(item: &Meta) -> Option<&LitStr> {
    match value(item)? {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text),
        _ => None,
    }
}
