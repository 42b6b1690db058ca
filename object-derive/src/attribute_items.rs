//! The list inside an attribute, item by item, with all mistakes of its writing.

use proc_macro2::{Group, TokenStream};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Expr, ExprLit, Ident, Lit, LitStr, Meta, MetaNameValue, Token, token};

use crate::keywords::{self, Attr, Form, Guess, Keyword};
use crate::report::{Errors, rule_names};

rule_names![unknown_word, foreign_word, word_of_another_attribute, word_twice, word_form, not_a_list, missing_comma];

/// A word of an attribute in its right form.
pub(crate) struct Item {
    pub(crate) word: &'static Keyword,
    /// The item as the user wrote it.
    pub(crate) tokens: TokenStream,
    pub(crate) value: Value,
}

/// The syntax after a word.
pub(crate) enum Value {
    Nothing,
    Expr(Expr),
    List(Group),
}

/// All attributes of one name in one place.
#[derive(Default)]
pub(crate) struct Items {
    pub(crate) good: Vec<Item>,
    /// Words that are written in a wrong form.
    pub(crate) misused: Vec<&'static str>,
    /// Whether the macro could not read an item, which may have been any word.
    pub(crate) is_broken: bool,
}

/// Reads all attributes named `attr` among `attrs`. Unknown words, repeated words and words in a wrong form are
/// reported and left out, unless the intended item is clear.
pub(crate) fn read(attr: Attr, attrs: &[Attribute], errors: &mut Errors) -> Items {
    let mut items = Items::default();
    for attribute in attrs.iter().filter(|attribute| attribute.path().is_ident(attr.name())) {
        for raw in raw_items(attr, attribute, &mut items.is_broken, errors) {
            let Some(word) = check_word(attr, &raw, errors) else {
                items.is_broken = true;
                continue;
            };
            let tokens = raw.tokens();
            if let Some(problem) = wrong_form(word, &raw.value) {
                let message = format!("`{}` {problem}", word.name);
                errors.of(rule::word_form).add_help(&tokens, message, format!("write `{}`", word.example));
                items.misused.push(word.name);
                continue;
            }
            let item = Item { word, tokens, value: raw.value };
            if !item.word.form.repeats() && items.good.iter().any(|earlier| earlier.word == item.word) {
                let help = match item.word.form {
                    Form::List => "join the two lists",
                    _ => "leave one of them out",
                };
                let message = format!("`{}` is written twice", item.word.name);
                errors.of(rule::word_twice).add_help(&item.tokens, message, help);
            } else {
                items.good.push(item);
            }
        }
    }
    items
}

/// An item with any word.
struct RawItem {
    word: String,
    word_tokens: TokenStream,
    quoted: bool,
    value: Value,
}

