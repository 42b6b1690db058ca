//! `#[object_methods]`: from an `impl` block to the table of its functions. It has the stations of the derive:
//! keywords, model, check, and expansion or its fallback.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Item, ItemImpl};

use crate::report::{Errors, rule_names};

mod check;
mod expand;
mod keywords;
mod model;

use model::Block;

rule_names![impl_block];

/// The errors and the code for one block. The code always contains the block itself, so that a mistake in it makes no
/// errors in the code that uses its functions.
pub(crate) fn object_methods(args: TokenStream, tokens: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let code = expansion(args, tokens, &mut errors);
    let errors = errors.to_compile_errors();
    quote!(#errors #code)
}

/// The block and its table, or a fallback.
pub(crate) fn expansion(args: TokenStream, tokens: &TokenStream, errors: &mut Errors) -> TokenStream {
    let Some(mut item) = impl_block(tokens, errors) else { return tokens.clone() };
    let block = Block::read(args, &mut item, errors);
    check::block(&block, errors);
    let table = if errors.is_empty() { expand::table(&block) } else { expand::no_table(&block) };
    quote!(#item #table)
}

/// Only an `impl` block has functions of a type.
fn impl_block(tokens: &TokenStream, errors: &mut Errors) -> Option<ItemImpl> {
    match syn::parse2(tokens.clone()) {
        Ok(Item::Impl(item)) => return Some(item),
        Ok(other) => {
            let (at, help) = match &other {
                Item::Fn(item) => {
                    let help = "write `#[object_methods]` on the `impl` block of a handle; a function without a type \
                                is declared by `register_function!`";
                    (item.sig.ident.to_token_stream(), help)
                }
                Item::Struct(item) => (item.ident.to_token_stream(), "write it on `impl X { ... }`, not on the struct"),
                Item::Trait(item) => (item.ident.to_token_stream(), "write it on `impl X { ... }` of a handle"),
                _ => (tokens.clone(), "write it on `impl X { ... }` of a handle"),
            };
            errors.of(rule::impl_block).add_help(&at, "`#[object_methods]` belongs on an `impl` block", help);
        }
        Err(error) => errors.of(rule::impl_block).add_parse_error(&error),
    }
    None
}

/// The names of all rules of this macro.
#[cfg(test)]
pub(crate) fn rule_names() -> impl Iterator<Item = crate::report::RuleName> {
    rule::ALL.iter().chain(keywords::rule::ALL).copied().chain(check::rule_names())
}

#[cfg(test)]
mod tests;
