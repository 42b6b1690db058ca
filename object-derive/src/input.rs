//! The values of attribute words as typed Rust data, which darling reads.

use darling::FromMeta;
use darling::ast::NestedMeta;
use darling::util::{Flag, Override};
use proc_macro2::TokenStream;
use syn::{Attribute, Expr, Ident, LitInt, LitStr, Meta, Path};

use crate::attribute_items::{self, Item, Items, Value};
use crate::keywords::Attr;
use crate::report::Errors;

/// `#[object(...)]`.
#[derive(Default, FromMeta)]
pub(crate) struct ObjectArgs {
    pub(crate) type_key: Option<LitStr>,
    pub(crate) parent: Option<Path>,
    pub(crate) base: Flag,
    pub(crate) base_args: Option<List>,
    pub(crate) json: Option<Ident>,
    pub(crate) label: Option<LitStr>,
    pub(crate) format: Option<LitStr>,
    pub(crate) precedence: Option<LitInt>,
    pub(crate) associativity: Option<Ident>,
    pub(crate) opaque: Flag,
    #[darling(rename = "crate")]
    pub(crate) krate: Option<Path>,
    pub(crate) handle: Option<Ident>,
    pub(crate) eq: Option<Ident>,
    pub(crate) new: Option<Ident>,
    pub(crate) display: Option<Ident>,
    pub(crate) setters: Option<Ident>,
    pub(crate) may_contain: Option<List>,
    pub(crate) meta: Option<List>,
    #[darling(multiple)]
    pub(crate) alias: Vec<LitStr>,
    pub(crate) version: Option<LitInt>,
    #[darling(multiple)]
    pub(crate) migrate: Vec<List>,
    pub(crate) removed: Option<List>,
    pub(crate) files: Option<Ident>,
    pub(crate) verify: Option<Path>,
    #[darling(multiple)]
    pub(crate) same_len: Vec<List>,
}

/// `#[structural_eq(...)]`.
#[derive(Default, FromMeta)]
pub(crate) struct StructuralEqArgs {
    pub(crate) tree: Flag,
    pub(crate) const_tree: Flag,
    pub(crate) dag: Flag,
    pub(crate) var: Flag,
    pub(crate) singleton: Flag,
    pub(crate) none: Flag,
    pub(crate) custom: Flag,
    pub(crate) scope: Flag,
    pub(crate) key: Option<Ident>,
    pub(crate) table: Option<Path>,
}

/// The tokens in parentheses after a word.
pub(crate) struct List(pub(crate) TokenStream);

impl FromMeta for List {
    fn from_meta(item: &Meta) -> darling::Result<Self> {
        Ok(List(item.require_list()?.tokens.clone()))
    }
}

/// `default` alone, or with any expression. A text stays a text; darling would parse it.
pub(crate) fn default_value(item: &Meta) -> darling::Result<Option<Override<Expr>>> {
    Ok(Some(match item {
        Meta::Path(_) => Override::Inherit,
        _ => Override::Explicit(darling::util::parse_expr::preserve_str_literal(item)?),
    }))
}

/// An expression. A text stays a text.
pub(crate) fn expression(item: &Meta) -> darling::Result<Option<Expr>> {
    darling::util::parse_expr::preserve_str_literal(item).map(Some)
}

/// The attributes of one kind on one type or field: their typed values, and their items as places of errors.
pub(crate) struct Args<T> {
    pub(crate) values: T,
    items: Items,
}

impl<T: FromMeta + Default> Args<T> {
    pub(crate) fn read(attr: Attr, attrs: &[Attribute], errors: &mut Errors) -> Self {
        let items = attribute_items::read(attr, attrs, errors);
        let metas: Vec<NestedMeta> = items.good.iter().filter_map(to_meta).map(NestedMeta::Meta).collect();
        let values = T::from_list(&metas).unwrap_or_else(|error| {
            let mut report = errors.of(attribute_items::rule::word_form);
            error.flatten().into_iter().for_each(|error| report.add_parse_error(&error.into()));
            T::default()
        });
        Args { values, items }
    }
}

impl<T> Args<T> {
    /// The item with the given word as the user wrote it; no tokens if there is none.
    pub(crate) fn tokens_of(&self, word: &str) -> TokenStream {
        self.items.good.iter().find(|item| item.word.name == word).map(|item| item.tokens.clone()).unwrap_or_default()
    }

    /// Whether the word is written, in its right form.
    pub(crate) fn has(&self, word: &str) -> bool {
        self.words().any(|it| it == word)
    }

    /// Whether the word is written in any form, or an item that the macro cannot read may mean it.
    pub(crate) fn may_have(&self, word: &str) -> bool {
        self.items.is_broken || self.has(word) || self.items.misused.contains(&word)
    }

    /// Whether the macro could read all items.
    pub(crate) fn is_understood(&self) -> bool {
        !self.items.is_broken && self.items.misused.is_empty()
    }

    /// The words of all items.
    pub(crate) fn words(&self) -> impl Iterator<Item = &'static str> {
        self.items.good.iter().map(|item| item.word.name)
    }
}

/// The item in the form that darling reads.
fn to_meta(item: &Item) -> Option<Meta> {
    let mut tokens = item.tokens.clone().into_iter();
    let span = tokens.next()?.span();
    let path = Path::from(Ident::new(item.word.name, span));
    Some(match &item.value {
        Value::Nothing => Meta::Path(path),
        Value::Expr(expr) => syn::parse_quote!(#path = #expr),
        Value::List(group) => syn::parse_quote!(#path #group),
    })
}