impl RawItem {
    fn tokens(&self) -> TokenStream {
        let word = &self.word_tokens;
        match &self.value {
            Value::Nothing => word.clone(),
            Value::Expr(expr) => quote::quote!(#word = #expr),
            Value::List(group) => quote::quote!(#word #group),
        }
    }

    /// The value, if it is a text.
    fn text(&self) -> Option<String> {
        match &self.value {
            Value::Expr(Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) => Some(text.value()),
            _ => None,
        }
    }
}

/// The items of one attribute. An item that cannot be read is reported and skipped.
fn raw_items(attr: Attr, attribute: &Attribute, is_broken: &mut bool, errors: &mut Errors) -> Vec<RawItem> {
    let Meta::List(list) = &attribute.meta else {
        *is_broken = true;
        let message = format!("`#[{}]` takes its words in parentheses", attr.name());
        let usage = value_in_parentheses(attr, &attribute.meta).unwrap_or_else(|| attr.usage().to_owned());
        errors.of(rule::not_a_list).add_help(&attribute.meta, message, format!("write `{usage}`"));
        return Vec::new();
    };
    if list.tokens.is_empty() {
        let message = format!("`#[{}()]` is empty", attr.name());
        let names = keywords::listed(attr.words().iter().map(|word| word.name));
        errors.of(rule::not_a_list).add_help(&attribute.meta, message, format!("its words are {names}"));
        return Vec::new();
    }
    let mut items = Vec::new();
    let parser = |input: ParseStream<'_>| {
        while !input.is_empty() {
            match raw_item(input) {
                Ok(item) => items.push(item),
                Err(error) => {
                    *is_broken = true;
                    errors.of(rule::missing_comma).add_parse_error(&error);
                    skip_to_comma(input);
                }
            }
            if input.is_empty() {
                break;
            }
            if input.peek(Token![,]) {
                input.parse::<Token![,]>()?;
            } else if input.peek(Ident::peek_any) {
                let next = input.fork().call(Ident::parse_any)?;
                errors.of(rule::missing_comma).add(&next, format!("a `,` is missing before `{next}`"));
            } else {
                errors.of(rule::missing_comma).add_parse_error(&input.error("expected `,`"));
                skip_to_comma(input);
            }
        }
        Ok(())
    };
    if let Err(error) = parser.parse2(list.tokens.clone()) {
        errors.of(rule::missing_comma).add_parse_error(&error);
    }
    items
}

/// `#[structural_eq(tree)]` for `#[structural_eq = "tree"]`.
fn value_in_parentheses(attr: Attr, meta: &Meta) -> Option<String> {
    let Meta::NameValue(MetaNameValue { value: Expr::Lit(ExprLit { lit: Lit::Str(text), .. }), .. }) = meta else {
        return None;
    };
    let word = match keywords::guess(attr, &text.value()) {
        Guess::Foreign(word) | Guess::Near(word) => word,
        _ => return None,
    };
    Some(format!("#[{}({})]", attr.name(), word.example))
}

fn raw_item(input: ParseStream<'_>) -> syn::Result<RawItem> {
    let (word, word_tokens, quoted) = if input.peek(LitStr) {
        let literal: LitStr = input.parse()?;
        (literal.value(), literal.into_token_stream(), true)
    } else {
        let mut word = input.call(Ident::parse_any)?.into_token_stream();
        let mut text = word.to_string();
        while input.peek(Token![-]) && input.peek2(Ident::peek_any) {
            let dash: Token![-] = input.parse()?;
            let part = input.call(Ident::parse_any)?;
            text = format!("{text}-{part}");
            dash.to_tokens(&mut word);
            part.to_tokens(&mut word);
        }
        (text, word, false)
    };
    let value = if input.peek(Token![=]) {
        input.parse::<Token![=]>()?;
        Value::Expr(ungrouped(input.parse()?))
    } else if input.peek(token::Paren) {
        Value::List(input.parse()?)
    } else {
        Value::Nothing
    };
    Ok(RawItem { word, word_tokens, quoted, value })
}

/// The expression without the invisible group that `macro_rules!` puts around a fragment.
fn ungrouped(expr: Expr) -> Expr {
    match expr {
        Expr::Group(group) => ungrouped(*group.expr),
        other => other,
    }
}

/// Skips the rest of an item that cannot be read.
fn skip_to_comma(input: ParseStream<'_>) {
    while !input.is_empty() && !input.peek(Token![,]) {
        if input.parse::<proc_macro2::TokenTree>().is_err() {
            return;
        }
    }
}

/// The word of an item. For a misspelt word, a word of another framework or a word of another attribute, the error
/// suggests the right one, which counts as written if it belongs to this attribute.
fn check_word(attr: Attr, raw: &RawItem, errors: &mut Errors) -> Option<&'static Keyword> {
    let given = &raw.word;
    match attr.word(given) {
        Some(word) => {
            if raw.quoted {
                let help = format!("write `{given}`");
                errors.of(rule::word_form).add_help(&raw.word_tokens, format!("`{given}` is a word, not a text"), help);
            }
            Some(word)
        }
        None => {
            let spelling = raw.text().and_then(|value| keywords::guess_peer_spelling(attr, given, &value));
            let is_peer_spelling = spelling.is_some();
            let guess = spelling.unwrap_or_else(|| keywords::guess(attr, given));
            let unknown = format!("unknown word `{given}` in `#[{}(...)]`", attr.name());
            let (rule, message, help) = match guess {
                Guess::Foreign(word) | Guess::Near(word) => {
                    let rule = if matches!(guess, Guess::Near(_)) { rule::unknown_word } else { rule::foreign_word };
                    let message = format!("{unknown}; did you mean `{}`?", word.name);
                    (rule, message, format!("write `{}`", word.example))
                }
                Guess::Elsewhere(other, word) => {
                    let message = format!("`{}` is not a word of `#[{}(...)]`", word.name, attr.name());
                    let help = format!("it belongs in `#[{}({})]` {}", other.name(), word.example, other.place());
                    (rule::word_of_another_attribute, message, help)
                }
                Guess::Superfluous(advice) => (rule::foreign_word, unknown, advice.to_owned()),
                Guess::Nothing => {
                    let names = keywords::listed(attr.words().iter().map(|word| word.name));
                    (rule::unknown_word, unknown, format!("its words are {names}"))
                }
            };
            errors.of(rule).add_help(&raw.word_tokens, message, help);
            match guess {
                // The value is the word, which takes none.
                Guess::Foreign(_) | Guess::Near(_) if is_peer_spelling => None,
                Guess::Foreign(word) | Guess::Near(word) => Some(word),
                _ => None,
            }
        }
    }
}

