//! [`Contents`]: the kinds in `may_contain(...)` of a type or a field, and their entry in the table.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Ident, Token};

use crate::input::List;
use crate::keywords::nearest;
use crate::names::unraw;
use crate::report::{Errors, rule_names};

rule_names![may_contain_form];

/// Kinds of objects that can make the comparison of an object depend on its surroundings, or fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Contents {
    pub(crate) var: bool,
    pub(crate) dag: bool,
    pub(crate) none: bool,
}

impl Contents {
    /// The kinds in `may_contain(var, dag)`.
    pub(crate) fn read(list: Option<&List>, errors: &mut Errors) -> Option<Contents> {
        let mut contents = Contents::default();
        let help = "the kinds are `var`, `dag` and `none`; write for example `may_contain(var, dag)`, or `may_contain()` for none of them";
        match Punctuated::<Ident, Token![,]>::parse_terminated.parse2(list?.0.clone()) {
            Ok(words) => words.iter().for_each(|word| match unraw(word).as_str() {
                "var" => contents.var = true,
                "dag" => contents.dag = true,
                "none" => contents.none = true,
                other => {
                    let message = match nearest(other, ["var", "dag", "none"].into_iter()) {
                        Some(near) => format!("unknown word `{other}` in `may_contain`; did you mean `{near}`?"),
                        None => format!("unknown word `{other}` in `may_contain`"),
                    };
                    errors.of(rule::may_contain_form).add_help(word, message, help);
                }
            }),
            Err(error) => {
                errors.of(rule::may_contain_form).add_parse_error_help(&error, "`may_contain` lists kinds", help);
            }
        }
        Some(contents)
    }

    /// `may_contain: Some(Contents::of(var, dag, none)),`
    pub(crate) fn entry(self) -> TokenStream {
        let Contents { var, dag, none } = self;
        quote!(may_contain: ::core::option::Option::Some(__object::Contents::of(#var, #dag, #none)),)
    }
}
