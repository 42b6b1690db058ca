//! The words of `#[field(...)]`: their values, the annotations that they make of a field, and its entry in the table.

use darling::FromMeta;
use darling::util::{Flag, Override};
use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprLit, Lit, LitStr, MetaNameValue, Token};

use crate::contents::Contents;
use crate::docs::Docs;
use crate::input::{Args, List, default_value};
use crate::names::unraw;
use crate::report::{Errors, rule_names};

rule_names![meta_form];

/// `#[field(...)]`.
#[derive(Default, FromMeta)]
pub(crate) struct FieldArgs {
    pub(crate) ignore: Flag,
    pub(crate) def: Flag,
    pub(crate) def_simple: Flag,
    pub(crate) rename: Option<LitStr>,
    #[darling(default, with = default_value)]
    pub(crate) default: Option<Override<Expr>>,
    pub(crate) meta: Option<List>,
    pub(crate) may_contain: Option<List>,
    pub(crate) outer: Flag,
    pub(crate) skip: Flag,
    pub(crate) cache: Flag,
}

impl FieldArgs {
    /// `Some(None)` for `default` alone, `Some(Some(expr))` for `default = expr`.
    pub(crate) fn default_expr(&self) -> Option<Option<Expr>> {
        self.default.clone().map(Override::explicit)
    }
}

/// The annotations that the table keeps, as `FieldMeta` of the runtime.
pub(crate) struct FieldMeta {
    pub(crate) role: Role,
    /// The pairs of `meta(key = "value")`.
    pub(crate) pairs: Vec<(String, LitStr)>,
    /// The contents that `may_contain` declares.
    pub(crate) may_contain: Option<Contents>,
}

impl FieldMeta {
    /// The annotations among the words. Some words are of no interest after the expansion.
    pub(crate) fn read(args: &Args<FieldArgs>, errors: &mut Errors) -> Self {
        // Every word is named here, so that the compiler asks for a new one.
        let FieldArgs {
            ignore,
            def,
            def_simple,
            rename: _,
            default: _,
            meta: _,
            may_contain,
            outer: _,
            skip: _,
            cache: _,
        } = &args.values;
        let roles = [(ignore, Role::Ignore), (def, Role::Def), (def_simple, Role::DefSimple)];
        let role = roles.into_iter().find(|(flag, _)| flag.is_present());
        FieldMeta {
            role: role.map_or(Role::Content, |(_, role)| role),
            pairs: pairs(args, errors),
            may_contain: Contents::read(may_contain.as_ref(), errors),
        }
    }

    /// `FieldMeta { role: FieldRole::Def, ..FieldMeta::NONE }`: the documentation and the annotations of the field.
    pub(crate) fn entry(&self, docs: &Docs) -> TokenStream {
        // Every annotation is named here, so that the compiler asks for a new one.
        let FieldMeta { role, pairs, may_contain } = self;
        let role = match role {
            Role::Content => None,
            Role::Ignore => Some(quote!(Ignore)),
            Role::Def => Some(quote!(Def)),
            Role::DefSimple => Some(quote!(DefSimple)),
        };
        let role = role.map(|role| quote!(role: __object::FieldRole::#role,));
        let doc = docs.text().map(|doc| quote!(doc: #doc,));
        let pairs = (!pairs.is_empty()).then(|| {
            let pairs = pairs.iter().map(|(key, value)| quote!((#key, #value)));
            quote!(pairs: &[#(#pairs),*],)
        });
        let may_contain = may_contain.map(Contents::entry);
        let words = quote!(#role #doc #pairs #may_contain);
        match words.is_empty() {
            true => quote!(__object::FieldMeta::NONE),
            false => quote!(__object::FieldMeta { #words ..__object::FieldMeta::NONE }),
        }
    }
}

/// The role of a field in structural equality.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    Content,
    Ignore,
    Def,
    DefSimple,
}

impl Role {
    /// The word in `#[field(...)]`; none for the role of a field without a word.
    pub(crate) fn word(self) -> Option<&'static str> {
        match self {
            Role::Content => None,
            Role::Ignore => Some("ignore"),
            Role::Def => Some("def"),
            Role::DefSimple => Some("def_simple"),
        }
    }

    /// Whether variables are bound in the field.
    pub(crate) fn binds(self) -> bool {
        matches!(self, Role::Def | Role::DefSimple)
    }
}

/// The pairs in `meta(key = "value", ...)`.
fn pairs(args: &Args<FieldArgs>, errors: &mut Errors) -> Vec<(String, LitStr)> {
    let Some(list) = &args.values.meta else { return Vec::new() };
    let mut report = errors.of(rule::meta_form);
    let help = "write `meta(key = \"value\", ...)`";
    let pairs = match Punctuated::<MetaNameValue, Token![,]>::parse_terminated.parse2(list.0.clone()) {
        Ok(pairs) => pairs,
        Err(error) => {
            report.add_help(&args.tokens_of("meta"), format!("`meta` lists texts by name: {error}"), help);
            return Vec::new();
        }
    };
    if pairs.is_empty() {
        report.add_help(&args.tokens_of("meta"), "`meta()` is empty", help);
    }
    let mut all: Vec<(String, LitStr)> = Vec::new();
    for pair in pairs {
        let key = pair.path.segments.iter().map(|segment| unraw(&segment.ident)).collect::<Vec<_>>().join("::");
        match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(value), .. }) => {
                if all.iter().any(|(earlier, _)| *earlier == key) {
                    report.add_help(&pair, format!("`{key}` is given twice in `meta`"), "leave one of them out");
                } else {
                    all.push((key, value.clone()));
                }
            }
            value => {
                let text = quote!(#value).to_string();
                let message = format!("the value of `{key}` in `meta` is not a text");
                report.add_help(value, message, format!("write `{key} = \"{}\"`", text.escape_debug()));
            }
        }
    }
    all
}