/// The requirement that the form of `value` breaks, if any.
fn wrong_form(word: &Keyword, value: &Value) -> Option<&'static str> {
    let is_path = |expr: &Expr| matches!(expr, Expr::Path(path) if path.attrs.is_empty() && path.qself.is_none());
    let is_name = |expr: &Expr| matches!(expr, Expr::Path(path) if path.path.get_ident().is_some());
    let is_text = |expr: &Expr| matches!(expr, Expr::Lit(lit) if matches!(lit.lit, syn::Lit::Str(_)));
    let is_number = |expr: &Expr| matches!(expr, Expr::Lit(lit) if matches!(lit.lit, syn::Lit::Int(_)));
    match (word.form, value) {
        (Form::Flag, Value::Nothing)
        | (Form::FlagOrExpr, Value::Nothing | Value::Expr(_))
        | (Form::List | Form::Lists, Value::List(_)) => None,
        (Form::Text | Form::Texts, Value::Expr(expr)) if is_text(expr) => None,
        (Form::Number, Value::Expr(expr)) if is_number(expr) => None,
        // Other errors name the bounds and the values.
        (Form::Range, Value::Expr(Expr::Range(_))) | (Form::Values, Value::Expr(Expr::Array(_))) => None,
        (Form::Path, Value::Expr(expr)) if is_path(expr) => None,
        (Form::Name, Value::Expr(expr)) if is_path(expr) && is_name(expr) => None,
        (Form::Path, Value::Expr(expr)) if is_text(expr) => Some("takes a path, without quotes"),
        (Form::Name, Value::Expr(expr)) if is_text(expr) => Some("takes a name, without quotes"),
        (Form::Flag, _) => Some("takes no value"),
        (Form::Text | Form::Texts, _) => Some("takes a text in quotes"),
        (Form::Number, _) => Some("takes a number"),
        (Form::Range, _) => Some("takes a range"),
        (Form::Values, _) => Some("takes values in square brackets"),
        (Form::Path, _) => Some("takes a path"),
        (Form::Name, _) => Some("takes a name"),
        (Form::FlagOrExpr, _) => Some("takes no value, or one after `=`"),
        (Form::List | Form::Lists, _) => Some("takes a list in parentheses"),
    }
}
