//! [`Pairs`]: the texts in `meta(key = "value", ...)` of a type or a field, and their entry in the table.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprLit, Lit, LitStr, MetaNameValue, Token};

use crate::input::{Args, List};
use crate::names::unraw;
use crate::report::{Errors, rule_names};

rule_names![meta_form];

/// Texts by name, for tools of the user.
#[derive(Default)]
pub(crate) struct Pairs(Vec<(String, LitStr)>);

impl Pairs {
    /// The pairs in `list`, which `args` has after the word `meta`.
    pub(crate) fn read<T>(args: &Args<T>, list: Option<&List>, errors: &mut Errors) -> Self {
        let Some(list) = list else { return Pairs::default() };
        let mut report = errors.of(rule::meta_form);
        let help = "write `meta(key = \"value\", ...)`";
        let pairs = match Punctuated::<MetaNameValue, Token![,]>::parse_terminated.parse2(list.0.clone()) {
            Ok(pairs) => pairs,
            Err(error) => {
                report.add_help(&args.tokens_of("meta"), format!("`meta` lists texts by name: {error}"), help);
                return Pairs::default();
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
        Pairs(all)
    }

    /// `&[("key", "value")]`; `None` without pairs.
    pub(crate) fn entry(&self) -> Option<TokenStream> {
        let pairs = self.0.iter().map(|(key, value)| quote!((#key, #value)));
        (!self.0.is_empty()).then(|| quote!(&[#(#pairs),*]))
    }
}
