//! `variants_of!` and `visitor!`: items that list handles, one line for each. Both read the head of an item and the lines in
//! its braces, report every mistake, and continue with the lines that they understand.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::quote;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Attribute, Ident, Path, Type, Visibility};

use crate::names::unraw;
use crate::report::{Errors, rule_names};
use crate::types;

mod variants_of;
mod visitor;

pub(crate) use variants_of::variants_of;
pub(crate) use visitor::visitor;

rule_names![list_form, list_names_differ];

/// One line: a name, and the type of the handle.
struct Entry {
    attrs: Vec<Attribute>,
    name: Ident,
    handle: Type,
}

/// Reads one of the two items.
pub(crate) type Expansion = fn(krate: &Path, tokens: TokenStream, errors: &mut Errors) -> TokenStream;

/// The errors and the code for an item. The first token is a group with the path of `object_core`, which the macros that
/// users call pass on.
pub(crate) fn list(tokens: TokenStream, expansion: Expansion) -> TokenStream {
    let mut tokens = tokens.into_iter();
    let krate = match tokens.next() {
        Some(TokenTree::Group(group)) => syn::parse2(group.stream()).ok(),
        _ => None,
    };
    let krate = krate.unwrap_or_else(|| syn::parse_quote!(::object_core));
    let mut errors = Errors::default();
    let code = expansion(&krate, tokens.collect(), &mut errors);
    let errors = errors.to_compile_errors();
    quote!(#errors #code)
}

/// The part of an item before its braces, and the lines in them.
struct Item {
    attrs: Vec<Attribute>,
    vis: Visibility,
    name: Ident,
    /// The tokens between the name and the braces.
    head: TokenStream,
    entries: Vec<Entry>,
}

/// How the two items differ.
struct Syntax {
    /// The item of which macro, as the begin of a message.
    subject: &'static str,
    /// `enum` or `trait`.
    keyword: &'static str,
    /// An example of the item.
    example: &'static str,
    /// Reads a line after its attributes.
    entry: fn(ParseStream<'_>, Vec<Attribute>) -> syn::Result<Entry>,
    /// An example of a line.
    line: &'static str,
}

impl Item {
    /// The item in `tokens`; nothing if its head is wrong. Wrong lines are reported and left out.
    fn read(tokens: TokenStream, syntax: &Syntax, errors: &mut Errors) -> Option<Item> {
        let help = format!("write `{}`", syntax.example);
        let mut tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let body = match tokens.pop() {
            Some(TokenTree::Group(body)) if body.delimiter() == Delimiter::Brace => body,
            last => {
                let message = "the list of handles in braces is missing at the end";
                errors.of(rule::list_form).add_help(&last, message, help);
                return None;
            }
        };
        let head = |input: ParseStream<'_>| {
            let attrs = input.call(Attribute::parse_outer)?;
            let vis = input.parse()?;
            let word = input.call(Ident::parse_any)?;
            if word != syntax.keyword {
                return Err(syn::Error::new(word.span(), format!("expected `{}`", syntax.keyword)));
            }
            Ok((attrs, vis, input.parse::<Ident>()?, input.parse::<TokenStream>()?))
        };
        match head.parse2(tokens.into_iter().collect()) {
            Ok((attrs, vis, name, head)) => {
                let entries = entries(&body, syntax, errors);
                Some(Item { attrs, vis, name, head, entries })
            }
            Err(error) => {
                errors.of(rule::list_form).add_parse_error_help(&error, syntax.subject, &help);
                None
            }
        }
    }

    /// The lines as `(name, values)`, for the rules that the compiler evaluates.
    fn listed(&self) -> TokenStream {
        let entries = self.entries.iter().map(|Entry { name, handle, .. }| {
            let name = unraw(name);
            listed(&name, handle)
        });
        quote!(const __OBJECT_LIST: &[__object::Listed] = &[#(#entries),*];)
    }
}

/// `("Name", ListedHandle::<Handle>::ACCEPTED)`
fn listed(name: &str, handle: &Type) -> TokenStream {
    quote!((#name, __object::ListedHandle::<#handle>::ACCEPTED))
}

/// The lines between commas. A line with a mistake hides no other line.
fn entries(body: &Group, syntax: &Syntax, errors: &mut Errors) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let lines = lines(body.stream());
    if lines.is_empty() {
        let message = "the list is empty";
        errors.of(rule::list_form).add_help(&TokenTree::Group(body.clone()), message, format!("write {}", syntax.line));
    }
    for line in lines {
        let entry = |input: ParseStream<'_>| {
            let attrs = input.call(Attribute::parse_outer)?;
            (syntax.entry)(input, attrs)
        };
        match entry.parse2(line.clone()) {
            Err(_) => {
                let help = format!("write {}", syntax.line);
                errors.of(rule::list_form).add_help(&line, "this is not a line of the list", help);
            }
            Ok(entry) => match entries.iter().find(|earlier| earlier.name == entry.name) {
                Some(earlier) => {
                    let message = format!("two lines have the name `{}`", unraw(&earlier.name));
                    let help = format!("give one of them another name: write {}", syntax.line);
                    errors.of(rule::list_names_differ).add_help(&entry.name, message, help);
                }
                None => entries.push(entry),
            },
        }
    }
    entries
}

/// The tokens between commas outside of angle brackets.
fn lines(tokens: TokenStream) -> Vec<TokenStream> {
    let mut lines = vec![Vec::new()];
    let mut depth = 0usize;
    for token in tokens {
        match &token {
            TokenTree::Punct(punct) if punct.as_char() == '<' => depth += 1,
            TokenTree::Punct(punct) if punct.as_char() == '>' => depth = depth.saturating_sub(1),
            TokenTree::Punct(punct) if punct.as_char() == ',' && depth == 0 => {
                lines.push(Vec::new());
                continue;
            }
            _ => {}
        }
        if let Some(line) = lines.last_mut() {
            line.push(token);
        }
    }
    lines.into_iter().filter(|line| !line.is_empty()).map(|line| line.into_iter().collect()).collect()
}

/// The type of a handle; with nothing after it in its line.
fn handle(input: ParseStream<'_>) -> syn::Result<Type> {
    let handle = Type::parse(input)?;
    match types::name_and_args(&handle) {
        Some(_) => Ok(handle),
        None => Err(syn::Error::new_spanned(&handle, "expected the name of a handle")),
    }
}

/// The name of a method or a variant with `prefix`, at the place of the name that the user wrote.
fn prefixed(prefix: &str, name: &Ident) -> Ident {
    Ident::new(&format!("{prefix}{}", unraw(name)), name.span())
}

/// The names of all rules of the two macros.
#[cfg(test)]
pub(crate) fn rule_names() -> impl Iterator<Item = crate::report::RuleName> {
    rule::ALL.iter().chain(variants_of::rule::ALL).copied()
}
