//! The derive macro of `object_core`: from an annotated struct to its handle and its type table.

mod report;
mod keywords;
mod attribute_items;
mod input;
mod syntax;
mod types;
mod std_types;
mod docs;
mod lints;
mod names;
mod contents;
mod pairs;
mod evolution;
mod value_words;
mod field_words;
mod model;
mod build_model;
mod check;
mod expand;
mod fallback;
mod methods;
mod lists;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput};

use crate::report::Errors;

#[doc = include_str!("../docs/reference.md")]
#[proc_macro_derive(Object, attributes(object, structural_eq, field))]
pub fn derive_object(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    derive(input.into()).into()
}

#[doc = include_str!("../docs/object_methods.md")]
#[proc_macro_attribute]
pub fn object_methods(args: proc_macro::TokenStream, item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    methods::object_methods(args.into(), &item.into()).into()
}

/// The expansion of `object_core::variants_of!`, which passes the path of `object_core` on.
#[doc(hidden)]
#[proc_macro]
pub fn variants_of(tokens: proc_macro::TokenStream) -> proc_macro::TokenStream {
    lists::list(tokens.into(), lists::variants_of).into()
}

/// The expansion of `object_core::visitor!`, which passes the path of `object_core` on.
#[doc(hidden)]
#[proc_macro]
pub fn visitor(tokens: proc_macro::TokenStream) -> proc_macro::TokenStream {
    lists::list(tokens.into(), lists::visitor).into()
}

/// The errors and the code for one item.
fn derive(tokens: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(tokens) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let mut errors = Errors::default();
    let code = expansion(&input, &mut errors);
    let errors = errors.to_compile_errors();
    quote!(#errors #code)
}

/// All stations: input, model, check, and expansion or its fallback.
fn expansion(input: &DeriveInput, errors: &mut Errors) -> TokenStream {
    check::item(input, errors);
    if check::derived_again(input).is_some() {
        return TokenStream::new();
    }
    match &input.data {
        Data::Struct(data) => {
            let node = build_model::node(input, &data.fields, errors);
            check::node(&node, errors);
            if errors.is_empty() {
                expand::node(&node)
            } else if input.generics.params.is_empty() {
                fallback::node(node)
            } else {
                TokenStream::new()
            }
        }
        Data::Enum(data) => {
            let item = build_model::enumeration(input, data, errors);
            check::enumeration(&item, errors);
            let code = match build_model::sum(&item).filter(|_| errors.is_empty()) {
                Some(sum) => expand::sums::sum(&sum),
                None if errors.is_empty() => expand::enums::enumeration(&item),
                None if input.generics.params.is_empty() => fallback::enumeration(&item),
                None => return TokenStream::new(),
            };
            let (lints, scope) = (item.lints.allowed(), expand::scope(&item.krate, &code));
            quote!(#lints #scope)
        }
        Data::Union(_) => TokenStream::new(),
    }
}

#[cfg(test)]
mod tests;
